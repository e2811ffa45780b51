"""The stones seen from a cell along its row or column, found by comparing numbers; compiled.

A row or column is two words, one per player, in which bit `at` is a cell. The bits of the two edges
are set in both. The first stone below a cell belongs to the player whose word, cut off below that
bit, is the greater number. The first stone above it belongs to the player whose lowest bit above it
is the smaller number.
"""

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word, popcount

_U = np.uint64
_1 = np.uint64(1)


@compiled(types.boolean(types.uint64, types.uint64, types.uint64))
def sees_below(friends: Word, others: Word, at: Word) -> bool:
    """Return whether the first stone below a bit is among `friends`."""
    under = (_1 << at) - _1
    return bool(friends & under > others & under)


@compiled(types.boolean(types.uint64, types.uint64, types.uint64))
def sees_above(friends: Word, others: Word, at: Word) -> bool:
    """Return whether the first stone above a bit is among `friends`."""
    near, far = friends >> at >> _1, others >> at >> _1
    # A word without such a bit becomes the largest number.
    return bool((near & -near) - _1 < (far & -far) - _1)


@compiled(types.boolean(types.uint64, types.uint64, types.uint64))
def has_lifeline(own: Word, enemy: Word, at: Word) -> bool:
    """Return whether a stone has a lifeline in its row or column, given as words with the edges."""
    beside = own | enemy
    others = enemy & ~own  # without the edges, which count as friends
    if not beside >> (at - _1) & _1 and sees_below(own, others, at):
        return True
    return not beside >> (at + _1) & _1 and sees_above(own, others, at)


@compiled(types.uint64(types.uint64))
def highest(word: Word) -> Word:
    """Return the number of the highest set bit of a word, which is from 1 to 2**32 - 1."""
    word |= word >> _1
    word |= word >> _U(2)
    word |= word >> _U(4)
    word |= word >> _U(8)
    word |= word >> _U(16)
    return _U(popcount(word) - 1)
