"""The score table is made from the records and counts every game right."""

import pytest

from linage_bot.arena.standings import Crosstable, Failures, Standing


def test_the_table_counts_games_points_sides_and_time(game):
    """A draw is half a point; a forfeit counts for the other, and against who forfeited."""
    records = [game(1, "ada"), game(2, "bea"), game(3, None), game(4, "ada", ending="forfeit")]
    ada, bea = Crosstable(("ada", "bea"), records).rows()
    assert (ada.name, ada.games, ada.won, ada.lost, ada.drawn) == ("ada", 4, 2, 1, 1)
    assert (ada.points, ada.as_first, ada.as_second) == (2.5, 1.5, 1.0)
    assert (bea.points, bea.as_first, bea.as_second) == (1.5, 1.0, 0.5)
    assert (ada.forfeited, bea.forfeited) == (0, 1)
    # As First 0.25 and 0.75 s, as Second 1 and 3 s, two games each.
    assert (ada.moves, ada.seconds, ada.longest_seconds) == (8, 10.0, 3.0)
    assert ada.seconds_per_move == pytest.approx(1.25)


def test_moves_of_the_opening_cost_nobody_time(game):
    """Opening moves count neither as moves nor as time of an engine."""
    record = game(1, "ada", opening_moves=3, seconds=(3.0,))
    ada, bea = Crosstable(("ada", "bea"), [record]).rows()
    assert (ada.moves, bea.moves, bea.seconds) == (0, 1, 3.0)


def test_the_better_engine_stands_above_and_equal_ones_keep_their_order(game):
    """The order of the event's settings, as before the first game."""
    assert [row.name for row in Crosstable(("ada", "bea"), [game(1, "bea")]).rows()] == [
        "bea",
        "ada",
    ]
    assert Crosstable(("ada", "bea")).rows() == [Standing("ada"), Standing("bea")]


def test_an_engine_is_withdrawn_after_failures_in_succession_only(game):
    """A game lost in the usual way resets the count; the withdrawal is reported once."""
    forfeit = {"ending": "forfeit"}
    failures = Failures(("ada", "bea"), 2)
    assert failures.add(game(1, "bea", **forfeit)) is None
    assert failures.add(game(2, "bea")) is None
    assert failures.add(game(3, "bea", **forfeit)) is None
    assert failures.add(game(4, "bea", **forfeit)) == "ada"
    assert failures.add(game(5, "bea", **forfeit)) is None
    assert failures.withdrawn == {"ada"}
