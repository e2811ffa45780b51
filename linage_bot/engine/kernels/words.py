"""64-bit words in compiled code: bit counts, bit positions, mixing, and random numbers.

The random generator has one word of state.
"""

from typing import Any, TypeAlias

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled

Word: TypeAlias = Any  # numpy.uint64 in compiled code; the type checker cannot know this

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
    """Return the state of a generator, an array of one word.

    The seed is mixed much as by `mixed`, so that every seed gives a well-mixed stream.
    """
    mixed = (seed + 1) * 0x9E3779B97F4A7C15 & _64_BITS
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _64_BITS
    return np.array([mixed ^ mixed >> 27], np.uint64)


@compiled(types.uint64(types.uint64))
def mixed(word: Word) -> Word:
    """Return a word with its bits well mixed (the finaliser of splitmix64)."""
    word += _GOLDEN
    word = (word ^ (word >> _30)) * _A
    word = (word ^ (word >> _27)) * _B
    return word ^ (word >> _31)


@compiled(types.uint64(types.uint64))
def unmixed(word: Word) -> Word:
    """Return the word from which `mixed` makes this one: its inverse."""
    word = (word ^ (word >> _31) ^ (word >> _62)) * _B_BACK
    word = (word ^ (word >> _27) ^ (word >> _54)) * _A_BACK
    return (word ^ (word >> _30) ^ (word >> _60)) - _GOLDEN


@compiled(types.uint64(types.uint64))
def advance(word: Word) -> Word:
    """Return the generator's next word."""
    return word * _MULTIPLIER + _INCREMENT


@compiled(types.uint64(types.uint64, types.uint64))
def below(word: Word, count: Word) -> Word:
    """Return a number below `count`, from the word's high half (Lemire's method).

    `count` is less than 2**32.
    """
    return ((word >> _HALF) * count) >> _HALF


@compiled(types.int64(types.uint64))
def popcount(word: Word) -> int:
    """Return the number of set bits; LLVM recognises this loop and makes it one instruction."""
    count = 0
    while word:
        word &= word - _1
        count += 1
    return count


@compiled(types.uint64(types.uint64))
def lowest(word: Word) -> Word:
    """Return the number of the lowest set bit of a word, which is not 0."""
    return np.uint64(popcount((word & -word) - _1))
