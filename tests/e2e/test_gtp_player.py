"""`GtpPlayer` without a reactor, with real engine processes, good and bad ones."""

import os
import signal
import subprocess
import sys
import time

import pytest

from linage_bot.arena.gtp_player import GtpPlayer
from linage_bot.rules.game import Player
from linage_bot.rules.gardar import Gardar
from linage_bot.rules.history import History
from linage_bot.rules.leblin import Leblin
from linage_bot.rules.linage import Linage
from protocol.session.errors import (
    CannotStart,
    CommandFailed,
    ConnectionLost,
    EngineTimeout,
    LocalProtocolError,
    RemoteProtocolError,
)
from tests.e2e.engine import COMMAND, ENVIRONMENT, PATIENCE_SECONDS, ROOT
from tests.e2e.processes import FAKE, is_alive, posix_only

START = History(Linage.configure("5", 0.5))


def fake(*behaviours: str, timeout_seconds: float | None = PATIENCE_SECONDS) -> GtpPlayer:
    return GtpPlayer([*FAKE, *behaviours], timeout_seconds)


def asked(player: GtpPlayer, *words: str) -> list[str]:
    """The commands of the conversation that begin with any of these words."""
    lines = (line.removeprefix("> ") for line in player.transcript if line.startswith("> "))
    return [line for line in lines if line.split()[0] in words]


def wait_for_the_end(pid: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while is_alive(pid):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def ours(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with GtpPlayer([*COMMAND, "--size", "7", "--visits", "20"], PATIENCE_SECONDS) as player:
        yield player


def test_our_own_engine_plays_a_whole_game_against_itself(ours):
    """Our engine receives the player's game, even if it was started with another board."""
    assert ours.name == "linage-bot"
    so_far = START
    while not so_far.position.over:
        move = ours.play(so_far)
        assert move is not None
        so_far = so_far.play(move)
    assert ours.ask("final_score") == str(so_far.position.result())


@pytest.mark.thorough
@pytest.mark.parametrize("game", [Gardar.configure("3"), Leblin.configure("5")])
def test_any_game_is_played_that_the_engine_can_set_up(ours, game):
    """Any game that the engine supports can be played, also on hexagons."""
    start = History(game)
    assert start.play(ours.play(start)).moves


def test_stones_that_were_set_up_stand_on_the_engines_board(ours):
    """Set-up stones are sent to the engine, so it places none on them."""
    setup = ((Player.FIRST, 0), (Player.SECOND, 7))
    so_far = History(START.game, setup=setup, begins=Player.SECOND)
    so_far = so_far.play(ours.play(so_far))
    assert ours.play(so_far) not in ("A1", "C2")


def test_an_engine_without_a_command_for_set_up_stones_is_not_asked():
    """Such an engine is refused, as it would search another position."""
    with fake() as player, pytest.raises(LocalProtocolError, match="set up"):
        player.play(History(START.game, begins=Player.SECOND))


def test_the_engine_is_told_only_what_it_does_not_know_yet():
    """Only new moves are sent, so the engine can continue its search."""
    with fake("moves=A1,B1,E5") as player:
        assert player.play(START) == "A1"
        assert player.play(START.play("A1").play("E1")) == "B1"
        assert asked(player, "clear_board", "play") == ["clear_board", "clear_board", "play w E1"]


def test_moves_that_were_taken_back_are_taken_back_on_the_engines_board(ours):
    """Moves taken back are undone on the engine's board by `undo`, if it has that command."""
    so_far = START.play("C3").play("B2")
    first = ours.play(so_far)
    ours.play(so_far.back().play("D4"))
    commands = asked(ours, "clear_board", "play", "undo", "genmove")
    assert commands[-5:] == ["genmove b", "undo", "undo", "play w D4", "genmove b"], first


def test_an_engine_that_cannot_take_back_gets_the_game_again():
    """An engine without `undo` receives the game again from the empty board."""
    with fake("moves=A1,B1") as player:
        player.play(START)
        player.play(START.play("E5").play("E4"))
        told = asked(player, "clear_board", "play")
        assert told == ["clear_board"] * 4 + ["play b E5", "play w E4"]


def test_after_a_question_of_the_users_own_the_engine_is_told_everything_again():
    """After the user's own command all moves are sent again, as it may have changed the board."""
    with fake("moves=A1,B1") as player:
        player.play(START)
        player.ask("clear_board")
        assert player.play(START.play("A1").play("E1")) == "B1"
        assert asked(player, "play") == ["play b A1", "play w E1"]


def test_an_engine_that_resigns_has_no_move():
    """After a resignation the engine can still move."""
    with fake("moves=resign,B1") as player:
        assert player.play(START) is None
        assert player.play(START) == "B1"


def test_a_finished_game_is_the_askers_mistake():
    """The engine is not blamed."""
    over = START.play("pass").play("pass")
    with fake() as player, pytest.raises(LocalProtocolError, match="the game is over"):
        player.play(over)


@pytest.mark.parametrize("command", [[], "", "/no/such engine", "an 'engine", [sys.prefix]])
def test_a_program_that_cannot_be_run_is_one_clear_error(command):
    """A program that cannot run raises `CannotStart`, for any cause."""
    with pytest.raises(CannotStart):
        GtpPlayer(command)


def test_a_command_line_may_be_written_as_in_a_shell():
    """A command line may be one string, as in a shell."""
    with GtpPlayer(" ".join(FAKE)) as player:
        assert player.name == "Fake"


@pytest.mark.parametrize("answer", ["sideways", "Z9", "A1"])
def test_an_answer_that_is_no_legal_move_is_shown(answer):
    """The error quotes the engine's illegal answer."""
    with fake(f"moves={answer},B1") as player:
        with pytest.raises(RemoteProtocolError, match=answer) as caught:
            player.play(START.play("A1"))
        assert caught.value.line == answer
        assert str(caught.value).count(answer) == 1
        assert player.play(START.play("A1")) == "B1"  # the caller can continue


def test_an_engine_that_refuses_says_why_and_can_be_asked_again():
    """The error has the engine's own words, and the engine can be used again."""
    with fake("fail=play") as player:
        with pytest.raises(CommandFailed, match="on purpose"):
            player.play(START.play("A1"))
        assert player.play(START) == "pass"


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [("die", "exited with status 3"), ("crash", "killed by SIGKILL"), ("close-stdout", "closed")],
)
def test_an_engine_that_dies_is_a_lost_connection_with_its_last_words(behaviour, reason):
    """The error holds the last lines of output and says how the process ended."""
    with fake(f"{behaviour}=genmove") as player:
        with pytest.raises(ConnectionLost, match=reason) as caught:
            player.play(START)
        assert "> genmove b" in caught.value.last_lines
        if behaviour == "die":
            assert caught.value.last_lines[-1] == "! dying on purpose"
        with pytest.raises(ConnectionLost):
            player.play(START)


@pytest.mark.thorough
def test_an_engine_that_hangs_is_given_up_after_the_time_out():
    """After a timeout the engine has been ended at the end of the `with` block."""
    with fake("hang=genmove") as player:
        pid = int(player.ask("pid").split()[0])
        player.timeout_seconds = 0.2
        with pytest.raises(EngineTimeout) as caught:
            player.play(START)
    assert (caught.value.command, caught.value.seconds) == ("genmove", 0.2)
    assert not is_alive(pid)


def test_an_engine_that_forgets_the_empty_line_is_told_so(monkeypatch):
    """An answer without its empty line is reported soon, even without a timeout."""
    monkeypatch.setattr("linage_bot.arena.gtp_player.SILENCE_SECONDS", 0.3)
    code = "import sys\nfor line in sys.stdin: print('= list_commands', flush=True)"
    with pytest.raises(EngineTimeout) as caught:
        GtpPlayer([sys.executable, "-S", "-c", code])
    assert caught.value.unfinished == (
        "an answer has begun, '= list_commands', but no empty line has ended it"
    )


def test_an_answer_that_comes_too_late_does_not_answer_the_next_question():
    """An answer after the timeout is dropped."""
    with fake() as player:
        player.timeout_seconds = 0.05
        with pytest.raises(EngineTimeout):
            player.ask("sleep", "0.3")
        player.timeout_seconds = PATIENCE_SECONDS
        assert player.ask("echo", "next") == "next"


@pytest.mark.parametrize("behaviour", ["garbage", "garbage=genmove", "flood=genmove"])
def test_what_is_not_gtp_is_told_from_it_before_memory_is_full(behaviour):
    """A flood is stopped, too."""
    with pytest.raises(RemoteProtocolError), fake(behaviour) as player:
        player.play(START)


def test_an_engine_that_answers_unasked_is_caught():
    """An unexpected answer ends the engine, as later answers could not be matched."""
    with fake("chatter=name") as player:
        pid = int(player.ask("pid").split()[0])
        assert player.name == "once"
        wait_for_the_end(pid)
        with pytest.raises(RemoteProtocolError, match="without a command"):
            player.ask("sleep", "60")


def test_a_long_log_does_not_hold_the_engine_up():
    """The engine's standard error is read all the time, so a long log does not block it."""
    with fake("complain=genmove") as player:
        assert player.play(START) == "pass"


@posix_only
def test_an_engine_that_ignores_quit_is_killed_with_all_it_started():
    """An engine that ignores `quit` is killed with its children; closing twice is harmless."""
    with fake("ignore-quit") as player:
        engine, child = int(player.ask("pid").split()[0]), int(player.ask("child"))
    assert not is_alive(engine)
    wait_for_the_end(child)
    player.close()


PARENT = """
import sys
from linage_bot.arena.gtp_player import GtpPlayer
player = GtpPlayer(sys.argv[1:])
print(player.ask("pid"), flush=True)
player.ask("hang")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of it")
def test_an_engine_dies_with_a_script_that_is_killed():
    """An engine ends when its script is killed, so that it uses no processor time."""
    argv = [sys.executable, "-c", PARENT, *FAKE, "ignore-quit", "hang=hang"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, env=ENVIRONMENT, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline().split()[0])
        assert is_alive(child)
        parent.kill()
    wait_for_the_end(child)


def test_it_needs_neither_a_reactor_nor_a_compiler():
    """Importing it costs a script little."""
    code = (
        "import linage_bot, sys; linage_bot.GtpPlayer, linage_bot.UgiPlayer;"
        "print({*sys.modules} & {'twisted', 'numba', 'numpy'})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=True
    )
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1, "5"])
def test_patience_that_never_ends_is_refused_by_name(value) -> None:
    """An infinite timeout is refused at the start and later; None means no timeout."""
    with pytest.raises(ValueError, match=r"^timeout_seconds: "):
        fake(timeout_seconds=value)
    with fake() as player:
        player.timeout_seconds = value
        with pytest.raises(ValueError, match=r"^timeout_seconds: "):
            player.ask("name")
        player.timeout_seconds = PATIENCE_SECONDS
        assert player.name == "Fake"


@posix_only
def test_a_forked_child_leaves_the_engine_to_its_parent() -> None:
    """In a forked child the engine is reported as lost at once, and the parent keeps it."""
    with fake() as player:
        child = os.fork()
        if not child:
            signal.alarm(int(PATIENCE_SECONDS))
            status = 1
            try:
                player.ask("name")
            except ConnectionLost:
                player.close()
                status = 0
            os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert player.name == "Fake"
