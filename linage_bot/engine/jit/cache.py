"""Where compiled code is kept between runs.

That is a folder of the user's, named after a hash of every source that can end up in the code, of
the tables that become constants in it, and of who compiles: a changed kernel or another Numba finds
an empty folder. One of the same name may have come with the package, and is only read.
"""

import functools
import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import platformdirs

from linage_bot.settings.files import close_to_writers

_PACKAGES = tuple(f"linage_bot.engine.{room}" for room in ("jit", "kernels", "search", "solver"))
_COMPILED = (".py", ".bin")  # what ends up in machine code


def sources_hash(packages: Iterable[str] = _PACKAGES) -> str:
    """Twelve digits that change with any source file or table in the packages, however deep.

    And with the versions of Python, Numba and llvmlite.
    """
    from importlib.metadata import version  # a start that searches nothing does without

    by = sys.implementation.cache_tag, version("numba"), version("llvmlite")
    digest = hashlib.sha256(repr(by).encode())
    for package in packages:
        for name, file in sorted(_compiled(files(package), package)):
            digest.update(name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


@functools.cache
def _own_hash() -> str:
    """That of the sources that this process has read."""
    return sources_hash()


def _compiled(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    """What ends up in machine code, by its path."""
    for entry in folder.iterdir():
        name = f"{path}/{entry.name}"
        if entry.name.endswith(_COMPILED):
            yield name, entry
        elif entry.is_dir():
            yield from _compiled(entry, name)


def shipped_folder() -> Path:
    """The folder of code that came with the package, if any did, by `.ci/compiled_wheel.py`."""
    return Path(__file__).parents[1] / "compiled" / f"code-{_own_hash()}"


def cache_folder() -> Path | None:
    """The folder for this version's code, made if need be; None where nothing can be written.

    The first that works of `LINAGE_BOT_CACHE`, the user's cache folder, and a private folder
    among the temporary files.
    """
    name = f"code-{_own_hash()}"
    own = os.environ.get("LINAGE_BOT_CACHE")
    bases = [Path(own)] if own else []
    bases.append(platformdirs.user_cache_path("linage-bot", appauthor=False))
    for base in bases:
        if usable(base / name):
            return base / name
    return _among_temporary_files(name)


def _among_temporary_files(name: str) -> Path | None:
    user = os.getuid() if hasattr(os, "getuid") else "user"
    try:
        base = Path(tempfile.gettempdir()).resolve() / f"linage-bot-{user}"
    except FileNotFoundError:  # on a full disk there are none
        return None
    folder = base / name
    return folder if _private(base) and _private(folder) and usable(folder) else None


def _private(folder: Path) -> bool:
    """Whether the folder, made if need be, is the user's own, and nobody else can replace it.

    Any user may have made one of this name among the temporary files before.
    """
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found, parent = folder.lstat(), folder.parent.stat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):  # temporary files are each user's own there
        return True
    me, theirs = os.getuid(), stat.S_IWGRP | stat.S_IWOTH
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == me and not found.st_mode & theirs
    fixed = not parent.st_mode & theirs or parent.st_mode & stat.S_ISVTX
    return own and bool(fixed) and parent.st_uid in (0, me)


def usable(folder: Path) -> bool:
    """Return whether this user, and no other, can make files in the folder, made if need be.

    Other users lose the right to write to a folder of this user's, with a line of warning. They may
    have put files there before, so the owner and mode of each file are checked, too.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        close_to_writers(folder)
        return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
    except OSError:
        return False
