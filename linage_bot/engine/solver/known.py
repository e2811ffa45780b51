"""What is proven of a position, and what the shipped table proves of the first ones of a game.

The table knows empty boards, and of many the score of every first move. Where it does not, a best
first move leads to a position of the same value, and any other one to a position that is better for
the opponent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import attrs

from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.solved import Solved, solved_board
from linage_bot.rules.game import Move, Player, Position
from linage_bot.rules.lines import PlacingPosition


@attrs.frozen
class Span:
    """What is proven of a lead: at least `low`, at most `high`."""

    low: float = -math.inf
    high: float = math.inf

    @property
    def exact(self) -> bool:
        """Whether the lead is known."""
        return self.low == self.high

    @property
    def win_rate(self) -> float | None:
        """The result as a win rate, a draw counting one half; None where it is not proven."""
        if self.low > 0:
            return 1.0
        if self.high < 0:
            return 0.0
        return 0.5 if self.exact else None

    def within(self, other: Span) -> Span:
        """What both prove together."""
        return Span(max(self.low, other.low), min(self.high, other.high))


@attrs.frozen
class Proven:
    """What is proven of a position and its moves, as the player to move sees it.

    Leads are own points less the opponent's, komi counted; in games that count no points they are 1
    for a win, 0 for a draw and -1 for a loss.
    """

    value: Span
    moves: Mapping[Move, Span]
    points: bool  # whether the game counts them

    def of(self, move: Move) -> Span:
        """What a move gets: no more than the position is worth, at any rate."""
        return self.moves.get(move, Span()).within(Span(high=self.value.high))

    @property
    def lead(self) -> float | None:
        """What the player to move gets under best play; None where it is not proven."""
        return self.value.low if self.value.exact else None

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves proven to be best, in the order of moves; all of them once `exact`."""
        lead = self.lead
        return tuple(move for move in self.moves if self.of(move).low == lead)

    @property
    def exact(self) -> bool:
        """Whether the value is proven, and of every move whether it is best."""
        decided = (self.of(move) for move in self.moves)
        return self.value.exact and all(
            span.exact or span.high < self.value.low for span in decided
        )

    @property
    def good(self) -> tuple[Move, ...]:
        """The best moves; where it is open which these are, the moves proven to win."""
        return self.best or tuple(move for move, span in self.moves.items() if span.low > 0)

    def together(self, other: Proven | None) -> Proven:
        """What this and another proof of the position prove together."""
        if other is None:
            return self
        moves = {move: self.of(move).within(other.of(move)) for move in (*self.moves, *other.moves)}
        return attrs.evolve(self, value=self.value.within(other.value), moves=moves)


def ended(position: Position) -> Proven:
    """What is proven of a position in which the game is over: its result."""
    result, points = position.result(), position.game.counts_points
    lead = result.lead_of(position.to_move)
    if not points:
        lead = 2 * result.win_rate_of(position.to_move) - 1
    return Proven(Span(lead, lead), {}, points)


def with_mover(position: Position, player: Player) -> Position:
    """The position with this player to move; if that is another one, nobody passed before.

    Raises `NotSolvable` where whose turn it is cannot be changed without changing the past.
    """
    if position.to_move is player:
        return position
    if not isinstance(position, PlacingPosition):
        raise NotSolvable(f"in {position.game.name} the past says who is to move")
    return attrs.evolve(position, to_move=player, passes=0)


def known(position: Position) -> Proven | None:
    """What the table proves of a position, at once; None if that is nothing."""
    if position.over or position.stones.bit_count() > 1:
        return None
    wanted = _whoever_placed(position)
    for player in Player:
        solved = solved_board(position.game, player)
        if solved is None:
            continue
        start = with_mover(position.game.start(), player)
        if wanted == start:
            return _proven(position, solved, None)
        for move in start.moves():
            if wanted == _whoever_placed(start.after(move)):
                return _proven(position, solved, move)
    return None


def _whoever_placed(position: Position) -> Position:
    """The same for positions that differ in who placed a stone, where that has no meaning.

    Stones that were set up are the first player's as a rule, whoever is to move.
    """
    if not position.game.one_colour:
        return position
    return attrs.evolve(position, first=position.stones, second=0)


def listed(position: Position) -> Solved | None:
    """The table's row of an empty board; None for any other position."""
    solved = None if position.stones else solved_board(position.game, position.to_move)
    if solved is None or position != with_mover(position.game.start(), position.to_move):
        return None
    return solved


def _proven(position: Position, solved: Solved, move: Move | None) -> Proven:
    """What the row of an empty board proves of it, or of what a move leaves."""
    points = position.game.counts_points

    def lead(score: float) -> float:
        own = score - position.game.komi
        return own if position.to_move is Player.FIRST else -own

    def span(each: Move) -> Span:
        score = solved.score if each in solved.best else solved.moves.get(each)
        return worse if score is None else Span(lead(score), lead(score))

    value, least = lead(solved.score), 0.5 if points else 1.0  # what a worse move loses
    worse = Span(high=value - least) if move is None else Span(low=value + least)
    if move is not None:
        return Proven(span(move), {}, points)
    return Proven(Span(value, value), {each: span(each) for each in position.moves()}, points)
