"""The values of small regions that come with the program, as a hash table for compiled code.

The table has one record for each shape, under the key that the shape also has in the store
(`tables.name_shape`). A record with key 0 is empty. The table is never written once it is made, so
one table serves all threads.
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
    """Return the index of the record of a shape, or of the empty record for it."""
    mask = np.uint64(len(values) - 1)
    slot = key & mask
    while values[slot].key != _0 and values[slot].key != key:
        slot = (slot + np.uint64(1)) & mask
    return int(slot)


@compiled(types.void(VALUEDS, WORDS, NUMBERS, NUMBERS))
def fill_values(values: Any, shapes: Any, tokens: Any, offsets: Any) -> None:
    """Fill an empty table with the values of shapes, given as the words that `name_shape` mixes.

    The table must have more records than there are shapes.
    """
    for at in range(len(shapes)):
        key = mixed(shapes[at])
        value = values[find_valued(values, key)]
        value.key, value.token, value.offset = key, tokens[at], offsets[at]
