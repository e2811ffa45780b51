"""The progress of compilation, as a share of the work of the last compilation.

Every process that takes part appends bytes to a file in proportion to the time that its work takes:
at least one for each function, and some for each module. The final number is stored beside the
code, where the next version also finds it. Until there is one, a table is used that was measured on
the project's machine.
"""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TypeAlias

import attrs

_SHIPPED = {  # bytes if no other code was compiled before, and seconds on two idle processors
    "kernels.linage": (396, 4.0),
    "kernels.two_color_linage": (260, 3.5),
    "kernels.parity_linage": (260, 3.5),
    "kernels.leblin": (192, 4.0),
    "kernels.gardar": (285, 5.0),
    "solver": (557, 6.0),
}
_OTHERS = 120, 6.0
_TRUST = 0.15  # weight of the last compilation in the estimate of the time, in shares of this one
_REPORT_SECONDS = 0.1

_path: Path | None = None


@attrs.frozen
class CompileProgress:
    """The share of a compilation that is done, 0 to 1, and an estimate of the time left.

    `name`: the name of the game whose search is compiled, or `the solver`.
    """

    share: float
    seconds_left: float
    name: str = ""


OnCompile: TypeAlias = Callable[[CompileProgress], object]
_listener: ContextVar[OnCompile | None] = ContextVar("_listener", default=None)


@contextmanager
def reporting_to(call: OnCompile | None) -> Iterator[None]:
    """Report to a function the compilations for which this thread waits inside the block."""
    token = _listener.set(call)
    try:
        yield
    finally:
        _listener.reset(token)


class CompileReports:
    """The reports of one wait for compiled code, made by the thread that waits.

    They go to the function of `reporting_to`, if there is one.
    """

    def __init__(self, progress: Callable[[], CompileProgress | None]) -> None:
        self._progress = progress
        self._call = _listener.get()
        self._due = 0.0
        self._last: CompileProgress | None = None

    def report_if_due(self) -> None:
        """Report the progress, about ten times a second; raises the exceptions of the function."""
        now = time.monotonic()
        if self._call is None or now < self._due:
            return
        self._due = now + _REPORT_SECONDS
        progress = self._progress()
        if progress is not None:
            self._last = progress
            self._call(progress)

    def finish(self) -> None:
        """Report that the compilation is complete, if it was reported before."""
        if self._call is not None and self._last is not None:
            self._call(attrs.evolve(self._last, share=1.0, seconds_left=0.0))


def record_to(path: Path) -> None:
    """Record the progress of this process in a file from now on."""
    global _path
    _path = path


def recording() -> Path | None:
    """Return the file in which this process records its progress."""
    return _path


def record(amount: int = 1) -> None:
    """Record that work has been done; one short function counts as 1."""
    if _path is not None:
        with contextlib.suppress(OSError), _path.open("ab") as file:
            file.write(b"." * amount)


@contextmanager
def measured(folder: Path, name: str) -> Iterator[Path]:
    """Record progress in a file, which is yielded, and store the final amount and time.

    The file is removed at the end. Nothing is stored if the block raises an exception.
    """
    global _path
    path, began = _notes(folder, name), time.time()
    with contextlib.suppress(OSError):
        path.write_bytes(f"{began:.2f}\n".encode())
    record_to(path)
    try:
        yield path
        with contextlib.suppress(OSError):
            done, seconds = path.stat().st_size, time.time() - began
            ready(folder, name).write_text(f"{done} {seconds:.1f}\n")
    finally:
        _path = None
        with contextlib.suppress(OSError):
            path.unlink()


def ready(folder: Path, name: str) -> Path:
    """Return the path of a file that exists once a compilation is complete, by Python version."""
    return folder / f"{name}.ready-{sys.implementation.cache_tag}"


def progress(folder: Path | None, name: str) -> CompileProgress | None:
    """Return the recorded progress of a compilation on this machine; None without a record.

    The compiling process may have been killed; `single_compile.under_way` checks whether it still
    runs.
    """
    if folder is None:
        return None
    try:
        recorded = _notes(folder, name).read_bytes()
        began = float(recorded.partition(b"\n")[0])
    except (OSError, ValueError):
        return None
    most, expected = _expected(folder, name)
    share, spent = min(0.99, len(recorded) / most), max(0.0, time.time() - began)
    whole = (_TRUST * expected + spent) / (_TRUST + share)
    return CompileProgress(share, max(0.0, whole - spent))


def _notes(folder: Path, name: str) -> Path:
    return folder / f"{name}.progress"


def _expected(folder: Path, name: str) -> tuple[int, float]:
    """Return the bytes and seconds of the last compilation, of any version of the sources."""
    try:
        found = sorted(
            folder.parent.glob(f"code-*/{ready(folder, name).name}"),
            key=lambda path: path.stat().st_mtime,
        )
        done, seconds = found[-1].read_text().split()
        return int(done), float(seconds)
    except (OSError, ValueError, IndexError):
        return _SHIPPED.get(name, _OTHERS)
