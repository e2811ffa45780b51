"""What the search keeps: bounds of regions and of sums, in a table of fixed size.

An entry is two words: the bounds with all else that is to be known, packed into `data`, and the
game's key combined with them by exclusive or. So a thread that reads an entry while another one
writes it finds neither game in it, and no thread ever waits.

The key of a region in a box of at most 61 bits, which every region on a board of up to 49 points
is, is a bijection of its shape: there a hit is exact. Larger regions, and sums, are known by their
key and 18 bits more.

Eight entries are a bucket, two lines of a processor's cache. Where all are in use the one of the
least worth gives way. Its worth is the logarithm of the nodes that it took, the most of them where
it was found more than once, and more for each time that it was of use; and when one gives way all
others in the bucket lose what that one was worth, so that nothing stays for ever (GreedyDual, as
caches of files of unlike cost have it).
"""

from typing import Any, TypeAlias

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word

ENTRY = np.dtype([("word", np.uint64), ("data", np.uint64)])
STORE = types.Array(types.uint64, 1, "C")  # pairs of words
FOUR = types.UniTuple(types.int64, 4)  # type: ignore[no-untyped-call]  # Numba's
EXTRA = 18  # bits by which what has no key of its own is known besides
Four: TypeAlias = tuple[int, int, int, int]
HASHED = 1 << EXTRA  # the mark of these; the tag of others is 0
UNBOUNDED = 1 << 14  # no value is as large
BUCKET = 16  # words

_WIDTH = 10  # bits of a bound
_FAR = 1 << (_WIDTH - 1)
_MOST_WORTH = 31
_U = np.uint64
_0, _1, _32 = _U(0), _U(1), _U(32)
_BOUND, _WORTH = _U((1 << _WIDTH) - 1), _U(_MOST_WORTH)
_SECOND, _THIRD, _FOURTH = _U(_WIDTH), _U(2 * _WIDTH), _U(3 * _WIDTH)
_WORTH_AT, TAG_AT = _U(4 * _WIDTH), _U(4 * _WIDTH + 5)
_BUCKET, _ONE = _U(BUCKET), _U(1 << 4 * _WIDTH)


@compiled(types.uint64(types.int64))
def _packed(bound: int) -> Word:
    """A bound in ten bits; one too far away for them is none."""
    return _U(min(max(bound, -_FAR), _FAR - 1) + _FAR)


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


@compiled(types.int64(STORE, types.uint64))
def _bucket(store: Any, key: Word) -> int:
    """Where the bucket of a key begins."""
    buckets = _U(len(store)) // _BUCKET
    return int(((key >> _32) * buckets >> _32) * _BUCKET)


@compiled(types.uint64(STORE, types.uint64, types.uint64, types.int64))
def find(store: Any, key: Word, tag: Word, more: int) -> Word:
    """The data of a game's entry, 0 if it has none; it is worth so much more from now on."""
    start = _bucket(store, key)
    for at in range(start, start + BUCKET, 2):
        data = store[at + 1]
        if store[at] ^ data == key and data >> TAG_AT == tag and data != _0:
            # Where there are free places nothing is about to give way, and nothing is written.
            if more and store[start + BUCKET - 1]:
                worthier = data + _ONE * _U(min(more, _MOST_WORTH - _worth_of(data)))
                store[at], store[at + 1] = key ^ worthier, worthier
            return data
    return _0


@compiled(types.uint64(STORE, types.uint64, types.uint64))
def look_up(store: Any, key: Word, tag: Word) -> Word:
    """The data of a game's entry that is of use if there is one, 0 if there is none."""
    return find(store, key, tag, 1)


@compiled(types.void(STORE, types.int64, types.int64, types.uint64))
def _fade(store: Any, start: int, least: int, key: Word) -> None:
    """Take the worth of the least from all entries of a bucket.

    Worths are logarithms: of one that is larger by n one is taken once in 2^n times, which the bits
    of a key decide.
    """
    for at in range(start, start + BUCKET, 2):
        old = store[at + 1]
        worth = _worth_of(old)
        if worth and key & ((_1 << _U(worth - least)) - _1) == _0:
            store[at], store[at + 1] = store[at] ^ old ^ (old - _ONE), old - _ONE


@compiled(types.boolean(STORE, types.uint64, types.uint64))
def put_data(store: Any, key: Word, data: Word) -> bool:
    """Write an entry, worth no less than before; whether it has taken up a place that was free."""
    start = _bucket(store, key)
    place, least, free = start, _MOST_WORTH + 1, False
    for at in range(start, start + BUCKET, 2):
        old = store[at + 1]
        if old == _0:
            if not free:
                place, free = at, True
        elif store[at] ^ old == key and old >> TAG_AT == data >> TAG_AT:
            data += _ONE * _U(max(0, _worth_of(old) - _worth_of(data)))
            store[at], store[at + 1] = key ^ data, data
            return False
        elif not free and _worth_of(old) < least:
            place, least = at, _worth_of(old)
    if not free:
        _fade(store, start, least, key)
    store[place], store[place + 1] = key ^ data, data
    return free


@compiled(types.boolean(STORE, types.uint64, types.uint64, FOUR, types.int64))
def put(store: Any, key: Word, tag: Word, bounds: Four, nodes: int) -> bool:
    """Keep bounds of a game and how many nodes they took; whether there was a free place."""
    worth = 0
    while nodes > 1 and worth < _MOST_WORTH:
        nodes >>= 1
        worth += 1
    data = _packed(bounds[0]) | _packed(bounds[1]) << _SECOND
    data |= _packed(bounds[2]) << _THIRD | _packed(bounds[3]) << _FOURTH
    data |= _U(worth) << _WORTH_AT | tag << TAG_AT
    return put_data(store, key, data)


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
