"""What a stone sees along a row or column: comparisons of numbers instead of walks.

A row or column is two words, one per player, with the two edges set in both: bit `at` is a cell.
The first stone below a cell belongs to the player whose lower bits are the greater number, and the
first one above to the player whose lowest higher bit is the smaller number.
"""

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word, popcount

_U = np.uint64
_1 = np.uint64(1)


@compiled(types.boolean(types.uint64, types.uint64, types.uint64))
def sees_below(friends: Word, others: Word, at: Word) -> bool:
    """Whether the first stone below a bit is among `friends`."""
    under = (_1 << at) - _1
    return bool(friends & under > others & under)


@compiled(types.boolean(types.uint64, types.uint64, types.uint64))
def sees_above(friends: Word, others: Word, at: Word) -> bool:
    """Whether the first stone above a bit is among `friends`."""
    near, far = friends >> at >> _1, others >> at >> _1
    # Nothing seen becomes the largest number.
    return bool((near & -near) - _1 < (far & -far) - _1)


@compiled(types.boolean(types.uint64, types.uint64, types.uint64))
def has_lifeline(own: Word, enemy: Word, at: Word) -> bool:
    """Whether a stone has a lifeline in its row or column, given as words with the edges."""
    beside = own | enemy
    others = enemy & ~own  # the edge is a friend
    if not beside >> (at - _1) & _1 and sees_below(own, others, at):
        return True
    return not beside >> (at + _1) & _1 and sees_above(own, others, at)


@compiled(types.uint64(types.uint64))
def highest(word: Word) -> Word:
    """The number of the highest set bit of a word below 2**32 that has one."""
    word |= word >> _1
    word |= word >> _U(2)
    word |= word >> _U(4)
    word |= word >> _U(8)
    word |= word >> _U(16)
    return _U(popcount(word) - 1)
