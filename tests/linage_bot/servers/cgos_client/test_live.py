"""What a status line tells of a player's games."""

import pytest

from linage_bot.servers.cgos_client.live import OwnResults
from protocol.arguments import Colour


@pytest.mark.parametrize(
    ("results", "told"),
    [
        ([], "0 won, 0 lost"),
        ([("B+3.5", Colour.BLACK), ("w+resign", Colour.BLACK)], "1 won, 1 lost"),
        ([("W+Time", Colour.WHITE), ("Draw", Colour.WHITE)], "1 won, 0 lost, 1 drawn"),
        ([("0", Colour.BLACK), ("Abort", Colour.BLACK)], "0 won, 0 lost, 1 drawn"),
    ],
)
def test_games_are_counted_for_the_side_that_was_played(results, told):
    """A game that was broken off is neither won nor lost nor drawn."""
    counted = OwnResults()
    for result, colour in results:
        counted = counted.after(result, colour)
    assert str(counted) == told
