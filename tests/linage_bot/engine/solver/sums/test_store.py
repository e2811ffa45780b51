"""The table in which the search keeps what it finds."""

import random

import numpy as np

from linage_bot.engine.kernels.words import mixed, unmixed
from linage_bot.engine.solver.sums.store import bounds_of, look_up, move_entries, new_store, put

_0 = np.uint64(0)


def random_keys(count: int) -> list[np.uint64]:
    """Different keys, always the same."""
    chance = random.Random(1)
    return [np.uint64(chance.getrandbits(64)) for _ in range(count)]


def test_what_is_kept_is_found_as_it_was() -> None:
    """Under its own key and tag only; bounds too large to be kept are told to be unknown."""
    store = new_store(100)
    tag = np.uint64(1 << 18 | 5)
    for number, key in enumerate(random_keys(200)):
        bounds = (number - 100, number, -700, 700)
        assert put(store, key, tag, bounds, 10)
        least, most = -(1 << 14), 1 << 14
        assert bounds_of(look_up(store, key, tag)) == (number - 100, number, least, most)
        assert look_up(store, key, _0) == 0
        assert look_up(store, key ^ np.uint64(1), tag) == 0


def test_a_newer_entry_of_the_same_game_takes_the_place_of_the_old_one() -> None:
    """And takes no other place."""
    store, (key,) = new_store(1), random_keys(1)
    assert put(store, key, _0, (0, 9, 0, 9), 10)
    assert not put(store, key, _0, (1, 2, 1, 2), 10)
    assert bounds_of(look_up(store, key, _0)) == (1, 2, 1, 2)
    assert np.count_nonzero(store) == 2


def test_what_took_long_outlives_what_did_not_but_not_for_ever() -> None:
    """A thousand cheap entries leave it; a hundred thousand need not."""
    store, (dear, *cheap) = new_store(1), random_keys(200_000)
    put(store, dear, _0, (1, 2, 3, 4), 1 << 10)
    for key in cheap[:1000]:
        put(store, key, _0, (0, 0, 0, 0), 2)
    assert np.any((store[::2] ^ store[1::2]) == dear)
    for key in cheap[1000:]:
        put(store, key, _0, (0, 0, 0, 0), 2)
    assert not np.any((store[::2] ^ store[1::2]) == dear)


def test_what_took_long_stays_though_more_was_found_of_it_in_no_time() -> None:
    """What it took the first time is what it would take again."""
    store, (dear, *cheap) = new_store(1), random_keys(1001)
    put(store, dear, _0, (1, 9, 3, 4), 1 << 10)
    put(store, dear, _0, (1, 2, 3, 4), 1)
    for key in cheap:
        put(store, key, _0, (0, 0, 0, 0), 2)
    assert bounds_of(look_up(store, dear, _0)) == (1, 2, 3, 4)


def test_a_larger_table_has_all_that_the_smaller_one_had() -> None:
    """When it grows nothing is lost."""
    small, large, keys = new_store(64), new_store(512), random_keys(100)
    for key in keys:
        put(small, key, _0, (1, 2, 3, 4), 5)
    assert move_entries(small, large) == 100
    assert all(bounds_of(look_up(large, key, _0)) == (1, 2, 3, 4) for key in keys)


def test_mixing_can_be_undone() -> None:
    """So a key tells its shape."""
    for word in (_0, np.uint64((1 << 64) - 1), *random_keys(100)):
        assert unmixed(mixed(word)) == word
