"""Forecasts of the effort of proofs, which decide whether a proof is tried.

A method predicts the effort that its proofs usually take. A forecast corrects the prediction by the
proofs tried before. So failed tries are rare; they cost no more than their share of the time.
"""

import math

from linage_bot.engine.solver.method import Method
from linage_bot.rules.game import Position

_NEAR = 1000.0  # times the affordable nodes: a few moves later a proof may be affordable
_ENOUGH_NODES = 2_000  # of a try; shorter ones say too little about the rate and the forecast
_LESSON = 0.3  # share of a forecast's error that is corrected after a try
_MORE = 1 / 3  # of a decimal logarithm: least additional effort that a failed try needed


class Forecast:
    """A method's forecasts, corrected by the effort of the proofs that were tried."""

    def __init__(self, method: Method) -> None:
        self._method = method
        self._rate = method.rate
        self._correction = 0.0  # of the decimal logarithm of the nodes

    @property
    def share(self) -> float:
        """The share of a move's time that is spent on a proof."""
        return self._method.share

    @property
    def hope(self) -> float:
        """The factor by which a move's proof may exceed the affordable nodes and still be tried."""
        return self._method.hope

    @property
    def code_is_shared(self) -> bool:
        """Whether the same compiled code proves other games, too."""
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
        """Return whether a proof is more likely than not to fit into the time and nodes.

        `moves`: the expected effort, in multiples of that for the score and one best move. `hope`:
        a factor for the limits; with more than 1 the result says whether a try may pay. If only
        nodes are limited the result is the same on every machine.
        """
        return moves * self._needed(position) <= hope * self._affordable_nodes(seconds, nodes)

    def near(self, position: Position, seconds: float | None, nodes: int | None) -> bool:
        """Return whether a proof may come within reach in a few moves, so that preparing pays."""
        return self._needed(position) <= _NEAR * self._affordable_nodes(seconds, nodes)

    def _needed(self, position: Position) -> float:
        return float(self._method.forecast(position) * 10**self._correction)

    def _affordable_nodes(self, seconds: float | None, nodes: int | None) -> float:
        most = math.inf if nodes is None else nodes
        return most if seconds is None else min(most, self._rate * seconds)

    def learn(self, position: Position, nodes: int, seconds: float, *, proven: bool) -> None:
        """Correct the speed and the forecasts by a try to prove a move."""
        expected = self._method.forecast(position)
        if nodes < _ENOUGH_NODES:
            return
        self._rate = nodes / max(seconds, 1e-3)
        error = math.log10(nodes / max(expected, 1.0)) - self._correction
        if not proven:
            error = max(error, 0.0) + _MORE
        self._correction += _LESSON * error
