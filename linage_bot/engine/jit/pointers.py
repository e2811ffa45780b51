"""A kernel's functions as the search is given them."""

from collections.abc import Callable, Sequence
from typing import Any

from numba import types

from linage_bot.engine.jit.deferred import Deferred
from linage_bot.engine.jit.kept import FOLDER


class Pointer(types.WrapperAddressProtocol):
    """A compiled function by its address, which is looked up once.

    Numba looks up that of a function passed as it is in every call: 70 us for each of the five
    that a slice of the search is given, a thirtieth of its time.
    """

    def __init__(self, function: Any) -> None:
        """Compiles the function, a `Deferred`, if need be."""
        result = function.get_compile_result(function.declared)
        name = result.fndesc.llvm_cfunc_wrapper_name
        self._address: int = result.library.get_pointer_to_function(name)
        self._function = function  # keeps the code in memory

    def __wrapper_address__(self) -> int:
        return self._address

    def signature(self) -> Any:
        """The types, as Numba asks for them."""
        return self._function.declared


def taking(
    given: Sequence[Any], function: Callable[..., Any], result: Any, arguments: Sequence[Any]
) -> Deferred:
    """A function whose last arguments are a kernel's functions, of the types of `given`.

    The others have the types `arguments`.
    """
    signature = result(*arguments, *(types.FunctionType(each.declared) for each in given))
    return Deferred(function, signature, FOLDER)


def bound(function: Deferred, given: Sequence[Any]) -> Callable[..., Any]:
    """The function, compiled now or loaded from disk, with its last arguments filled in.

    `given` are these; a caller passes only the others. Releases the GIL.
    """
    function.settle()
    pointers = [Pointer(each) for each in given]

    def call(*own: Any) -> Any:
        return function(*own, *pointers)

    return call


def compiled_with(
    given: Sequence[Any], function: Callable[..., Any], result: Any, arguments: Sequence[Any]
) -> Callable[..., Any]:
    """`bound` of what is only ever called so."""
    return bound(taking(given, function, result, arguments), given)
