"""Exact values of a position: the score under best play, every best move, every move's score.

Everything here is seen by the player to move: their points less the opponent's. The search answers
yes or no to "at least so much?"; what it said so far are the bounds that are told when time runs
out.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable

import attrs

from linage_bot.boards import Points
from linage_bot.game import PASS, Move
from linage_bot.games.linage import LinagePosition
from linage_bot.solver.arena import Allowance, Arena
from linage_bot.solver.errors import OutOfTime
from linage_bot.solver.sums import Sum, cells, decompose, filling, sign_of

Tokens = list[int]


@attrs.define
class Bounds:
    """What is proven of a value: at least `low`, at most `high`."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.low == self.high


@attrs.frozen
class _Child:
    """What a placement leaves: points settled and free regions, as the player to move sees them."""

    settled: int
    tokens: Tokens


class Solving:
    """One position being solved: `run`, then read what is proven; `run` again to go on."""

    def __init__(self, arena: Arena, position: LinagePosition) -> None:
        """The position's lines must be as long as the arena's."""
        self._arena = arena
        self._nodes_before = arena.nodes
        self.position = position
        self._sign = sign_of(position.to_move)
        whole = decompose(position)
        self._settled = self._sign * whole.settled
        self._most = sum(region.bit_count() - 1 for region in whole.regions)
        self._tokens: Tokens | None = self._tokens_of(position, whole)
        self.value = self._at_once()
        if position.passes and not position.over:  # a second pass would end the game
            self.value.low = max(self.value.low, self._settled)
        self.moves: dict[Move, Bounds] = {}
        self._children: dict[Move, _Child] = {}
        if position.over:
            self.value = Bounds(self._settled, self._settled)
        else:
            self._list_moves(whole)

    @property
    def nodes(self) -> int:
        """Nodes searched since this began."""
        return self._arena.nodes - self._nodes_before

    @property
    def searchable(self) -> bool:
        """Whether every free region fits the search's frames; otherwise there are only bounds."""
        return self._tokens is not None

    @property
    def best(self) -> list[Move]:
        """The moves proven to be best, in the order of moves; all of them once `exact`."""
        if not self.value.exact:
            return []
        return [move for move, bounds in self.moves.items() if bounds.low == self.value.high]

    @property
    def exact(self) -> bool:
        """Whether the score is proven, and of every move whether it is best."""
        return self.value.exact and all(
            bounds.low == self.value.high or bounds.high < self.value.low
            for bounds in self.moves.values()
        )

    def _tokens_of(self, position: LinagePosition, whole: Sum) -> Tokens | None:
        """The free regions as the player to move sees them; None if one is too wide to search."""
        tokens = []
        for region in whole.regions:
            token = self._arena.token(cells(position, region))
            if token is None:
                return None
            tokens.append(token if self._sign > 0 else self._arena.negated(token))
        return tokens

    def _at_once(self) -> Bounds:
        """Bounds on the value from what is known of each region."""
        if self._tokens is None:
            return Bounds(self._settled - self._most, self._settled + self._most)
        known = [self._arena.bounds(token) for token in self._tokens]
        low = sum(second_low for _, _, second_low, _ in known)
        high = sum(first_high for _, first_high, _, _ in known)
        return Bounds(self._settled + low, self._settled + high)

    def _list_moves(self, whole: Sum) -> None:
        """Every legal move with what can be said at once."""
        own, before = filling(self.position), decompose(self.position).settled
        for move in self.position.moves():
            self.moves[move] = Bounds(-self._most + self._settled, self.value.high)
            if move == PASS:
                high = min(self._settled, self.value.high)
                low = self._settled if self.position.passes else self.moves[move].low
                self.moves[move] = Bounds(low, high)
            elif own >> move & 1:
                self.moves[move] = Bounds(self.moves[move].low - 1, self.value.high - 1)
            elif self._tokens is not None:
                self._children[move] = self._child(whole, before, move)

    def _child(self, whole: Sum, before: int, move: Move) -> _Child:
        """What a placement in a free region leaves."""
        assert self._tokens is not None
        place = next(at for at, region in enumerate(whole.regions) if region >> move & 1)
        after = self.position.after(move)
        inside = whole.regions[place]
        now = decompose(after)
        parts = Sum(now.settled - before, tuple(r for r in now.regions if r & inside))
        fresh = self._tokens_of(after, parts)
        assert fresh is not None  # parts of what fits, fit
        tokens = [*self._tokens[:place], *self._tokens[place + 1 :], *fresh]
        return _Child(self._settled + self._sign * parts.settled, tokens)

    def run(self, allowance: Allowance) -> None:
        """Prove what can be proven in the time: the score, the best moves, the others' scores."""
        if self._tokens is None or self.position.over:
            return
        try:
            close_in(self.value, functools.partial(self._first, allowance))
            for bounds in self.moves.values():
                bounds.high = min(bounds.high, self.value.high)
            self._tell_best(allowance)
            for move, bounds in self.moves.items():
                close_in(bounds, functools.partial(self._move, allowance, move))
        except OutOfTime:
            pass

    def find_best(self, allowance: Allowance) -> Move | None:
        """Prove the score and one best move, a placement if one is among the best; or None."""
        if not self.moves or not self.searchable:
            return None
        try:
            close_in(self.value, functools.partial(self._first, allowance))
            # The proof of the score has seen a best placement, so a look without search finds one.
            at_once = attrs.evolve(allowance, last_node=self._arena.nodes)
            for each in (at_once, allowance):
                for move in self.moves:
                    with contextlib.suppress(*((OutOfTime,) if each is at_once else ())):
                        if self._move(each, move, self.value.low):
                            return move
        except OutOfTime:
            pass
        return None

    def _tell_best(self, allowance: Allowance) -> None:
        """Tell of every move whether it is best."""
        for move, bounds in self.moves.items():
            if bounds.low < self.value.low <= bounds.high:
                if self._move(allowance, move, self.value.low):
                    bounds.low = self.value.low
                else:
                    bounds.high = self.value.low - 1

    def _first(self, allowance: Allowance, target: int) -> bool:
        """Whether the position is worth at least the target."""
        return self._arena.at_least(self._tokens or [], target - self._settled, allowance)

    def _second(self, allowance: Allowance, child: _Child, target: int) -> bool:
        """Whether moving second is worth at least the target."""
        negative = [self._arena.negated(token) for token in child.tokens]
        return not self._arena.at_least(negative, child.settled - target + 1, allowance)

    def _move(self, allowance: Allowance, move: Move, target: int) -> bool:
        """Whether a move is worth at least the target."""
        if self.moves[move].exact:
            return target <= self.moves[move].low
        if move == PASS:  # the opponent may end the game or place; here nobody has passed before
            return target <= self._settled and all(
                self._arena.at_least(child.tokens, target - child.settled, allowance)
                for child in self._children.values()
            )
        child = self._children.get(move)
        if child is None:  # filling an own region gives away a point and the turn
            child = _Child(self._settled - 1, self._tokens or [])
        return self._second(allowance, child, target)


def close_in(bounds: Bounds, at_least: Callable[[int], bool]) -> None:
    """Narrow bounds until they meet; what was proven stays when `at_least` raises `OutOfTime`."""
    while not bounds.exact:
        target = (bounds.low + bounds.high + 1) // 2
        if at_least(target):
            bounds.low = target
        else:
            bounds.high = target - 1


def region_values(
    arena: Arena, position: LinagePosition, region: Points, allowance: Allowance
) -> tuple[Bounds, Bounds]:
    """V - H of a free region alone, with Vertical and with Horizontal moving first.

    What is proven when the time is over.
    """
    token = arena.token(cells(position, region))
    if token is None:
        most = region.bit_count() - 1
        return Bounds(-most, most), Bounds(-most, most)
    low, high, second_low, second_high = arena.bounds(token)
    first, second = Bounds(low, high), Bounds(second_low, second_high)
    negative = [arena.negated(token)]
    try:
        close_in(first, lambda target: arena.at_least([token], target, allowance))
        close_in(second, lambda target: not arena.at_least(negative, 1 - target, allowance))
    except OutOfTime:
        pass
    return first, second
