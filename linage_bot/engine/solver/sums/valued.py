"""The values of small regions that come with the program, as compiled code looks them up.

A hash table with one record for each shape, by the key that the shape has in the store as well
(`tables.name_shape`); a record with key 0 is empty. Nobody writes into it once it is made, so one
serves all threads.
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word, mixed
from linage_bot.engine.solver.sums.records import NUMBERS, VALUEDS, WORDS

_0 = np.uint64(0)


@compiled(types.int64(VALUEDS, types.uint64))
def find_valued(values: Any, key: Word) -> int:
    """Where the value of a shape is, or would be put."""
    mask = np.uint64(len(values) - 1)
    slot = key & mask
    while values[slot].key != _0 and values[slot].key != key:
        slot = (slot + np.uint64(1)) & mask
    return int(slot)


@compiled(types.void(VALUEDS, WORDS, NUMBERS, NUMBERS))
def fill_values(values: Any, shapes: Any, tokens: Any, offsets: Any) -> None:
    """Fill an empty table, longer than they are many, with shapes as `name_shape` mixes them."""
    for at in range(len(shapes)):
        key = mixed(shapes[at])
        value = values[find_valued(values, key)]
        value.key, value.token, value.offset = key, tokens[at], offsets[at]
