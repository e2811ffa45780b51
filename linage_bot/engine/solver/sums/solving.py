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

from linage_bot.engine.solver.errors import OutOfTime
from linage_bot.engine.solver.sums.arena import Allowance, Arena
from linage_bot.engine.solver.sums.sums import Sum, cells, decompose, filling, sign_of
from linage_bot.rules.boards import Points, bits
from linage_bot.rules.game import PASS, Move
from linage_bot.rules.linage import LinagePosition

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

    per_point = 1  # values are in points

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
            # What is known of the regions holds without a pass before; stopping may be better.
            self.value.high = max(self.value.high, self._settled)
        self.moves: dict[Move, Bounds] = {}
        self._whole = whole
        self._children: dict[Move, _Child] = {}
        if position.over:
            self.value = Bounds(self._settled, self._settled)
        else:
            self._list_moves()

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
            token = self._arena.regions.token(cells(position, region))
            if token is None:
                return None
            tokens.append(token if self._sign > 0 else self._arena.regions.negated(token))
        return tokens

    def _at_once(self) -> Bounds:
        """Bounds on the value from what is known of each region."""
        if self._tokens is None:
            return Bounds(self._settled - self._most, self._settled + self._most)
        known = [self._arena.regions.bounds(token) for token in self._tokens]
        low = sum(second_low for _, _, second_low, _ in known)
        high = sum(first_high for _, first_high, _, _ in known)
        return Bounds(self._settled + low, self._settled + high)

    def _list_moves(self) -> None:
        """Every legal move with what can be said at once."""
        own, least = filling(self.position), self._settled - self._most
        for move in self.position.moves():
            self.moves[move] = Bounds(least, self.value.high)
            if move == PASS:
                low = self._settled if self.position.passes else least
                self.moves[move] = Bounds(low, min(self._settled, self.value.high))
            elif own >> move & 1:
                self.moves[move] = Bounds(least - 1, self.value.high - 1)

    def _child(self, move: Move) -> _Child:
        """What a placement leaves."""
        known = self._children.get(move)
        if known is None:
            known = self._children[move] = self._made(move)
        return known

    def _made(self, move: Move) -> _Child:
        tokens = self._tokens
        assert tokens is not None
        regions = self._whole.regions
        place = next((at for at, region in enumerate(regions) if region >> move & 1), None)
        if place is None:  # filling an own region gives away a point and the turn
            return _Child(self._settled - 1, tokens)
        after = self.position.after(move)
        now = decompose(after)
        parts = Sum(
            now.settled - self._whole.settled,
            tuple(region for region in now.regions if region & regions[place]),
        )
        fresh = self._tokens_of(after, parts)
        assert fresh is not None  # parts of what fits, fit
        others = tokens[:place] + tokens[place + 1 :]
        return _Child(self._settled + self._sign * parts.settled, others + fresh)

    def run(self, allowance: Allowance) -> None:
        """Prove what can be proven in the time: the score, the best moves, the others' scores."""
        if not self.find_score(allowance):
            return
        try:
            self._tell_best(allowance)
            for move, bounds in self.moves.items():
                close_in(bounds, functools.partial(self._move, allowance, move))
        except OutOfTime:
            pass

    def find_score(self, allowance: Allowance) -> bool:
        """Prove the score alone; False if time ran out."""
        if self.searchable:
            with contextlib.suppress(OutOfTime):
                close_in(self.value, functools.partial(self._first, allowance))
        return self.value.exact

    def find_best(self, allowance: Allowance, enough: int) -> Move | None:
        """Prove the score and one best move, a placement if one is among the best.

        If there is no time for that, a move proven to get `enough`; None without such a proof.
        """
        if not self.moves or not self.searchable:
            return None
        ask = functools.partial(self._first, allowance)
        try:
            if self.value.low < enough <= self.value.high:  # one question, and the one that matters
                narrow(self.value, enough, ask(enough))
            close_in(self.value, ask)
        except OutOfTime:
            if self.value.low < enough:
                return None
        # The proof of the score has seen a best placement, so a look without search finds one.
        at_once = attrs.evolve(allowance, last_node=self._arena.nodes)
        for each in (at_once, allowance):
            for move in self.moves:
                with contextlib.suppress(OutOfTime):
                    if self._move(each, move, self.value.low):
                        return move
        return None

    def tell_best(self, allowance: Allowance) -> bool:
        """Prove of every move whether it is best, the score being known; False if time ran out."""
        try:
            self._tell_best(allowance)
        except OutOfTime:
            return False
        return True

    def _tell_best(self, allowance: Allowance) -> None:
        for bounds in self.moves.values():
            bounds.high = min(bounds.high, self.value.high)
        for move, bounds in self.moves.items():
            if bounds.low < self.value.low <= bounds.high:
                narrow(bounds, self.value.low, self._move(allowance, move, self.value.low))

    def _first(self, allowance: Allowance, target: int) -> bool:
        """Whether the position is worth at least the target."""
        return self._arena.at_least(self._tokens or [], target - self._settled, allowance)

    def _second(self, allowance: Allowance, child: _Child, target: int) -> bool:
        """Whether moving second is worth at least the target."""
        negative = [self._arena.regions.negated(token) for token in child.tokens]
        return not self._arena.at_least(negative, child.settled - target + 1, allowance)

    def _move(self, allowance: Allowance, move: Move, target: int) -> bool:
        """Whether a move is worth at least the target."""
        if self.moves[move].exact:
            return target <= self.moves[move].low
        if move == PASS:  # the opponent may end the game or place; here nobody has passed before
            children = (self._child(each) for each in bits(self._free_placements()))
            return target <= self._settled and all(
                self._arena.at_least(child.tokens, target - child.settled, allowance)
                for child in children
            )
        return self._second(allowance, self._child(move), target)

    def _free_placements(self) -> Points:
        """Where stones can be placed in free regions, by either player."""
        return self.position.placements() & self.position.regions.free


def narrow(bounds: Bounds, target: int, reached: bool) -> None:
    """Note that the value is, or is not, at least the target."""
    if reached:
        bounds.low = target
    else:
        bounds.high = target - 1


def close_in(bounds: Bounds, at_least: Callable[[int], bool]) -> None:
    """Narrow bounds until they meet; what was proven stays when `at_least` raises `OutOfTime`."""
    while not bounds.exact:
        # Bounds that crossed would never meet: better an error than a search without end.
        assert bounds.low < bounds.high, f"bounds {bounds.low} to {bounds.high} have crossed"
        target = (bounds.low + bounds.high + 1) // 2
        narrow(bounds, target, at_least(target))


def region_value(arena: Arena, position: LinagePosition, region: Points) -> str | None:
    """The value of a free region in canonical form; None where it is large or memory is used up."""
    token = arena.regions.token(cells(position, region))
    with contextlib.suppress(OutOfTime):
        return None if token is None else arena.regions.written(token)
    return None


def region_values(
    arena: Arena, position: LinagePosition, region: Points, allowance: Allowance
) -> tuple[Bounds, Bounds]:
    """V - H of a free region alone, with Vertical and with Horizontal moving first.

    What is proven when the time is over.
    """
    token = arena.regions.token(cells(position, region))
    if token is None:
        most = region.bit_count() - 1
        return Bounds(-most, most), Bounds(-most, most)
    low, high, second_low, second_high = arena.regions.bounds(token)
    first, second = Bounds(low, high), Bounds(second_low, second_high)
    negative = [arena.regions.negated(token)]
    try:
        close_in(first, lambda target: arena.at_least([token], target, allowance))
        close_in(second, lambda target: not arena.at_least(negative, 1 - target, allowance))
    except OutOfTime:
        pass
    return first, second
