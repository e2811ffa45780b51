"""The rules as reported to a GUI, and the choice of a game."""

import json

import pytest

from linage_bot.rules import GAMES
from tests.linage_bot.gtp.conversation import Conversation

IDS = {
    "linage": "Linage",
    "linage-two-color": "Twocolorlinage",
    "linage-parity": "Paritylinage",
    "leblin": "Leblin",
    "gardar": "Gardar",
}


def test_every_game_has_a_name_gogui_can_use():
    """Each game has a fixed one-word name for GoGui."""
    assert {game: Conversation(game).ok("gogui-rules_game_id") for game in GAMES} == IDS


def test_board_sizes_are_said_as_gogui_reads_them():
    """A board size is reported as one number, two, or the array's side and `hex`."""
    assert Conversation(size="15").ok("gogui-rules_board_size") == "15"
    assert Conversation(size="9x7").ok("gogui-rules_board_size") == "9 7"
    assert Conversation("gardar", "9").ok("gogui-rules_board_size") == "17 hex"


def test_stones_without_colour_are_all_shown_alike_and_others_are_not():
    """Stones without a colour are all X, and coloured stones are X and O."""
    for game, second in (("linage", "X"), ("leblin", "O")):
        client = Conversation(game, "3")
        client.all(["play b A1", "play w C3"])
        assert client.ok("gogui-rules_board") == f". . {second}\n. . .\nX . ."


def test_points_outside_a_hexagon_are_question_marks():
    """Points outside a hexagon are question marks and cannot be played."""
    client = Conversation("gardar", "2")
    client.ok("play b A1")
    assert client.ok("gogui-rules_board") == "? . .\n. . .\nX . ?"
    assert "A3" not in client.ok("gogui-rules_legal_moves").split()
    assert client.fails("play w A3").startswith("invalid color or coordinate")


@pytest.mark.parametrize("game", GAMES)
def test_only_points_of_the_board_are_coloured(game):
    """Only points of the board are coloured, in forty moves of every game."""
    client = Conversation(game, "4")
    for ply in range(40):
        if not client.ok("gogui-rules_legal_moves"):
            break
        client.ok(f"genmove {'bw'[ply % 2]}")
        lines = client.ok("gogui-rules_board_gfx").splitlines()
        board = client.engine.board
        points = set(board.vertices(board.points))
        for line in lines:
            word, colour, *vertices = line.split()
            assert word == "COLOR"
            assert colour.startswith("#")
            assert vertices
            assert points.issuperset(vertices)


def test_the_end_is_told_by_no_legal_moves_and_in_words():
    """A finished game has no legal moves, and its result in words follows the komi."""
    client = Conversation()
    assert client.ok("gogui-rules_legal_moves").endswith(" E5 pass")
    client.all(["komi 0", "play b pass", "play w pass"])
    assert client.ok("gogui-rules_legal_moves") == ""
    assert client.ok("gogui-rules_side_to_move") == "black"
    assert client.ok("gogui-rules_final_result") == "Draw"
    client.ok("komi 2.5")
    assert client.ok("gogui-rules_final_result") == "Horizontal (white) wins by 2.5 (komi 2.5)"


def test_the_result_of_games_without_scores_names_the_winner_only():
    """In a game without scores the result names only the winner, or is undecided."""
    assert "wins" in Conversation("linage-parity").ok("gogui-rules_final_result")
    assert " by " not in Conversation("linage-parity").ok("gogui-rules_final_result")
    assert Conversation("leblin").ok("gogui-rules_final_result") == "Undecided"


def rules(client: Conversation) -> dict[str, object]:
    return json.loads(client.ok("kata-get-rules"))


@pytest.mark.parametrize("game", GAMES)
def test_rules_read_from_one_session_can_be_set_in_another(game):
    """The rules printed by one session can be set in another, in every game."""
    client = Conversation(game, "6")
    text = client.ok("kata-get-rules")
    other = Conversation()
    other.ok(f"kata-set-rules {text}")
    assert other.ok("kata-get-rules") == text


def test_some_rules_can_be_set_and_the_others_stay():
    """Rules that are not set keep their values."""
    client = Conversation(size="7", edition="2016")
    client.ok("komi 3.5")
    client.ok('kata-set-rules {"line": 4, "button": true}')
    wanted = {"game": "linage", "size": "7", "komi": 3.5, "edition": "2016"}
    assert rules(client) == {**wanted, "line": 4, "button": True}
    client.ok("kata-set-rules {}")
    assert rules(client) == {**wanted, "line": 4, "button": True}


def test_another_game_keeps_the_board_where_it_can_and_takes_its_own_defaults():
    """Another game keeps the board if it can, and otherwise uses its default size."""
    client = Conversation(size="7")
    client.ok("linage-game linage-parity n=2")
    own = {"condition": "size", "n": 2, "passing": True}
    assert rules(client) == {"game": "linage-parity", "size": "7", "komi": 0, **own}
    client.ok("linage-game gardar")
    assert rules(client)["size"] == "9"
    client.ok("linage-game linage size=9x7 komi=-1.5")
    assert rules(client)["size"] == "9x7"
    assert client.ok("get_komi") == "-1.5"


@pytest.mark.parametrize(
    "words",
    [
        *("chess", "LINAGE", "linage line", "linage line=9", "linage komi=x", "linage komi=inf"),
        *("linage size=2", "linage =", "leblin komi=1", "gardar n=3"),
        "linage-parity condition=line size=2",
    ],
)
def test_games_and_options_that_do_not_exist_are_refused(words):
    """An unknown game or option is refused, and the current game continues."""
    assert Conversation().fails(f"linage-game {words}").startswith("syntax error")


def test_the_game_changes_only_before_it_begins():
    """The game cannot be changed after a set-up stone, but can be after `clear_board`."""
    client = Conversation()
    client.ok("gogui-setup b A1")
    assert client.fails("linage-game leblin").startswith("board not empty")
    client.all(["clear_board", "linage-game leblin"])
