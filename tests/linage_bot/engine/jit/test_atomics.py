"""Shared words: a thread that reads one sees all that was written before it."""

import threading

import numba
import numpy as np

from linage_bot.engine.jit.atomics import exchange, load, store

FREE, TAKEN = 0, 1
THREADS, TIMES = 4, 20_000


@numba.njit(nogil=True)
def add(words: np.ndarray, sums: np.ndarray, times: int) -> None:
    """Add to sums that are guarded by the word alone."""
    for _ in range(times):
        while load(words, 3) != FREE or not exchange(words, 3, FREE, TAKEN):
            pass
        for i in range(len(sums)):
            sums[i] += i
        store(words, 3, FREE)


def test_only_one_thread_has_a_word_and_it_sees_what_others_did() -> None:
    """None of four threads' additions is lost, and neighbouring words are unchanged."""
    words, sums = np.array([7, 7, 7, FREE, 7]), np.zeros(40, np.int64)
    add(words, sums, 0)
    threads = [threading.Thread(target=add, args=(words, sums, TIMES)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums.tolist() == [THREADS * TIMES * i for i in range(40)]
    assert words.tolist() == [7, 7, 7, FREE, 7]


def test_a_word_that_is_not_what_was_expected_stays() -> None:
    """An exchange fails and changes nothing if the word has another value."""

    @numba.njit
    def tried(words: np.ndarray, expected: int) -> bool:
        return exchange(words, 0, expected, 9)

    words = np.array([5])
    assert not tried(words, 4)
    assert words[0] == 5
    assert tried(words, 5)
    assert words[0] == 9
