"""Pointers to a kernel's compiled functions, as arguments of the search's compiled code."""

from collections.abc import Callable, Sequence
from typing import Any

from numba import types

from linage_bot.engine.jit.code_cache import FOLDER
from linage_bot.engine.jit.lazy_function import LazyFunction


class Pointer(types.WrapperAddressProtocol):
    """A compiled function's address, which is looked up once.

    For a function passed directly, Numba looks up the address in every call. That takes 70 us for
    each of the five functions passed for a slice of the search, a thirtieth of the slice's time.
    """

    def __init__(self, function: Any) -> None:
        """Look up the address; load or compile the function, a `LazyFunction`, if necessary."""
        result = function.get_compile_result(function.declared)
        name = result.fndesc.llvm_cfunc_wrapper_name
        self._address: int = result.library.get_pointer_to_function(name)
        self._function = function  # keeps the code in memory

    def __wrapper_address__(self) -> int:
        return self._address

    def signature(self) -> Any:
        """Return the function's signature, which Numba requests."""
        return self._function.declared


def taking(
    given: Sequence[Any], function: Callable[..., Any], result: Any, arguments: Sequence[Any]
) -> LazyFunction:
    """Return a deferred function whose last arguments are a kernel's functions.

    These have the types of `given`, and the other arguments the types `arguments`.
    """
    signature = result(*arguments, *(types.FunctionType(each.declared) for each in given))
    return LazyFunction(function, signature, FOLDER)


def bound(function: LazyFunction, given: Sequence[Any]) -> Callable[..., Any]:
    """Load or compile a function, and return it with its last arguments bound to `given`.

    The caller passes only the others. The call releases the GIL.
    """
    function.settle()
    pointers = [Pointer(each) for each in given]

    def call(*own: Any) -> Any:
        return function(*own, *pointers)

    return call


def compiled_with(
    given: Sequence[Any], function: Callable[..., Any], result: Any, arguments: Sequence[Any]
) -> Callable[..., Any]:
    """Return a function of these types, loaded or compiled, with `given` as its last arguments.

    A shortcut for `bound` after `taking`, for a function that is used with these only.
    """
    return bound(taking(given, function, result, arguments), given)
