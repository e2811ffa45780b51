"""Whole events with real engine processes, good ones and every kind of bad one."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import attrs
import pytest
import pytest_twisted
from rich.console import Console
from twisted.internet import reactor

from linage_bot.match.command import run
from linage_bot.records.reading import from_sgf
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.match import (
    ClockSettings,
    EngineSettings,
    GameSettings,
    MatchSettings,
)
from tests.examples import some_quick

ROOT = Path(__file__).parents[2]
ENGINE = (sys.executable, str(ROOT / "tests/e2e/match_engine.py"))
PYTHON_PATH = {"PYTHONPATH": str(ROOT)}
PATIENCE = 10  # seconds, in which an engine has started on a busy machine, too


def engine(name, *words, **settings):
    return EngineSettings((*ENGINE, *words), name=name, env=PYTHON_PATH, **settings)


@pytest.fixture
def pids(tmp_path):
    """Return the process ids of the bad engine and its children, from the engine's log."""

    def pids():
        lines = (tmp_path / "log").read_text().splitlines()
        return list(dict.fromkeys(int(line.split()[0]) for line in lines))

    return pids


@pytest.fixture
def settings(tmp_path):
    """An event of good against bad, who behaves as the words say."""

    def settings(*words, **changes):
        good = engine("good", "seed=1")
        bad = engine("bad", "seed=2", f"log={tmp_path / 'log'}", *words)
        event = MatchSettings(
            games=4, out=str(tmp_path / "out"), engines=(good, bad), game=GameSettings(size=5)
        )
        return attrs.evolve(event, **changes)

    return settings


async def play(settings, **options):
    """Play an event; return its records and its console output."""
    console = Console(file=io.StringIO(), highlight=False)
    assert await run(reactor, settings, console, **options) == 0
    lines = (Path(settings.out) / "results.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines[1:]], console.file.getvalue()


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until_dead(pids):
    """Whether all are gone, now or very soon: the system buries a killed process in its time."""
    for _ in range(100):
        if not any(map(is_alive, pids)):
            return True
        time.sleep(0.02)
    return False


@pytest_twisted.ensureDeferred
async def test_a_match_is_played_whole_and_by_the_rules(settings, pids):
    """Each SGF replays to the score on record, which both engines claim; no process is left."""
    records, shown = await play(settings())
    assert [record["players"] for record in records] == [["good", "bad"], ["bad", "good"]] * 2
    assert {record["ending"] for record in records} == {"score"}
    for record in records:
        sgf = from_sgf((Path(settings().out) / f"{record['number']:04d}.sgf").read_bytes())
        end = sgf.history().position
        assert end.over
        assert record["result"] == str(end.result()) == sgf.result
        assert record["claims"] == [record["result"]] * 2
        assert len(record["seconds"]) == len(record["moves"])
    assert [line[:3] for line in shown.splitlines()[1:5]] == ["1/4", "2/4", "3/4", "4/4"]
    assert "good – bad: Elo " in shown
    assert len(pids()) == 1
    assert until_dead(pids())


@pytest_twisted.ensureDeferred
async def test_engines_are_told_the_game_and_nothing_after_its_end(settings, tmp_path):
    """The very lines that an engine hears, from `list_commands` to `final_score` and `quit`."""
    game = GameSettings(size="5x6", komi=2, options={"line": 4, "edition": "2016"})
    records, _ = await play(settings(games=1, game=game))
    told = [line.split(" ", 1)[1] for line in (tmp_path / "log").read_text().splitlines()]
    assert told[:6] == [
        "list_commands",
        "clear_board",
        "linage-game linage size=5x6 komi=2 line=4 button=off edition=2016",
        "rectangular_boardsize 5 6",
        "clear_board",
        "komi 2",
    ]
    moves = records[0]["moves"]
    plays = [line for line in told if line.startswith("play")]
    assert plays == [f"play b {move}" for move in moves[::2]]
    assert told.count("genmove w") == len(moves[1::2])
    # It received all moves but its own and a request for the score, and nothing else.
    assert told[-2:] == ["final_score", "quit"]
    assert told[-3] == (plays[-1] if len(moves) % 2 else "genmove w")


FORFEITS = [
    ("illegal=2", "F", "illegal move "),
    ("nonsense", "F", "'sideways' is not a move"),
    ("refuse=3", "F", "refused 'genmove "),
    ("crash=2", "F", "died: "),
    ("exit=2", "F", "exited with status 3"),
    ("garbage=2", "F", "broke the protocol: "),
    ("flood=2", "F", "broke the protocol: "),
    ("deny=3", "F", "refused 'play "),
    ("hang=2", "T", "no answer to 'genmove' within 0.5 s"),
    ("slow=2", "T", "no answer to 'genmove' within 0.5 s"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "letter", "reason"), some_quick(FORFEITS, "illegal=2", "crash=2", "hang=2")
)
@pytest_twisted.ensureDeferred
async def test_an_engine_that_fails_forfeits_the_game_and_is_restarted(
    settings, pids, words, letter, reason
):
    """The record has the reason and the last lines said; each game has a process of its own."""
    clock = ClockSettings(move_seconds=0.4) if letter == "T" else None
    records, shown = await play(settings(words, "deaf", clock=clock))
    assert len(records) == 4
    for record in records:
        good = record["players"].index("good")
        assert record["ending"] == "forfeit"
        assert (record["winner"], record["result"]) == (good, f"{'BW'[good]}+{letter}")
        assert reason in record["reason"]
        assert 0 < len(record["log"]) <= 60
        assert any("genmove" in line or "play" in line for line in record["log"])
    assert "bad forfeits: " in shown
    assert len(pids()) == 4
    assert until_dead(pids())


@pytest.mark.thorough
@pytest_twisted.ensureDeferred
async def test_without_a_clock_an_engine_hangs_when_the_patience_is_over(settings, pids):
    """The reason names the setting, and the process is killed."""
    records, _ = await play(settings("hang=2", games=1, patience_seconds=PATIENCE))
    assert records[0]["reason"] == f"no answer to 'genmove' within {PATIENCE} s"
    assert until_dead(pids())


@pytest_twisted.ensureDeferred
async def test_what_an_engine_said_on_stderr_is_in_the_log(settings):
    """The record of a forfeit contains the engine's stderr, which shows the reason."""
    records, _ = await play(settings("exit=1", games=1))
    assert "! leaving on purpose" in records[0]["log"]


@pytest.mark.thorough
@pytest_twisted.ensureDeferred
async def test_processes_that_an_engine_leaves_behind_are_ended_with_it(settings, pids, tmp_path):
    """Otherwise they would use up processor time long after the event."""
    await play(settings("child", "deaf", games=2))
    assert (tmp_path / "log").read_text().count("is a child") == 2
    assert until_dead(pids())


@pytest_twisted.ensureDeferred
async def test_several_games_at_once_give_each_engine_its_own_processes(settings, pids):
    """Three at a time: nine games, three processes of an engine, and none is left."""
    records, _ = await play(settings(games=9, concurrency=3))
    assert sorted(record["number"] for record in records) == list(range(1, 10))
    assert len(pids()) == 3
    assert until_dead(pids())


# Only the user can fix an engine that is useless from the start

UNUSABLE = [
    (EngineSettings("no-such-program-here --x"), "command: cannot start 'no-such-program-here'"),
    (EngineSettings(("/etc/passwd",)), "command: cannot start '/etc/passwd': Permission denied"),
    (
        EngineSettings("cat", cwd="/no/such/folder"),
        "command: cannot start 'cat': there is no folder",
    ),
    (
        EngineSettings("echo hello"),
        "command: broke the protocol: a reply begins with neither '=' nor '?': 'hello';"
        " check that the program speaks GTP",
    ),
    (EngineSettings("cat"), "command: broke the protocol: "),
    (EngineSettings("true"), "command: died: true: exited with status 0"),
    (EngineSettings("sh -c 'echo oh no >&2; exit 3'"), "exited with status 3 (oh no)"),
    pytest.param(
        EngineSettings("sleep 100"),
        f"command: no answer to 'list_commands' within {PATIENCE} s",
        marks=pytest.mark.thorough,
    ),
    (
        EngineSettings("sh -c 'echo = name; sleep 100'"),
        "command: no answer to 'list_commands' within 1 s: an answer has begun, '= name',"
        " but no empty line has ended it",
    ),
    (
        EngineSettings("sh -c 'echo = name'"),
        "exited with status 0: an answer has begun, '= name', but no empty line has ended it",
    ),
    (engine("x", "without=genmove"), "command: does not have the command genmove"),
    (
        engine("x", start_commands=("echo a", "fail")),
        "start_commands[1]: refused 'fail': failed",
    ),
    (
        engine("x", "without=linage-game", options={"line": 4}),
        "options: cannot receive options: it lacks the command linage-game",
    ),
    (engine("x", options={"speed": "high"}), "options: refused 'linage-game linage size=5 komi="),
    (engine("x", "without=boardsize,linage-game"), "command: does not have the command boardsize"),
]


@pytest.mark.parametrize(("useless", "line"), UNUSABLE)
@pytest.mark.parametrize("place", [0, 1])
@pytest_twisted.ensureDeferred
async def test_an_engine_that_cannot_be_used_is_named_by_its_key(
    settings, pids, useless, line, place, monkeypatch
):
    """The error is one line with the engine's key and the cause, and both engines are ended."""
    monkeypatch.setattr("linage_bot.arena.child.SILENCE_SECONDS", 1.0)
    event = settings()
    engines = (useless, event.engines[1])
    event = attrs.evolve(
        event, engines=engines if place == 0 else engines[::-1], patience_seconds=PATIENCE
    )
    with pytest.raises(SettingFault) as caught:
        await run(reactor, event, Console(file=io.StringIO()))
    assert str(caught.value).startswith(f"engines[{place}].")
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)
    if place == 1:
        assert until_dead(pids())


@pytest_twisted.ensureDeferred
async def test_a_report_can_be_written_of_an_event_that_is_over(settings, tmp_path):
    """The report's path is printed; a path that cannot be a folder is an error of `--report`."""
    await play(settings(games=2))
    report = tmp_path / "report"
    _, shown = await play(settings(games=2), report=str(report))
    assert shown.endswith(f"Report: {report / 'index.html'}\n")
    assert (report / "index.html").read_text().count('<figure class="game"') == 2
    await play(settings(games=2), report=str(report))  # one of ours is replaced
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingFault, match=r"--report: .*file"):
        await play(settings(games=2), report=str(tmp_path / "file"))


@pytest_twisted.ensureDeferred
async def test_a_report_that_cannot_be_written_is_told_before_any_game(settings, tmp_path):
    """A report that cannot be written is an error before any game; foreign pages are kept."""
    (tmp_path / "file").write_text("")
    (tmp_path / "index.html").write_text("<title>My garden</title>")
    for place in ("file", "file/deeper", "."):
        with pytest.raises(SettingFault, match="--report: "):
            await play(settings(games=2), report=str(tmp_path / place))
    assert (tmp_path / "index.html").read_text() == "<title>My garden</title>"
    assert not (tmp_path / "out").exists()


@pytest_twisted.ensureDeferred
async def test_a_terminal_shows_the_games_that_go_on(settings):
    """A terminal shows the players and the number of moves of each running game."""
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    assert await run(reactor, settings("slow=2", games=1), console) == 0
    assert "game 1  good – bad  move " in console.file.getvalue()


# The command, interrupted


def toml(settings):
    """The settings as a file."""
    lines = [f"games = {settings.games}", f"out = {json.dumps(settings.out)}", "[game]", "size = 5"]
    for one in settings.engines:
        lines += ["[[engines]]", f"name = '{one.name}'", f"command = {json.dumps(one.command)}"]
        lines += [f"env = {{ PYTHONPATH = {json.dumps(str(ROOT))} }}"]
    return "\n".join(lines)


@pytest.fixture
def command(settings, tmp_path):
    def command(*words, **changes):
        path = tmp_path / "event.toml"
        path.write_text(toml(settings(*words, **changes)))
        return subprocess.Popen(
            [sys.executable, "-m", "linage_bot", "match", str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **PYTHON_PATH},
        )

    return command


def wait_for_games(tmp_path, count, process):
    results = tmp_path / "out/results.jsonl"
    for _ in range(1000):
        if results.exists() and results.read_bytes().count(b"\n") > count:
            return
        assert process.poll() is None
        time.sleep(0.01)
    raise AssertionError("no games")


@pytest.mark.thorough
def test_an_interrupted_event_leaves_no_process_and_goes_on_where_it_stopped(
    command, tmp_path, pids
):
    """Ctrl-C gives status 130 and a hint; the same command plays only the missing games."""
    process = command("slow=3", games=12)
    wait_for_games(tmp_path, 2, process)
    process.send_signal(signal.SIGINT)
    shown, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, "")
    assert "Run the same command again" in shown
    assert until_dead(pids())
    process = command("slow=3", games=12)
    shown, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    assert "games already played" in shown
    numbers = [
        json.loads(line)["number"]
        for line in (tmp_path / "out/results.jsonl").read_text().splitlines()[1:]
    ]
    assert numbers == [*range(1, 13)]


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="needs the parent-death signal")
def test_engines_do_not_outlive_a_runner_that_is_killed(command, tmp_path, pids):
    """Killing the runner ends even an engine that ignores `quit`, SIGTERM and end of input."""
    process = command("deaf", "slow=2", games=4)
    wait_for_games(tmp_path, 1, process)
    process.kill()
    process.communicate(timeout=20)
    assert until_dead(pids())


def test_an_engine_that_cannot_be_started_is_one_line_and_status_2(command, settings, tmp_path):
    """The error names the file, the key, the program and the system's reason."""
    engines = (EngineSettings(("no-such-program",), name="x"), settings().engines[1])
    process = command(engines=engines)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 2
    event = tmp_path / "event.toml"
    assert errors == (
        f"linage-bot: {event}: engines[0].command: cannot start 'no-such-program':"
        " No such file or directory\n"
    )
