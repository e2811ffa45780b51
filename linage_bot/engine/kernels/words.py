"""64-bit words in compiled code: counting bits, and random numbers from a one-word generator."""

from typing import Any, TypeAlias

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled

Word: TypeAlias = Any  # numpy.uint64 in compiled code, whatever Python's type checker makes of it

_MULTIPLIER = np.uint64(6364136223846793005)  # Knuth's MMIX generator; its high bits are good
_INCREMENT = np.uint64(1442695040888963407)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # splitmix64's (Steele, Lea, Flood 2014)
_A, _B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_A_BACK, _B_BACK = (np.uint64(pow(int(each), -1, 1 << 64)) for each in (_A, _B))
_54, _60, _62 = map(np.uint64, (54, 60, 62))
_27, _30, _31 = map(np.uint64, (27, 30, 31))
_HALF = np.uint64(32)
_1 = np.uint64(1)
_64_BITS = (1 << 64) - 1


def generator(seed: int) -> Any:
    """The state of a generator, an array of one word; every seed gives a well-mixed stream.

    The mixing is like that of `mixed`.
    """
    mixed = (seed + 1) * 0x9E3779B97F4A7C15 & _64_BITS
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _64_BITS
    return np.array([mixed ^ mixed >> 27], np.uint64)


@compiled(types.uint64(types.uint64))
def mixed(word: Word) -> Word:
    """A word with its bits well mixed (the finaliser of splitmix64)."""
    word += _GOLDEN
    word = (word ^ (word >> _30)) * _A
    word = (word ^ (word >> _27)) * _B
    return word ^ (word >> _31)


@compiled(types.uint64(types.uint64))
def unmixed(word: Word) -> Word:
    """The word of which this is what `mixed` makes."""
    word = (word ^ (word >> _31) ^ (word >> _62)) * _B_BACK
    word = (word ^ (word >> _27) ^ (word >> _54)) * _A_BACK
    return (word ^ (word >> _30) ^ (word >> _60)) - _GOLDEN


@compiled(types.uint64(types.uint64))
def advance(word: Word) -> Word:
    """The next word of the generator."""
    return word * _MULTIPLIER + _INCREMENT


@compiled(types.uint64(types.uint64, types.uint64))
def below(word: Word, count: Word) -> Word:
    """A number below `count`, count < 2**32, from the word's high half (Lemire's method)."""
    return ((word >> _HALF) * count) >> _HALF


@compiled(types.int64(types.uint64))
def popcount(word: Word) -> int:
    """The number of set bits (LLVM knows this loop and makes it one instruction)."""
    count = 0
    while word:
        word &= word - _1
        count += 1
    return count


@compiled(types.uint64(types.uint64))
def lowest(word: Word) -> Word:
    """The number of the lowest set bit of a word that has one."""
    return np.uint64(popcount((word & -word) - _1))
