"""The folder in which compiled code is stored between runs.

It belongs to the user. Its name has a hash of every source that can become part of the code, of the
tables that become constants in it, and of the versions of the compilers. So after a change of a
kernel or of Numba the folder is new and empty. A folder of the same name may be shipped with the
package; it is only read.

Other packages can bring kernels, too. The names of their files have a hash of that package, so that
it can change or go without any effect on the code of other games.
"""

import functools
import hashlib
import importlib.util
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
_COMPILED = (".py", ".bin")  # suffixes of the files that become part of machine code


def sources_hash(packages: Iterable[str] = _PACKAGES) -> str:
    """Return a hash of twelve hexadecimal digits of all source files and tables in the packages.

    It includes all subfolders, and the versions of Python, Numba and llvmlite. Those of the last
    two are read from their packages: `importlib.metadata` takes 5 ms, for which a first move waits.
    """
    digest = hashlib.sha256(str(sys.implementation.cache_tag).encode())
    for compiler in ("numba", "llvmlite"):
        digest.update((_folder(compiler) / "_version.py").read_bytes())
    for package in packages:
        for name, file in sorted(_files(_folder(package), package)):
            if name.endswith(_COMPILED):
                digest.update(name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def _folder(package: str) -> Path:
    """Return the folder of a package, without importing it."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{package} is not installed", name=package)
    return Path(spec.origin).parent


@functools.cache
def _own_hash() -> str:
    """Return the hash of the sources that this process uses."""
    return sources_hash()


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    """Yield the files of a package, each with its path, without Python's own bytecode."""
    for entry in folder.iterdir():
        name = f"{path}/{entry.name}"
        if not entry.is_dir():
            yield name, entry
        elif entry.name != "__pycache__":
            yield from _files(entry, name)


@functools.cache
def foreign_sources(module: str) -> tuple[str, ...]:
    """Return a hash of the package of a module, in a tuple; an empty one for our own modules.

    The hash covers all files of the outermost package with an `__init__.py`, since any of them may
    become part of machine code; of a module outside of such packages only its own file. A program's
    main module has none, and neither has one that comes from no file.
    """
    names = module.split(".")
    if names[0] in ("linage_bot", "__main__"):
        return ()
    for outer in (".".join(names[:count]) for count in range(1, len(names) + 1)):
        spec = importlib.util.find_spec(outer)
        if spec is not None and spec.has_location and spec.origin is not None:
            break
    else:
        return ()
    digest = hashlib.sha256()
    if spec.submodule_search_locations is None:
        digest.update(Path(spec.origin).read_bytes())
    else:
        for name, file in sorted(_files(files(outer), outer)):
            digest.update(name.encode() + b"\0" + file.read_bytes())
    return (digest.hexdigest()[:12],)


def shipped_folder() -> Path:
    """Return the folder of code that a wheel made by `.ci/compiled_wheel.py` brings.

    It need not exist.
    """
    return Path(__file__).parents[1] / "compiled" / f"code-{_own_hash()}"


def cache_folder() -> Path | None:
    """Return the folder for this version's code, created if necessary; None if none is writable.

    The candidates, in order: `LINAGE_BOT_CACHE`, the user's cache folder, and a private folder
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
    except FileNotFoundError:  # there is no usable folder for temporary files if the disk is full
        return None
    folder = base / name
    return folder if _private(base) and _private(folder) and usable(folder) else None


def _private(folder: Path) -> bool:
    """Return whether the folder, created if necessary, is the user's and no other can replace it.

    Any user may have created one of this name among the temporary files before.
    """
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found, parent = folder.lstat(), folder.parent.stat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):  # Windows, where each user has a folder for temporary files
        return True
    me, theirs = os.getuid(), stat.S_IWGRP | stat.S_IWOTH
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == me and not found.st_mode & theirs
    fixed = not parent.st_mode & theirs or parent.st_mode & stat.S_ISVTX
    return own and bool(fixed) and parent.st_uid in (0, me)


def usable(folder: Path) -> bool:
    """Return whether this user, and no other, can create files in the folder.

    The folder is created if necessary. If it is this user's, other users lose the right to write to
    it, with a warning. They may have put files there before, so the owner and mode of each file are
    checked when it is read.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        close_to_writers(folder)
        return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
    except OSError:
        return False
