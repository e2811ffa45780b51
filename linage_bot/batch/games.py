"""A batch: many games of one kind that are played at the same time, compiled.

Strategy. The games are records of the kernel's state type in one array (`compiled`). Every call
runs a compiled loop over them (`linage_bot.engine.search.batches`). The legal moves are listed
after each step, so checking a move, drawing one and reading the mask cost little. A large batch is
divided among threads.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Self

import numpy as np
import numpy.typing as npt

from linage_bot.batch.compiled import CompiledRules
from linage_bot.batch.planes import PLANES, Planes
from linage_bot.engine.forks import watch_forks
from linage_bot.rules.arguments import check_type, whole_number
from linage_bot.rules.game import Game, Position
from linage_bot.rules.history import History, position_of

_FEWEST = 256  # games for one thread: starting a thread takes as long as a step of these


class Batch:
    """Games played at the same time, each by its own moves; not thread-safe.

    An action is a point, `row * columns + column`, or `columns * rows`, a pass. The same seed and
    moves give the same random numbers, with any number of threads.
    """

    def __init__(
        self, game: Game, count: int, seed: int = 0, *, threads: int | None = None
    ) -> None:
        """Start `count` games; by default there are as many threads as processors.

        Raises `TypeError` or `ValueError` for a wrong argument.
        """
        check_type("game", game, Game)
        count = _at_least_one("count", count)
        self._prepare(game, threads)
        self._games = self._rules.beginning.repeated(count)
        self._random = _generators(seed, count)

    @classmethod
    def from_histories(
        cls,
        histories: Sequence[History | Position],
        seed: int = 0,
        *,
        threads: int | None = None,
    ) -> Self:
        """Return a batch with a game for each history or position, which continues from its end.

        They must have the same game with the same options; only komi may differ. `reset` starts
        them with the komi of the first. Raises `TypeError` or `ValueError` for other histories.
        """
        positions = [position_of(each) for each in histories]
        if not positions:
            raise ValueError("histories: a batch needs at least one game")
        game = positions[0].game
        for index, position in enumerate(positions):
            if position.game.with_komi(game.komi) != game:
                raise ValueError(f"histories: number {index} has another game, board or option")
        batch = cls.__new__(cls)
        batch._prepare(game, threads)
        batch._games = batch._rules.games_at(positions)
        batch._random = _generators(seed, len(positions))
        return batch

    def _prepare(self, game: Game, threads: int | None) -> None:
        """Load or compile the code, and set all but the games themselves."""
        from linage_bot.engine.jit.single_compile import processors

        self._rules = CompiledRules(game)
        self._threads = processors() if threads is None else _at_least_one("threads", threads)
        self._pool: ThreadPoolExecutor | None = None
        watch_forks(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._games.counts)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} games of {self.game.id}>"

    @property
    def game(self) -> Game:
        """The game that is played, with its board and options."""
        return self._rules.game

    @property
    def actions(self) -> int:
        """The number of actions: the points of the board's array, and a pass as the last one."""
        return self._rules.exists.size + 1

    @property
    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Whether each action is legal, in the shape (games, actions); none is after the end."""
        return self._games.mask.copy()

    @property
    def to_move(self) -> npt.NDArray[np.uint8]:
        """The player to move in each game: 0 for First, 1 for Second."""
        return self._games.to_move.copy()

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Whether each game is over."""
        return np.equal(self._games.counts, 0)

    @property
    def returns(self) -> npt.NDArray[np.float32]:
        """First's result in each game: 1 for a win, -1 for a loss, 0 for a draw or before the end.

        Second's is the negative of it.
        """
        return self._games.returns.copy()

    def step(self, moves: npt.ArrayLike) -> None:
        """Play a move in every game: a point, or `PASS` or the number of points for a pass.

        Those of finished games are ignored. Raises `ValueError` for an illegal move or another
        shape, and `TypeError` for other numbers than whole ones; then no game changes.
        """
        given = np.asarray(moves)
        if given.dtype.kind not in "iu":
            raise TypeError(f"moves: expected whole numbers, not {given.dtype}")
        if given.shape != (len(self),):
            raise ValueError(f"moves: expected the shape ({len(self)},), not {given.shape}")
        own = given.astype(np.int64)
        index = self._rules.first_illegal(own, self._games.mask, self._games.counts)
        if index >= 0:
            raise ValueError(f"moves: number {index}, {self._name_of(given[index])}, is illegal")
        self._share(functools.partial(self._rules.loops.step, *self._games.arrays(), own))

    def _name_of(self, number: int) -> str:
        """Return a number, with the name of the move if it is one."""
        move = int(number)
        if not -1 <= move <= self._rules.exists.size or (
            0 <= move < self._rules.exists.size and not self._rules.exists[move]
        ):
            return str(move)
        return f"{move} ({self.game.name_of(-1 if move == self._rules.exists.size else move)})"

    def random_moves(self) -> npt.NDArray[np.int64]:
        """Return a random legal move of each game, for `step`; `PASS` for finished games."""
        moves = np.empty(len(self), np.int64)
        arrays = self._games.listed, self._games.counts, self._random, moves
        self._share(functools.partial(self._rules.choose, *arrays))
        return moves

    def observe(self, planes: Planes | None = None) -> Planes:
        """Return observations in the shape (games, planes, rows, columns); `PLANES` explains them.

        They are written into `planes`, if given, an array of this shape and of 32-bit floats.
        Raises `TypeError` or `ValueError` for another array.
        """
        board = self.game.board
        shape = (len(self), len(PLANES), board.rows, board.columns)
        if planes is None:
            planes = np.empty(shape, np.float32)
        check_type("planes", planes, np.ndarray)
        if planes.shape != shape or planes.dtype != np.float32 or not planes.flags.carray:
            raise ValueError(f"planes: expected a contiguous array of 32-bit floats, {shape}")
        if self._rules.loops.observe is None:
            raise ValueError(f"planes: {self.game.name} has no observations")
        flat = planes.reshape(len(self), len(PLANES), self._rules.exists.size)
        self._share(functools.partial(self._rules.observe, self._games, flat))
        return planes

    def playouts(self, count: int) -> npt.NDArray[np.float64]:
        """Return First's mean result over `count` random games from each position.

        They are the engine's playouts: moves that are never sensible are left out, and long games
        of Leblin count as draws. For a finished game, it is the result.
        """
        from linage_bot.engine.kernels.contract import new_trail  # imports Numba

        count = _at_least_one("count", count)
        means = np.empty(len(self))

        def loop(start: int, stop: int) -> None:
            scratch, trail = np.zeros(1, self._rules.kernel.dtype), new_trail()
            arrays = self._games.states, scratch, self._random, trail, means
            self._rules.loops.play_out(*arrays, count, start, stop)

        self._share(loop, fewest=max(1, _FEWEST // count))
        return means

    def reset(self, which: npt.ArrayLike | None = None) -> None:
        """Start games again: those at which `which` is true, or all.

        Raises `ValueError` unless `which` has a truth value for each game.
        """
        chosen = np.ones(len(self), np.bool_) if which is None else np.ascontiguousarray(which)
        if chosen.shape != (len(self),) or chosen.dtype != np.bool_:
            raise ValueError(f"which: expected {len(self)} truth values")
        self._rules.loops.restart(*self._games.arrays(), chosen, *self._rules.beginning.arrays())

    def _share(self, loop: Callable[[int, int], None], fewest: int = _FEWEST) -> None:
        """Run a loop over all games, in slices of at least `fewest` on the threads."""
        slices = max(1, min(self._threads, len(self) // fewest))
        if slices == 1:
            loop(0, len(self))
            return
        bounds = [len(self) * number // slices for number in range(slices + 1)]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads, "batch")
        for _ in self._pool.map(loop, bounds, bounds[1:]):
            pass

    def close(self) -> None:
        """End the threads; a batch that is used again starts new ones."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def forked(self) -> None:
        """Start new threads in a forked child, which has none of its parent's."""
        self._pool = None


def _at_least_one(name: str, value: int) -> int:
    value = whole_number(value)
    check_type(name, value, int)
    if value < 1:
        raise ValueError(f"{name}: {value} is too small; at least 1 is needed")
    return value


def _generators(seed: int, count: int) -> npt.NDArray[np.uint64]:
    """Return the states of random generators; raises `TypeError` for a seed that is no number."""
    seed = whole_number(seed)
    check_type("seed", seed, int)
    return np.random.PCG64(seed % (1 << 64)).random_raw(count)
