"""The address space that a limit (`ulimit -v`) leaves for compiled code and for search trees.

A compiler that runs out of memory ends the process without a message, so the room is checked first.
"""

import math
import sys
from pathlib import Path

_PROCESS_BYTES = 840 << 20  # of a process with NumPy, Numba, and the code of a game and its solver
_GAME_BYTES = 64 << 20  # of another game's code
_RESERVE_BYTES = 64 << 20  # left free beside a tree, for code that is loaded at its first call


def short() -> bool:
    """Return whether NumPy, Numba and compiled code do not fit; then they fail in many ways."""
    return _limit() < _PROCESS_BYTES


def check_room_for_code() -> None:
    """Raise `MemoryError` if there is too little room to load a game's code."""
    loaded = "numba" in sys.modules
    if short() or (loaded and room() < _GAME_BYTES):
        raise MemoryError("compiled code needs more address space")


def nodes_with_room(most: int, node_bytes: int) -> int:
    """Return the number of nodes, at most `most`, that fit twice, because trees are copied.

    Raises `MemoryError` if there is room for none.
    """
    left = room() - _RESERVE_BYTES
    if left == math.inf:
        return most
    fitting = int(left // (2 * node_bytes))
    if fitting < 1:
        raise MemoryError("a search tree needs more address space")
    return min(most, fitting)


def room() -> float:
    """Return the bytes of address space that are left; infinite without a limit."""
    limit = _limit()
    if limit == math.inf:
        return limit
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except OSError:
        return math.inf
    import resource

    return limit - pages * resource.getpagesize()


def _limit() -> float:
    """Return the bytes of address space that the process may use; infinite without a limit."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return math.inf
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return math.inf if limit == resource.RLIM_INFINITY else limit
