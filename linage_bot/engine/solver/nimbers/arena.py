"""The arena for Parity Linage, which finds winners by the nimbers of regions."""

import numpy as np

from linage_bot.engine.solver.budgets import (
    TRUE,
    UNKNOWN,
    Array,
    SearchBudget,
    doubled,
)
from linage_bot.engine.solver.errors import UnboundedPlay
from linage_bot.engine.solver.method import DEFAULT_BYTES
from linage_bot.engine.solver.nimbers import search
from linage_bot.engine.solver.nimbers.nimbers import MOST_POINTS, as_parity, winning_now
from linage_bot.engine.solver.nimbers.search import ENTRY, FRAME, HEAD, OPTION, ROOT
from linage_bot.engine.solver.positions import PositionArena
from linage_bot.rules.boards import Board, Points, bits
from linage_bot.rules.game import Player, Position
from linage_bot.rules.parity_linage import LINE, ParityLinage, ParityLinagePosition

_CELL_BITS = 5  # of a column's number


class NimberArena(PositionArena):
    """The results about regions under one condition, on boards of any size."""

    kept = ENTRY

    def __init__(self, game: ParityLinage, most_bytes: int = DEFAULT_BYTES) -> None:
        condition = "line" if game.condition == "line" else f"size-{game.n}"
        name, head = f"nimbers-{condition}", np.zeros(1, HEAD)
        super().__init__(game, name, head, most_bytes, search.move_entries)
        with_lines = game.condition == "line"
        self._root = np.zeros(1, ROOT)
        self._root["least"], self._root["with_lines"] = game.n + 1, with_lines
        # A region of at most this many points is worth 0: no placement in it is legal or, under a
        # size condition, only one that leaves one region in which no placement is legal.
        self._root["idle"] = LINE if with_lines else game.n + 2
        self._frames: Array = np.zeros(MOST_POINTS + 1, FRAME)
        self._options: Array = np.zeros(4 * MOST_POINTS, OPTION)
        self._worth: dict[Points, int] = {}  # of regions of the board

    @property
    def bytes(self) -> int:
        """The size of the arrays, in bytes."""
        return sum(array.nbytes for array in (self._entries, self._frames, self._options))

    def at_least(self, position: Position, target: int, effort: SearchBudget) -> tuple[bool, int]:
        """Return whether First's score lead, 1 or -1, is at least the target, and the score lead.

        Raises `OutOfTime`, and `UnboundedPlay` if a region has too many points to be searched.
        """
        first = self._mover_wins(as_parity(position), effort) == (position.to_move is Player.FIRST)
        score_lead = 1 if first else -1
        return score_lead >= target, score_lead

    def _mover_wins(self, position: ParityLinagePosition, effort: SearchBudget) -> bool:
        """Return whether the player to move wins.

        The player loses only if the largest region is worth `lost`, the one value that, together
        with the worths of the other regions, gives a lost position.
        """
        if position.over or (position.passes and winning_now(position)):
            return winning_now(position)
        *others, largest = sorted(position.regions, key=int.bit_count)
        lost = int(winning_now(position))
        for region in others:
            lost ^= self.worth(region, effort)
        return not self._is_worth(largest, lost, effort)

    def worth(self, region: Points, effort: SearchBudget) -> int:
        """Return the worth of a region of the board: twice its nimber, plus its parity.

        Raises `OutOfTime`, and `UnboundedPlay` if the region has too many points to be searched.
        """
        if region.bit_count() <= self._root[0]["idle"]:
            return 0
        if region not in self._worth:
            value = 0
            while not self._is_worth(region, value, effort):
                value += 1
            self._worth[region] = value
        return self._worth[region]

    def _is_worth(self, region: Points, value: int, effort: SearchBudget) -> bool:
        if region.bit_count() > MOST_POINTS:
            raise UnboundedPlay
        head, frame = self._head[0], self._frames[0]
        self._set_root(region)
        frame["region"] = (1 << region.bit_count()) - 1
        frame["key"] = search.key_of(self._root[0], frame["region"])
        entry = self._entries[search.find(self._entries, frame["key"])]
        known = search.known(entry, value)
        if known != UNKNOWN:
            return bool(known == TRUE)
        frame["question"], frame["phase"], frame["start"] = value, search.NEW, 0
        head["depth"] = 0
        return self._answer(effort) == TRUE

    def _set_root(self, region: Points) -> None:
        """Store the points of a region, numbered from 0, as the root of the search."""
        board, root = self.game.board, self._root[0]
        numbers = {point: number for number, point in enumerate(bits(region))}
        lines = []
        for point, number in numbers.items():
            row, column = divmod(point, board.columns)
            root["cells"][number] = row << _CELL_BITS | column
            near = board.neighbours(1 << point) & region
            root["neighbours"][number] = _numbered(numbers, near)
            if root["with_lines"]:
                lines += [_numbered(numbers, line) for line in _lines_at(board, point, region)]
        root["lines"][:] = 0
        root["lines"][: len(lines)] = lines

    def _advance(self, nodes: int) -> int:
        return search.advance(
            self._root[0], self._entries, self._frames, self._head[0], self._options, nodes
        )

    def _make_room(self) -> None:
        head = self._head[0]
        self._make_room_for(int(head["depth"]) + 2)
        if self._frames[head["depth"]]["start"] + MOST_POINTS + 2 > len(self._options):
            self._options = doubled(self._options)


def _numbered(numbers: dict[int, int], points: Points) -> int:
    """Return a set of points as a set of their numbers."""
    return sum(1 << numbers[point] for point in bits(points))


def _lines_at(board: Board, point: int, region: Points) -> list[Points]:
    """Return the lines of a region that begin at a point and run to the right or upwards."""
    found = []
    for columns, rows in ((1, 0), (0, 1)):
        line = last = 1 << point
        for _ in range(LINE - 1):
            last = board.shift(last, columns, rows) & region
            line |= last
        if last:
            found.append(line)
    return found
