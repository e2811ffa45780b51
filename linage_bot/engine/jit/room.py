"""What a limit on the address space (`ulimit -v`) leaves for compiled code and for trees.

A compiler that finds no memory ends the process without a word, so it is looked for beforehand.
"""

import math
import sys
from pathlib import Path

_PROCESS_BYTES = 640 << 20  # altogether, with NumPy, Numba, and the code of one game and its solver
_GAME_BYTES = 64 << 20  # more, for another game's
_RESERVE_BYTES = 64 << 20  # beside a tree, for code that is loaded when it is first called


def short() -> bool:
    """Whether NumPy, Numba and compiled code do not fit: then they fail in many ways."""
    return _limit() < _PROCESS_BYTES


def check_room_for_code() -> None:
    """Raise `MemoryError` where a game's code cannot be loaded."""
    loaded = "numba" in sys.modules
    if short() or (loaded and room() < _GAME_BYTES):
        raise MemoryError("compiled code needs more address space")


def nodes_with_room(most: int, node_bytes: int) -> int:
    """Return how many of so many nodes fit twice, as trees are copied.

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
    """The bytes of address space that are left; infinite without a limit."""
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
    """The bytes of address space that the process may have."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return math.inf
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return math.inf if limit == resource.RLIM_INFINITY else limit
