"""Build hook of hatchling: a wheel with the games' machine code, which users need not compile.

    HATCH_BUILD_HOOKS_ENABLE=true python -m hatchling build -t wheel

It is off without that variable. `LINAGE_BOT_COMPILED` names the games, all if there are none. The
code is for a level that most processors since 2015 have, the one that builds among them, and for
this Python, Numba and llvmlite. The wheel requires these versions, and its tag says as much of the
rest as a tag can; on another processor code is compiled as from any other wheel
(`linage_bot/engine/jit/code_cache.py`).
"""

import os
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import sys_tags

LEVEL = "x86-64-v3"
FEATURES = (  # as LLVM calls what makes that level
    "64bit avx avx2 bmi bmi2 cmov crc32 cx16 cx8 f16c fma fxsr lzcnt mmx movbe popcnt sahf "
    "sse sse2 sse3 sse4.1 sse4.2 ssse3 xsave"
)


class CompiledWheel(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles in a process of its own, and adds what that leaves in its cache."""

    _cache: tempfile.TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """Return the packages that compiling needs if the build has its own environment."""
        return self.metadata.core.dependencies

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before the build; nothing is compiled for `pip install --editable`."""
        if version != "standard":
            return
        if platform.machine() not in ("x86_64", "AMD64"):
            self.app.display_warning(f"nothing is compiled: this is no {LEVEL}")
            return
        self._cache = tempfile.TemporaryDirectory()
        features = ",".join(f"+{each}" for each in FEATURES.split())
        games = os.environ.get("LINAGE_BOT_COMPILED", "").split()
        own = {
            "LINAGE_BOT_CACHE": self._cache.name,
            "NUMBA_CPU_NAME": LEVEL,
            "NUMBA_CPU_FEATURES": features,
        }
        command = [sys.executable, "-m", "linage_bot", "warm", *games]
        subprocess.run(command, cwd=self.root, env={**os.environ, **own}, check=True)
        (folder,) = Path(self._cache.name).glob("code-*")
        (folder / "processor").write_text(f"{LEVEL} {features}\n")
        build_data["force_include"][str(folder)] = f"linage_bot/engine/compiled/{folder.name}"
        build_data["pure_python"] = False
        build_data["tag"] = _tag()
        build_data["dependencies"] += [f"{it}=={version_of(it)}" for it in ("numba", "llvmlite")]

    def finalize(self, _version: str, _build_data: dict[str, Any], _path: str) -> None:
        """After the build."""
        if self._cache is not None:
            self._cache.cleanup()


def _tag() -> str:
    """For this Python, and for any glibc: what code calls is looked up when it is loaded."""
    here = next(sys_tags())
    glibc = platform.libc_ver()[0] == "glibc"
    system = "manylinux_2_17_x86_64" if glibc else here.platform
    return f"{here.interpreter}-{here.abi}-{system}"
