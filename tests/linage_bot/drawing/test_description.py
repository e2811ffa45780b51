"""Games in words."""

import pytest

from linage_bot.drawing.description import describe_game
from linage_bot.rules import GAMES


@pytest.mark.parametrize(
    ("game", "size", "text"),
    [
        ("linage", "9x7", "Linage 9x7, komi 0.5"),
        ("leblin", "9", "Leblin 9x9"),
        ("gardar", "5", "Gardar side 5, komi 0"),
    ],
)
def test_games_in_words(game, size, text):
    """Name, size and, where the game has one, komi."""
    assert describe_game(GAMES[game].configure(size)) == text
