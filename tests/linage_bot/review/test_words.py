"""Values in words for readers; an estimate never reads like a proof."""

import pytest

from linage_bot.review import words
from linage_bot.review.facts import Value
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player

GAME = GAMES["linage"].configure("5")


@pytest.mark.parametrize(
    ("value", "rate", "lead", "verdict"),
    [
        (
            Value(0.578, 2.84, 100),
            "57.8 %",
            "+2.8",
            "Vertical wins 57.8 %, Vertical leads by 2.8",
        ),
        (
            Value(0.99999, -3.0, 9),
            "99.9 %",
            "−3.0",
            "Vertical wins 99.9 %, Horizontal leads by 3.0",
        ),
        (
            Value(0.0, -3.5, certain=True, exact=True),
            "0 %",
            "−3.5",
            "Horizontal wins by 3.5 (proven)",
        ),
        (Value(1.0, 2.23, 50, certain=True), "100 %", "+2.2", "Vertical wins (proven)"),
        (Value(0.5, 0.0, certain=True, exact=True), "50 %", "0", "a draw (proven)"),
        (Value(0.52, -0.04, 50), "52.0 %", "+0.0", "Vertical wins 52.0 %, the score is even"),
        (Value(0.25, None, 50), "25.0 %", "–", "Vertical wins 25.0 %"),
    ],
)
def test_values(value, rate, lead, verdict):
    """Proven values look proven, searched ones have decimals and are never 0 or 100 %."""
    assert (words.win_rate(value), words.score(value)) == (rate, lead)
    assert words.verdict(GAME, value) == verdict


def test_players_see_the_same_value_from_their_sides():
    """One player's gain is the other's loss."""
    value = Value(0.75, 2.5)
    assert (value.win_rate_of(Player.FIRST), value.score_of(Player.FIRST)) == (0.75, 2.5)
    assert (value.win_rate_of(Player.SECOND), value.score_of(Player.SECOND)) == (0.25, -2.5)
    assert Value(0.75, None).score_of(Player.SECOND) is None


def test_units():
    """Points have a singular and a plural, and moves have names."""
    assert words.points(1.0) == "1 point"
    assert words.points(12.5) == "12.5 points"
    assert words.names(GAME, (0, 24, -1)) == "A1 E5 pass"
    assert words.percent(1 / 3, 0) == "33 %"


def test_a_lead_that_rounds_to_nothing_has_no_minus():
    """A lead that rounds to 0 is shown as +0.0, never -0.0."""
    assert words.score(Value(0.5, -0.04, 100)) == "+0.0"
