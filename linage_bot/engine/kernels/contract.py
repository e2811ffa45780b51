"""What a game's compiled form offers to the search, and how it is compiled.

A kernel is a module: a record type, seven or eight compiled functions over it, and one that is not
compiled, which turns a position into a state (`Kernel.of`). Search
code holds them as typed function pointers (numba.types.FunctionType): one compiled tree serves a
kernel without naming it, and both find their machine code on disk again, which closures and
functions passed as objects would not (measured: 0.7 ns for the indirect call).

Moves are the points of `linage_bot.rules.boards`, row * columns + column, and `PASS`; a kernel may
number points as it likes inside. Margins are First's points minus Second's in half points, komi
and button included, so that they are whole; games without scores give 1 or -1.

A playout also tells its moves: how many in `trail[0]`, then the moves in order, passes too where
other moves follow; of long playouts the first `MOST_TOLD`.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any, Self, TypeAlias, TypeVar, cast

import attrs
import numba
import numpy as np
from numba import types

from linage_bot.engine.jit.deferred import Deferred, together
from linage_bot.engine.jit.kept import FOLDER
from linage_bot.engine.kernels.tuning import Tuning
from linage_bot.rules.boards import Board, Symmetry
from linage_bot.rules.game import Position

States = np.ndarray[Any, np.dtype[Any]]  # one-dimensional, of the kernel's record type
State: TypeAlias = Any  # one record of such an array, as compiled code gets it
F = TypeVar("F", bound=Callable[..., Any])

MOST_MOVES = 25 * 25 + 1  # placements on the largest board, and a pass

Moves = types.Array(types.int64, 1, "C")
Gains = types.Array(types.float64, 1, "C")
Random = types.Array(types.uint64, 1, "C")  # one word, the state of the generator
LARGE = 256  # points
MOST_TURNS = 1 << 14  # no game that anybody plays is so long
MOST_TOLD = 2000  # moves of one playout
IDLE = -100.0  # what a move that only loses a turn promises whoever makes it, in points


def compiled(signature: Any, *, distinct: bool = False) -> Callable[[F], F]:
    """Compile on first use, or load from disk, for exactly this signature; releases the GIL.

    `distinct`: a promise that no two of the arrays and records it is given overlap.
    """

    def decorate(function: F) -> F:
        return cast(F, Deferred(function, signature, FOLDER, distinct=distinct))

    return decorate


class Signatures:
    """The types of a kernel's functions over its record type."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.state: Any = numba.from_dtype(dtype)
        self.copy = types.void(self.state, self.state)
        self.play = types.void(self.state, types.int64)
        self.legal = types.int64(self.state, Moves)
        self.playout = types.int64(self.state, Random, Moves)
        self.margin = types.int64(self.state)
        self.look = types.uint64(self.state, Moves)
        self.promise = types.int64(self.state, Moves, types.int64, Gains)


@attrs.frozen(kw_only=True)
class Kernel:
    """A game compiled for search."""

    dtype: np.dtype[Any]
    encode: Callable[[Position], States]  # an array of the one state; all that the past decides
    copy: Callable[[Any, Any], None]  # copy(to, from)
    play: Callable[[Any, int], None]  # a legal move, pass included
    legal: Callable[[Any, Any], int]  # fills moves: placements ascending, then PASS; 0: over
    playout: Callable[[Any, Any, Any], int]  # random moves to the end (spoils the state): margin
    margin: Callable[[Any], int]  # the margin if play stopped now
    # look(state, points): fills in what is on every point of the board's array, 0 for nothing, 1
    # and 2 for stones of First and Second, 1 for all where their colours have no meaning.
    # Where nobody ever owns a point it may fill in less, and tell by the word what matters.
    # Returns a word that stands for all else that decides what can follow and what it is worth,
    # but for whose turn it is.
    look: Callable[[Any, Any], Any]
    # promise(state, moves, count, gains): what these legal moves are likely to change in First's
    # margin, in points; `legal` comes before. One that only loses a turn promises `IDLE`.
    # Returns 1 or -1 where it is known that First or Second wins under best play, else 0.
    # None: nobody knows.
    promise: Callable[[Any, Any, int, Any], int] | None = None
    tuning: Tuning = attrs.field(factory=Tuning)  # of the search
    tuning_large: Tuning | None = None  # on boards of more than `LARGE` points, if another
    # The symmetries of the board under which positions that look alike are worth the same.
    symmetries: Callable[[Board], tuple[Symmetry, ...]] = attrs.field(
        default=lambda board: board.symmetries()[:1]
    )
    # How many turns may follow before the state forgets something or length ends the game.
    horizon: Callable[[Position], int] = attrs.field(default=lambda _position: MOST_TURNS)
    endless: bool = False  # whether stones are taken, so that who has lost could play on for ever

    @classmethod
    def of(cls, module: ModuleType) -> Self:
        """What a module defines: functions by their names, `STATE`, and perhaps constants.

        These are `TUNING`, `TUNING_LARGE` and `ENDLESS`. What has a default may be
        missing, nothing else.
        """
        named = ("tuning", "tuning_large", "endless")
        constants = {each: each.upper() for each in named}
        defined = {"dtype": "STATE", **constants}
        names = {each.name: defined.get(each.name, each.name) for each in attrs.fields(cls)}
        return cls(
            **{
                field: getattr(module, name)
                for field, name in names.items()
                if hasattr(module, name)
            }
        )

    def __attrs_post_init__(self) -> None:
        """Search needs all of them at once; what only the solver calls stands for itself."""
        together(self.copy, self.play, self.legal, self.playout, self.look)

    def tuning_for(self, board: Board) -> Tuning:
        """How to search on a board."""
        if self.tuning_large is not None and board.count > LARGE:
            return self.tuning_large
        return self.tuning

    @property
    def signatures(self) -> Signatures:
        """The types of the functions, for search code that calls them."""
        return Signatures(self.dtype)


def all_symmetries(board: Board) -> tuple[Symmetry, ...]:
    """For games in which columns and rows mean the same."""
    return tuple(each for each in board.symmetries() if each.target == board)


def level_symmetries(board: Board) -> tuple[Symmetry, ...]:
    """For games in which columns are one player's and rows the other's."""
    return tuple(each for each in board.symmetries() if not each.transposes)


def new_trail() -> Any:
    """Room for what a playout tells."""
    return np.zeros(MOST_TOLD + 1, np.int64)
