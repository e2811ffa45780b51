"""All play of a small Linage position by the rules: the reference for the solver's tests.

Minimax(position).value            # V - H under best play, komi not counted
Minimax(position).moves()          # the value of every legal move
random_positions(seed=1, count=30) # with at most 12 free points, both editions, lines of 2 to 4
random_positions(1, 30, lines=(5,))
"""

import random
from collections.abc import Iterator

from linage_bot.rules.boards import Points, SquareBoard, bits
from linage_bot.rules.game import PASS, Move, Player
from linage_bot.rules.linage import Linage, LinagePosition
from tests.linage_bot.rules.slow_rules import SQUARE, cells, owner, parts, strands

MOST_FREE, MOST_EMPTY = 12, 14
Facts = tuple[int, dict[str, Points], Points]  # score, empty points by owner, where one can place


class Minimax:
    """The exact values of a position and of all positions that can follow it."""

    def __init__(self, position: LinagePosition) -> None:
        self._position = position
        self._board, self._line = position.game.board, position.game.line
        self._own_too = position.game.edition == "2016"
        self._facts: dict[Points, Facts] = {}
        self._values: dict[tuple[Points, Player, int], int] = {}

    @property
    def value(self) -> int:
        return self._value(self._position.empty, self._position.to_move, self._position.passes)

    def moves(self) -> dict[Move, int]:
        position = self._position
        return dict(self._moves(position.empty, position.to_move, position.passes))

    def _value(self, empty: Points, player: Player, passes: int) -> int:
        if passes == 2:
            return self._known(empty)[0]
        key = empty, player, passes
        if key not in self._values:
            best = min if player else max
            self._values[key] = best(value for _, value in self._moves(*key))
        return self._values[key]

    def _moves(self, empty: Points, player: Player, passes: int) -> Iterator[tuple[Move, int]]:
        yield PASS, self._value(empty, player.other, passes + 1)
        _, owned, placeable = self._known(empty)
        open_ = owned["free"]
        if self._own_too:
            open_ |= owned["horizontal" if player else "vertical"]
        for point in bits(placeable & open_):
            yield point, self._value(empty & ~(1 << point), player.other, 0)

    def _known(self, empty: Points) -> Facts:
        if empty not in self._facts:
            points = cells(self._board, empty)
            owned = dict.fromkeys(("free", "vertical", "horizontal"), 0)
            for region in parts(points, SQUARE):
                who = owner(region, self._line)
                owned[who] |= sum(1 << y * self._board.columns + x for x, y in region)
            placeable = sum(
                1 << y * self._board.columns + x
                for x, y in points
                if not strands(points, (x, y), self._line)
            )
            score = owned["vertical"].bit_count() - owned["horizontal"].bit_count()
            self._facts[empty] = score, owned, placeable
        return self._facts[empty]


def random_positions(
    seed: int, count: int, lines: tuple[int, ...] = (2, 3, 4)
) -> Iterator[LinagePosition]:
    """Yield positions of random play with each edition and line, sometimes after a pass."""
    chance = random.Random(seed)
    kinds = [(edition, line) for edition in ("current", "2016") for line in lines]
    found = 0
    while found < count:
        edition, line = kinds[found % len(kinds)]
        columns, rows = chance.randint(3, 6), chance.randint(3, 6)
        if line > max(columns, rows):
            continue
        board = SquareBoard.of(columns, rows)
        position = Linage(board, 0.0, edition=edition, line=line).start()
        while not _small(position) and position.placements():
            position = position.play(chance.choice(list(bits(position.placements()))))
        if _small(position) and position.regions.free:
            found += 1
            yield position.play(PASS) if chance.random() < 0.2 else position


def _small(position: LinagePosition) -> bool:
    few_free = position.regions.free.bit_count() <= MOST_FREE
    return few_free and position.empty.bit_count() <= MOST_EMPTY
