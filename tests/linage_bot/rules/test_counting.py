"""The counted items at the end of each game, and the cause of the end, for a board on screen."""

import pytest

from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Player, Position, ScoredItem

FIRST, SECOND = Player
PASSES = "Two passes in a row ended the game."


def played(game: str, size: str, *moves: int, **options: str) -> Position:
    """The position after these moves."""
    position = GAMES[game].configure(size, None, options).start()
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize("game", ["linage", "linage-two-color", "linage-parity", "gardar"])
def test_two_passes_end_most_games(game: str) -> None:
    """Before that nothing has."""
    assert played(game, "5", PASS).ending() == ""
    assert played(game, "5", PASS, PASS).ending() == PASSES


def test_the_button_and_komi_count_beside_the_regions() -> None:
    """A free region counts for neither player."""
    position = played("linage", "3", PASS, button="on")
    assert position.counted() == (
        ScoredItem("free region", None, 0, 0b111_111_111),
        ScoredItem("button", FIRST, 0.5),
        ScoredItem("komi", SECOND, 0.5),
    )


def test_in_two_colors_groups_count() -> None:
    """Two-Color Linage counts groups, and regions too with that option."""
    for wanted in ("on", "off"):
        position = played("linage-two-color", "4x5", count_regions=wanted)
        while position.placements():
            position = position.play(position.moves()[0])
        words = {each.words for each in position.counted()}
        assert words == ({"group", "region", "komi"} if wanted == "on" else {"group", "komi"})


def test_every_region_is_one_in_parity() -> None:
    """Regions in Parity count for neither player; the last stone may end the game."""
    position = played("linage-parity", "3", 3, 4, 5)
    assert [(each.owner, each.value) for each in position.counted()] == [(None, 1), (None, 1)]
    position = played("linage-parity", "3", passing="off")
    while not position.over:
        position = position.play(position.moves()[0])
    assert position.ending() == "No stone can be placed any more."


def test_leblin_ends_in_three_ways() -> None:
    """Neither stones nor territory are counted, because they do not decide the game."""
    endings = set()
    for seed in range(200):
        position = played("leblin", "3")
        while not position.over:
            moves = position.moves()
            position = position.play(moves[(seed * 7 + position.stones) % len(moves)])
        endings.add(position.ending())
        assert position.counted() == ()
    assert "After 180 turns the game is a draw." in endings
    assert any("no stone left on the board" in each for each in endings)
    assert "White cannot place a stone." in endings or "Black cannot place a stone." in endings


def test_loops_count_in_gardar_and_other_stones_against() -> None:
    """A lone stone costs a point; the first pass is worth a half."""
    words = {
        (each.words, each.owner): each.value for each in played("gardar", "3", 0, PASS).counted()
    }
    assert words[("other stones", FIRST)] == -1
    assert words[("first pass", SECOND)] == 0.5
