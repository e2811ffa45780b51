"""Compiling once a machine, on all its processors: one process does, the others wait for it.

The files of compiled code are the meeting place. Whoever compiles starts helpers, processes that
begin with another part of the same work; what one is compiling the others leave to it. A helper
ends with the process that started it, however that ends, for it then reads the end of its input.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from linage_bot.engine.jit import progress
from linage_bot.engine.jit.cache import shipped_folder
from linage_bot.engine.jit.locks import locked

_HELPER = """
import importlib, os, sys, threading
def end_with_parent():
    sys.stdin.buffer.read()
    os._exit(1)
threading.Thread(target=end_with_parent, daemon=True).start()
notes, module, number, *arguments = sys.argv[1:]
if notes:
    from pathlib import Path
    from linage_bot.engine.jit import progress
    progress.note_to(Path(notes))
importlib.import_module(module).assist(int(number), *arguments)
"""


@contextmanager
def once(name: str, folder: Path | None) -> Iterator[bool]:
    """Around getting what takes long to compile: whether nobody has on this machine.

    Then others wait until this is over. Without a folder everybody has to; nobody has where the
    code came with the package.
    """
    if progress.ready(shipped_folder(), name).exists():
        from linage_bot.engine.jit.kept import SHIPPED  # imports Numba: else who waits has not yet

        if SHIPPED is not None:
            yield False
            return
    if folder is None:
        yield True
        return
    done = progress.ready(folder, name)
    with ExitStack() as stack:
        first = not done.exists()
        if first:
            stack.enter_context(locked(_lock(folder, name)))
            first = not done.exists()
            if first:
                stack.enter_context(progress.measured(folder, name))
            else:
                stack.close()  # who waited loads it together with all others
        yield first


def under_way(name: str, folder: Path | None) -> progress.Compiling | None:
    """How far some process of this machine is with compiling it; None where none is any more."""
    seen = progress.progress(folder, name)
    if folder is None or seen is None:
        return None
    with locked(_lock(folder, name), wait=False) as nobody:
        return None if nobody else seen


def _lock(folder: Path, name: str) -> Path:
    return folder / f"{name}.lock"


@contextmanager
def helpers(count: int, module: str, *arguments: str) -> Iterator[None]:
    """Processes that call `assist` of the module, each with its number from 1 and the arguments.

    At most so many; on a busy system there may be none.
    """
    import subprocess  # a start that finds all compiled does without

    path = os.pathsep.join(each or str(Path.cwd()) for each in sys.path)
    notes = str(progress.noted() or "")
    processes = []
    try:
        with contextlib.suppress(OSError):
            for number in range(1, count + 1):
                processes.append(
                    subprocess.Popen(
                        [sys.executable, "-c", _HELPER, notes, module, str(number), *arguments],
                        stdin=subprocess.PIPE,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                        env={**os.environ, "PYTHONPATH": path},
                    )
                )
        yield
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def processors() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
