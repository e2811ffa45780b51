"""What the search keeps: bounds of regions and of sums, in a table of fixed size.

An entry is two words: the bounds with all else that is to be known, packed into `data`, and the
game's key combined with them by exclusive or. So a thread that reads an entry while another one
writes it finds neither game in it, and no thread ever waits.

The key of a region in a box of at most 61 bits, which every region on a board of up to 49 points
is, is a bijection of its shape: there a hit is exact. Larger regions, and sums, are known by their
key and 18 bits more.

Eight entries are a bucket, two lines of a processor's cache. Places are taken in order, and never
given back: so whoever meets a free one need not look further. An entry that finds its bucket full
has another one; where that is full, too, the one of the sixteen of the least `worth` gives way.
Worths fade meanwhile; an entry that is of use gets back what it was worth when it was written.
"""

from typing import Any, TypeAlias

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word
from linage_bot.engine.solver.sums.worth import DOUBLING, MOST_WORTH, faded

ENTRY = np.dtype([("word", np.uint64), ("data", np.uint64)])
STORE = types.Array(types.uint64, 1, "C")  # pairs of words
FOUR = types.UniTuple(types.int64, 4)  # type: ignore[no-untyped-call]  # Numba's
EXTRA = 18  # bits by which what has no key of its own is known besides
Four: TypeAlias = tuple[int, int, int, int]
HASHED = 1 << EXTRA  # the mark of these; the tag of others is 0
UNBOUNDED = 1 << 14  # no value is as large
BUCKET = 16  # words

_WIDTH = 8  # bits of a bound; 110 points have a place on the largest board that is searched
_FAR = 1 << (_WIDTH - 1)
_U = np.uint64
_0, _4, _32 = _U(0), _U(4), _U(32)
_BOUND, _WORTH = _U((1 << _WIDTH) - 1), _U(MOST_WORTH)
_SECOND, _THIRD, _FOURTH = _U(_WIDTH), _U(2 * _WIDTH), _U(3 * _WIDTH)
_WORTH_AT, _FIRST_AT, TAG_AT = _U(4 * _WIDTH), _U(4 * _WIDTH + 8), _U(4 * _WIDTH + 13)
_MOST_FIRST = 31  # of what an entry was worth at first, in doublings
_FIRST = _U(_MOST_FIRST)
_BUCKET, _HALF = _U(BUCKET), _U((1 << 32) - 1)


@compiled(types.uint64(types.int64, types.int64))
def _packed(bound: int, side: int) -> Word:
    """A bound in eight bits, an upper one if the side is 1, a lower one if -1.

    One too far away for them is looser, or none.
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
    """The bounds that an entry holds: Vertical to move at least and at most, then Horizontal."""
    return (
        _unpacked(data),
        _unpacked(data >> _SECOND),
        _unpacked(data >> _THIRD),
        _unpacked(data >> _FOURTH),
    )


@compiled(types.int64(types.uint64))
def _worth_of(data: Word) -> int:
    """What an entry is worth."""
    return int((data >> _WORTH_AT) & _WORTH)


@compiled(types.uint64(types.uint64, types.int64))
def _with_worth(data: Word, worth: int) -> Word:
    """The data of an entry that is worth so much, at most `MOST_WORTH`."""
    return data & ~(_WORTH << _WORTH_AT) | _U(min(worth, MOST_WORTH)) << _WORTH_AT


@compiled(types.uint64(types.uint64, types.int64))
def _used(data: Word, use: int) -> Word:
    """The data of an entry that was of use."""
    first = int(np.int64((data >> _FIRST_AT) & _FIRST)) * DOUBLING
    return _with_worth(data, max(_worth_of(data), first) + use)


@compiled(types.int64(STORE, types.uint64))
def _bucket(store: Any, half: Word) -> int:
    """Where the bucket begins that 32 bits of a key stand for."""
    buckets = _U(len(store)) // _BUCKET
    return int((half * buckets >> _32) * _BUCKET)


@compiled(types.uint64(STORE, types.uint64, types.uint64, types.int64))
def find(store: Any, key: Word, tag: Word, use: int) -> Word:
    """The data of a game's entry, 0 if it has none; by that `use` it is worth more from now on."""
    for half in (key >> _32, key & _HALF):
        start = _bucket(store, half)
        for at in range(start, start + BUCKET, 2):
            data = store[at + 1]
            if data == _0:
                return _0
            if store[at] ^ data == key and data >> TAG_AT == tag:
                # Where there are free places nothing is about to give way, and nothing is written.
                if use and store[start + BUCKET - 1]:
                    worthier = _used(data, use)
                    store[at], store[at + 1] = key ^ worthier, worthier
                return data
    return _0


@compiled(types.void(STORE, types.int64, types.int64, types.uint64))
def _fade(store: Any, start: int, least: int, chance: Word) -> None:
    """Let the entries of a full bucket lose what the one that gives way was worth."""
    for at in range(start, start + BUCKET, 2):
        old, chance = store[at + 1], chance >> _4
        new = _with_worth(old, faded(_worth_of(old), least, chance))
        store[at], store[at + 1] = store[at] ^ old ^ new, new


@compiled(types.boolean(STORE, types.uint64, types.uint64))
def put_data(store: Any, key: Word, data: Word) -> bool:
    """Write an entry, worth no less than before; whether it has taken up a place that was free."""
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
    _fade(store, place // BUCKET * BUCKET, least, key)
    store[place], store[place + 1] = key ^ data, data
    return False


@compiled(types.boolean(STORE, types.uint64, types.uint64, FOUR, types.int64))
def put(store: Any, key: Word, tag: Word, bounds: Four, worth: int) -> bool:
    """Keep bounds of a game, and what it is worth to have them; whether there was a free place."""
    data = _packed(bounds[0], -1) | _packed(bounds[1], 1) << _SECOND
    data |= _packed(bounds[2], -1) << _THIRD | _packed(bounds[3], 1) << _FOURTH
    first = min((worth + DOUBLING // 2) // DOUBLING, _MOST_FIRST)
    data |= _U(first) << _FIRST_AT | tag << TAG_AT
    return put_data(store, key, _with_worth(data, worth))


@compiled(types.int64(STORE, STORE))
def move_entries(entries: Any, store: Any) -> int:
    """Put what is used of some entries into a table; how many places that took up."""
    taken = 0
    for at in range(0, len(entries), 2):
        if entries[at + 1]:
            taken += put_data(store, entries[at] ^ entries[at + 1], entries[at + 1])
    return taken


def new_store(buckets: int) -> Any:
    """An empty table, whose buckets begin where lines of the cache do."""
    words = np.zeros(BUCKET * (buckets + 1), np.uint64)
    skipped = (-words.ctypes.data % (8 * BUCKET)) // 8
    return words[skipped : skipped + BUCKET * buckets]
