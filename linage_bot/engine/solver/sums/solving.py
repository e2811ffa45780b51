"""Exact values of positions that are sums of regions (see `solver.solving`)."""

import contextlib
import math

from linage_bot.engine.solver.effort import Effort
from linage_bot.engine.solver.errors import Endless, OutOfTime
from linage_bot.engine.solver.solving import Solving, ValueBounds
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.sums import cells, filling, free_sizes
from linage_bot.rules.boards import Points
from linage_bot.rules.game import PASS, Move
from linage_bot.rules.linage import LinagePosition

Tokens = list[int]


class SumSolving(Solving):
    """One sum being solved; values are in points."""

    arena: Arena
    position: LinagePosition

    def __init__(self, arena: Arena, position: LinagePosition) -> None:
        """The position's lines must be as long as the arena's."""
        super().__init__(arena, position)
        self._sign = position.to_move.sign
        self._regions: dict[Points, int | None] = {}
        self._settled, self._tokens = self._sum_of(position)
        self._children: dict[Move, tuple[int, Tokens]] = {}
        self._most = sum(size - 1 for size in free_sizes(position))
        self.value = self._at_once()
        if position.over:
            self.value = ValueBounds(self._settled, self._settled)
            return
        if position.passes:  # a second pass would end the game
            self.value.low = max(self.value.low, self._settled)
            # What is known of the regions holds without a pass before; stopping may be better.
            self.value.high = max(self.value.high, self._settled)
        self._list_moves()

    @property
    def searchable(self) -> bool:
        """Whether every free region fits the search's frames; otherwise there are only bounds."""
        return self._tokens is not None

    def _sum_of(self, position: LinagePosition) -> tuple[int, Tokens | None]:
        """The points settled and the free regions, as the player to move here sees them.

        None in place of these if one is too wide to search.
        """
        owned, tokens = position.regions, []
        settled = self._sign * (owned.vertical.bit_count() - owned.horizontal.bit_count())
        for area in owned.areas:
            if area.owner is None:
                token = self._token_of(area.points)
                if token is None:
                    return settled, None
                tokens.append(token)
        return settled, tokens

    def _token_of(self, region: Points) -> int | None:
        if region not in self._regions:
            token = self.arena.regions.token(cells(self.position, region))
            if token is not None and self._sign < 0:
                token = self.arena.regions.negated(token)
            self._regions[region] = token
        return self._regions[region]

    def _at_once(self) -> ValueBounds:
        """Bounds on the value from what is known of each region."""
        if self._tokens is None:
            return ValueBounds(self._settled - self._most, self._settled + self._most)
        known = [self.arena.regions.bounds(token) for token in self._tokens]
        low = sum(second_low for _, _, second_low, _ in known)
        high = sum(first_high for _, first_high, _, _ in known)
        return ValueBounds(self._settled + low, self._settled + high)

    def _list_moves(self) -> None:
        """Every legal move with what can be said at once."""
        own, least = filling(self.position), self._settled - self._most
        for move in self.position.moves():
            self.moves[move] = ValueBounds(least, self.value.high)
            if move == PASS:
                low = self._settled if self.position.passes else least
                self.moves[move] = ValueBounds(low, min(self._settled, self.value.high))
            elif own >> move & 1:
                self.moves[move] = ValueBounds(least - 1, self.value.high - 1)

    def _child(self, move: Move) -> tuple[int, Tokens]:
        """What a placement leaves: points settled and free regions."""
        if move not in self._children:
            settled, tokens = self._sum_of(self.position.after(move))
            assert tokens is not None  # parts of what fits, fit
            self._children[move] = settled, tokens
        return self._children[move]

    def _guess(self) -> int:
        """Where to begin to ask for the score: half of what the regions' lines promise.

        That is below most scores of players to move, as it should be.
        """
        tokens = self._tokens or ()
        return self._settled + math.floor(sum(map(self.arena.regions.estimate, tokens)) / 2)

    def find_all_best(self, effort: Effort) -> bool:
        """Move by move: each is asked for what the best so far gets, then for one more.

        So those that fall short are refuted once. Where the score is proven first all moves are
        refuted for one more than that, and then most of them again for the score.
        """
        if not self.moves or not self.searchable:
            return self.exact
        guess = self._guess()
        with contextlib.suppress(OutOfTime):
            for move in sorted(self.moves, key=self._promise, reverse=True):
                bounds, value = self.moves[move], self.value
                while value.low <= bounds.high and bounds.low < min(bounds.high, value.high):
                    more = bounds.low >= value.low  # than the best so far
                    target = min(max(value.low + more, guess), bounds.high)
                    reached = self._reaches(effort, move, target)
                    bounds.narrow(target, reached)
                    if reached:
                        value.low = max(value.low, target)
                    else:
                        guess = target - 2
            self.value.high = min(self.value.high, max(each.high for each in self.moves.values()))
            for bounds in self.moves.values():
                bounds.high = min(bounds.high, self.value.high)
        return self.exact

    def _promise(self, move: Move) -> float:
        """What a move gets by the estimates of what it leaves; a pass is to come last."""
        if move == PASS:
            return -math.inf
        settled, tokens = self._child(move)
        return settled + sum(map(self.arena.regions.estimate, tokens))

    def _reaches(self, effort: Effort, move: Move | None, target: int) -> bool:
        if self._tokens is None:
            raise Endless
        if move is None:
            return self.arena.at_least(self._tokens, target - self._settled, effort)
        if self.moves[move].exact:
            return target <= self.moves[move].low
        settled, tokens = (self._settled, self._tokens) if move == PASS else self._child(move)
        if move == PASS and target > settled:  # the opponent may end the game
            return False
        negative = [self.arena.regions.negated(token) for token in tokens]
        return not self.arena.at_least(negative, settled - target + 1, effort)
