"""The image of `Containerfile`, made without a container: its steps in a plain environment."""

import os
import platform
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.e2e.engine import ROOT

GAME = "linage-two-color"  # which is compiled soonest, for no solver goes with it
ENGINE = ["linage-bot", "gtp", "--game", GAME, "--size", "7", "--visits", "50"]
MOVE = b"genmove b\nquit\n"
PATIENCE_SECONDS = 600


def instructions() -> list[tuple[str, str]]:
    """The lines of the file, each with its first word apart."""
    text = re.sub(r"\\\n", "", (ROOT / "Containerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def build(folder: Path, environment: dict[str, str]) -> None:
    """Take the steps that copy and run something, in a folder."""
    for word, rest in instructions():
        if word == "COPY":
            *sources, target = rest.split()
            for source in sources:
                if (ROOT / source).is_dir():
                    junk = shutil.ignore_patterns("__pycache__")
                    shutil.copytree(ROOT / source, folder / target, ignore=junk)
                else:
                    shutil.copy(ROOT / source, folder / target)
        elif word == "RUN":
            subprocess.run(["sh", "-c", rest], cwd=folder, env=environment, check=True)


@pytest.mark.thorough
@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="code is compiled for these"
)
@pytest.mark.timeout(PATIENCE_SECONDS)
def test_an_image_compiles_nothing(tmp_path: Path) -> None:
    """The first move comes at once; for an older processor it is compiled after all."""
    assert [word for word, _ in instructions()].count("RUN") == 2
    source, cache, home = (tmp_path / name for name in ("source", "cache", "home"))
    for each in (source, home):
        each.mkdir()
    venv.create(home / "venv", with_pip=True)
    environment = {
        **os.environ,  # where pip and uv find packages, and keep them
        "VIRTUAL_ENV": f"{home}/venv",
        "PATH": f"{home}/venv/bin:{os.environ['PATH']}",
        "PIP_NO_COMPILE": "1",  # most installed packages are not imported here
        "LINAGE_BOT_COMPILED": GAME,
        "LINAGE_BOT_CACHE": str(cache),
    }
    build(source, environment)
    (wheel,) = (source / "dist").iterdir()
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert re.search(rf"-{python}-{python}-(many|musl)linux\w+_x86_64\.whl$", wheel.name)
    shutil.rmtree(source)

    done = subprocess.run(ENGINE, input=MOVE, capture_output=True, cwd=home, env=environment)
    assert re.fullmatch(rb"= [A-G]\d\n\n= \n\n", done.stdout), done
    assert done.stderr == b""
    assert not [*cache.rglob("*.code"), *cache.rglob("*.ready*")]
    older = {"NUMBA_CPU_NAME": "x86-64-v2", "NUMBA_CPU_FEATURES": "+sse4.2"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(ENGINE, cwd=home, env=environment | older, **pipes) as engine:
        engine.stdin.write(MOVE)
        engine.stdin.flush()
        assert b"compiling Two-color Linage" in engine.stderr.readline()
        engine.kill()
