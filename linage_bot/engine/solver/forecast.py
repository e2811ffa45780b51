"""How long a proof is likely to take: what decides whether one is within reach.

A method knows what proofs took as a rule. Here that is corrected by the proofs tried before: so a
failed try, which costs its share of the time and no more, is rare.
"""

import math

from linage_bot.engine.solver.method import Method
from linage_bot.rules.game import Position

_NEAR = 1000.0  # times what can be afforded: not so many moves later it can
_ENOUGH_NODES = 2_000  # of a try that says something about the rate and the forecast
_LESSON = 0.3  # how much of a forecast's error is corrected after a try
_MORE = 1 / 3  # of a decimal logarithm, by which a failed try would have taken more, at least


class Forecast:
    """A method's forecasts, corrected by what its proofs took here."""

    def __init__(self, method: Method) -> None:
        self._method = method
        self._rate = method.rate
        self._correction = 0.0  # of the decimal logarithm of the nodes

    @property
    def share(self) -> float:
        """The share of a move's time that a proof is worth."""
        return self._method.share

    @property
    def hope(self) -> float:
        """How many times what can be afforded a proof of a move may be likely to take."""
        return self._method.hope

    @property
    def code_is_shared(self) -> bool:
        """Whether other games are proven by the same compiled code."""
        return self._method.one_for_all

    def within_reach(
        self,
        position: Position,
        seconds: float | None,
        nodes: int | None,
        *,
        moves: float = 1.0,
        hope: float = 1.0,
    ) -> bool:
        """Return whether a proof is more likely than not in the time and nodes.

        It takes so many times the nodes of the score and one best `moves`. With a `hope` above 1
        return whether it is likely enough that a try may pay: as if so many times as much could be
        afforded. With nodes alone the answer is the same on every machine.
        """
        return moves * self._needed(position) <= hope * self._afforded(seconds, nodes)

    def near(self, position: Position, seconds: float | None, nodes: int | None) -> bool:
        """Return whether a proof may come within reach in a few moves: then it pays to prepare."""
        return self._needed(position) <= _NEAR * self._afforded(seconds, nodes)

    def _needed(self, position: Position) -> float:
        return float(self._method.forecast(position) * 10**self._correction)

    def _afforded(self, seconds: float | None, nodes: int | None) -> float:
        most = math.inf if nodes is None else nodes
        return most if seconds is None else min(most, self._rate * seconds)

    def learn(self, position: Position, nodes: int, seconds: float, *, proven: bool) -> None:
        """Draw the lesson from a try to prove a move: how fast it was, how far off the forecast."""
        expected = self._method.forecast(position)
        if nodes < _ENOUGH_NODES:
            return
        self._rate = nodes / max(seconds, 1e-3)
        error = math.log10(nodes / max(expected, 1.0)) - self._correction
        if not proven:
            error = max(error, 0.0) + _MORE
        self._correction += _LESSON * error
