"""Even openings from games of the engine against itself.

With the even komi, or after the even stone, equal engines win as often as they lose. The result is
an estimate for this engine at this number of visits, with a standard error; nothing is proven, and
stronger play may find another value.

The engine plays to win, not for points, so a lead is weak evidence. Komi goes up a point after a
win of First and down after a loss (the up-and-down method, Dixon and Mood 1948), so it approaches
the komi where both are equally likely, and stays near it.
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

_FIRST_STEP = 4  # points; halved whenever the winner changes; games count once it is 1
_ROUNDING = 1 / math.sqrt(12)  # the error of a number rounded to the next of every point
_MEDIAN_ERROR = math.sqrt(math.pi / 2)  # of a median, in standard errors of a mean
_MOST_BATCHES = 10  # whose means give the error of the whole mean
_LONGEST = 4  # turns a point; in games with captures weak engines may never finish
_NEVER = threading.Event()


class SelfPlay:
    """An engine that plays both sides; the same seed gives the same games."""

    def __init__(
        self,
        visits: int,
        seed: int = 1,
        stopped: threading.Event = _NEVER,
        played: Callable[[Position], None] = lambda _position: None,
    ) -> None:
        """Create the engine; `played` is called with the last position of every game."""
        self._visits, self._limits = visits, Limits(visits=visits)
        self._engine = Engine(visits=visits, seed=seed, resign_rate=None)
        self._stopped = stopped
        self._played = played

    def result(self, position: Position) -> Position:
        """Play a game from a position, at most `_LONGEST` turns a point; return its last position.

        Raises `Stopped` if the stop event is set.
        """
        self._engine.forget()
        for _ in range(_LONGEST * position.game.board.count):
            if position.over:
                break
            so_far = History.at(position)  # so that no search reuses a tree
            decision = self._engine.play(so_far, self._limits, self._stopped, may_resign=False)
            if self._stopped.is_set():
                raise Stopped
            assert decision.move is not None
            position = position.after(decision.move)
        self._played(position)
        return position

    def even_komi(self, game: Game, games: int) -> EvenKomi:
        """Estimate a game's even komi from `games` games, after some that do not count."""
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
        # In few games komi cannot move far, which does not make it accurate: the leads also count.
        of_leads = _MEDIAN_ERROR * statistics.stdev(leads) / math.sqrt(games)
        error = math.hypot(max(_error(played), of_leads), _ROUNDING)
        return EvenKomi(fair, games, self._visits, error, wins / games)

    def trial(self, game: Game, stone: Move, games: int) -> Trial:
        """Play `games` games after a first stone; return a trial with First's share of wins."""
        wins = 0.0
        for _ in range(games):
            wins += self.result(game.start().play(stone)).result().win_rate_of(Player.FIRST)
        return Trial(stone, games, wins / games)


class Stopped(Exception):
    """An interruption of the games by the stop event."""


def _won(last: Position) -> int:
    """Return 1 if First has won, -1 if Second has, 0 after a draw."""
    return round(2 * last.result().win_rate_of(Player.FIRST) - 1)


def _error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of serially dependent values.

    It uses the means of batches, which are nearly independent if the batches are long enough.
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
