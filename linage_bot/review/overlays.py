"""The values that a search and random games give one position, for drawing on the board."""

import threading

from linage_bot.engine.analysis_display import overlays
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.rollouts import random_owners
from linage_bot.rules.boards import Point, bits
from linage_bot.rules.game import Position


def visits_and_win_rates(
    position: Position, visits: int, seed: int
) -> tuple[dict[Point, float], dict[Point, str]]:
    """Return a search's visits and win rates, for the player to move, of a position not over.

    The visits that each point got, and the win rates in percent of those that got many.
    """
    found = Engine(seed=seed).analyse(position, Limits(visits))
    return overlays(found.seen_by(position.to_move))


def owners_of(position: Position, games: int, seed: int) -> dict[Point, float]:
    """Return First's share of each point, 1 to -1: the mean over random ends of the game."""
    owners = random_owners(position, (), threading.Event(), games, seed)
    assert owners is not None  # the event is never set
    return {point: owners[point] for point in bits(position.game.board.points)}
