"""Proven values of a position, and those that the shipped table proves near the start of a game.

The table covers empty boards, many of them with the score of every first move. If a score is
missing, a best first move leads to a position of the same value, and any other move leads to a
position that is better for the opponent. Of some boards the scores of all replies are known, too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import attrs

from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.solved_boards import Solved, replies, solved_board
from linage_bot.rules.game import Move, Player, Position
from linage_bot.rules.lines import PlacingPosition


@attrs.frozen
class Interval:
    """The proven bounds of a lead: at least `low`, at most `high`."""

    low: float = -math.inf
    high: float = math.inf

    @property
    def exact(self) -> bool:
        """Whether the lead is known."""
        return self.low == self.high

    @property
    def win_rate(self) -> float | None:
        """The result as a win rate, where a draw counts one half; None if it is not proven."""
        if self.low > 0:
            return 1.0
        if self.high < 0:
            return 0.0
        return 0.5 if self.exact else None

    def within(self, other: Interval) -> Interval:
        """Return the bounds that both prove together."""
        return Interval(max(self.low, other.low), min(self.high, other.high))


@attrs.frozen
class ProvenValues:
    """The proven values of a position and its moves, from the view of the player to move.

    Leads are own points minus the opponent's, komi included. In games that count no points they are
    1 for a win, 0 for a draw and -1 for a loss.
    """

    value: Interval
    moves: Mapping[Move, Interval]
    points: bool  # whether the game counts them

    def of(self, move: Move) -> Interval:
        """Return the bounds of a move's value, which never exceeds the position's value."""
        return self.moves.get(move, Interval()).within(Interval(high=self.value.high))

    @property
    def lead(self) -> float | None:
        """The lead of the player to move under best play; None if it is not proven."""
        return self.value.low if self.value.exact else None

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves proven to be best, in the order of moves; all best moves if `exact`."""
        lead = self.lead
        return tuple(move for move in self.moves if self.of(move).low == lead)

    @property
    def exact(self) -> bool:
        """Whether the value is proven, and for every move whether it is best."""
        decided = (self.of(move) for move in self.moves)
        return self.value.exact and all(
            span.exact or span.high < self.value.low for span in decided
        )

    @property
    def good(self) -> tuple[Move, ...]:
        """The moves proven to be best; if there are none, the moves proven to win."""
        return self.best or tuple(move for move, span in self.moves.items() if span.low > 0)

    def together(self, other: ProvenValues | None) -> ProvenValues:
        """Return the values that this and another proof of the position prove together."""
        if other is None:
            return self
        moves = {move: self.of(move).within(other.of(move)) for move in (*self.moves, *other.moves)}
        return attrs.evolve(self, value=self.value.within(other.value), moves=moves)


def ended(position: Position) -> ProvenValues:
    """Return the proven value of a position in which the game is over: its result."""
    result, points = position.result(), position.game.counts_points
    lead = result.lead_of(position.to_move)
    if not points:
        lead = 2 * result.win_rate_of(position.to_move) - 1
    return ProvenValues(Interval(lead, lead), {}, points)


def with_mover(position: Position, player: Player) -> Position:
    """Return the position with the given player to move; if that is a change, without passes.

    Raises `NotSolvable` in games in which the moves played before determine the player to move.
    """
    if position.to_move is player:
        return position
    if not isinstance(position, PlacingPosition):
        raise NotSolvable(f"in {position.game.name} the earlier moves determine the player to move")
    return attrs.evolve(position, to_move=player, passes=0)


def known(position: Position) -> ProvenValues | None:
    """Return the values that the table proves of a position, without a search; None if none."""
    if position.over or position.stones.bit_count() > 1:
        return None
    wanted = _without_owners(position)
    for player in Player:
        solved = solved_board(position.game, player)
        if solved is None:
            continue
        start = with_mover(position.game.start(), player)
        if wanted == start:
            return _proven(position, solved, None)
        for move in start.moves():
            if wanted == _without_owners(start.after(move)):
                return _proven(position, solved, move)
    return None


def _without_owners(position: Position) -> Position:
    """Return the position with all stones as First's, if their colour has no meaning.

    So positions that differ only in the players who placed the stones become equal. Stones that
    were set up usually are First's, regardless of the player to move.
    """
    if not position.game.one_colour:
        return position
    return attrs.evolve(position, first=position.stones, second=0)


def listed(position: Position) -> Solved | None:
    """Return the table's row of an empty board; None for any other position."""
    solved = None if position.stones else solved_board(position.game, position.to_move)
    if solved is None or position != with_mover(position.game.start(), position.to_move):
        return None
    return solved


def _proven(position: Position, solved: Solved, move: Move | None) -> ProvenValues:
    """Return the values that an empty board's row proves of it, or of the position after a move."""
    points = position.game.counts_points

    def lead(score: float) -> float:
        own = score - position.game.komi
        return own if position.to_move is Player.FIRST else 0.0 - own

    def span(each: Move) -> Interval:
        score = solved.score if each in solved.best else solved.moves.get(each)
        if score is None and move is None:
            scores = replies(position.game, position.to_move, each).values()
            worst = min if position.to_move is Player.FIRST else max
            score = worst(scores, default=None)
        return worse if score is None else Interval(lead(score), lead(score))

    value, least = lead(solved.score), 0.5 if points else 1.0  # the least loss of a worse move
    worse = Interval(high=value - least) if move is None else Interval(low=value + least)
    if move is not None:
        found = replies(position.game, position.to_move.other, move)
        if not found:
            return ProvenValues(span(move), {}, points)
        leads = {each: lead(found[each]) for each in position.moves()}
        best = max(leads.values())
        moves = {each: Interval(own, own) for each, own in leads.items()}
        return ProvenValues(Interval(best, best), moves, points)
    return ProvenValues(
        Interval(value, value), {each: span(each) for each in position.moves()}, points
    )
