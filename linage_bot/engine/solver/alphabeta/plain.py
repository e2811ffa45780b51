"""Exact values of small positions of any game, by alpha-beta: `PlainArena` and `PlainSolving`.

They are to `alphabeta` what `arena` and `solving` are to the search of sums, and end the same way:
what is not proven when time or memory runs out is told as bounds. Margins are in half points and
without komi; in games that count no points the winner's is 1 and the loser's -1.
"""

from __future__ import annotations

import contextlib
import functools
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from linage_bot.engine.jit.deferred import settle
from linage_bot.engine.kernels.contract import MOST_MOVES, MOST_TURNS, Kernel
from linage_bot.engine.processors import PROCESSORS
from linage_bot.engine.solver.alphabeta import alphabeta
from linage_bot.engine.solver.alphabeta.alphabeta import CONTENTS, ENTRY, FRAME, HEAD
from linage_bot.engine.solver.errors import Endless, OutOfTime
from linage_bot.engine.solver.sums.arena import DEFAULT_BYTES, Allowance
from linage_bot.engine.solver.sums.regions import Records
from linage_bot.engine.solver.sums.solving import Bounds
from linage_bot.engine.solver.sums.sums import sign_of
from linage_bot.rules.game import Game, Move, Player, Position

_SLICE_SECONDS = 0.01
_FIRST_SLICE = 200  # nodes
_FIRST_ENTRIES = 1 << 14  # a power of two
_SPARE_TURNS = 4  # passes and captures that the first limit allows for


@functools.cache
def compiled_for(kernel: Kernel) -> Callable[..., int]:
    """The search, compiled or from disk, with all that is called beside it."""
    settle([alphabeta.move_entries])
    return alphabeta.compile_for(kernel)


class PlainArena:
    """What is known about positions of one game; not for two threads at once."""

    def __init__(self, game: Game, kernel: Kernel, most_bytes: int = DEFAULT_BYTES) -> None:
        self.game = game
        self._kernel = kernel
        self._most_bytes = most_bytes
        self._advance = compiled_for(kernel)
        self._head = np.zeros(1, HEAD)
        self._entries = np.zeros(_FIRST_ENTRIES, ENTRY)
        self._merits = np.zeros(2 * MOST_MOVES, np.int64)
        self._states: Records = np.zeros(0, kernel.dtype)
        self._frames: Records = np.zeros(0, FRAME)
        self._moves: Records = np.zeros(4 * MOST_MOVES, np.int64)
        self._slice = _FIRST_SLICE
        symmetries = kernel.symmetries(game.board)
        self._array = len(symmetries[0].image)
        self._cells = np.zeros(self._array, np.int64)
        self._images, self._keys = _maps(symmetries, self._array)

    @property
    def nodes(self) -> int:
        """Positions whose moves were looked at, so far."""
        return int(self._head[0]["nodes"])

    @property
    def bytes(self) -> int:
        """The size of the arrays that grow."""
        arrays = (self._entries, self._states, self._frames, self._moves)
        return sum(array.nbytes for array in arrays)

    def known(self) -> Records:
        """All that was found out, in no order."""
        used: Records = self._entries[self._entries["used"] != 0]
        return used

    def resume(self, entries: Records) -> None:
        """Take over, in place of what is known here, all that another arena of the game knew."""
        size = _FIRST_ENTRIES
        while 4 * (len(entries) + 1) > 3 * size:
            size *= 2
        self._entries = np.zeros(size, ENTRY)
        self._head["entries"] = len(entries)
        alphabeta.move_entries(entries.copy(), self._entries)

    def at_least(self, position: Position, target: int, allowance: Allowance) -> tuple[bool, int]:
        """Whether First's margin is at least the target under best play, and a bound on it.

        The bound is at least the target if it is, less if not. Raises `OutOfTime`, and `Endless`
        where nobody can force an answer before the game's length ends it.
        """
        horizon = min(MOST_TURNS, self._kernel.horizon(position))
        limit = position.empty.bit_count() + _SPARE_TURNS
        while True:
            limit = min(limit, horizon)
            answer = self._ask(position, target, limit, horizon, allowance)
            if answer != alphabeta.UNKNOWN:
                return answer == alphabeta.TRUE, int(self._head[0]["bound"])
            if limit == horizon:
                raise Endless
            limit += limit // 2 + 1

    def _ask(
        self, position: Position, target: int, limit: int, horizon: int, allowance: Allowance
    ) -> int:
        """The answer that lines of so many turns give."""
        self._reach(limit)
        head, frame = self._head[0], self._frames[0]
        self._states[0] = self._kernel.encode(position)[0]
        frame["phase"] = frame["start"] = 0
        head["ply"], head["mover"], head["points"] = 0, position.to_move, self._array
        head["target"], head["limit"], head["horizon"] = target, limit, horizon
        while True:
            if allowance.used_up:
                raise OutOfTime
            nodes = self._slice
            if allowance.last_node is not None:
                nodes = max(0, min(nodes, allowance.last_node - self.nodes))
            with PROCESSORS:
                started = time.monotonic()
                status = self._run(nodes)
                seconds = max(time.monotonic() - started, 1e-6)
            if status == alphabeta.OUT_OF_ROOM:
                self._make_room()
            elif status == alphabeta.OUT_OF_NODES:
                if nodes < self._slice:
                    raise OutOfTime
                fitting = int(nodes * _SLICE_SECONDS / seconds)
                self._slice = max(10, min(2 * nodes, fitting))
                allowance.between()
            else:
                return status

    def _run(self, nodes: int) -> int:
        return self._advance(
            self._states,
            self._entries,
            self._frames,
            self._head[0],
            self._moves,
            self._cells,
            self._merits,
            self._keys,
            self._images,
            nodes,
        )

    def _reach(self, limit: int) -> None:
        """Room for lines of so many turns."""
        if len(self._frames) < limit + 2:
            self._states = np.zeros(limit + 2, self._kernel.dtype)
            self._frames = np.zeros(limit + 2, FRAME)

    def _make_room(self) -> None:
        """Double whatever could overflow; raises `OutOfTime` where memory is used up."""
        if 4 * (int(self._head[0]["entries"]) + 1) > 3 * len(self._entries):
            if self.bytes + 2 * self._entries.nbytes > self._most_bytes:
                raise OutOfTime
            larger = np.zeros(2 * len(self._entries), ENTRY)
            alphabeta.move_entries(self._entries, larger)
            self._entries = larger
        frame = self._frames[self._head[0]["ply"]]
        if frame["start"] + MOST_MOVES > len(self._moves):
            moves = np.zeros(2 * len(self._moves), np.int64)
            moves[: len(self._moves)] = self._moves
            self._moves = moves


def _maps(symmetries: Any, points: int) -> tuple[Any, Any]:
    """Where the symmetries and their inverses lead, and the two keys of what lies on a point."""
    images = np.full((len(symmetries), points + 1), -1, np.int64)  # a pass stays a pass
    inverses = images.copy()
    chance = random.Random(1)
    of_point = [[chance.getrandbits(64) for _ in range(2 * CONTENTS)] for _ in range(points)]
    keys = np.zeros((2, len(symmetries), CONTENTS * points), np.uint64)
    for number, symmetry in enumerate(symmetries):
        for point, image in enumerate(symmetry.image):
            if image >= 0:
                images[number, point], inverses[number, image] = image, point
                for content in range(CONTENTS):
                    for which in range(2):
                        word = of_point[image][2 * content + which] if content else 0
                        keys[which, number, CONTENTS * point + content] = word
    return (images, inverses), (keys[0].copy(), keys[1].copy())


class PlainSolving:
    """One position being solved: `run`, then read what is proven; `run` again to go on.

    As `Solving`, all is seen by the player to move; here it is in half points.
    """

    def __init__(self, arena: PlainArena, position: Position) -> None:
        """The position's game is the arena's, without komi."""
        self._arena = arena
        self._nodes_before = arena.nodes
        self.position = position
        self._sign = sign_of(position.to_move)
        self.per_point = 2 if position.game.counts_points else 1
        most = 2 * position.game.board.count + 1 if position.game.counts_points else 1
        self.value = Bounds(-most, most)
        self.moves = {move: Bounds(-most, most) for move in position.moves()}
        if position.over:
            margin = self._sign * margin_of(position)
            self.value = Bounds(margin, margin)

    @property
    def nodes(self) -> int:
        """Nodes searched since this began."""
        return self._arena.nodes - self._nodes_before

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

    def run(self, allowance: Allowance) -> None:
        """Prove what can be proven in the time: the score, the best moves, the others' scores."""
        if not self.find_score(allowance) or not self.tell_best(allowance):
            return
        try:
            for move, bounds in self.moves.items():
                with contextlib.suppress(Endless):  # of the other moves there may be more to say
                    while not bounds.exact:
                        self._ask_about(move, _middle(bounds), allowance)
        except OutOfTime:
            pass

    def find_score(self, allowance: Allowance) -> bool:
        """Prove the score alone; False if time ran out."""
        try:
            while not self.value.exact:
                self._narrow(self.position, self.value, _middle(self.value), allowance)
        except OutOfTime:
            pass
        return self.value.exact

    def tell_best(self, allowance: Allowance) -> bool:
        """Prove of every move whether it is best, the score being known; False if time ran out.

        Where that cannot be proven the bounds stay apart.
        """
        score = self.value.low
        try:
            for move, bounds in self.moves.items():
                bounds.high = min(bounds.high, score)
                if bounds.low < score <= bounds.high:
                    with contextlib.suppress(Endless):
                        self._ask_about(move, score, allowance)
        except OutOfTime:
            return False
        return True

    def _ask_about(self, move: Move, target: int, allowance: Allowance) -> None:
        self._narrow(self.position.after(move), self.moves[move], target, allowance)

    def _narrow(
        self, position: Position, bounds: Bounds, target: int, allowance: Allowance
    ) -> None:
        """Ask whether a position is worth at least the target to the player to move here."""
        if self._sign > 0:
            reached, bound = self._arena.at_least(position, target, allowance)
        else:  # Second gets at least the target if First does not get more than its negative
            more, bound = self._arena.at_least(position, 1 - target, allowance)
            reached, bound = not more, -bound
        if reached:
            bounds.low = max(bounds.low, bound)
        else:
            bounds.high = min(bounds.high, bound)
        assert bounds.low <= bounds.high, "bounds have crossed"


def _middle(bounds: Bounds) -> int:
    return (bounds.low + bounds.high + 1) // 2


def margin_of(position: Position) -> int:
    """First's margin as it stands, as kernels tell it."""
    scores = position.scores()
    if scores is not None:
        return round(2 * (scores[0] - scores[1] + position.game.komi))
    winner = position.result().winner
    return 0 if winner is None else 1 if winner is Player.FIRST else -1
