"""The solver's table of search results."""

import random
from typing import Any

import numpy as np

from linage_bot.engine.kernels.words import mixed, unmixed
from linage_bot.engine.solver.sums.replacement import ANSWER, MOST_WORTH, NO_USE
from linage_bot.engine.solver.sums.store import (
    UNBOUNDED,
    Four,
    bounds_of,
    find,
    move_entries,
    new_store,
    put,
)

_0 = np.uint64(0)
CHEAP, DEAR = 40, 120


def random_keys(count: int) -> list[np.uint64]:
    """Return different keys, the same in each run."""
    chance = random.Random(1)
    return [np.uint64(chance.getrandbits(64)) for _ in range(count)]


def kept(store: Any, key: np.uint64, tag: np.uint64 = _0) -> Four | None:
    """Return the bounds of a game in the table, or None."""
    data = find(store, key, tag, NO_USE)
    return bounds_of(data) if data else None


def put_cheap(store: Any, keys: list[np.uint64]) -> None:
    for key in keys:
        put(store, key, _0, (0, 0, 0, 0), CHEAP)


def test_what_is_kept_is_found_as_it_was() -> None:
    """An entry is found only by its key and tag; bounds too large to store become unknown."""
    store = new_store(100)
    tag = np.uint64(1 << 18 | 5)
    for number, key in enumerate(random_keys(200)):
        assert put(store, key, tag, (number - 100, number - 90, -700, 700), MOST_WORTH)
        assert kept(store, key, tag) == (number - 100, number - 90, -UNBOUNDED, UNBOUNDED)
        assert kept(store, key) is None
        assert kept(store, key ^ np.uint64(1), tag) is None


def test_a_bound_that_has_no_room_is_kept_as_a_weaker_one() -> None:
    """A bound too large to store becomes a weaker one, never a stronger one."""
    store, keys = new_store(10), random_keys(60)
    for far, key in zip(range(110, 170), keys, strict=True):
        put(store, key, _0, (far, far, -far, -far), CHEAP)
        least, most, other_least, other_most = kept(store, key) or (0, 0, 0, 0)
        assert 110 <= least <= far <= most
        assert other_least <= -far <= other_most <= -110


def test_a_newer_entry_of_the_same_game_takes_the_place_of_the_old_one() -> None:
    """A newer entry of the same game replaces the old one in its place."""
    store, (key,) = new_store(1), random_keys(1)
    assert put(store, key, _0, (0, 9, 0, 9), CHEAP)
    assert not put(store, key, _0, (1, 2, 1, 2), CHEAP)
    assert kept(store, key) == (1, 2, 1, 2)
    assert np.count_nonzero(store) == 2


def test_next_to_nothing_is_lost_before_the_table_is_half_full() -> None:
    """Until the table is half full, almost no entry is lost."""
    store, keys = new_store(1000), random_keys(4000)
    taken = sum(put(store, key, _0, (1, 2, 3, 4), CHEAP) for key in keys)
    assert taken > 3980
    assert sum(kept(store, key) == (1, 2, 3, 4) for key in keys) == taken


def test_what_took_long_outlives_what_did_not_but_not_for_ever() -> None:
    """A costly entry survives a thousand cheap ones, but not two hundred thousand."""
    store, (dear, *cheap) = new_store(1), random_keys(200_000)
    put(store, dear, _0, (1, 2, 3, 4), DEAR)
    put_cheap(store, cheap[:1000])
    assert kept(store, dear)
    put_cheap(store, cheap[1000:])
    assert not kept(store, dear)


def test_what_took_long_stays_though_more_was_found_of_it_in_no_time() -> None:
    """An entry keeps the cost of its first search when a cheap search adds to it."""
    store, (dear, *cheap) = new_store(1), random_keys(1001)
    put(store, dear, _0, (1, 9, 3, 4), DEAR)
    put(store, dear, _0, (1, 2, 3, 4), 1)
    put_cheap(store, cheap)
    assert kept(store, dear) == (1, 2, 3, 4)


def test_what_is_of_use_now_and_then_stays_for_ever() -> None:
    """Each use restores an entry's worth; reading it without using it does not."""
    store, (used, looked_at, *cheap) = new_store(1), random_keys(200_000)
    put(store, used, _0, (1, 2, 3, 4), DEAR)
    put(store, looked_at, _0, (1, 2, 3, 4), DEAR)
    for start in range(0, len(cheap), 1000):
        put_cheap(store, cheap[start : start + 1000])
        assert find(store, used, _0, ANSWER)
        kept(store, looked_at)
    assert not kept(store, looked_at)


def test_a_larger_table_has_all_that_the_smaller_one_had() -> None:
    """A larger table keeps all entries of the smaller one."""
    small, large, keys = new_store(64), new_store(512), random_keys(100)
    for key in keys:
        put(small, key, _0, (1, 2, 3, 4), CHEAP)
    assert move_entries(small, large) == 100
    assert all(kept(large, key) == (1, 2, 3, 4) for key in keys)


def test_mixing_can_be_undone() -> None:
    """Mixing is reversible, so a key identifies its shape."""
    for word in (_0, np.uint64((1 << 64) - 1), *random_keys(100)):
        assert unmixed(mixed(word)) == word
