"""Who is likely to own each point at the end of the game."""

import threading

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.rules.game import Move, Player, Position

_POINTS = 15_000  # to look at for one picture: 10 to 30 ms


def expected_owners(
    position: Position,
    line: tuple[Move, ...],
    stopped: threading.Event,
    games: int | None = None,
    seed: int = 1,
) -> tuple[float, ...] | None:
    """How much of each point First will own after a line, 1 to -1, by point: 0 where none is.

    The mean over random games, about a hundred unless said otherwise. None if the compiled code is
    not there before `stopped` is set. The seed is always the same, so that the numbers change when
    the line does, not by chance.
    """
    kernel = wait_for_kernel(position.game, stopped)
    if kernel is None:
        return None
    from linage_bot.engine.search.ownership import ownership  # imports Numba

    count = games or min(100, _POINTS // position.game.board.count)
    return ownership(kernel, position, line, count, seed)


def with_owners(analysis: Analysis, stopped: threading.Event) -> Analysis:
    """The analysis with the expected owners of all points after its principal variation."""
    line = next((each.line for each in analysis.candidates if each.visits), ())
    owners = expected_owners(analysis.position, line, stopped)
    viewer = analysis.viewer
    first = analysis.seen_by(Player.FIRST)
    return attrs.evolve(first, owners=owners).seen_by(viewer)
