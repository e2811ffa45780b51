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
PYTHON = f"cp{sys.version_info.major}{sys.version_info.minor}"
PATIENCE_SECONDS = 600


def instructions() -> list[tuple[str, str]]:
    """The lines of the file, each with its first word apart."""
    text = re.sub(r"\\\n", "", (ROOT / "Containerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def make_wheel(folder: Path) -> Path:
    """Make the wheel with compiled code, as `.ci/artifacts.py` does."""
    words = ("-m", "hatchling", "build", "-d", str(folder), "-t", "wheel")
    compiling = {"HATCH_BUILD_HOOKS_ENABLE": "true", "LINAGE_BOT_COMPILED": GAME}
    subprocess.run([sys.executable, *words], cwd=ROOT, env=os.environ | compiling, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def build(checkout: Path, folder: Path, environment: dict[str, str]) -> None:
    """Take the steps that copy and run something, with this Python instead of the image's."""
    for word, rest in instructions():
        if word == "COPY":
            pattern, target = rest.replace("cp313", PYTHON).split()
            (source,) = checkout.glob(pattern)
            shutil.copy(source, folder / target)
        elif word == "RUN":
            subprocess.run(["sh", "-c", rest], cwd=folder, env=environment, check=True)


@pytest.mark.thorough
@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="code is compiled for these"
)
@pytest.mark.timeout(PATIENCE_SECONDS)
def test_an_image_compiles_nothing(tmp_path: Path) -> None:
    """The first move comes at once; for an older processor it is compiled after all."""
    checkout, image, cache, home = (tmp_path / each for each in ("out", "image", "cache", "home"))
    for each in (checkout, image, home):
        each.mkdir()
    wheel = make_wheel(checkout / "dist")
    venv.create(home / "venv", with_pip=True)
    environment = {
        **os.environ,  # where pip and uv find packages, and keep them
        "VIRTUAL_ENV": f"{home}/venv",
        "PATH": f"{home}/venv/bin:{os.environ['PATH']}",
        "PIP_NO_COMPILE": "1",  # most installed packages are not imported here
        "LINAGE_BOT_CACHE": str(cache),
    }
    build(checkout, image, environment)
    assert re.search(rf"-{PYTHON}-{PYTHON}-(many|musl)linux\w+_x86_64\.whl$", wheel.name)
    for each in (checkout, image):
        shutil.rmtree(each)

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
