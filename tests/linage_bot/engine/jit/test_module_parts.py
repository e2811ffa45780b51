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


def test_arrays_may_be_created_by_a_function_that_says_so() -> None:
    """It may use comprehensions and whole arrays; a function that does not say so is refused."""
    assert LazyFunction(squares_below, NUMBER, creates_arrays=True)(4) == 18
    with pytest.raises(NumbaError):
        LazyFunction(squares_below, NUMBER)(4)


def test_an_exception_tells_a_value_found_at_run_time() -> None:
    """A function that counts references may build the arguments of an exception."""
    function = LazyFunction(checked, NUMBER, creates_arrays=True)
    assert function(3) == 3
    with pytest.raises(ValueError, match=r"a number is too small.*-2"):
        function(-2)


def test_functions_with_and_without_new_arrays_use_the_same_operators() -> None:
    """The rules found for one function hold for the other, in either order."""
    for kinds in ((True, False), (False, True)):
        for creates in kinds:
            assert LazyFunction(doubled, NUMBER, creates_arrays=creates)(4) == 8


def doubled(number: int) -> int:
    return max(number, -number) + abs(number)
