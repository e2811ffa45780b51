"""The line that summarises a player's games."""

from collections import Counter

import pytest

from linage_bot.servers.cgos_client.live import outcome, tally_text
from protocol.session.arguments import Colour


@pytest.mark.parametrize(
    ("results", "words"),
    [
        ([], "0 won, 0 lost"),
        ([("B+3.5", Colour.BLACK), ("w+resign", Colour.BLACK)], "1 won, 1 lost"),
        ([("W+Time", Colour.WHITE), ("Draw", Colour.WHITE)], "1 won, 0 lost, 1 drawn"),
        ([("0", Colour.BLACK), ("Abort", Colour.BLACK)], "0 won, 0 lost, 1 drawn"),
    ],
)
def test_games_are_counted_for_the_side_that_was_played(results, words):
    """Games are counted for the player's side, and aborted games count for neither."""
    assert tally_text(Counter(outcome(result, colour) for result, colour in results)) == words
