"""Where compiled code is kept between runs.

That is a folder of the user's, named after a hash of every source that can end up in the code, and
of the tables that become constants in it: a changed kernel finds an empty folder.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import platformdirs

_PACKAGES = ("linage_bot.kernels", "linage_bot.search", "linage_bot.solver")
_COMPILED = (".py", ".bin")  # what ends up in machine code


def sources_hash(packages: Iterable[str] = _PACKAGES) -> str:
    """Twelve digits that change with any source file or table of the packages."""
    digest = hashlib.sha256()
    for package in packages:
        for file in sorted(files(package).iterdir(), key=lambda entry: entry.name):
            if file.name.endswith(_COMPILED):
                digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def cache_folder() -> Path | None:
    """The folder for this version's code, made if need be; None where nothing can be written.

    The first that works of `LINAGE_BOT_CACHE`, the user's cache folder, and a private folder
    among the temporary files.
    """
    name = f"code-{sources_hash()}"
    own = os.environ.get("LINAGE_BOT_CACHE")
    bases = [Path(own)] if own else []
    bases += [platformdirs.user_cache_path("linage-bot", appauthor=False), _temporary_base()]
    return next((base / name for base in bases if _usable(base / name)), None)


def _temporary_base() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"linage-bot-{user}"


def _usable(folder: Path) -> bool:
    """Whether files can be made there and nobody else could have put code there."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
    except OSError:
        return False
