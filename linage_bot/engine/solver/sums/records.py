"""The arrays of the solver: regions on its stack, small regions, values and questions.

A region is the same for all its images (`shapes`). A *token* `2 * number + sign` names a region, or
with sign 1 its negative game. Bounds are of V - H under best play of the region alone, with
Vertical and with Horizontal to move and no pass before. A small region also has a value. The forms
of values (`forms`) are stored among the regions. Small regions, forms and regions that Python code
asks about have permanent numbers. Other regions have a number only while they are on the stack of
the search; their bounds are kept in the `store`.
"""

from typing import Any, NamedTuple, TypeAlias

import numba
import numpy as np
from numba import types

from linage_bot.engine.solver.shapes import ROWS
from linage_bot.engine.solver.sums.store import STORE

V_LOW, V_HIGH, H_LOW, H_HIGH = range(4)  # with Vertical to move, with Horizontal to move
ESTIMATE_SCALE = 64  # estimates are in points times this
HEAT_SCALE = 1 << 12  # means and temperatures are in points times this
MOST_NEW = 4  # regions that one placement can make
MARKS = 1 + (1 << 12)  # words, the first of which is the flag to stop
STACKED = 1 << 10  # the first permanent number but 0; lower ones are of regions on the stack
MOST_VALUED = 12  # the most points of a region that is replaced by its value
NO_VALUE = -1
NEW, OWN_MOVES, ENEMY_MOVES = 0, 1, 2  # phases of a frame
NOTHING = 0  # the token of the form of all numbers

REGION = np.dtype(
    [
        ("low", np.uint64),  # the canonical shape as a set in its frame; of a form, a hash
        ("high", np.uint64),
        ("estimate", np.int32),
        ("bounds", np.int16, 4),
        ("points", np.uint8),  # 0: a form
        ("width", np.uint8),
        ("height", np.uint8),
        ("negative", np.uint8),  # whether the region is its own negative
        ("value", np.int32),  # the token of its form, or `NO_VALUE`
        ("offset", np.int16),  # its value less the form
        ("mean", np.int32),  # of a form, times `HEAT_SCALE`
        ("temperature", np.int32),
        ("odd", np.uint8),  # of a form F that is its own negative: the number F + F
        ("lefts", np.uint8),  # the numbers of options of Vertical and of Horizontal
        ("rights", np.uint8),
        ("options", np.int32),  # the index of the first of them
        ("tag", np.uint32),  # identifies the region in the store, together with the key
        ("key", np.uint64),  # the same in every process, and for every numbering
    ],
    align=True,
)
OPTION = np.dtype(  # a value, and the gain of moving to it
    [("token", np.int32), ("offset", np.int32), ("gain", np.int32)], align=True
)
VALUED = np.dtype(  # the value of a shape, in a hash table
    [
        ("key", np.uint64),
        ("token", np.int32),  # of the form
        ("offset", np.int32),  # the value less the form
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
        ("regions", np.int64),  # the number of records in use, forms and the stack included
        ("options", np.int64),  # the number of options of all forms
        ("stacked", np.int64),  # the last number in use on the stack
        ("room", np.int64),  # the number of entries that may be added before the store should grow
        ("bounds", np.int16, 4),  # scratch
        ("depth", np.int64),  # of the search; -1 once it is over
        ("result", np.int64),  # the answer of the frame above
        ("margin", np.int64),  # the target is exceeded by at least this, or missed if < 0
        ("nodes", np.int64),
        ("wanted", np.int64),  # the number of a region whose value is missing, or -1
        ("looked_up", np.uint64),  # the key that `look_up_bounds` found in the store last, or 0
        ("looked_up_tag", np.uint64),
    ],
    align=True,
)
FRAME = np.dtype(
    [
        ("key", np.uint64),  # of the sum
        ("tag", np.uint64),
        ("first_node", np.int64),  # the nodes so far when the frame began
        ("move_node", np.int64),  # and when the move that is being searched began
        ("stacked", np.int64),  # as in the head, before the frame's own regions
        ("negated", np.int64),  # whether the store has the negative of the sum
        ("odd", np.int64),  # then the number that the sum and that negative add up to
        ("target", np.int64),
        ("phase", np.int64),
        ("tokens", np.int64),  # the index of its first token
        ("count", np.int64),
        ("moves", np.int64),  # the indices where its moves begin and end
        ("moves_end", np.int64),
        ("margin", np.int64),  # of the best move so far, as in the head
        ("before", np.int64),  # the same, of the phase before
        ("mark", np.uint64),  # of the move that is being searched; 0 if it has none
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
    """The arrays of known regions and their values, as passed to compiled code."""

    regions: Any
    slots: Any
    options: Any
    values: Any  # those that come with the program
    pairs: Any
    head: Any
    rows: Any  # scratch
    store: Any
    marks: Any  # the flag to stop; with several threads, then marks of the moves in search


KNOWN = types.NamedTuple(  # type: ignore[no-untyped-call]  # Numba's
    (REGIONS, SLOTS, OPTIONS, VALUEDS, KNOWN_PAIRS, HEAD_TYPE, ROWS, STORE, WORDS), Known
)
PAIR = types.UniTuple(types.int64, 2)  # type: ignore[no-untyped-call]  # Numba's
BOUNDS = types.NestedArray(types.int16, (4,))
Record: TypeAlias = Any
