"""`linage-bot gtp` with commands that need several kinds of compiled code while it is loaded."""

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from linage_bot.engine.jit.cache_folder import cache_folder
from tests.e2e.engine import COMMAND, ENVIRONMENT, PATIENCE_SECONDS, popen
from tests.examples import some_quick

SEARCH = b"genmove b\n", b"stop\nlinage-solve 0.2\ngenmove w\nquit\n"
TOGETHER = {  # what loads the search, what loads the solver beside it and plays, and the game
    "genmove": (*SEARCH, "linage"),
    "analysis": (b"kata-analyze b 10\n", b"linage-temperatures\ngenmove b\nquit\n", "linage"),
    "other game": (*SEARCH, "leblin"),
}
FINELY = [hundredths / 100 for hundredths in range(0, 81, 2)]


def answered(engine: subprocess.Popen) -> None:
    """The process is up and answers."""
    engine.stdin.write(b"name\n")
    engine.stdin.flush()
    assert [engine.stdout.readline() for _ in range(2)] == [b"= linage-bot\n", b"\n"]


def check(pair: str, delay_seconds: float) -> None:
    """A fresh process does both, the second after a delay, and then plays a move."""
    first, second, game = TOGETHER[pair]
    options = ("--seconds", "0.3", "--game", game, "--size", "5")
    with popen(*options, stderr=subprocess.PIPE) as engine:
        answered(engine)
        engine.stdin.write(first)
        engine.stdin.flush()
        time.sleep(delay_seconds)
        output, said = engine.communicate(second, PATIENCE_SECONDS)
    assert "internal error" not in output.decode(), said.decode()
    assert b"Traceback" not in said, said.decode()
    *_, solved, move, end = output.decode().removesuffix("\n\n").split("\n\n")
    assert (solved[:2], move[:2], end) == ("= ", "= ", "= ")
    assert move[2:] not in ("", "resign")
    assert engine.returncode == 0


@pytest.mark.thorough
@pytest.mark.parametrize("delay_seconds", some_quick([0.05, 0.12, 0.3, 0.6], 0.12))
@pytest.mark.parametrize("pair", TOGETHER)
def test_the_search_and_the_solver_can_be_wanted_at_once(pair: str, delay_seconds: float) -> None:
    """Both commands are answered in any order of loading, and so are later moves."""
    check(pair, delay_seconds)


@pytest.mark.slow
@pytest.mark.parametrize("delay_seconds", FINELY)
@pytest.mark.parametrize("pair", TOGETHER)
def test_they_can_be_wanted_at_once_whenever(pair: str, delay_seconds: float) -> None:
    """Two commands can need code at once, at any moment of loading."""
    check(pair, delay_seconds)


@pytest.mark.thorough
def test_a_proof_is_stopped_while_its_code_is_compiled(tmp_path: Path) -> None:
    """A proof can be stopped while the game's code is being compiled."""
    good = cache_folder()
    assert good is not None
    folder = tmp_path / good.name
    folder.mkdir()
    for path in good.glob("solver.*"):
        shutil.copy(path, folder)
    with subprocess.Popen(
        [*COMMAND, "--game", "leblin", "--size", "4"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**ENVIRONMENT, "LINAGE_BOT_CACHE": str(tmp_path)},
    ) as engine:
        answered(engine)
        engine.stdin.write(b"linage-solve 60\n")
        engine.stdin.flush()
        time.sleep(1.5)
        output, _ = engine.communicate(b"stop\nquit\n", PATIENCE_SECONDS)
    assert output.startswith(b"? cannot solve: stopped")
