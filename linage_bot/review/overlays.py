"""What a search and random games say of one position, for drawing it on the board."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import attrs

from linage_bot.engine.engine import Agent, AgentSettings
from linage_bot.engine.limits import Limits
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.rules.boards import Point, bits
from linage_bot.rules.game import PASS, Position

_LEAST_SHARE = 0.02  # of the visits, for a win rate to say something


@attrs.frozen
class Thought:
    """The visits that each point got, and the win rates in percent of those that got many."""

    visits: Mapping[Point, float]
    rates: Mapping[Point, str]


NO_THOUGHT = Thought({}, {})


def thought_of(position: Position, visits: int, seed: int) -> Thought:
    """What a search of a position that is not over thinks, as seen by the player to move."""
    thinking = Agent(AgentSettings(seed=seed)).think(position, Limits(visits), threading.Event())
    assert thinking is not None  # nobody stops it
    found = [each for each in thinking.candidates() if each.move != PASS and each.visits]
    enough = _LEAST_SHARE * thinking.visits
    return Thought(
        {each.move: float(each.visits) for each in found},
        {each.move: f"{100 * each.win_rate:.0f}" for each in found if each.visits >= enough},
    )


def expected_owners(position: Position, games: int, seed: int) -> dict[Point, float]:
    """How much First will own each point, 1 to -1: the mean over random ends of the game."""
    kernel = wait_for_kernel(position.game, threading.Event())
    assert kernel is not None  # nobody stops it
    from linage_bot.engine.search.ownership import ownership  # imports NumPy

    board, owners = position.game.board, {}
    means = ownership(kernel, position, (), games, seed)  # row by row from the top left
    for point in bits(board.points):
        row, column = divmod(point, board.columns)
        owners[point] = means[(board.rows - 1 - row) * board.columns + column]
    return owners
