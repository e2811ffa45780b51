"""What the solver works with, as arrays: regions on its stack, small ones, values, and questions.

A region is the same for all its images (`shapes`); a *token* `2 * number + sign` names one of
them, sign 1 being the negative game. Bounds are of V - H under best play of the region alone, with
Vertical and with Horizontal to move and no pass before.
A small region has a value besides, and the forms that values have (`forms`) stand among the
regions. Small regions, forms and what Python asks about have their numbers for good. Others have
one as long as they are on the stack of the search; what is known of them is in the `store`.
"""

from typing import Any, NamedTuple, TypeAlias

import numba
import numpy as np
from numba import types

from linage_bot.engine.solver.shapes import ROWS
from linage_bot.engine.solver.sums.store import STORE

V_LOW, V_HIGH, H_LOW, H_HIGH = range(4)  # of Vertical to move, of Horizontal to move
ESTIMATE_SCALE = 64  # estimates are in points times this
HEAT_SCALE = 1 << 12  # means and temperatures
MOST_NEW = 4  # regions that one placement can make
MARKS = 1 + (1 << 12)  # words, the first of them for an order to stop
STACKED = 1 << 10  # the first number for good but 0: those before are of regions on the stack
MOST_VALUED = 12  # points of a region that gives way to its value
NO_VALUE = -1
NEW, OWN_MOVES, ENEMY_MOVES = 0, 1, 2  # phases of a frame
NOTHING = 0  # the token of the form of all numbers

REGION = np.dtype(
    [
        ("low", np.uint64),  # the canonical shape, as a set in its frame; a hash of a form
        ("high", np.uint64),
        ("estimate", np.int32),
        ("bounds", np.int16, 4),
        ("points", np.uint8),  # 0: a form
        ("width", np.uint8),
        ("height", np.uint8),
        ("negative", np.uint8),  # whether the region is its own negative
        ("value", np.int32),  # the token of its form, or `NO_VALUE`
        ("offset", np.int16),  # what its value is more than the form
        ("mean", np.int32),  # of a form, scaled
        ("temperature", np.int32),
        ("odd", np.uint8),  # of a form that is its own negative: what the two add up to
        ("lefts", np.uint8),  # how many options Vertical has, and Horizontal
        ("rights", np.uint8),
        ("options", np.int32),  # where they begin
        ("tag", np.uint32),  # with the key, what it is known by in the store
        ("key", np.uint64),  # the same in every process, and for every numbering
    ],
    align=True,
)
OPTION = np.dtype(  # a value, and what moving there gains
    [("token", np.int32), ("offset", np.int32), ("gain", np.int32)], align=True
)
VALUED = np.dtype(  # of a shape, in a hash table
    [
        ("key", np.uint64),
        ("token", np.int32),  # of the form
        ("offset", np.int32),  # what the value is more than that
    ],
    align=True,
)
KNOWN_PAIR = np.dtype(
    [
        ("kind", np.int32),
        ("one", np.int32),  # two forms
        ("other", np.int32),
        ("token", np.int32),  # the value found
        ("offset", np.int32),
    ],
    align=True,
)
HEAD = np.dtype(
    [
        ("line", np.int64),
        ("regions", np.int64),  # how many are known, forms among them
        ("options", np.int64),  # of all forms
        ("stacked", np.int64),  # the last number in use on the stack
        ("room", np.int64),  # how many more entries the store takes until it is to grow
        ("bounds", np.int16, 4),  # scratch
        ("depth", np.int64),  # of the search; -1: over
        ("result", np.int64),  # what the frame above returned
        ("margin", np.int64),  # how much more than asked its value is at least, or less, if < 0
        ("nodes", np.int64),
        ("wanted", np.int64),  # a region without the value that it should have
        ("glanced", np.uint64),  # the key of the large region that was glanced at last, 0: of none
        ("glanced_tag", np.uint64),
    ],
    align=True,
)
FRAME = np.dtype(
    [
        ("key", np.uint64),  # of the sum
        ("tag", np.uint64),
        ("first_node", np.int64),  # the nodes so far when it began
        ("move_node", np.int64),  # and when the move that is being searched did
        ("stacked", np.int64),  # as in the head, before its own regions
        ("negated", np.int64),  # whether the sum is kept as its negative
        ("odd", np.int64),  # what that is more than the negative
        ("target", np.int64),
        ("phase", np.int64),
        ("tokens", np.int64),  # where its tokens begin
        ("count", np.int64),
        ("moves", np.int64),  # where its moves begin, and end
        ("moves_end", np.int64),
        ("margin", np.int64),  # what is known of the best move so far, as in the head
        ("before", np.int64),  # and was, of the phase before
        ("mark", np.uint64),  # of the move that is being searched, 0 if it has none
        ("tried", np.int64),  # whether any move has been searched
    ],
    align=True,
)

REGION_TYPE = numba.from_dtype(REGION)
HEAD_TYPE = numba.from_dtype(HEAD)
FRAME_TYPE = numba.from_dtype(FRAME)
REGIONS = types.Array(REGION_TYPE, 1, "C")
FRAMES = types.Array(FRAME_TYPE, 1, "C")
OPTIONS = types.Array(numba.from_dtype(OPTION), 1, "C")
VALUEDS = types.Array(numba.from_dtype(VALUED), 1, "C")
KNOWN_PAIRS = types.Array(numba.from_dtype(KNOWN_PAIR), 1, "C")
SLOTS = types.Array(types.int32, 1, "C")  # of the hash table of regions: number + 1, or 0
NUMBERS = types.Array(types.int64, 1, "C")
WORDS = types.Array(types.uint64, 1, "C")


class Known(NamedTuple):
    """What is known of regions and their values, as compiled code is given it."""

    regions: Any
    slots: Any
    options: Any
    values: Any  # those that come with the program
    pairs: Any
    head: Any
    rows: Any  # scratch
    store: Any
    marks: Any  # what threads are searching, beginning with a word that stops all; else that alone


KNOWN = types.NamedTuple(  # type: ignore[no-untyped-call]  # Numba's
    (REGIONS, SLOTS, OPTIONS, VALUEDS, KNOWN_PAIRS, HEAD_TYPE, ROWS, STORE, WORDS), Known
)
PAIR = types.UniTuple(types.int64, 2)  # type: ignore[no-untyped-call]  # Numba's
BOUNDS = types.NestedArray(types.int16, (4,))
Record: TypeAlias = Any
