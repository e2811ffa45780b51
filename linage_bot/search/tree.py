"""A search tree of one position: grown in slices, read between them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import attrs
import numpy as np

from linage_bot.game import Move, Player, Position
from linage_bot.kernels.contract import MOST_MOVES, Kernel
from linage_bot.kernels.words import generator
from linage_bot.search import uct

EXPLORATION = 0.4
EXPAND_AT = 8
MOST_NODES = 4_000_000  # 128 MB
_FIRST_NODES = 1 << 16


@attrs.frozen
class Candidate:
    """What the search thinks of one move, seen by the player who makes it."""

    move: Move
    visits: int
    win_rate: float  # 0 to 1; a draw counts one half
    score_lead: float  # points; 0 in games without scores
    line: tuple[Move, ...]  # the principal variation, beginning with the move


@functools.cache
def _compiled(kernel: Kernel) -> Callable[..., None]:
    return uct.compile_for(kernel)


def prepare(kernel: Kernel) -> None:
    """Compile the search for a kernel, or load it from disk."""
    _compiled(kernel)


class Tree:
    """The search of one position, for the best of some of its legal moves.

    The same kernel, position and seed give the same tree after the same number of visits, however
    they are divided into slices.
    """

    def __init__(
        self,
        kernel: Kernel,
        position: Position,
        moves: Sequence[Move],
        seed: int,
        exploration: float = EXPLORATION,
    ) -> None:
        self._kernel = kernel
        self._visit = _compiled(kernel)
        self._mover = position.to_move
        self._points = position.game.counts_points
        self._root = kernel.encode(position)
        self._scratch = np.zeros(1, kernel.dtype)
        self._random = generator(seed)
        self._moves = np.empty(MOST_MOVES, np.int64)
        self._path = np.empty(uct.DEEPEST, np.int64)
        self._tree = np.zeros(1, uct.TREE)
        self._nodes = np.zeros(_FIRST_NODES, uct.NODE)
        self._nodes["first"] = uct.LEAF
        self._nodes["first"][0], self._nodes["children"][0] = 1, len(moves)
        self._nodes["move"][1 : len(moves) + 1] = moves
        header = self._tree[0]
        header["used"], header["to_move"] = len(moves) + 1, self._mover
        header["exploration"], header["expand_at"] = exploration, EXPAND_AT

    @property
    def visits(self) -> int:
        """Playouts so far."""
        return int(self._nodes["visits"][0])

    @property
    def nodes(self) -> int:
        """Nodes in the tree."""
        return int(self._tree["used"][0])

    def grow(self, visits: int) -> None:
        """Add visits; releases the GIL meanwhile. One thread at a time."""
        # Room first: the outcome must not depend on where a slice ends.
        while visits > 0:
            slice_ = min(visits, max(1, (len(self._nodes) - self.nodes) // MOST_MOVES))
            if len(self._nodes) == MOST_NODES:
                slice_ = visits
            elif self.nodes + MOST_MOVES > len(self._nodes):
                self._make_room()
            self._visit(
                self._nodes,
                self._tree[0],
                self._root,
                self._scratch,
                self._random,
                self._moves,
                self._path,
                slice_,
                self._kernel.copy,
                self._kernel.play,
                self._kernel.legal,
                self._kernel.playout,
            )
            visits -= slice_

    def _make_room(self) -> None:
        larger = np.zeros(min(2 * len(self._nodes), MOST_NODES), uct.NODE)
        larger[: self.nodes] = self._nodes[: self.nodes]
        self._nodes = larger

    def candidates(self) -> list[Candidate]:
        """The moves at the root, best first: most visits, then the highest win rate."""
        found = [self._candidate(index) for index in range(1, 1 + self._nodes["children"][0])]
        found.sort(key=lambda candidate: (-candidate.visits, -candidate.win_rate))
        return found

    def _candidate(self, index: int) -> Candidate:
        node = self._nodes[index]
        visits = int(node["visits"])
        win_rate = float(node["wins"]) / visits if visits else 0.5
        lead = float(node["margin"]) / visits / 2 if visits and self._points else 0.0
        if self._mover is Player.SECOND:
            win_rate, lead = 1 - win_rate, -lead
        return Candidate(int(node["move"]), visits, win_rate, lead, self._line(index))

    def _line(self, index: int) -> tuple[Move, ...]:
        """The most visited moves from a node on."""
        line = [int(self._nodes["move"][index])]
        while self._nodes["children"][index] > 0 and len(line) < 30:
            first, count = self._nodes["first"][index], self._nodes["children"][index]
            children = self._nodes["visits"][first : first + count]
            if children.max() == 0:
                break
            index = first + int(children.argmax())
            line.append(int(self._nodes["move"][index]))
        return tuple(line)
