"""`linage-bot gtp` where nothing has been compiled: once a machine, and nobody waits for the dead.

Compiling takes long, so these tests share what they can.
"""

import select
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.engine import COMMAND, ENVIRONMENT

PATIENCE_SECONDS = 250  # on a machine that does much else
OPTIONS = ("--size", "7", "--visits", "30")
COMPILING = b"linage-bot: compiling Linage for this machine"


def engine(cache: Path, *options: str) -> subprocess.Popen:
    """One with a cache of its own."""
    return subprocess.Popen(
        [*COMMAND, *OPTIONS, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**ENVIRONMENT, "LINAGE_BOT_CACHE": str(cache)},
    )


def ask(process: subprocess.Popen, command: bytes) -> None:
    process.stdin.write(command)
    process.stdin.flush()


def moved(process: subprocess.Popen) -> bytes:
    """What it says on stderr when it has played its move and ended."""
    while (answer := process.stdout.readline()) == b"\n":
        pass
    assert answer[:2] == b"= ", answer
    assert answer[2:] not in (b"\n", b"resign\n")
    _, said = process.communicate(b"quit\n", PATIENCE_SECONDS)
    assert process.returncode == 0
    assert b"Traceback" not in said, said.decode()
    return said


def line(process: subprocess.Popen, seconds: float) -> bytes:
    """The next line on stderr, which comes within so many seconds."""
    assert select.select([process.stderr], [], [], seconds)[0]
    return process.stderr.readline()


@pytest.mark.timeout(2 * PATIENCE_SECONDS)
def test_eight_engines_and_one_that_is_killed(tmp_path: Path) -> None:
    """One compiles and all move; when it is killed amid that, another goes on within a second."""
    killed = engine(tmp_path, "--solver", "off")
    ask(killed, b"genmove b\n")
    assert line(killed, PATIENCE_SECONDS).startswith(COMPILING)
    others = [engine(tmp_path, "--solver", "off") for _ in range(8)]
    for each in others:
        ask(each, b"name\ngenmove b\n")
        assert each.stdout.readline() == b"= linage-bot\n"  # it waits, and answers meanwhile
    time.sleep(0.5)
    assert not select.select([each.stderr for each in others], [], [], 0)[0]
    killed.kill()
    ended = time.monotonic()
    heard = select.select([each.stderr for each in others], [], [], PATIENCE_SECONDS)[0]
    assert time.monotonic() - ended < 1
    killed.communicate()
    assert len(heard) == 1
    said = [moved(each) for each in others]
    assert sorted(each[: len(COMPILING)] for each in said) == 7 * [b""] + [COMPILING]
    (folder,) = tmp_path.iterdir()
    assert {path.suffix.partition("-")[0] for path in folder.iterdir()} == {".code", ".ready"}


@pytest.mark.timeout(PATIENCE_SECONDS)
def test_an_engine_that_compiles_obeys(tmp_path: Path) -> None:
    """What needs no search is answered, `stop` is obeyed, and `quit` ends the process at once."""
    with engine(tmp_path, "--solver", "off") as process:
        ask(process, b"genmove b\n")
        assert line(process, PATIENCE_SECONDS).startswith(COMPILING)
        time.sleep(1)
        ask(process, b"stop\nname\n")
        move, _, stop, _, name, _ = (process.stdout.readline() for _ in range(6))
        assert move[:2] == b"= "
        assert move != b"= \n"  # if not a good one
        assert (stop, name) == (b"= \n", b"= linage-bot\n")
        began = time.monotonic()
        process.communicate(b"quit\n", PATIENCE_SECONDS)
        assert time.monotonic() - began < 3
        assert process.returncode == 0


@pytest.mark.timeout(2 * PATIENCE_SECONDS)
def test_only_play_that_can_be_repeated_waits_for_the_solver(tmp_path: Path) -> None:
    """Without a seed a move comes as soon as the search is compiled; with one the solver's, too."""
    for options, compiled in (((), False), (("--seed", "1"), True)):
        process = engine(tmp_path, *options)
        ask(process, b"genmove b\n")
        moved(process)
        (folder,) = tmp_path.iterdir()
        assert list(folder.glob("kernels.linage.ready-*"))
        assert bool(list(folder.glob("solver.ready-*"))) is compiled
