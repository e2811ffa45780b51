"""The `go` command: limits of every kind, lines of analysis and the best move."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS
from linage_bot.ugi.thinking import info_line
from protocol.session.answering import State
from tests.linage_bot.rules.test_every_game import each_game
from tests.linage_bot.ugi.conversation import Talk


def nodes_of(said):
    """Return the number of nodes in the last line of a search."""
    words = next(line for line in reversed(said) if line.startswith("info depth")).split()
    return int(words[words.index("nodes") + 1])


@each_game
def test_so_many_nodes_are_so_many_visits(id_):
    """A limit of nodes is exact in every game, and the best move is legal."""
    talk = Talk(id_, "4", solver=False, seed=1)
    said = talk.think("position startpos", "go nodes 90")
    assert nodes_of(said) == 90
    move = said[-1].removeprefix("bestmove ")
    assert talk.say(f"position startpos moves {move}") == []


def test_the_same_seed_comes_to_the_same_move():
    """The same seed and commands give the same moves."""
    lines = ["uginewgame", "setoption name seed value 3", "position startpos moves C3"]
    moves = set()
    for _ in range(2):
        talk = Talk(size="5", solver=False)
        talk.say(*lines)
        moves.add((talk.best("go nodes 50"), talk.best("go nodes 80"), talk.best("go depth 4")))
        talk.say(*lines)
        moves.add((talk.best("go nodes 50"), talk.best("go nodes 80"), talk.best("go depth 4")))
    assert len(moves) == 1


def test_infinite_thinking_ends_by_stop_alone():
    """An infinite search returns its move only after `stop`, even if the result is proven."""
    talk = Talk(size="3")
    talk.say("go infinite")
    assert talk.next().startswith("info depth")  # the result of a proof
    assert talk.ask("isready") == "readyok"
    assert talk.idle
    assert talk.think("stop")[-1].startswith("bestmove ")


def test_a_stop_also_ends_the_search_that_another_go_waits_behind():
    """`stop` ends the running search and the next one in the queue, each with its own move."""
    talk = Talk(size="5")
    talk.say("position startpos", "go infinite")
    talk.say("position startpos moves E5", "go nodes 1000000000", "stop")
    first, second = talk.wait()[-1], talk.wait()[-1]
    assert first.startswith("bestmove ")
    assert second.startswith("bestmove ")
    assert second != "bestmove E5"
    assert talk.session.state is State.READY


@given(
    st.lists(
        st.sampled_from(
            [
                *("go", "go infinite", "go infinite nodes 5", "go movetime 600000", "go p1time -5"),
                *("go depth 2 ponder", "go nodes 5", "go nodes", "stop", "isready", "uginewgame"),
                *("position startpos moves A1", "position startpos moves pass pass", "position"),
                *("setoption name pie value true", "setoption name x value 1", "query result"),
            ]
        ),
        max_size=12,
    )
)
@settings(max_examples=25, deadline=None)
def test_every_go_has_one_bestmove_and_after_stop_at_once(lines):
    """Each `go` gets exactly one `bestmove`, in any order of commands."""
    talk = Talk(size="3")
    said = talk.say(*lines, "stop")
    while talk.session.state is not State.READY:
        said += talk.wait()
    gos = sum(line.startswith("go") for line in lines)
    assert sum(line.startswith("bestmove ") for line in said) == gos
    assert sum(line == "readyok" for line in said) == lines.count("isready")


def test_a_depth_is_the_length_of_the_expected_line():
    """A search to a depth ends when its variation has at least that length."""
    talk = Talk("gardar", "4", seed=1)
    said = talk.think("go depth 5")
    line = next(line for line in reversed(said) if line.startswith("info depth"))
    assert int(line.split()[2]) >= 5
    assert len(line.split(" pv ")[1].split()) == int(line.split()[2])
    shallow = Talk("gardar", "4", seed=1)
    assert nodes_of(shallow.think("go depth 1")) <= nodes_of(said)
    ending = Talk("gardar", "2", seed=1)
    assert ending.best("position startpos moves pass", "go depth 90 nodes 500")


def test_a_weak_level_looks_no_further_than_it_may():
    """A weak level keeps its own limit of visits, even if the runner allows more."""
    talk = Talk("leblin", "5", level=1)
    assert nodes_of(talk.think("go nodes 100000")) <= 30
    assert nodes_of(talk.think("go movetime 600000")) <= 30
    assert nodes_of(talk.think("go")) <= 30


def test_go_alone_keeps_to_the_settings():
    """`go` without a limit uses the limits of the settings."""
    assert nodes_of(Talk("gardar", "4", visits=60).think("go")) == 60


def test_a_limit_that_says_nothing_of_this_move_leaves_those_of_the_settings():
    """A limit that does not apply to this move leaves the limits of the settings in force."""
    talk = Talk("gardar", "3", visits=40)
    assert nodes_of(talk.think("go p2time 5000")) == 40
    talk.say("setoption name pie value true", "position startpos")
    assert talk.best("go depth 3").startswith("komi=")


def test_a_time_for_the_move_is_kept():
    """A search with `movetime` ends in that time."""
    talk = Talk("gardar", "5")
    talk.think("go nodes 10")  # the compiled code is there
    began = time.monotonic()
    talk.think("go movetime 400")
    assert time.monotonic() - began < 0.4 + 3  # of a busy machine


def test_a_clock_gives_the_move_a_share_of_what_is_left():
    """A search uses a share of the time left on the clock of the player to move."""
    talk = Talk("gardar", "5")
    talk.think("go nodes 10")
    for start in ("position startpos", "position startpos moves A1"):
        mine, yours = ("p2", "p1") if "moves" in start else ("p1", "p2")
        began = time.monotonic()
        talk.think(start, f"go {mine}time 800 {yours}time 9000000 p1inc 10 p2inc 10")
        assert time.monotonic() - began < 0.8 + 3


def test_with_almost_no_time_left_a_move_is_made_at_once():
    """With no time left a move is made at once."""
    talk = Talk("gardar", "5")
    talk.think("go nodes 10")
    for _ in range(2):
        began = time.monotonic()
        talk.think("go p1time 0 p2time 0 p1inc 0 p2inc 0")
        assert time.monotonic() - began < 3


def test_a_game_that_is_over_has_no_move():
    """In a finished game the runner receives an error and an empty move at once."""
    talk = Talk(size="3")
    assert talk.think("position startpos moves pass pass", "go nodes 10") == [
        "info string error: the game is over",
        "bestmove 0000",
    ]
    talk.say("go infinite")
    assert talk.idle
    assert talk.think("stop")[-1] == "bestmove 0000"


def test_a_lost_game_is_played_on():
    """The engine never resigns, because UGI has no word for it."""
    talk = Talk(size="5", komi=40.0, visits=300, seed=1)
    assert talk.best("go") not in ("resign", "0000")


@pytest.mark.parametrize("id_", [id_ for id_, kind in GAMES.items() if kind.pie != "none"])
def test_the_pie_is_offered_and_chosen_in_a_word_each(id_):
    """Two engines agree on an offer and a side by one word each."""
    talk = Talk(id_, "4", visits=40, seed=1)
    talk.say("setoption name pie value true", "uginewgame")
    talk.think("isready")
    words = []
    for _ in range(4):
        words.append(talk.best(f"position startpos moves {' '.join(words)}", "go"))
    assert words[1] in ("black", "white")
    assert words[0].startswith("komi=") is (GAMES[id_].pie == "komi")
    assert talk.say(f"position startpos moves {' '.join(words)}") == []


def test_before_a_game_the_engine_gets_ready_while_nobodys_clock_runs():
    """`isready` is answered at once, except after `uginewgame`, which loads the compiled code."""
    talk = Talk("leblin", "3")
    assert talk.ask("isready") == "readyok"
    assert talk.say("uginewgame") == []
    assert talk.think("isready") == ["readyok"]
    assert talk.ask("isready") == "readyok"


def test_a_line_of_what_is_thought_is_told_as_who_moves_sees_it():
    """A line of analysis has the score from the view of the player to move, and the variation."""
    for id_, score in (("linage", -250), ("leblin", 50)):
        position = GAMES[id_].configure("5").start()
        best = Candidate(move=12, visits=9, win_rate=0.75, lead=-2.5, line=(12, PASS))
        analysis = Analysis(position=position, candidates=(best,), visits=10)
        assert info_line(analysis, 0.5) == (
            f"info depth 2 nodes 10 time 500 nps 20 score cp {score} wdl 750 0 250 pv C3 pass"
        )
    assert info_line(Analysis(position=position), 1.0) == ""
