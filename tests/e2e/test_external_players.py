"""Analyses by `GtpPlayer` and `UgiPlayer`, which have one interface, from good and bad engines."""

import sys
import threading
import time

import pytest

from linage_bot import (
    PASS,
    CommandFailed,
    ConnectionLost,
    EngineClosed,
    EngineTimeout,
    History,
    Limits,
    LocalProtocolError,
    Player,
    RemoteProtocolError,
    game,
)
from tests.e2e.engine import PATIENCE_SECONDS, ROOT
from tests.e2e.scripted_players import KINDS, both, scripted

LINAGE = game("linage", size=5, komi=0.5)
START = History(LINAGE)


def fake(protocol, behaviour="", timeout_seconds=PATIENCE_SECONDS):
    """A player with the scripted engine."""
    return KINDS[protocol](scripted(protocol, behaviour), timeout_seconds)


def ours(protocol, monkeypatch, *options):
    """A player with our own engine."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    command = [sys.executable, "-m", "linage_bot", protocol, "--size", "7", "--seed", "1", *options]
    return KINDS[protocol](command, PATIENCE_SECONDS)


@pytest.mark.thorough
@both
def test_our_own_engine_analyses_as_the_library_does(protocol, monkeypatch):
    """The best moves and values have the shape and the point of view of `Engine.analyse`."""
    history = History(game("linage", size=7), "D4")
    with ours(protocol, monkeypatch, "--solver", "off") as player:
        analysis = player.analyse(history, Limits(visits=300))
        best = analysis.candidates[0]
        assert analysis.position == history.position
        assert analysis.viewer is Player.FIRST
        assert analysis.visits >= 300
        assert best.move in history.position.moves()
        assert best.line[0] == best.move
        assert analysis.seen_by(Player.SECOND).candidates[0].win_rate == 1 - best.win_rate
        assert 0.05 < analysis.win_rate < 0.95
        visits = [each.visits for each in player.analysis(history, visits=2000)]
        assert visits == sorted(visits)
        assert visits[-1] >= 2000
        assert history.play(player.play(history, None)).moves[0] == history.moves[0]


@both
def test_a_report_becomes_an_analysis(protocol):
    """Candidates are in the engine's order, with values as seen by First."""
    with fake(protocol) as player:
        for history in (START, START.play("A1")):
            analysis = player.analyse(history, Limits(visits=300))
            own = analysis.seen_by(history.position.to_move)
            first, second = own.candidates
            assert [LINAGE.name_of(move) for move in first.line] == ["C3", "B2"]
            rate = {"gtp": 0.6, "ugi": 0.65}[protocol]  # which counts a draw as half a win
            assert (first.win_rate, first.lead) == (pytest.approx(rate), 1.5)
            assert (LINAGE.name_of(second.move), second.lead) == ("D4", -0.5)
            assert first.visits == 300
            assert analysis.lead == pytest.approx(own.lead * (-1) ** len(history.moves))


def test_an_engine_of_leela_zeros_style_is_asked_by_its_own_command():
    """Without `kata-analyze` win rates come from `lz-analyze`, and there is no lead."""
    with fake("gtp", "lz") as player:
        (best,) = player.analyse(START, Limits(visits=200)).candidates
        assert (best.win_rate, best.lead, best.visits) == (0.6, 0.0, 200)


@both
def test_analyses_end_at_each_limit(protocol):
    """Visits, seconds and an event each end the search, and leaving the loop does."""
    with fake(protocol) as player:
        found = [each.visits for each in player.analysis(START, interval_seconds=0, visits=500)]
        assert found == sorted(set(found))
        assert found[-1] >= 500
        assert player.analyse(START, Limits(seconds=0.2)).visits
        stopped = threading.Event()
        for update in player.analysis(START, interval_seconds=0, stopped=stopped):
            if update.visits >= 300:
                stopped.set()
        with_event = threading.Timer(0.1, stopped.set)
        stopped.clear()
        with_event.start()
        assert player.analyse(START, Limits(), stopped).visits
        for update in player.analysis(START, interval_seconds=0):
            if update.visits >= 300:
                break
        assert player.play(START, stopped=stopped) == "C3"  # the engine is free again


@both
def test_another_call_ends_an_analysis(protocol):
    """The iterator then ends, and the other call has its own answer."""
    with fake(protocol) as player:
        updates = player.analysis(START, interval_seconds=0)
        assert next(updates).visits
        assert player.analyse(START.play("A1"), Limits(visits=100)).position != START.position
        assert list(updates) == []


@both
def test_a_finished_game_has_its_result(protocol):
    """No search is needed."""
    over = START.play(PASS).play(PASS)
    with fake(protocol) as player:
        assert player.analyse(over).win_rate == 0.0
        (only,) = player.analysis(over)
        assert only.win_rate == 0.0


@both
@pytest.mark.parametrize(
    ("behaviour", "error", "words"),
    [
        ("die", ConnectionLost, "exited with status 3"),
        ("nonsense", RemoteProtocolError, "whole number|finite number"),
        ("illegal", RemoteProtocolError, "an analysis of no move: 'Z9'"),
    ],
)
def test_a_fault_during_a_search_is_named(protocol, behaviour, error, words):
    """The error says what happened; only an engine that is gone cannot be used again."""
    with fake(protocol, behaviour) as player:
        with pytest.raises(error, match=words):
            player.analyse(START, Limits(visits=1000))
        if behaviour != "die":
            stopped = threading.Event()
            stopped.set()
            assert player.play(START, stopped=stopped) == "C3"


@both
def test_an_engine_that_reports_nothing_is_too_slow(protocol):
    """The timeout counts until the first report; the process is ended with the block."""
    with fake(protocol, "hang") as player:
        player.timeout_seconds = 0.2
        with pytest.raises(EngineTimeout) as caught:
            player.analyse(START)
    assert caught.value.command in ("kata-analyze", "go")


@both
@pytest.mark.parametrize("behaviour", ["deaf", "forgetful"])
def test_an_engine_that_does_not_stop_is_too_slow(protocol, behaviour, monkeypatch):
    """A missing end of the answer is an error, not a wait for ever, even without a timeout."""
    monkeypatch.setattr("linage_bot.arena.blocking_process._STOP_SECONDS", 0.3)
    with fake(protocol, behaviour, None) as player, pytest.raises(EngineTimeout) as caught:
        player.analyse(START, Limits(visits=100))
    if protocol == "gtp":
        assert "no empty line has ended it" in caught.value.unfinished


@both
def test_an_engine_that_has_no_more_to_say_ends_its_analysis(protocol):
    """After a timeout without a report its last analysis is the result."""
    with fake(protocol, "silent") as player:
        player.timeout_seconds = 0.3
        assert player.analyse(START, Limits(visits=1000)).visits == 100
        assert len(list(player.analysis(START, interval_seconds=0.1))) == 1


def test_an_engine_that_cannot_analyse_says_so():
    """A refusal has the engine's words, and a missing command or report is named."""
    with fake("gtp", "plain") as player, pytest.raises(LocalProtocolError, match="kata-analyze"):
        player.analyse(START)
    with fake("gtp", "refuse") as player, pytest.raises(CommandFailed, match="refused on purpose"):
        player.analyse(START)
    with fake("ugi", "refuse") as player, pytest.raises(CommandFailed, match="refused on purpose"):
        player.analyse(START)
    stopped = threading.Event()
    with fake("ugi", "mute", 0.3) as player, pytest.raises(EngineTimeout):
        player.analyse(START, Limits(visits=5), stopped)


@both
def test_one_call_runs_at_a_time_and_closing_ends_it(protocol):
    """A second call raises, closing from another thread ends the first, and later ones raise."""
    player, errors = fake(protocol), []

    def analyse():
        try:
            player.analyse(START, Limits())
        except ConnectionLost as error:
            errors.append(error)

    thread = threading.Thread(target=analyse)
    thread.start()
    while not any("info" in line for line in player.transcript):
        time.sleep(0.01)
    with pytest.raises(RuntimeError, match="wait until that call has returned"):
        player.play(START)
    player.close()
    thread.join(PATIENCE_SECONDS)
    assert "killed" in str(errors[0])
    for call in (player.play, player.analyse, player.analysis):
        with pytest.raises(EngineClosed):
            call(START)


def test_options_of_ugi_are_known_and_checked():
    """Names may be written in any case; what the engine did not declare is refused at once."""
    with fake("ugi") as player:
        assert (player.name, player.options) == ("Searcher", {"Some Hash": "16", "Style": "calm"})
        player.configure({"some hash": 32, "style": "wild"})
        assert player.options == {"Some Hash": "32", "Style": "wild"}
        assert "> setoption name Some Hash value 32" in player.transcript
        with pytest.raises(LocalProtocolError, match="no option 'Depth'"):
            player.configure({"Depth": 3})
        with pytest.raises(LocalProtocolError, match="Style does not accept 'odd'"):
            player.configure({"Style": "odd"})
        with pytest.raises(LocalProtocolError):
            player.ask("setoption", "name\nquit")
        assert player.ask("query", "result") == "none"


@pytest.mark.thorough
@both
def test_options_of_our_own_engine_are_read_and_set(protocol, monkeypatch):
    """A change shows in the options, and the engine's refusal in its words."""
    visits = {"gtp": "maxVisits", "ugi": "visits"}[protocol]
    with ours(protocol, monkeypatch) as player:
        player.configure({visits: 33})
        assert player.options[visits] == "33"
        with pytest.raises(CommandFailed):
            player.configure({visits: "many"})
        with pytest.raises((CommandFailed, LocalProtocolError)):
            player.configure({"vists": 3})
    with fake("gtp") as player:
        assert player.options == {}
        with pytest.raises(LocalProtocolError, match="kata-set-param"):
            player.configure({"visits": 3})


def test_limits_of_a_move_are_sent():
    """UGI has visits and seconds; GTP has seconds alone, and visits are refused."""
    with fake("gtp") as player:
        player.play(START, Limits(seconds=1.5))
        player.play(START)
        told = [line for line in player.transcript if "time_settings" in line]
        assert told == ["> time_settings 0 1.5 1", "> time_settings 0 1 0"]
        with pytest.raises(LocalProtocolError, match="visits"):
            player.play(START, Limits(visits=5))
    stopped = threading.Event()
    stopped.set()
    with fake("ugi") as player:
        assert player.play(START, Limits(visits=20, seconds=60), stopped) == "C3"
        assert "> go nodes 20 movetime 60000" in player.transcript


@pytest.mark.thorough
def test_a_ugi_engine_is_told_the_game_and_stones_that_were_set_up(monkeypatch):
    """It plays any game and position that our `fen` describes, even if started with another."""
    setup = ((Player.FIRST, 0), (Player.SECOND, 7))
    leblin = History(game("leblin", size=5), "C3")
    with ours("ugi", monkeypatch, "--visits", "10") as player:
        assert leblin.play(player.play(leblin)).moves
        so_far = History(LINAGE, setup=setup, begins=Player.SECOND)
        for _ in range(3):
            so_far = so_far.play(player.play(so_far))
        assert not {0, 7} & set(so_far.moves)
