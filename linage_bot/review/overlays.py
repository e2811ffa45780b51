"""The values that a search and random games give one position, for drawing on the board."""

import threading

from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.rollouts import expected_owners
from linage_bot.rules.boards import Point, bits
from linage_bot.rules.game import PASS, Position
from linage_bot.rules.history import History

_LEAST_SHARE = 0.02  # of the visits, for a meaningful win rate


def thoughts_on(
    position: Position, visits: int, seed: int
) -> tuple[dict[Point, float], dict[Point, str]]:
    """Return a search's visits and win rates, for the player to move, of a position not over.

    The visits that each point got, and the win rates in percent of those that got many.
    """
    analysis = Engine(seed=seed).analyse(History.at(position), Limits(visits))
    own = analysis.seen_by(position.to_move)
    found = [each for each in own.candidates if each.move != PASS and each.visits]
    enough = _LEAST_SHARE * own.visits
    return (
        {each.move: float(each.visits) for each in found},
        {each.move: f"{100 * each.win_rate:.0f}" for each in found if each.visits >= enough},
    )


def owners_of(position: Position, games: int, seed: int) -> dict[Point, float]:
    """Return First's share of each point, 1 to -1: the mean over random ends of the game."""
    owners = expected_owners(position, (), threading.Event(), games, seed)
    assert owners is not None  # the event is never set
    return {point: owners[point] for point in bits(position.game.board.points)}
