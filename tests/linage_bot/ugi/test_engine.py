"""UGI with our engine: options, positions and queries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.records.fen import from_fen, to_fen
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS
from linage_bot.rules.history import History
from tests.linage_bot.rules.test_every_game import configured, each_game, wanderings
from tests.linage_bot.ugi.conversation import Talk


def default_of(talk, name):
    """Return the default of an option in the engine's greeting."""
    (line,) = [line for line in talk.say("ugi") if line.startswith(f"option name {name} ")]
    return line.split(" default ")[1].split()[0]


@each_game
def test_the_three_questions_follow_a_game_to_its_end(id_):
    """A runner that does not know the rules can follow a game by three queries."""
    game = configured(id_, {"size": "3"})
    talk, history = Talk(id_, "3"), History(game)
    assert talk.ask("query p1turn") == "response true"
    words = []
    while not history.position.over:
        moves = history.position.moves()
        move = moves[0] if len(words) % 3 else moves[-1]
        words.append(history.position.name_of(move))
        history = history.play(move)
        assert talk.say(f"position startpos moves {' '.join(words)}") == []
        turn = "true" if len(words) % 2 == 0 else "false"
        assert talk.ask("query p1turn") == f"response {turn}"
        over = history.position.over
        assert talk.ask("query gameover") == f"response {'true' if over else 'false'}"
        if not over:
            assert talk.ask("query result") == "response none"
    winner = history.position.result().winner
    result = "draw" if winner is None else ("p1win", "p2win")[winner]
    assert talk.ask("query result") == f"response {result}"


def test_a_draw_is_told():
    """A game with equal scores ends in a draw."""
    talk = Talk(size="3", komi=-9.0)
    talk.say("setoption name komi value 0", "position startpos moves pass pass")
    assert talk.say("query gameover", "query result") == ["response true", "response draw"]


@given(wanderings)
def test_a_fen_leads_to_its_position_and_moves_go_on_from_there(position):
    """A FEN sets its own game, `query fen` returns it, and moves can follow it."""
    line = to_fen(position)
    talk = Talk("gardar", "2")
    assert talk.say(f"position fen {line}") == []
    assert talk.ask("query fen") == f"response {line}"
    if not position.over:
        move = position.moves()[-1]
        assert talk.say(f"position fen {line} moves {position.name_of(move)}") == []
        assert from_fen(talk.ask("query fen").removeprefix("response ")) == position.play(move)


WRONG = {
    "position startpos moves Z9": "move 1: 'Z9' is not a point of the 5x5 board",
    "position startpos moves C3 c3": "move 2: C3: there is a stone on this point",
    "position startpos moves pass pass pass": "move 3: pass: the game is over",
    "position fen nonsense": "fen: fen: expected at least a game, its rows and the player to move",
    "position fen linage 5/5/5/5/5 b": "fen: who moves: 'b' is neither x nor o",
    "query score": "there is no question 'score'; the questions are p1turn, gameover, result, fen",
    "setoption name threads value many": "syntax error: not an integer: 'many'",
    "setoption name threads value 0": "threads: 0 is not from 1 to 256",
    "setoption name level value 28": "level: 28 is not from 0 to 27",
    "setoption name hash value 1": "there is no option 'hash'",
    "setoption name game value go": "game: 'go' is not a game; the games are linage, ",
    "setoption name size value huge": "size: 'huge' is not a board size",
    "setoption name line value 9": "line: '9' is not one of its values: 2 to 5",
    "setoption name komi value 99999": "komi: 99999 is too large; the limit is 10000",
    "setoption name komi value much": "syntax error: not a finite number: 'much'",
    "setoption name pie value perhaps": "syntax error: neither true nor false: 'perhaps'",
    "setoption name button": "button: '' is not one of its values: on or off",
}


@pytest.mark.parametrize("line", WRONG)
def test_what_is_wrong_is_told_and_changes_nothing(line):
    """A wrong line gets a one-line error, and the position and the options stay."""
    talk = Talk(size="5")
    talk.say("position startpos moves B2")
    before = [talk.say("query fen"), talk.say("ugi")]
    assert talk.ask(line).startswith(f"info string error: {WRONG[line]}")
    assert [talk.say("query fen"), talk.say("ugi")] == before


@given(st.permutations(["game linage-parity", "size 25", "n 600", "condition size", "line 4"]))
def test_options_of_a_game_come_in_any_order(options):
    """The options of a game may arrive in any order; only their final values count."""
    talk = Talk()
    for option in options:
        name, value = option.split()
        for said in talk.say(f"setoption name {name} value {value}"):
            assert said.startswith(
                "info string these options do not fit together yet, so no game can begin: "
            )
    talk.say("position startpos")
    fen = talk.ask("query fen")
    assert fen == f"response linage-parity {'/'.join(['25'] * 25)} x n=600"


def test_options_that_do_not_go_together_begin_no_game():
    """With incompatible options the position stays, and the runner receives the reason."""
    talk = Talk("linage-parity", "9")
    assert talk.ask("setoption name n value 100") == (
        "info string these options do not fit together yet, so no game can begin:"
        " n: every region must have more than 100 points, the empty 9x9 board has only 81"
    )
    assert talk.ask("position startpos").startswith("info string error: n: every region")
    assert talk.ask("uginewgame").startswith("info string error: n: every region")
    assert "9/9" in talk.ask("query fen")
    assert talk.say("setoption name SIZE value 11", "position startpos") == []
    assert talk.ask("query fen").endswith("x n=100")


def test_an_option_of_the_game_holds_from_the_next_start_on():
    """An option of the game takes effect at the next start, or at once on an untouched board."""
    talk = Talk(size="5")
    talk.say("setoption name size value 7")
    assert "7/7" in talk.ask("query fen")
    talk.say("position startpos moves D4", "setoption name size value 9")
    assert "3x3" in talk.ask("query fen")
    talk.say("uginewgame")
    assert "9/9" in talk.ask("query fen")


@each_game
def test_what_the_command_line_says_is_where_options_begin(id_):
    """The command line gives the default options; another game has its own default size."""
    talk = Talk(id_, "4", threads=2, seed=7, visits=50)
    assert default_of(talk, "game") == id_
    assert default_of(talk, "size") == "4"
    assert (default_of(talk, "threads"), default_of(talk, "seed")) == ("2", "7")
    assert default_of(talk, "visits") == "50"
    usual = Talk(id_)
    for other in GAMES:
        usual.say(f"setoption name game value {other}")
        assert default_of(usual, "size") == GAMES[other].default_size


def test_how_to_play_is_set_and_told():
    """Setting an option changes its default in the next greeting."""
    talk = Talk()
    for name, value in [("threads", "2"), ("nodes", "40000"), ("level", "3"), ("seed", "5")]:
        assert talk.say(f"setoption name {name} value {value}") == []
        assert default_of(talk, name) == value
    assert talk.engine.player.settings.seed == 5
    talk.say("setoption name seed value -1", "setoption name solver value false")
    assert talk.engine.player.settings.seed is None
    assert not talk.engine.player.settings.solver


PIES = {
    "komi=2.5 black A1 B1": ("linage", ["true", "false", "false", "true", "false"]),
    "komi=2.5 white A1 B1": ("linage", ["true", "false", "true", "false", "true"]),
    "B2 white A1": ("leblin", ["true", "false", "false", "true"]),
    "b2 BLACK A1": ("leblin", ["true", "false", "true", "false"]),
    "komi=-3 white B2": ("gardar", ["true", "false", "true", "false"]),
    "pass pass": ("linage-parity", ["true", "false", "true"]),
}


@pytest.mark.parametrize("words", PIES)
def test_with_the_pie_two_moves_come_before_the_first(words):
    """With a pie, p1 is the player who offers; a game without a pie starts as usual."""
    id_, turns = PIES[words]
    talk = Talk(id_, "3")
    talk.say("setoption name pie value true")
    told = []
    moves = words.split()
    for count in range(len(moves) + 1):
        assert talk.say(f"position startpos moves {' '.join(moves[:count])}") == []
        told.append(talk.ask("query p1turn").removeprefix("response "))
    assert told == turns


def test_who_wins_after_the_pie_is_told_of_the_players_not_of_the_sides():
    """After a pie the winner is reported as a player, p1 or p2, and not as a side."""
    talk = Talk(size="3")
    talk.say("setoption name pie value true", "position startpos moves komi=9 black pass pass")
    assert talk.ask("query result") == "response p1win"
    talk.say("position startpos moves komi=9 white pass pass")
    assert talk.ask("query result") == "response p2win"


WRONG_PIES = {
    "komi=much": "move 1: syntax error: not a finite number: 'much'",
    "komi=0.3": "move 1: komi: 0.3 is not a multiple of 0.5",
    "A1": "move 1: 'A1' is not an offer such as komi=2.5",
    "komi=1 A1": "move 2: 'A1' is neither black nor white",
}


@pytest.mark.parametrize("words", WRONG_PIES)
def test_what_is_no_offer_and_no_choice_is_told(words):
    """A word that is neither an offer nor a choice is refused during the pie."""
    talk = Talk(size="3")
    talk.say("setoption name pie value true")
    assert talk.ask(f"position startpos moves {words}") == f"info string error: {WRONG_PIES[words]}"


def test_a_position_that_goes_on_keeps_what_is_known_of_it():
    """If a position continues the previous one, the engine keeps the game and its search."""
    talk = Talk(size="5")
    talk.say("position startpos moves C3 B2")
    before = talk.engine.so_far.history
    talk.say("position startpos moves C3 B2 D4")
    after = talk.engine.so_far.history
    assert after.since(before.position) == (after.game.board.point("D4"),)
    talk.say("position startpos moves C3 A1")
    assert talk.engine.so_far.history.positions[1] is before.positions[1]
    assert talk.engine.so_far.history.moves[-1] != PASS
