"""Functions translated with fewer passes than Numba's still take the Python that kernels use."""

import numpy as np
import pytest
from numba import types
from numba.core.errors import NumbaError

from linage_bot.engine.jit.lazy_function import LazyFunction

NUMBER = types.int64(types.int64)


def squares_below(count: int) -> int:
    squares = np.array([each * each for each in range(count)])
    return (squares + np.ones(count, np.int64)).sum()


def checked(number: int) -> int:
    pair = number, 0.5
    if number < 0:
        raise ValueError("a number is too small", number)
    return int(pair[0] + pair[-1])


def missing(number: int) -> int:
    return number.nothing  # type: ignore[attr-defined]


def test_a_function_may_create_arrays() -> None:
    """It may use comprehensions and whole arrays."""
    assert LazyFunction(squares_below, NUMBER)(4) == 18


def test_an_exception_tells_a_value_found_at_run_time() -> None:
    """Arguments of an exception need not be known when the function is compiled."""
    function = LazyFunction(checked, NUMBER)
    assert function(3) == 3
    with pytest.raises(ValueError, match=r"a number is too small.*-2"):
        function(-2)


def test_a_function_that_cannot_be_compiled_says_why() -> None:
    """The error names the fault, the second time, too."""
    function = LazyFunction(missing, NUMBER)
    for _ in range(2):
        with pytest.raises(NumbaError, match="nothing"):
            function(3)


def test_functions_with_and_without_new_arrays_use_the_same_operators() -> None:
    """The rules found for one function hold for the other."""
    for function in (doubled, doubled_in_an_array, doubled):
        assert LazyFunction(function, NUMBER)(4) == 8


def doubled(number: int) -> int:
    return max(number, -number) + abs(number)


def doubled_in_an_array(number: int) -> int:
    two = np.empty(2, np.int64)
    two[:] = max(number, -number)
    return abs(two[0]) + two[1]
