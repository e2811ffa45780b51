"""Even openings from games of the engine against itself.

With the even komi, or after the even stone, equal engines win as often as they lose. So much play
says: what is even for this engine at so many visits, give or take the error told with it; nothing
is proven, and stronger play may find another value.

The engine plays to win, not for points, so a lead says little. Komi goes up a point after a win of
First and down after a loss (the up-and-down method, Dixon and Mood 1948): so it comes to where both
are as likely, and stays about there.
"""

import math
import statistics
import threading
from collections.abc import Callable, Sequence

from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.pie.fair import EvenKomi, Trial, nearest_komi
from linage_bot.rules.game import Game, Move, Player, Position
from linage_bot.rules.history import History

_FIRST_STEP = 4  # points; halved whenever the winner changes, and at 1 the games begin to count
_ROUNDING = 1 / math.sqrt(12)  # the error of a number rounded to the next of every point
_MEDIAN_ERROR = math.sqrt(math.pi / 2)  # of a median, in standard errors of a mean
_MOST_BATCHES = 10  # whose means say how far the whole mean may be off
_LONGEST = 4  # turns a point; where stones are captured weak engines may go on for ever
_NEVER = threading.Event()


class SelfPlay:
    """One engine that plays both sides; the same seed gives the same games."""

    def __init__(
        self,
        visits: int,
        seed: int = 1,
        stopped: threading.Event = _NEVER,
        played: Callable[[Position], None] = lambda _position: None,
    ) -> None:
        """`played` is called with the last position of every game."""
        self._visits, self._limits = visits, Limits(visits=visits)
        self._engine = Engine(visits=visits, seed=seed, resign_rate=None)
        self._stopped = stopped
        self._played = played

    def result(self, position: Position) -> Position:
        """The last position of a game from this one, broken off after `_LONGEST` turns a point.

        Raises `Stopped` when told to stop.
        """
        self._engine.forget()
        for _ in range(_LONGEST * position.game.board.count):
            if position.over:
                break
            so_far = History.at(position)  # so each search begins anew
            decision = self._engine.play(so_far, self._limits, self._stopped, may_resign=False)
            if self._stopped.is_set():
                raise Stopped
            assert decision.move is not None
            position = position.after(decision.move)
        self._played(position)
        return position

    def even_komi(self, game: Game, games: int) -> EvenKomi:
        """The even komi of a game with komi, from so many games behind some that do not count."""
        komi, step, before = nearest_komi(game, 0), _FIRST_STEP, 0
        while step > 1:
            won = _won(self.result(game.with_komi(komi).start()))
            if won == -before:
                step //= 2
            komi, before = komi + step * won, won or before
        played, leads, wins = [], [], 0.0
        for _ in range(games):
            played.append(komi)
            last = self.result(game.with_komi(komi).start())
            won = _won(last)
            wins += (1 + won) / 2
            scores = last.scores()
            assert scores is not None
            leads.append(scores[0] - scores[1] + komi)
            komi += won
        fair = nearest_komi(game, statistics.fmean(played))
        # In few games komi cannot go far, which is no sign that it is right: the leads tell more.
        of_leads = _MEDIAN_ERROR * statistics.stdev(leads) / math.sqrt(games)
        error = math.hypot(max(_error(played), of_leads), _ROUNDING)
        return EvenKomi(fair, games, self._visits, error, wins / games)

    def trial(self, game: Game, stone: Move, games: int) -> Trial:
        """How often First wins after a first stone."""
        wins = 0.0
        for _ in range(games):
            wins += self.result(game.start().play(stone)).result().win_rate_of(Player.FIRST)
        return Trial(stone, games, wins / games)


class Stopped(Exception):
    """The games were broken off."""


def _won(last: Position) -> int:
    """1 if First has won, -1 if Second has, 0 after a draw."""
    return round(2 * last.result().win_rate_of(Player.FIRST) - 1)


def _error(values: Sequence[float]) -> float:
    """The standard error of a mean of values each of which hangs on the one before.

    Means of long enough batches do not.
    """
    batches = min(_MOST_BATCHES, len(values) // 2)
    if batches < 2:
        return math.inf
    size = len(values) / batches
    means = [
        statistics.fmean(values[round(size * each) : round(size * (each + 1))])
        for each in range(batches)
    ]
    return statistics.stdev(means) / math.sqrt(batches)
