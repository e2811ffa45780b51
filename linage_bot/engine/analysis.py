"""Immutable results of searches and proofs of a position and its moves; needs no compiled code.

An analysis has First's point of view; `seen_by` converts it to a given player's, and is the only
place where win rates and leads change sign. Proofs, and candidates inside the search, have the
point of view of the player to move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import attrs

from linage_bot.engine.solver.proven_values import Interval, ProvenValues
from linage_bot.rules.game import Move, Player, Position
from linage_bot.settings.checks import limit

_ANY = Interval()


def with_power(win_rate: float, power: float) -> float:
    """Return the win rate whose odds are those of the given one to a power."""
    if not 0 < win_rate < 1:
        return win_rate
    return 1 / (1 + math.pow(1 / win_rate - 1, power))


@attrs.frozen(kw_only=True)
class Candidate:
    """The evaluation of one move, with the principal variation that starts with it."""

    move: Move
    visits: int
    win_rate: float  # 0 to 1; a draw counts one half
    error: float = 0.0  # standard error of the win rate by chance
    lead: float = 0.0  # points; 0 in games without scores
    spread: float = 0.0  # standard deviation of scores, as games end, from the lead
    line: tuple[Move, ...]
    line_visits: tuple[int, ...] = ()  # of each move of the line, in the tree that it is from
    certain: float | None = None  # the proven result as a win rate
    exact: bool = False  # whether the lead is proven, too

    @property
    def flipped(self) -> Candidate:
        """The same candidate from the other player's point of view."""
        certain = None if self.certain is None else 1 - self.certain
        return attrs.evolve(self, win_rate=1 - self.win_rate, lead=0.0 - self.lead, certain=certain)


def rank(candidate: Candidate) -> tuple[float, int, float]:
    """Return a key that sorts candidates best first for the mover: proof, visits, win rate."""
    certain = 0.5 if candidate.certain is None else candidate.certain
    return -certain, -candidate.visits, -candidate.win_rate


def mean_of_visits(
    candidates: Iterable[Candidate], value: Callable[[Candidate], float]
) -> float | None:
    """Return the mean of a value over all visits to moves; None if there are no visits."""
    seen = [each for each in candidates if each.visits]
    if not seen:
        return None
    return sum(each.visits * value(each) for each in seen) / sum(each.visits for each in seen)


@attrs.frozen(kw_only=True, repr=False)
class Analysis:
    """The evaluation of a position and its moves; without candidates before a search has begun.

    Candidates are sorted best first for the player to move. `proven` bounds the lead under best
    play, komi included; in games that count no points the lead is 1, 0 or -1.
    """

    position: Position
    candidates: tuple[Candidate, ...] = ()
    visits: int = 0
    nodes: int = 0
    proven: Interval = _ANY
    best: tuple[Move, ...] = ()  # the moves proven to be best
    proofs: ProvenValues | None = (
        None  # of the position and its moves, as the player to move sees them
    )
    settled: bool = False  # further search would add nothing
    owners: tuple[float, ...] | None = None  # by point: how much of it the viewer will own, 1 to -1
    viewer: Player = Player.FIRST
    power: float = 1.0  # of the calibration that the win rates have had, see `calibration`

    @classmethod
    def of_proof(cls, position: Position, proven: ProvenValues) -> Analysis:
        """Return an analysis that holds only the proven values of a position, without a search."""
        good = proven.good
        candidates = tuple(
            Candidate(move=move, visits=1, win_rate=0.5, line=(move,))
            for move, span in proven.moves.items()
            if span.exact or move in good
        )
        known = cls(
            position=position,
            candidates=candidates,
            visits=min(1, len(candidates)),
            settled=True,
            viewer=position.to_move,
        )
        return known.proven_by(proven).seen_by(Player.FIRST)

    def only(self, moves: tuple[Move, ...] | None) -> Analysis:
        """Return the analysis with these moves alone as candidates; None: with all of them."""
        if moves is None:
            return self
        return attrs.evolve(
            self, candidates=tuple(each for each in self.candidates if each.move in moves)
        )

    def __repr__(self) -> str:
        from linage_bot.engine.analysis_display import summary  # which draws: not for every use

        game = self.position.game
        return f"<{type(self).__name__} of {game.id} {game.board}: {summary(self)}>"

    def __str__(self) -> str:
        """Return the values of the position, and a row for each of the best moves."""
        from linage_bot.engine.analysis_display import table

        return table(self)

    def _repr_svg_(self) -> str:
        """Return a picture for a notebook: the board with the moves' visits and win rates."""
        from linage_bot.engine.analysis_display import picture

        return picture(self).svg()

    def _repr_html_(self) -> str:
        """Return the picture with a table of the best moves, which a notebook prefers."""
        from linage_bot.engine.analysis_display import page

        return page(self)

    @property
    def win_rate(self) -> float | None:
        """The viewer's win rate; None if nothing is known.

        It is the mean over all visits. The best move's own win rate flatters the player to move,
        because it is best partly by luck.
        """
        certain, power = self.proven.win_rate, self.power
        if certain is not None:
            return certain
        mean = self._mean(lambda each: with_power(each.win_rate, 1 / power))
        return None if mean is None else with_power(mean, power)

    @property
    def lead(self) -> float | None:
        """The viewer's lead in points; None if nothing is known, 0 in games without scores."""
        if self.proven.exact:
            return self.proven.low if self.position.game.counts_points else 0.0
        return self._mean(lambda each: each.lead)

    def with_lead(self, lead: float) -> Analysis:
        """Return the analysis with another lead of the viewer; the moves' leads change as much."""
        change = lead - (self.lead or 0.0)
        candidates = (attrs.evolve(each, lead=each.lead + change) for each in self.candidates)
        return attrs.evolve(self, candidates=tuple(candidates))

    def _mean(self, value: Callable[[Candidate], float]) -> float | None:
        first = next((each for each in self.candidates if each.visits), None)
        if first is not None and first.certain is not None:
            return value(first)
        return mean_of_visits(self.candidates, value)

    @property
    def estimated(self) -> bool:
        """Whether the value is proven, but of no move that it reaches the value.

        The values of the candidates are then estimates, and that of at least one move is too low.
        """
        rate = self.proven.win_rate
        if rate is None or not self.candidates:
            return False
        if self.proven.exact and self.position.game.counts_points:
            return not self.best
        return all(each.certain != rate for each in self.candidates)

    def seen_by(self, player: Player) -> Analysis:
        """Return the analysis from a player's point of view."""
        player = Player(player)  # a number is no player until then
        if player is self.viewer:
            return self
        return attrs.evolve(
            self,
            candidates=tuple(each.flipped for each in self.candidates),
            proven=Interval(-self.proven.high, -self.proven.low),
            owners=None if self.owners is None else tuple(-mean for mean in self.owners),
            viewer=player,
        )

    def proven_by(self, proven: ProvenValues | None) -> Analysis:
        """Return the analysis with its estimates replaced by proven values where there are any.

        Proven best moves come first, then other proven moves from best to worst; equal moves keep
        their order. The estimated lead of any other move is limited to its proven bounds.
        """
        if proven is None:
            return self
        own = self.seen_by(self.position.to_move)
        proven = proven.together(own.proofs)
        result = attrs.evolve(
            own,
            candidates=_corrected(own.candidates, proven),
            proven=proven.value,
            best=proven.best,
            proofs=proven,
        )
        return result.seen_by(self.viewer)


@attrs.frozen
class Report:
    """A callback that receives the analysis so far, and the interval between its calls.

    Raises `ValueError` for an interval that is not a finite number from 0 up.
    """

    call: Callable[[Analysis], None]
    interval_seconds: float = attrs.field(validator=limit())


def _corrected(candidates: Iterable[Candidate], proven: ProvenValues) -> tuple[Candidate, ...]:
    corrected = [
        _with_proof(each, proven.of(each.move), points=proven.points) for each in candidates
    ]
    by_lead = bool(proven.best)

    def rank(each: Candidate) -> tuple[bool, float, float]:
        exact = each.exact and by_lead
        lead = proven.of(each.move).low if exact else 0.0
        return not exact, -lead, -(0.5 if each.certain is None else each.certain)

    return tuple(sorted(corrected, key=rank))


def _with_proof(each: Candidate, span: Interval, *, points: bool) -> Candidate:
    lead = min(max(each.lead, span.low), span.high) if points else 0.0
    certain, rate = span.win_rate, each.win_rate
    if certain is None:
        if span.high == 0:
            rate = min(rate, 0.5)
        elif span.low == 0:
            rate = max(rate, 0.5)
        return attrs.evolve(each, win_rate=rate, lead=lead)
    proven = attrs.evolve(each, win_rate=certain, certain=certain, error=0.0, lead=lead)
    if not span.exact:
        return proven
    # Worth reporting, even if no search visited the move.
    return attrs.evolve(proven, visits=max(1, each.visits), spread=0.0, exact=True)
