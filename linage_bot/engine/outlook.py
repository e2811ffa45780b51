"""What games played at random say of a position: how long it will last, and who will own what."""

import threading

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.clocks import Clock
from linage_bot.engine.limits import Limits
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.rules.game import Move, Player, Position
from linage_bot.rules.history import History

_POINTS = 15_000  # to look at for one picture: 10 to 30 ms
_GUESS = 0.6  # moves per empty point


def moves_to_come(position: Position) -> float:
    """How many moves, of both players together, are likely to come; does not wait for anything.

    The mean of games played at random, or a guess as long as there is no compiled code for them.
    """
    kernel = wait_for_kernel(position.game, threading.Event(), 0.0)
    if kernel is None:
        return _GUESS * position.empty.bit_count()
    from linage_bot.engine.search.playouts import random_moves  # imports Numba

    return random_moves(kernel, position)


def limits_of_clock(
    clock: Clock, so_far: History, visits: int | None, most_seconds: float
) -> Limits:
    """How long to think about the next move while a clock runs; no longer than `most_seconds`.

    To be asked where the search runs: to guess how long the game will last takes a moment.
    """
    played, to_come = len(so_far.moves), moves_to_come(so_far.position)
    time = clock.allot(to_come / 2, played / max(1.0, played + to_come))
    seconds = min(time.seconds, most_seconds)
    extra = min(time.most_seconds, most_seconds) - seconds
    return Limits(visits, seconds, clock.seconds_left, extra)


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
    from linage_bot.engine.search.playouts import ownership  # imports Numba

    count = games or min(100, _POINTS // position.game.board.count)
    return ownership(kernel, position, line, count, seed)


def with_owners(analysis: Analysis, stopped: threading.Event) -> Analysis:
    """The analysis with the expected owners of all points after its principal variation."""
    line = next((each.line for each in analysis.candidates if each.visits), ())
    owners = expected_owners(analysis.position, line, stopped)
    first = analysis.seen_by(Player.FIRST)
    return attrs.evolve(first, owners=owners).seen_by(analysis.viewer)
