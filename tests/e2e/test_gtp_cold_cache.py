"""`linage-bot gtp` without compiled code: one process compiles, and none waits for a dead one.

Compiling takes long, so these tests take the games with the least code, and find the code there
that games share.
"""

import re
import select
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.compiled_code import copy_without
from tests.e2e.engine import COMMAND, ENVIRONMENT

pytestmark = pytest.mark.thorough

PATIENCE_SECONDS = 250  # on a machine that does much else
OPTIONS = ("--game", "leblin", "--size", "7", "--visits", "30")
COMPILING = b"linage-bot: compiling Leblin for this machine"


def engine(cache: Path, *options: str) -> subprocess.Popen:
    """Start an engine with its own cache."""
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
    """Play a move, quit, and return the process's stderr."""
    while (answer := process.stdout.readline()) == b"\n":
        pass
    assert answer[:2] == b"= ", answer
    assert answer[2:] not in (b"\n", b"resign\n")
    _, said = process.communicate(b"quit\n", PATIENCE_SECONDS)
    assert process.returncode == 0
    assert b"Traceback" not in said, said.decode()
    return said


def line(process: subprocess.Popen, seconds: float) -> bytes:
    """Return the next line of stderr; fail after `seconds` seconds."""
    assert select.select([process.stderr], [], [], seconds)[0]
    return process.stderr.readline()


@pytest.mark.timeout(2 * PATIENCE_SECONDS)
def test_four_engines_and_one_that_is_killed(tmp_path: Path) -> None:
    """One process compiles and all move; when it is killed, another continues within a second."""
    cache = copy_without(tmp_path, "leblin")
    killed = engine(cache, "--solver", "off")
    ask(killed, b"genmove b\n")
    assert line(killed, PATIENCE_SECONDS).startswith(COMPILING)
    others = [engine(cache, "--solver", "off") for _ in range(4)]  # as many as GoGui starts
    for each in others:
        ask(each, b"name\ngenmove b\n")
        assert each.stdout.readline() == b"= linage-bot\n"  # it waits for the compiler, but answers
    time.sleep(0.5)
    assert not select.select([each.stderr for each in others], [], [], 0)[0]
    killed.kill()
    ended = time.monotonic()
    heard = select.select([each.stderr for each in others], [], [], PATIENCE_SECONDS)[0]
    assert time.monotonic() - ended < 1
    killed.communicate()
    assert len(heard) == 1
    said = [moved(each) for each in others]
    assert sorted(each[: len(COMPILING)] for each in said) == 3 * [b""] + [COMPILING]
    (folder,) = cache.iterdir()
    kinds = {path.suffix.partition("-")[0] for path in folder.glob("kernels.leblin.*")}
    assert kinds == {".code", ".ready"}


@pytest.mark.timeout(PATIENCE_SECONDS)
def test_an_engine_that_compiles_obeys(tmp_path: Path) -> None:
    """During compilation the engine answers, obeys `stop`, and ends at once on `quit`."""
    with engine(copy_without(tmp_path, "leblin"), "--solver", "off") as process:
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
    """Without a seed only the search is compiled before the first move; with one the solver too."""
    cache = copy_without(tmp_path, "linage-parity", "nimbers.*", "solver.nimbers.*")
    for options, compiled in (((), False), (("--seed", "1"), True)):
        process = engine(cache, "--game", "linage-parity", "--size", "5", *options)
        for command in (b"play b B2\n", b"play w C3\n"):  # within reach of a proof, in no table
            ask(process, command)
            assert answer(process) == b"= \n"
        ask(process, b"genmove b\n")
        moved(process)
        (folder,) = cache.iterdir()
        assert list(folder.glob("kernels.parity_linage.ready-*"))
        assert bool(list(folder.glob("nimbers.ready-*"))) is compiled


def visits(process: subprocess.Popen) -> int:
    """Return the number of visits of the last move."""
    ask(process, b"gomill-explain_last_move\n")
    explained = answer(process)
    (found,) = re.findall(rb"([\d,]+) visits", explained)
    return int(found.replace(b",", b""))


def answer(process: subprocess.Popen) -> bytes:
    text = process.stdout.readline()
    while (line := process.stdout.readline()) != b"\n":
        text += line
    return text


@pytest.mark.timeout(2 * PATIENCE_SECONDS)
def test_clocks_while_code_is_compiled(tmp_path: Path) -> None:
    """Compiling costs no visits of a first move, and with `linage-compile` no time on the clock.

    One engine compiles during its first move, and answers other commands. Another waits for the
    same code before its game.
    """
    cache = copy_without(tmp_path, "leblin")
    with (
        engine(cache, "--solver", "off", "--visits", "2000") as moving,
        engine(cache, "--solver", "off", "--visits", "100000") as waiting,
    ):
        began = time.monotonic()
        for command in (b"time_settings 600 0 0", b"time_left b 600 0", b"name", b"showboard"):
            ask(moving, command + b"\n")
            assert answer(moving)[:1] == b"="
        assert time.monotonic() - began < 10
        ask(moving, b"genmove b\n")
        assert line(moving, PATIENCE_SECONDS).startswith(COMPILING)
        ask(waiting, b"linage-compile\n")
        assert re.match(rb"= [A-G][1-7]", answer(moving))
        assert visits(moving) >= 2000
        ask(moving, b"genmove w\n")
        assert re.match(rb"= [A-G][1-7]", answer(moving))
        assert visits(moving) >= 2000
        assert time.monotonic() - began < 590
        moving.communicate(b"quit\n", PATIENCE_SECONDS)

        assert answer(waiting) == b"= \n"
        for command in (b"time_settings 10 0 0", b"time_left b 10 0"):
            ask(waiting, command + b"\n")
            assert answer(waiting) == b"= \n"
        began = time.monotonic()
        ask(waiting, b"genmove b\n")
        assert re.match(rb"= [A-G][1-7]", answer(waiting))
        assert time.monotonic() - began < 5
        assert visits(waiting) >= 100
        waiting.communicate(b"quit\n", PATIENCE_SECONDS)
