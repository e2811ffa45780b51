"""A session answers every line once, in words and in time.

A refusal changes nothing.
"""

import math
import time
from random import Random

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linage_bot.engine.engine import Engine
from linage_bot.gtp import GtpEngine
from linage_bot.gtp.graphics import LiveBoard
from linage_bot.settings.playing import FULL_STRENGTH, PlaySettings
from tests.examples import examples
from tests.linage_bot.gtp.conversation import Conversation
from tests.linage_bot.gtp.strange_lines import strange_game, strange_line

REASONS = (
    *("unknown command", "syntax error", "illegal move", "invalid color or coordinate"),
    *("invalid position", "unacceptable size", "cannot undo", "cannot score", "cannot solve"),
    *("cannot load file", "cannot write file", "board not empty"),
)
SMALL_POINTS, SMALL_VISITS = 25, 20  # on which a search may take its course
SHORT_SECONDS = 0.3  # that a search may take
LATE_SECONDS = 5.0  # of the processor, which no limit here allows
CLOCKS = (
    *("time_settings 2 0 0", "time_settings 0 0.2 1", "time_settings 1 1 10"),
    *("kata-time_settings fischer 0.5 0.05", "kgs-time_settings byoyomi 1 0.1 3"),
    *("time_settings 1800 0 0", "kata-time_settings none"),
)


@pytest.fixture(autouse=True, scope="module")
def _in_a_folder_of_its_own(tmp_path_factory):
    """Run in a new folder, because some lines write files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("files"))
        yield


def everything(part: object) -> object:
    """Return all that a part of the session stores, including the state of random numbers."""
    if isinstance(part, GtpEngine | Engine | LiveBoard):
        return {name: everything(value) for name, value in vars(part).items()}
    if isinstance(part, Random):
        return part.getstate()
    return part.copy() if isinstance(part, list | dict) else part


def snapshot(client: Conversation) -> tuple[object, ...]:
    """Return the state that a client can see, and the engine's internal state."""
    return *client.state(), everything(client.engine)


def may_take_its_course(client: Conversation) -> bool:
    """Return whether the limits of the session end any search soon."""
    engine = client.engine
    settings = engine.player.settings
    for each in (settings, attrs.evolve(settings, level=FULL_STRENGTH)):
        limits = engine.limits(each)
        few = limits.visits is not None and limits.visits <= SMALL_VISITS
        small = few and engine.board.count <= SMALL_POINTS
        seconds = math.inf if limits.seconds is None else limits.seconds + limits.extra_seconds
        if not small and seconds > SHORT_SECONDS:
            return False
    return True


def tell(client: Conversation, line: bytes) -> str:
    """Send a line and return its response; interrupt it if it could take long."""
    client.output = b""
    heard = bytes(each for each in line if each > 31 and each != 127)  # as the session reads it
    lasts = any(word in heard for word in (b"nalyze", b"solve", b"region", b"temper"))
    course = may_take_its_course(client) and not lasts
    began = time.process_time()
    client.send(line + (b"\n" if course else b"\n# interrupt\n"))
    client.settle()
    assert time.process_time() - began < LATE_SECONDS, line
    return client.output.decode()


def converse(rng: Random, most: int) -> tuple[int, int]:
    """Send up to `most` lines to a new session; return the numbers sent and refused."""
    visits = rng.choice((1, 4, 10, None))
    quick = PlaySettings(visits=visits, seed=1, solver=rng.random() < 0.5)
    local = rng.random() < 0.7
    drawn: list[str] = []
    client = Conversation(settings=quick, local=local, draw=drawn.append)
    client.engine.new_game(strange_game(rng))
    client.ok(rng.choice(CLOCKS))
    told, refused, before = 0, 0, snapshot(client)
    while told < most:
        line = strange_line(rng, client.engine.position)
        answer = tell(client, line)
        if answer:
            assert answer[:1] in "=?", line
            assert answer.endswith("\n\n"), line
            assert answer.count("\n\n") == 1, line
        assert "internal error" not in answer, (line, answer)
        told += 1
        if client.session.closed:
            break
        now = snapshot(client)
        if answer.startswith("?"):
            refused += 1
            reason = answer[1:].lstrip("0123456789")[1:]
            assert reason.startswith(REASONS), (line, answer)
            assert len(reason) < 500, line
            assert now == before, line
        before = now
    client.engine.player.close()
    return told, refused


@pytest.mark.timeout(900)  # where nothing is compiled yet, it is for all five games
@settings(max_examples=examples(50), deadline=None)
@given(st.integers(0, 2**32))
def test_no_line_is_an_internal_error_and_no_refusal_changes_anything(seed):
    """Damaged commands cause no internal error, and a refused one changes nothing."""
    converse(Random(seed), 40)


@pytest.mark.slow
@pytest.mark.timeout(4 * 3600)
def test_no_line_of_a_hundred_thousand_either(capsys):
    """A hundred thousand damaged lines cause no internal error, and a fifth are refused."""
    told = refused = seed = 0
    while told < 100_000:
        try:
            counts = converse(Random(seed), 50)
        except Exception as error:
            raise AssertionError(f"with seed {seed}: {error!r}") from error
        told, refused, seed = told + counts[0], refused + counts[1], seed + 1
    with capsys.disabled():
        print(f"\n{told} lines in {seed} sessions, {refused} refused")
    assert refused > told // 5
