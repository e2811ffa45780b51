"""The board over GTP: sizes, komi, showing, scoring and setting up."""

import pytest

from tests.linage_bot.gtp.conversation import Conversation


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("boardsize 3", "3"),
        ("boardsize 25", "25"),
        ("boardsize 13 9", "13 9"),
        ("rectangular_boardsize 3 25", "3 25"),
    ],
)
def test_boardsize_begins_a_new_game_on_squares_and_rectangles(line, size):
    """A board size starts a new game on any square or rectangle from 3x3 to 25x25."""
    client = Conversation()
    client.all(["play b C3", line])
    assert client.ok("gogui-rules_board_size") == size
    assert "X" not in client.ok("gogui-rules_board")


def test_the_boardsize_of_a_hexagon_is_the_side_of_its_array():
    """The board size of a hexagon is the odd side of its array; rectangles are refused."""
    client = Conversation("gardar", "9")
    client.ok("boardsize 13")
    assert client.ok("gogui-rules_board_size") == "13 hex"
    assert client.engine.board.size == "7"
    assert client.fails("boardsize 12").startswith("unacceptable size")
    assert client.fails("boardsize 13 11").startswith("unacceptable size")


def test_a_size_on_which_the_options_make_no_sense_is_unacceptable():
    """A size that does not fit the options is refused, and the board stays."""
    client = Conversation("linage-parity", "7", n="40")
    assert client.fails("boardsize 5").startswith("unacceptable size")


def test_komi_takes_a_number_to_the_nearest_the_game_allows():
    """Komi is rounded to the nearest value that the game allows."""
    client = Conversation()
    for said, kept in (("6.5", "6.5"), ("0.3", "0.5"), ("-7", "-7"), ("10000", "10000")):
        client.ok(f"komi {said}")
        assert client.ok("get_komi") == kept
    client = Conversation("gardar", "3")
    client.ok("komi 6.5")  # GoGui sends this unless configured otherwise
    assert client.ok("get_komi") == "6"


@pytest.mark.parametrize("said", ["1e9", "-1e300", "10000.5"])
@pytest.mark.parametrize("game", ["linage", "gardar"])
def test_komi_that_no_game_could_need_is_refused_and_not_cut_short(game, said):
    """A komi beyond 10,000 points is refused, and the former komi stays."""
    client = Conversation(game, "3")
    client.ok("komi 7")
    assert client.fails(f"komi {said}").startswith("syntax error: komi: ")
    assert client.ok("get_komi") == "7"


@pytest.mark.parametrize("game", ["leblin", "linage-parity"])
def test_games_without_komi_accept_and_ignore_it(game):
    """Games without komi accept any number from a GUI and ignore it."""
    client = Conversation(game)
    for number in ("6.5", "1e9"):
        client.ok(f"komi {number}")
        assert client.ok("get_komi") == "0"


def test_komi_may_change_in_the_middle_of_a_game_and_after_its_end():
    """Changing komi during or after a game changes the score and keeps the moves."""
    client = Conversation()
    client.all(["play b C3", "play w pass", "play b pass", "play w pass", "komi 7"])
    assert client.ok("final_score") == "W+7"
    client.all(["undo", "undo"])
    assert client.ok("gogui-rules_side_to_move") == "black"


def test_the_komi_there_is_already_changes_nothing_at_all():
    """Sending the current komi again keeps the analysis; another komi discards it."""
    client = Conversation(size="7")
    client.all(["reg_genmove b"])
    visits = client.ok("linage-visits")
    client.all(["kata-set-param maxVisits 100", "komi 0.4"])
    assert client.ok("linage-visits") == visits
    client.ok("komi 2.5")
    assert client.ok("linage-visits") != visits


def test_clear_board_keeps_size_komi_and_options():
    """`clear_board` removes the stones and keeps the size, komi and options."""
    client = Conversation(line="4")
    client.all(["boardsize 6", "komi 2.5", "play b C3", "clear_board"])
    assert client.ok("kata-get-rules") == (
        '{"game": "linage", "size": "6", "komi": 2.5, "line": 4, "button": false, '
        '"edition": "current"}'
    )
    assert client.ok("gogui-rules_side_to_move") == "black"


def test_showboard_marks_the_last_move_and_says_whose_turn_it_is_and_the_score():
    """`showboard` marks the last move and names the player to move and the score."""
    client = Conversation(size="3")
    client.all(["komi 1.5", "play b B3"])
    assert client.ok("showboard") == (
        "\n  3 .(X)."
        "\n  2 . . ."
        "\n  1 . . ."
        "\n    A B C"
        "\nLinage 3, white (Horizontal) to move"
        "\nVertical 0, Horizontal 1.5"
    )


def test_the_score_in_the_middle_of_a_game_is_that_of_the_position():
    """The score in the middle of a game counts owned points and komi, without any passes."""
    client = Conversation(size="5")
    client.all(["gogui-setup b C1 b C2 b C3 b C4 b C5", "komi 3.5"])
    assert client.ok("final_score") == "B+16.5"


def test_a_game_without_scores_has_a_result_only_when_somebody_is_ahead():
    """A game without scores names a winner without a margin, or says that there is no score."""
    client = Conversation("leblin", "5")
    assert client.ask("final_score").startswith(("? cannot score", "= B+", "= W+"))
    assert Conversation("linage-parity").ok("final_score") in ("B+", "W+")


def test_set_position_replaces_what_was_there_and_black_is_to_move():
    """`set_position` replaces the board and the record; without stones the board is empty."""
    client = Conversation()
    client.all(["play b C3", "set_position w A1 b B2"])
    assert client.ok("gogui-rules_side_to_move") == "black"
    assert client.ok("gogui-rules_board").split().count("X") == 2
    assert "AB[bd]" in client.ok("printsgf")
    assert "AW[ae]" in client.ok("printsgf")
    client.ok("set_position")
    assert "X" not in client.ok("gogui-rules_board")


def test_setup_adds_stones_until_the_first_move_and_may_let_white_begin():
    """Set-up stones can be added until the first move, and White may begin."""
    client = Conversation("leblin")
    client.all(["clear_board", "gogui-setup b A1", "gogui-setup w B2", "gogui-setup_player w"])
    assert client.ok("gogui-rules_side_to_move") == "white"
    assert client.ok("gogui-rules_board").split()[-10:] == [
        *(".", "O", ".", ".", "."),
        *("X", ".", ".", ".", "."),
    ]
    assert client.fails("gogui-setup b A1").startswith("syntax error")
    client.ok("play w C3")
    assert client.fails("gogui-setup b D4").startswith("board not empty")
    client.ok("undo")
    client.ok("gogui-setup b D4")


def test_cputime_is_the_same_under_both_names_and_grows_only():
    """CPU time is the same under GTP's name and gomill's, and never decreases."""
    client = Conversation()
    first = float(client.ok("cputime"))
    client.ok("genmove b")
    assert float(client.ok("gomill-cpu_time")) >= first >= 0
