"""The values of small regions that come with the program, as compiled code looks them up.

A hash table with one record for each shape, by the key that the shape has in the store as well
(`tables.name_shape`); a record with key 0 is empty. Nobody writes into it once it is made, so one
serves all threads.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word, mixed

VALUED = np.dtype(
    [
        ("key", np.uint64),
        ("token", np.int32),  # of the form
        ("offset", np.int32),  # what the value is more than that
    ],
    align=True,
)
VALUEDS = types.Array(numba.from_dtype(VALUED), 1, "C")
_WORDS = types.Array(types.uint64, 1, "C")
_NUMBERS = types.Array(types.int64, 1, "C")
_0 = np.uint64(0)


@compiled(types.int64(VALUEDS, types.uint64))
def find_valued(values: Any, key: Word) -> int:
    """Where the value of a shape is, or would be put."""
    mask = np.uint64(len(values) - 1)
    slot = key & mask
    while values[slot].key != _0 and values[slot].key != key:
        slot = (slot + np.uint64(1)) & mask
    return int(slot)


@compiled(types.void(VALUEDS, _WORDS, _NUMBERS, _NUMBERS))
def fill_values(values: Any, shapes: Any, tokens: Any, offsets: Any) -> None:
    """Fill an empty table, longer than they are many, with shapes as `name_shape` mixes them."""
    for at in range(len(shapes)):
        key = mixed(shapes[at])
        value = values[find_valued(values, key)]
        value.key, value.token, value.offset = key, tokens[at], offsets[at]
