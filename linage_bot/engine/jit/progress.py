"""How far compiling is: what has been compiled, of what it came to when it was last done.

Every process that takes part adds a byte to a file for each function, and some for each module, in
proportion to the time they take. What it came to in the end is remembered beside the code, where
the next version finds it, too; until then a table measured on the project's machine has to do.
"""

import contextlib
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

_SHIPPED = {  # bytes where nothing else was compiled, and seconds on two processors at rest
    "kernels.linage": (280, 5.0),
    "kernels.two_color_linage": (188, 4.5),
    "kernels.parity_linage": (183, 5.5),
    "kernels.leblin": (153, 5.5),
    "kernels.gardar": (210, 8.0),
    "solver": (524, 8.0),
}
_OTHERS = 120, 6.0
_TRUST = 0.15  # how much of this compile the last one is worth, to tell how long it will take

_noted: Path | None = None


@attrs.frozen
class Compiling:
    """How much is done, 0 to 1, and about how long the rest will take."""

    share: float
    seconds_left: float


def note_to(path: Path) -> None:
    """Note in this file, from now on, what this process compiles."""
    global _noted
    _noted = path


def noted() -> Path | None:
    """Where this process notes what it compiles."""
    return _noted


def note(amount: int = 1) -> None:
    """A function has been compiled, or so much more."""
    if _noted is not None:
        with contextlib.suppress(OSError), _noted.open("ab") as file:
            file.write(b"." * amount)


@contextmanager
def measured(folder: Path, name: str) -> Iterator[Path]:
    """Around compiling what has that name: the file to note in, and what it came to remembered."""
    global _noted
    path, began = _notes(folder, name), time.time()
    with contextlib.suppress(OSError):
        path.write_bytes(f"{began:.2f}\n".encode())
    note_to(path)
    try:
        yield path
        with contextlib.suppress(OSError):
            done, seconds = path.stat().st_size, time.time() - began
            ready(folder, name).write_text(f"{done} {seconds:.1f}\n")
    finally:
        _noted = None
        with contextlib.suppress(OSError):
            path.unlink()


def ready(folder: Path, name: str) -> Path:
    """The file that is there once it has been compiled, by a Python like this one."""
    return folder / f"{name}.ready-{sys.implementation.cache_tag}"


def progress(folder: Path | None, name: str) -> Compiling | None:
    """How far some process of this machine is or, if it was killed, has come; None without notes.

    `once.under_way` tells whether there still is one.
    """
    if folder is None:
        return None
    try:
        noted = _notes(folder, name).read_bytes()
        began = float(noted.partition(b"\n")[0])
    except (OSError, ValueError):
        return None
    most, expected = _expected(folder, name)
    share, spent = min(0.99, len(noted) / most), max(0.0, time.time() - began)
    whole = (_TRUST * expected + spent) / (_TRUST + share)
    return Compiling(share, max(0.0, whole - spent))


def _notes(folder: Path, name: str) -> Path:
    return folder / f"{name}.progress"


def _expected(folder: Path, name: str) -> tuple[int, float]:
    """The bytes and seconds of the last time, of whatever version."""
    try:
        found = sorted(
            folder.parent.glob(f"code-*/{ready(folder, name).name}"),
            key=lambda path: path.stat().st_mtime,
        )
        done, seconds = found[-1].read_text().split()
        return int(done), float(seconds)
    except (OSError, ValueError, IndexError):
        return _SHIPPED.get(name, _OTHERS)
