"""Engines of UGI in a match beside those of GTP: games, forfeits, and nothing left behind."""

import io
import json
import subprocess
import sys

import pytest
import pytest_twisted
from rich.console import Console
from twisted.internet import reactor

from linage_bot.match.command import run
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.match import ClockSettings, EngineSettings, GameSettings, MatchSettings
from tests.e2e.engine import ENVIRONMENT, ROOT
from tests.e2e.processes import posix_only
from tests.e2e.test_match_misbehaviour import IMPATIENT, KNOWING, Traces

OURS = (sys.executable, "-m", "linage_bot", "ugi")
BAD = (sys.executable, "-I", "-S", str(ROOT / "tests/e2e/bad_ugi_engine.py"))

pytestmark = [pytest.mark.thorough, posix_only]


async def play(tmp_path, good, other, **changes):
    """Play a match, the good engine first; return its records and its output."""
    changes = {"games": 2, "game": GameSettings(size=5), **changes}
    settings = MatchSettings(out=str(tmp_path / "out"), engines=(good, other), **changes)
    shown = io.StringIO()
    assert await run(reactor, settings, Console(file=shown, width=200)) == 0
    lines = (tmp_path / "out/results.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines[1:]], shown.getvalue()


EVENTS = {
    "linage on a clock": {
        "game": GameSettings(size="4x5", komi=2.5, options={"button": True}),
        "clock": ClockSettings(main_seconds=30, increment_seconds=0.2),
    },
    "leblin with its pie": {"game": GameSettings("leblin", size=3), "pie": True},
    "linage with its pie": {"game": GameSettings(size=3), "pie": True},
}


@pytest.mark.parametrize("name", EVENTS)
@pytest_twisted.ensureDeferred
async def test_our_ugi_engine_plays_a_gtp_engine_by_the_rules(tmp_path, name):
    """Game, komi and options reach it, its moves are legal, and it counts as the referee does."""
    traces = Traces()
    gtp = EngineSettings((*KNOWING, "seed=1"), "gtp", env=traces.env)
    ugi = EngineSettings(
        OURS,
        "ugi",
        env=traces.env,
        protocol="ugi",
        go="nodes 30",
        options={"seed": 1, "visits": 20},
    )
    records, _ = await play(tmp_path, gtp, ugi, **EVENTS[name])
    assert [record["ending"] for record in records] == ["score", "score"], records
    for record in records:
        side = record["players"].index("ugi")
        assert record["claims"][side] == record["result"][:2]
        assert ("pie" in record) is ("pie" in EVENTS[name])
    assert traces.none_left()


FORFEITS = [
    ("crash", "F", "killed by SIGKILL"),
    ("exit deaf", "F", "exited with status 3 (no more)"),
    ("close", "T", "no answer to 'go' within 0.25 s"),
    ("hang deaf", "T", "no answer to 'go' within 0.25 s"),
    ("illegal", "F", "illegal move "),
    ("nonsense", "F", "'sideways' is not a move"),
    ("none", "F", "'' is not a move"),
    ("twice", "F", "broke the protocol: response without a command"),
    ("flood", "F", "broke the protocol: line too long"),
]


@pytest.mark.parametrize(("behaviour", "letter", "reason"), FORFEITS)
@pytest_twisted.ensureDeferred
async def test_a_bad_engine_forfeits_for_what_it_did_and_leaves_nothing_behind(
    tmp_path, behaviour, letter, reason
):
    """Each record has the right result, reason and log, as with GTP engines."""
    traces = Traces()
    clock = IMPATIENT if letter == "T" else None
    good = EngineSettings((*KNOWING, "seed=1"), "good", env=traces.env)
    bad = EngineSettings(
        (*BAD, *behaviour.split()), "bad", env=traces.env, clock=clock, protocol="ugi"
    )
    records, _ = await play(tmp_path, good, bad)
    for record in records:
        winner = record["players"].index("good")
        assert (record["ending"], record["result"]) == ("forfeit", f"{'BW'[winner]}+{letter}")
        assert reason in record["reason"]
        assert any("> go" in line for line in record["log"])
    assert traces.none_left()


@pytest_twisted.ensureDeferred
async def test_an_engine_that_tells_much_or_counts_wrongly_forfeits_nothing(tmp_path):
    """Lines for people are passed over, and who has won is for the rules to say."""
    good = EngineSettings((*KNOWING, "seed=1"), "good", env={"PYTHONPATH": str(ROOT)})
    odd = EngineSettings((*BAD, "chatter"), "odd", protocol="ugi")
    records, shown = await play(tmp_path, good, odd, max_moves=12)
    assert {record["ending"] for record in records} <= {"score", "adjudication"}
    assert "Traceback" not in shown


@pytest_twisted.ensureDeferred
async def test_an_engine_that_fails_after_a_game_is_over_forfeits_nothing(tmp_path):
    """As with GTP, a failure that shows in the next game only restarts the engine."""
    odd = EngineSettings((*BAD, "leave"), "odd", protocol="ugi")
    other = EngineSettings((*BAD, "chatter"), "other", protocol="ugi")
    records, _ = await play(tmp_path, odd, other, games=6)
    assert [record["ending"] for record in records] == ["score"] * 6, records


UNFIT = {
    "a GTP engine": (KNOWING, {}, "command", "check that the program speaks UGI"),
    "an option it has not": (BAD, {"options": {"hash": 4}}, "options", "lacks the option hash"),
    "a value it cannot have": (
        OURS,
        {"options": {"edition": "2025"}},
        "options",
        "its option edition does not accept '2025'",
    ),
    "no pie": (BAD, {}, "command", "lacks the option pie, which this event needs"),
}


@pytest.mark.parametrize("name", UNFIT)
@pytest_twisted.ensureDeferred
async def test_an_engine_that_does_not_fit_is_the_users_to_fix(tmp_path, name):
    """Before the first game, with the key that may be wrong."""
    words, changes, key, reason = UNFIT[name]
    traces = Traces()
    good = EngineSettings((*KNOWING, "seed=1"), "good", env=traces.env)
    unfit = EngineSettings(words, "unfit", env=traces.env, protocol="ugi", **changes)
    with pytest.raises(SettingFault) as caught:
        await play(tmp_path, good, unfit, pie=name == "no pie")
    assert caught.value.key == f"engines[1].{key}"
    assert reason in caught.value.reason
    assert traces.none_left()


def test_the_match_of_the_manual_is_played(tmp_path):
    """The UGI example of docs/match.md works unchanged."""
    page = (ROOT / "docs/match.md").read_text(encoding="utf-8")
    shown = page.partition("#### Engines of UGI")[2].partition("```toml\n")[2].partition("```")[0]
    head = 'games = 2\nout = "out"\n[game]\nsize = 4\n'
    other = '[[engines]]\ncommand = "linage-bot gtp --visits 20"\n'
    (tmp_path / "match.toml").write_text(head + shown + other)
    command = [sys.executable, "-m", "linage_bot", "match", "match.toml"]
    done = subprocess.run(
        command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "by nodes" in done.stdout
