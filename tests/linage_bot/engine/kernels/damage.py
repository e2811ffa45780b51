"""Damage to a file of compiled code, and failures of the disk."""

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path


def _flipped(share: float) -> Callable[[Path, random.Random], None]:
    """Return a function that flips one bit at a share of the file's length."""

    def damage(path: Path, chance: random.Random) -> None:
        data = bytearray(path.read_bytes())
        data[int(share * (len(data) - 1))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)

    return damage


def _folder(path: Path, _chance: random.Random) -> None:
    path.unlink()
    path.mkdir()


def _folder_of_things(path: Path, chance: random.Random) -> None:
    _folder(path, chance)
    (path / "thing").write_bytes(b"1")


def _pipe(path: Path, _chance: random.Random) -> None:
    path.unlink()
    os.mkfifo(path)


DAMAGES: dict[str, Callable[[Path, random.Random], object]] = {
    "empty": lambda path, _: path.write_bytes(b""),
    "cut to a few bytes": lambda path, _: path.write_bytes(path.read_bytes()[:10]),
    "cut in half": lambda path, _: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "cut at the end": lambda path, _: path.write_bytes(path.read_bytes()[:-1]),
    "longer": lambda path, _: path.write_bytes(path.read_bytes() + b"\0"),
    "zeros": lambda path, _: path.write_bytes(bytes(path.stat().st_size)),
    "random": lambda path, chance: path.write_bytes(chance.randbytes(path.stat().st_size)),
    "flipped in the checksum": _flipped(0),
    "flipped early": _flipped(0.1),
    "flipped in the middle": _flipped(0.5),
    "flipped at the end": _flipped(1),
    "a folder": _folder,
    "a folder with a file": _folder_of_things,
}
if sys.platform != "win32":
    DAMAGES["a pipe"] = _pipe

# What to give Python before its other arguments, to have it begin again under other conditions.
_AGAIN = "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
ON_FULL_DISK = (
    "-c",
    "import os, resource, sys\n"
    "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"  # no file grows any longer
    f"{_AGAIN}",
)
AS_ANYBODY = (  # modes hold for root, too, without CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
    "-c",
    "import ctypes, os, sys\n"
    "if sys.platform == 'linux':\n"
    "    drop = ctypes.CDLL(None).prctl\n"
    "    drop(24, 1, 0, 0, 0), drop(24, 2, 0, 0, 0)\n"  # PR_CAPBSET_DROP; none to drop: it fails
    f"{_AGAIN}",
)
