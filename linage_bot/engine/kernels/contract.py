"""The interface between a game's compiled form, its *kernel*, and the search.

A kernel is a module (`Kernel.of`). It defines a record type for states, six or seven compiled
functions over it, and `encode`, which is not compiled and turns a position into a state. The search
holds the functions as typed function pointers (numba.types.FunctionType). So one compiled tree
serves any kernel without naming it, and the machine code of both can be stored on disk and found
again, which is impossible with closures or functions passed as objects. An indirect call costs
0.7 ns (measured).

Moves are the points of `linage_bot.rules.boards`, row * columns + column, and `PASS`; inside, a
kernel may number the points differently. A *score lead* is First's points minus Second's, komi
and button included, in half points, so that it is a whole number; in games without scores it is 1
or -1.

A playout also records its moves in `trail`: their number in `trail[0]`, then the moves in order,
including passes that other moves follow. Of a long playout it records only the first
`MOST_RECORDED` moves.
"""

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any, Self, TypeAlias, TypeVar, cast

import attrs
import numba
import numpy as np
from numba import types

from linage_bot.engine.jit.code_cache import FOLDER
from linage_bot.engine.jit.lazy_function import LazyFunction, together
from linage_bot.engine.kernels.tuning import Tuning
from linage_bot.rules.boards import Board, Symmetry
from linage_bot.rules.game import Position

States = np.ndarray[Any, np.dtype[Any]]  # one-dimensional, of the kernel's record type
State: TypeAlias = Any  # one record of such an array, as compiled code receives it
F = TypeVar("F", bound=Callable[..., Any])

MOST_MOVES = 25 * 25 + 1  # placements on the largest board, and a pass

Moves = types.Array(types.int64, 1, "C")
Gains = types.Array(types.float64, 1, "C")
Random = types.Array(types.uint64, 1, "C")  # one word, the state of the generator
LARGE = 256  # points
MOST_TURNS = 1 << 14  # more than any real game has
MOST_RECORDED = 2000  # recorded moves of one playout
PASS_ENDS, FIRST_HAS, SECOND_HAS = 1, 2, 4  # flags of `observe`
IDLE = -100.0  # prior of a move that only loses a turn, in points for the player who makes it


def compiled(signature: Any, *, distinct: bool = False) -> Callable[[F], F]:
    """Return a decorator that compiles a function for this signature only, on its first use.

    Code that is already on disk is loaded instead. The function releases the GIL. `distinct`: the
    caller guarantees that no two of the arrays and records passed to the function overlap.
    """

    def decorate(function: F) -> F:
        return cast(F, LazyFunction(function, signature, FOLDER, distinct=distinct))

    return decorate


@functools.cache
def _type_of(dtype: np.dtype[Any]) -> Any:
    return numba.from_dtype(dtype)  # takes milliseconds for a record of records


class Signatures:
    """The Numba types of a kernel's functions over its record type."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.state: Any = _type_of(dtype)
        self.copy = types.void(self.state, self.state)
        self.play = types.void(self.state, types.int64)
        self.legal = types.int64(self.state, Moves)
        self.playout = types.int64(self.state, Random, Moves)
        self.score_lead = types.int64(self.state)
        self.hash_data = types.uint64(self.state, Moves)
        self.priors = types.int64(self.state, Moves, types.int64, Gains)
        self.observe = types.int64(self.state, Moves)


@attrs.frozen(kw_only=True)
class Kernel:
    """A game compiled for search."""

    dtype: np.dtype[Any]
    encode: Callable[[Position], States]  # an array of one state, with all that the past decides
    copy: Callable[[Any, Any], None]  # copy(to, from)
    play: Callable[[Any, int], None]  # a legal move, pass included
    legal: Callable[[Any, Any], int]  # fills moves: placements ascending, then PASS; 0: game over
    # Random moves to the end, which spoils the state; returns the score lead.
    playout: Callable[[Any, Any, Any], int]
    score_lead: Callable[[Any], int]  # the score lead if play stopped now
    # hash_data(state, points): what the hash of a position is made of. Fills `points` with the
    # content of every point of the board's array: 0 for none, 1 and 2 for stones of First and
    # Second, or 1 for all stones in games in which their colours have no meaning. In games in which
    # points have no owners it may fill in less and put what matters into the word that it returns.
    # That word covers everything else that decides which moves can follow and their values, but not
    # the player to move.
    hash_data: Callable[[Any, Any], Any]
    # priors(state, moves, count, gains): the priors of legal moves. Sets `gains` to the likely
    # change in First's score lead, in points, by each of these moves; `legal` is called before.
    # A move that only loses a turn gets `IDLE`, from the view of the player to move.
    # Returns 1 or -1 if First or Second is known to win under best play, else 0.
    # None: the game has no priors.
    priors: Callable[[Any, Any, int, Any], int] | None = None
    # observe(state, points): a position as a learner sees it. Fills `points` like `hash_data`, but
    # with stones in every game. Returns flags: `PASS_ENDS` if a pass would end the game, and
    # `FIRST_HAS` or `SECOND_HAS` if that player has half a point for the first pass.
    # None: a batch of such games has no observations.
    observe: Callable[[Any, Any], int] | None = None
    tuning: Tuning = attrs.field(factory=Tuning)  # of the search
    tuning_large: Tuning | None = None  # on boards of more than `LARGE` points; None: `tuning`
    # The symmetries of the board under which positions with the same hash have the same value.
    symmetries: Callable[[Board], tuple[Symmetry, ...]] = attrs.field(
        default=lambda board: board.symmetries()[:1]
    )
    # The number of turns that may follow before the state forgets something or the game ends by
    # its length.
    horizon: Callable[[Position], int] = attrs.field(default=lambda _position: MOST_TURNS)
    prolongable: bool = False  # whether captures let a player prolong a lost game without end
    most_plays: int = 8  # playouts from a leaf at once; 1 if they take far longer than the tree

    @classmethod
    def of(cls, module: ModuleType) -> Self:
        """Return the kernel that a module defines by functions of these names and constants.

        The constants are `STATE` and, optionally, `TUNING`, `TUNING_LARGE`, `PROLONGABLE` and
        `MOST_PLAYS`. Only fields that have a default may be missing.
        """
        named = ("tuning", "tuning_large", "prolongable", "most_plays")
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
        """Group the functions that every search needs, so that they are compiled together.

        `score_lead`, which only the solver calls, and the optional `priors` are compiled
        separately.
        """
        together(self.copy, self.play, self.legal, self.playout, self.hash_data)

    def tuning_for(self, board: Board) -> Tuning:
        """Return the parameters of the search on a board."""
        if self.tuning_large is not None and board.count > LARGE:
            return self.tuning_large
        return self.tuning

    @property
    def signatures(self) -> Signatures:
        """The types of the functions, for search code that calls them."""
        return Signatures(self.dtype)


def all_symmetries(board: Board) -> tuple[Symmetry, ...]:
    """Return the symmetries of a game in which columns and rows have the same meaning."""
    return tuple(each for each in board.symmetries() if each.target == board)


def level_symmetries(board: Board) -> tuple[Symmetry, ...]:
    """Return the symmetries of a game in which columns favour one player and rows the other."""
    return tuple(each for each in board.symmetries() if not each.transposes)


def new_trail() -> Any:
    """Return an array for the moves that a playout records."""
    return np.zeros(MOST_RECORDED + 1, np.int64)
