"""The table of fixed size in which the search stores bounds of regions and of sums.

An entry is two words: `data`, which packs the bounds and all other information, and the game's key
combined with `data` by exclusive or. If a thread reads an entry while another one writes it, the
words match neither game and the reader finds nothing. So no thread ever waits.

The key of a region in a box of at most 61 bits is a bijection of its shape, so a hit is exact.
Every region on a board of up to 49 points fits such a box. Larger regions, and sums, are identified
by their key and 18 more bits.

Eight entries form a bucket, which takes two lines of a processor's cache. Places are taken in order
and never freed, so a search for an entry ends at the first free place. Each key has two buckets: an
entry goes into the second one if the first is full. If both are full, it replaces the entry with
the least `worth` of the sixteen. The worths of that bucket then fade. An entry that is of use gets
back the worth that it had when it was written.
"""

from typing import Any, TypeAlias

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word
from linage_bot.engine.solver.sums.replacement import DOUBLING, MOST_WORTH, reduced_worth

ENTRY = np.dtype([("word", np.uint64), ("data", np.uint64)])
STORE = types.Array(types.uint64, 1, "C")  # pairs of words
FOUR = types.UniTuple(types.int64, 4)  # type: ignore[no-untyped-call]  # Numba's
EXTRA = 18  # bits that identify a game in addition to its key, if the key is not exact
Four: TypeAlias = tuple[int, int, int, int]
HASHED = 1 << EXTRA  # set in the tags of these games; the tags of others are 0
UNBOUNDED = 1 << 14  # more than any value
BUCKET = 16  # words

_WIDTH = 8  # bits of a bound; the largest board that is searched has 110 points
_FAR = 1 << (_WIDTH - 1)
_U = np.uint64
_0, _4, _32 = _U(0), _U(4), _U(32)
_BOUND, _WORTH = _U((1 << _WIDTH) - 1), _U(MOST_WORTH)
_SECOND, _THIRD, _FOURTH = _U(_WIDTH), _U(2 * _WIDTH), _U(3 * _WIDTH)
_WORTH_AT, _FIRST_AT, TAG_AT = _U(4 * _WIDTH), _U(4 * _WIDTH + 8), _U(4 * _WIDTH + 13)
_MOST_FIRST = 31  # the greatest first worth that an entry records, in doublings
_FIRST = _U(_MOST_FIRST)
_BUCKET, _HALF = _U(BUCKET), _U((1 << 32) - 1)


@compiled(types.uint64(types.int64, types.int64))
def _packed(bound: int, side: int) -> Word:
    """Return a bound in eight bits: an upper bound if `side` is 1, a lower one if it is -1.

    A bound that does not fit becomes a looser one, or none.
    """
    least, most = (1 - _FAR, _FAR - 1) if side > 0 else (-_FAR, _FAR - 2)
    return _U(min(max(bound, least), most) + _FAR)


@compiled(types.int64(types.uint64))
def _unpacked(bits: Word) -> int:
    bound = np.int64(bits & _BOUND) - _FAR  # not int(), as Numba would subtract in floats
    if bound == -_FAR:
        return -UNBOUNDED
    return UNBOUNDED if bound == _FAR - 1 else int(bound)


@compiled(FOUR(types.uint64))
def bounds_of(data: Word) -> Four:
    """Return an entry's bounds: Vertical to move at least and at most, then Horizontal to move."""
    return (
        _unpacked(data),
        _unpacked(data >> _SECOND),
        _unpacked(data >> _THIRD),
        _unpacked(data >> _FOURTH),
    )


@compiled(types.int64(types.uint64))
def _worth_of(data: Word) -> int:
    """Return the worth of an entry."""
    return int((data >> _WORTH_AT) & _WORTH)


@compiled(types.uint64(types.uint64, types.int64))
def _with_worth(data: Word, worth: int) -> Word:
    """Return the data of an entry with another worth, at most `MOST_WORTH`."""
    return data & ~(_WORTH << _WORTH_AT) | _U(min(worth, MOST_WORTH)) << _WORTH_AT


@compiled(types.uint64(types.uint64, types.int64))
def _used(data: Word, use: int) -> Word:
    """Return the data of an entry after a use: at least its first worth, plus `use`."""
    first = int(np.int64((data >> _FIRST_AT) & _FIRST)) * DOUBLING
    return _with_worth(data, max(_worth_of(data), first) + use)


@compiled(types.int64(STORE, types.uint64))
def _bucket(store: Any, half: Word) -> int:
    """Return the index at which the bucket for 32 bits of a key begins."""
    buckets = _U(len(store)) // _BUCKET
    return int((half * buckets >> _32) * _BUCKET)


@compiled(types.uint64(STORE, types.uint64, types.uint64, types.int64))
def find(store: Any, key: Word, tag: Word, use: int) -> Word:
    """Return the data of a game's entry, or 0 if it has none; `use` is added to its worth."""
    for half in (key >> _32, key & _HALF):
        start = _bucket(store, half)
        for at in range(start, start + BUCKET, 2):
            data = store[at + 1]
            if data == _0:
                return _0
            if store[at] ^ data == key and data >> TAG_AT == tag:
                # With free places left no entry is about to be replaced, and nothing is written.
                if use and store[start + BUCKET - 1]:
                    worthier = _used(data, use)
                    store[at], store[at + 1] = key ^ worthier, worthier
                return data
    return _0


@compiled(types.void(STORE, types.int64, types.int64, types.uint64))
def _reduce_worths(store: Any, start: int, least: int, chance: Word) -> None:
    """Reduce the worths in a full bucket by `least`, the worth of the entry that is replaced."""
    for at in range(start, start + BUCKET, 2):
        old, chance = store[at + 1], chance >> _4
        new = _with_worth(old, reduced_worth(_worth_of(old), least, chance))
        store[at], store[at + 1] = store[at] ^ old ^ new, new


@compiled(types.boolean(STORE, types.uint64, types.uint64))
def put_data(store: Any, key: Word, data: Word) -> bool:
    """Write an entry with no less worth than before; return whether it took a free place."""
    place, least = 0, MOST_WORTH + 1
    for half in (key >> _32, key & _HALF):
        start = _bucket(store, half)
        for at in range(start, start + BUCKET, 2):
            old = store[at + 1]
            if old == _0:
                store[at], store[at + 1] = key ^ data, data
                return True
            if store[at] ^ old == key and old >> TAG_AT == data >> TAG_AT:
                data = _with_worth(data, max(_worth_of(old), _worth_of(data)))
                store[at], store[at + 1] = key ^ data, data
                return False
            if _worth_of(old) < least:
                place, least = at, _worth_of(old)
    _reduce_worths(store, place // BUCKET * BUCKET, least, key)
    store[place], store[place + 1] = key ^ data, data
    return False


@compiled(types.boolean(STORE, types.uint64, types.uint64, FOUR, types.int64))
def put(store: Any, key: Word, tag: Word, bounds: Four, worth: int) -> bool:
    """Store bounds of a game with their worth; return whether the entry took a free place."""
    data = _packed(bounds[0], -1) | _packed(bounds[1], 1) << _SECOND
    data |= _packed(bounds[2], -1) << _THIRD | _packed(bounds[3], 1) << _FOURTH
    first = min((worth + DOUBLING // 2) // DOUBLING, _MOST_FIRST)
    data |= _U(first) << _FIRST_AT | tag << TAG_AT
    return put_data(store, key, _with_worth(data, worth))


@compiled(types.int64(STORE, STORE))
def move_entries(entries: Any, store: Any) -> int:
    """Copy the used entries into a table; return how many free places they took."""
    taken = 0
    for at in range(0, len(entries), 2):
        if entries[at + 1]:
            taken += put_data(store, entries[at] ^ entries[at + 1], entries[at + 1])
    return taken


def new_store(buckets: int) -> Any:
    """Return an empty table whose buckets begin at the beginnings of cache lines."""
    words = np.zeros(BUCKET * (buckets + 1), np.uint64)
    skipped = (-words.ctypes.data % (8 * BUCKET)) // 8
    return words[skipped : skipped + BUCKET * buckets]
