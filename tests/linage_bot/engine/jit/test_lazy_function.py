"""Functions compiled on first use have their declared types, for any arguments."""

import threading
from pathlib import Path

import numba
import numpy as np
import pytest
from numba import types

from linage_bot.engine.jit.lazy_function import LazyFunction, together

WORDS = types.uint64(types.uint64)


def halved(word: np.uint64) -> np.uint64:
    return word >> np.uint64(1)  # of a signed number it would keep the sign


def deferred() -> LazyFunction:
    return LazyFunction(halved, WORDS)


def test_called_with_a_signed_number() -> None:
    """A signed number is converted to the declared type, and no other code is compiled."""
    function = deferred()
    assert function(6) == 3
    assert function(2**64 - 2) == 2**63 - 1
    assert function.dispatcher.signatures == [WORDS.args]


def test_called_with_what_it_cannot_take() -> None:
    """An argument of the wrong type raises TypeError."""
    with pytest.raises(TypeError, match="No matching definition"):
        deferred()("eight")


def first(words: np.ndarray) -> np.uint64:
    return words[0]


@pytest.mark.parametrize(
    "array",
    [
        np.array([7], object),
        np.array([7], np.int64),
        np.array([[7]], np.uint64),
    ],
)
def test_stored_code_called_with_an_array_that_it_cannot_take(
    array: np.ndarray, tmp_path: Path
) -> None:
    """Code from disk takes arrays of its declared type, and raises TypeError for any other."""
    for _ in range(2):
        function = LazyFunction(first, types.uint64(types.Array(types.uint64, 1, "C")), tmp_path)
        with pytest.raises(TypeError):
            function(array)
        assert function(np.array([7], np.uint64)) == 7


def test_called_from_compiled_code_first() -> None:
    """Compiled code can call the function first, directly or by a pointer."""
    inner = deferred()

    @numba.njit(WORDS)
    def direct(word: np.uint64) -> np.uint64:
        return inner(np.int64(word))

    assert direct(np.uint64(2**64 - 2)) == 2**63 - 1

    @numba.njit(types.uint64(types.uint64, types.FunctionType(WORDS)))
    def indirect(word: np.uint64, function: LazyFunction) -> np.uint64:
        return function(word)

    assert indirect(np.uint64(10), inner) == 5
    assert inner.dispatcher.signatures == [WORDS.args]


def test_first_called_by_many_threads() -> None:
    """Many threads that call a function first get the result of one compilation."""
    function, answers = deferred(), []
    threads = [
        threading.Thread(target=lambda: answers.append(function(np.uint64(8)))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [4] * 8


def quartered(word: np.uint64) -> np.uint64:
    return HALVED(HALVED(word))


def counted_down(word: np.uint64) -> np.uint64:
    return COUNTED_DOWN(word - np.uint64(1)) if word else word


HALVED, COUNTED_DOWN = deferred(), LazyFunction(counted_down, WORDS)


def test_what_only_compiled_code_calls_is_no_code_of_its_own(tmp_path: Path) -> None:
    """A function called only by compiled code is stored in its caller's file."""
    assert LazyFunction(quartered, WORDS, tmp_path)(np.uint64(2**64 - 4)) == 2**62 - 1
    assert HALVED.dispatcher.signatures == []
    assert LazyFunction(quartered, WORDS, tmp_path)(np.uint64(8)) == 2
    assert len(list(tmp_path.iterdir())) == 1


def test_a_function_that_calls_itself() -> None:
    """A function that calls itself can be compiled."""
    assert COUNTED_DOWN(np.uint64(5)) == 0


def test_functions_that_belong_together(tmp_path: Path) -> None:
    """Functions that belong together are compiled and stored in one file."""
    for _ in range(2):
        one, other = LazyFunction(halved, WORDS, tmp_path), LazyFunction(quartered, WORDS, tmp_path)
        together(one, other)
        assert one(np.uint64(6)) == 3
        assert other.dispatcher.signatures == [WORDS.args]
        assert other(np.uint64(12)) == 3
    assert len(list(tmp_path.iterdir())) == 1
