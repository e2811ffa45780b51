"""Exact values of positions that are sums of regions (see `solver.solving`)."""

import contextlib
import math

from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.errors import OutOfTime, UnboundedPlay
from linage_bot.engine.solver.solving import Solving, ValueBounds
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.sums import cells, filling, free_sizes
from linage_bot.rules.boards import Points
from linage_bot.rules.game import PASS, Move
from linage_bot.rules.linage import LinagePosition

Tokens = list[int]


class SumSolving(Solving):
    """A sum that is being solved; values are in points."""

    arena: Arena
    position: LinagePosition

    def __init__(self, arena: Arena, position: LinagePosition) -> None:
        """Begin to solve a position whose lines are as long as the arena's."""
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
            # The regions' bounds hold without a pass before; ending the game may be better.
            self.value.high = max(self.value.high, self._settled)
        self._list_moves()

    @property
    def searchable(self) -> bool:
        """Whether every free region fits the search's frames; otherwise there are only bounds."""
        return self._tokens is not None

    def _sum_of(self, position: LinagePosition) -> tuple[int, Tokens | None]:
        """Return the settled points and the free regions of a position.

        They are as seen by the player to move in `self.position`. The regions are None if one of
        them is too wide to search.
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
        """Return bounds on the value from the known bounds of each region."""
        if self._tokens is None:
            return ValueBounds(self._settled - self._most, self._settled + self._most)
        known = [self.arena.regions.bounds(token) for token in self._tokens]
        low = sum(second_low for _, _, second_low, _ in known)
        high = sum(first_high for _, first_high, _, _ in known)
        return ValueBounds(self._settled + low, self._settled + high)

    def _list_moves(self) -> None:
        """List every legal move, with bounds that need no search."""
        own, least = filling(self.position), self._settled - self._most
        for move in self.position.moves():
            self.moves[move] = ValueBounds(least, self.value.high)
            if move == PASS:
                low = self._settled if self.position.passes else least
                self.moves[move] = ValueBounds(low, min(self._settled, self.value.high))
            elif own >> move & 1:
                self.moves[move] = ValueBounds(least - 1, self.value.high - 1)

    def _child(self, move: Move) -> tuple[int, Tokens]:
        """Return the settled points and the free regions after a placement."""
        if move not in self._children:
            settled, tokens = self._sum_of(self.position.after(move))
            assert tokens is not None  # the parts of a region that fits also fit
            self._children[move] = settled, tokens
        return self._children[move]

    def _guess(self) -> int:
        """Return the first target for the score, from half of the regions' estimates.

        It is below most scores of players to move, as intended.
        """
        tokens = self._tokens or ()
        return self._settled + math.floor(sum(map(self.arena.regions.estimate, tokens)) / 2)

    def find_all_best(self, effort: SearchBudget) -> bool:
        """Prove the moves one by one, and return whether the score and all best moves are proven.

        Each move is tested against the best score so far, then against one point more, so that
        moves that fall short are refuted once. If the score were proven first, all moves would be
        refuted for one point more than the score, and then most of them again for the score itself.
        """
        if not self.moves or not self.searchable:
            return self.exact
        guess = self._guess()
        with contextlib.suppress(OutOfTime):
            for move in sorted(self.moves, key=self._priority, reverse=True):
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

    def _priority(self, move: Move) -> float:
        """Return the estimated score of a move, by the regions it leaves; a pass comes last."""
        if move == PASS:
            return -math.inf
        settled, tokens = self._child(move)
        return settled + sum(map(self.arena.regions.estimate, tokens))

    def _reaches(self, effort: SearchBudget, move: Move | None, target: int) -> bool:
        if self._tokens is None:
            raise UnboundedPlay
        if move is None:
            return self.arena.at_least(self._tokens, target - self._settled, effort)
        if self.moves[move].exact:
            return target <= self.moves[move].low
        settled, tokens = (self._settled, self._tokens) if move == PASS else self._child(move)
        if move == PASS and target > settled:  # the opponent may end the game
            return False
        negative = [self.arena.regions.negated(token) for token in tokens]
        return not self.arena.at_least(negative, settled - target + 1, effort)
