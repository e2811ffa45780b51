"""Compilation once per machine, on all its processors: one process compiles, the others wait.

The compiling process starts helpers: processes that begin with other parts of the same work. They
share their results as files of compiled code, and a part that one process is compiling is left to
it by the others. A helper exits with the process that started it, even if that is killed, because
its standard input ends then.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import attrs

from linage_bot.engine.jit import progress
from linage_bot.engine.jit.cache_folder import shipped_folder
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
    progress.record_to(Path(notes))
importlib.import_module(module).assist(int(number), *arguments)
"""


@contextmanager
def once(name: str, folder: Path | None) -> Iterator[bool]:
    """Yield whether this process has to compile code that takes long, as no other has done so.

    If it has to, other processes wait until the block ends. Without a folder every process has to;
    if the code was shipped with the package, none has to.
    """
    if progress.ready(shipped_folder(), name).exists():
        from linage_bot.engine.jit.code_cache import (
            SHIPPED,  # imports Numba, else not needed to wait
        )

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
                stack.close()  # processes that have waited load the code at the same time
        yield first


def under_way(
    name: str, folder: Path | None, shown_name: str = ""
) -> progress.CompileProgress | None:
    """Return the progress of the process of this machine that compiles this; None if none does."""
    seen = progress.progress(folder, name)
    if folder is None or seen is None:
        return None
    with locked(_lock(folder, name), wait=False) as nobody:
        return None if nobody else attrs.evolve(seen, name=shown_name)


def _lock(folder: Path, name: str) -> Path:
    return folder / f"{name}.lock"


@contextmanager
def helpers(count: int, module: str, *arguments: str) -> Iterator[None]:
    """Run up to `count` processes that call `assist` of a module; kill them at the block's end.

    Each passes its number, from 1, and the arguments. There may be fewer, or none, if the system
    cannot start more.
    """
    import subprocess  # not needed by a process that finds all code compiled

    path = os.pathsep.join(each or str(Path.cwd()) for each in sys.path)
    notes = str(progress.recording() or "")
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
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
