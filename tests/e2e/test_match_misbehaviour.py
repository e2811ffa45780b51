"""Many games against each kind of bad engine: the right forfeits, and no process left over."""

import io
import json
import os
import sys
import time
import uuid
from pathlib import Path

import pytest
import pytest_twisted
from rich.console import Console
from twisted.internet import reactor

from linage_bot.match.command import run
from linage_bot.settings.match import ClockSettings, EngineSettings, GameSettings, MatchSettings

ROOT = Path(__file__).parents[2]
MANY = [8, pytest.param(20, marks=pytest.mark.slow)]
KNOWING = (sys.executable, str(ROOT / "tests/e2e/match_engine.py"))
BAD = (sys.executable, "-I", "-S", str(ROOT / "tests/e2e/bad_engine.py"))
IMPATIENT = ClockSettings(move_seconds=0.15, margin_seconds=0.1)

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs Linux"),
]


class Traces:
    """The processes of one event: all that were started with its mark."""

    def __init__(self):
        self.mark = uuid.uuid4().hex

    @property
    def env(self):
        return {"LINAGE_TEST_EVENT": self.mark, "PYTHONPATH": str(ROOT)}

    def alive(self):
        """Return their command lines, zombies included."""
        found = []
        for process in Path("/proc").iterdir():
            if process.name.isdecimal() and int(process.name) != os.getpid():
                try:
                    if self.mark.encode() in (process / "environ").read_bytes():
                        found.append((process / "cmdline").read_bytes())
                except OSError:
                    continue
        return found

    @staticmethod
    def zombies():
        """Return our own children that ended without being waited for."""
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        return [pid for pid in children if b"Z" in _status(pid)]

    def none_left(self):
        """Now or very soon: the system buries a killed process in its time."""
        for _ in range(150):
            if not self.alive() and not self.zombies():
                return True
            time.sleep(0.02)
        raise AssertionError((self.alive(), self.zombies()))


def _status(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except OSError:
        return b""


async def play(tmp_path, games, good, bad, **changes):
    settings = MatchSettings(
        games=games,
        out=str(tmp_path / "out"),
        engines=(good, bad),
        game=GameSettings(size=5),
        concurrency=2,
        **changes,
    )
    assert await run(reactor, settings, Console(file=io.StringIO())) == 0
    lines = (tmp_path / "out/results.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines[1:]]
    assert sorted(record["number"] for record in records) == list(range(1, games + 1))
    return records


FORFEITS = [
    ("crash", "F", "died: "),
    ("crash deaf", "F", "died: "),
    ("exit", "F", "exited with status 3"),
    ("close", "T", "no answer to 'genmove' within 0.25 s"),
    ("hang deaf", "T", "no answer to 'genmove' within 0.25 s"),
    (
        "unended",
        "T",
        "no answer to 'genmove' within 0.25 s: an answer has begun, '= C3',"
        " but no empty line has ended it",
    ),
    ("slow", "T", "no answer to 'genmove' within 0.25 s"),
    ("chatter", "T", "no answer to 'genmove' within 0.25 s"),
    ("illegal", "F", "illegal move "),
    ("nonsense", "F", "'sideways' is not a move"),
    ("refuse", "F", "refused 'genmove "),
    ("deny", "F", "refused 'play "),
    ("garbage", "F", "broke the protocol: "),
    ("twice", "F", "broke the protocol: response without a command"),
    ("flood", "F", "broke the protocol: "),
    ("lines", "F", "broke the protocol: reply too long: '= spam'"),
    ("child crash", "F", "killed by SIGKILL"),
    ("child hang deaf", "T", "no answer to 'genmove' within 0.25 s"),
]


@pytest.mark.parametrize("games", MANY)
@pytest.mark.parametrize(
    ("behaviour", "letter", "reason"),
    FORFEITS,
    ids=[words for words, *_ in FORFEITS],
)
@pytest_twisted.ensureDeferred
async def test_a_bad_engine_forfeits_every_game_for_what_it_did_and_leaves_nothing_behind(
    tmp_path, games, behaviour, letter, reason
):
    """Whether it crashes, hangs or floods: result, reason and log are right in each record."""
    traces = Traces()
    clock = IMPATIENT if letter == "T" else None
    good = EngineSettings((*KNOWING, "seed=1"), "good", env=traces.env)
    bad = EngineSettings((*BAD, *behaviour.split()), "bad", env=traces.env, clock=clock)
    for record in await play(tmp_path, games, good, bad):
        winner = record["players"].index("good")
        assert (record["ending"], record["result"]) == ("forfeit", f"{'BW'[winner]}+{letter}")
        assert reason in record["reason"]
        assert record["winner"] == winner
        assert 0 < len(record["log"]) <= 60
        assert behaviour == "lines" or any(" genmove" in line for line in record["log"])
    assert traces.none_left()


@pytest.mark.parametrize("games", MANY)
@pytest.mark.parametrize("behaviour", ["deaf", "boast"])
@pytest_twisted.ensureDeferred
async def test_an_engine_that_ignores_quit_or_lies_about_the_score_forfeits_nothing(
    tmp_path, games, behaviour
):
    """Such an engine's games are scored by the rules, and its processes are ended."""
    traces = Traces()
    good = EngineSettings((*KNOWING, "seed=1"), "good", env=traces.env)
    bad = EngineSettings((*KNOWING, "seed=2", behaviour), "bad", env=traces.env)
    records = await play(tmp_path, games, good, bad)
    assert {record["ending"] for record in records} == {"score"}
    for record in records:
        lies = {claim for claim in record["claims"] if claim != record["result"]}
        assert lies == ({"B+99"} if behaviour == "boast" else set())
    assert traces.none_left()


@pytest.mark.parametrize("failure", ["leave", "babble"])
@pytest.mark.parametrize("last", ["final_score", "genmove resign"])
@pytest_twisted.ensureDeferred
async def test_an_engine_that_fails_after_a_game_is_over_forfeits_nothing(tmp_path, failure, last):
    """A failure that shows in the next game's first command only restarts the engine."""
    traces = Traces()
    good = EngineSettings((*KNOWING, "seed=1"), "good", env=traces.env)
    words = f"{failure}={last}".split()
    bad = EngineSettings((*KNOWING, "seed=2", *words), "bad", env=traces.env)
    ending = "resignation" if "resign" in words else "score"
    for record in await play(tmp_path, 6, good, bad):
        assert record["ending"] == ending, record
    assert traces.none_left()


@pytest_twisted.ensureDeferred
async def test_an_engine_that_fails_after_its_offer_in_the_pie_forfeits(tmp_path):
    """The game has begun, though its board is set up again."""
    good = EngineSettings((*KNOWING, "seed=1"), "good", env={"PYTHONPATH": str(ROOT)})
    bad = EngineSettings((*KNOWING, "leave=pie_offer"), "bad", env={"PYTHONPATH": str(ROOT)})
    records = await play(tmp_path, 6, good, bad, pie=True)
    endings = {record["key"].get("swapped", False): record["ending"] for record in records}
    assert endings == {False: "score", True: "forfeit"}
