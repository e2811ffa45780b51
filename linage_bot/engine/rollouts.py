"""Estimates from random games: the number of moves to come, and the owner of each point."""

import threading

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.calibration import calibrated_owners
from linage_bot.engine.clocks import Clock
from linage_bot.engine.limits import Limits
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.rules.game import Move, Player, Position
from linage_bot.rules.history import History

_POINTS = 15_000  # points times games for one ownership map: 10 to 30 ms
_GUESS = 0.6  # moves per empty point


def moves_to_come(position: Position) -> float:
    """Return the expected number of moves to come, of both players together; never wait.

    The mean length of random games, or a guess until their compiled code is ready.
    """
    kernel = wait_for_kernel(position.game, threading.Event(), 0.0)
    if kernel is None:
        return _GUESS * position.empty.bit_count()
    from linage_bot.engine.search.playouts import random_moves  # imports Numba

    return random_moves(kernel, position)


def limits_of_clock(
    clock: Clock, so_far: History, visits: int | None, most_seconds: float
) -> Limits:
    """Return the limits of the next move's search on a clock; no longer than `most_seconds`.

    Call it on the thread that searches: the random games that it plays take a moment.
    """
    played, to_come = len(so_far.moves), moves_to_come(so_far.position)
    time = clock.allot(to_come / 2, played / max(1.0, played + to_come))
    seconds = min(time.seconds, most_seconds)
    extra = min(time.most_seconds, most_seconds) - seconds
    return Limits(visits, seconds, clock.seconds_left, extra)


def random_owners(
    position: Position,
    line: tuple[Move, ...],
    stopped: threading.Event,
    games: int | None = None,
    seed: int = 1,
) -> tuple[float, ...] | None:
    """Return First's mean ownership of each cell after a line and random play, 1 to -1.

    It is 0 where the board has no point. The mean is over about a hundred games by default. None if
    `stopped` is set before the compiled code is ready. The default seed is fixed, so that the
    numbers change when the line does, not by chance.
    """
    kernel = wait_for_kernel(position.game, stopped)
    if kernel is None:
        return None
    from linage_bot.engine.search.playouts import ownership  # imports Numba

    count = games or min(100, _POINTS // position.game.board.count)
    return ownership(kernel, position, line, count, seed)


def expected_owners(
    position: Position, line: tuple[Move, ...], stopped: threading.Event
) -> tuple[float, ...] | None:
    """Return First's expected ownership of each cell after a line of best play, 1 to -1.

    It is 0 where the board has no point, and calibrated. None if `stopped` is set before the
    compiled code is ready.
    """
    owners = random_owners(position, line, stopped)
    return None if owners is None else calibrated_owners(position, owners)


def with_owners(analysis: Analysis, stopped: threading.Event | None = None) -> Analysis:
    """Return the analysis with the expected ownership after its principal variation.

    It comes from about a hundred random games, which take up to 30 ms, and is calibrated. `owners`
    is None if `stopped` is set before the compiled code is ready.
    """
    stopped = stopped or threading.Event()
    line = next((each.line for each in analysis.candidates if each.visits), ())
    owners = expected_owners(analysis.position, line, stopped)
    first = analysis.seen_by(Player.FIRST)
    return attrs.evolve(first, owners=owners).seen_by(analysis.viewer)
