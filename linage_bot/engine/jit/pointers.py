"""A kernel's functions as the search is given them."""

from __future__ import annotations

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

    def __init__(self, function: Any, signature: Any) -> None:
        """Compiles the function for the signature, if need be."""
        result = function.get_compile_result(signature)
        name = result.fndesc.llvm_cfunc_wrapper_name
        self._address: int = result.library.get_pointer_to_function(name)
        self._function, self._signature = function, signature  # keeps the code in memory

    def __wrapper_address__(self) -> int:
        return self._address

    def signature(self) -> Any:
        """The types, as Numba asks for them."""
        return self._signature


def compiled_with(
    given: Sequence[tuple[Any, Any]],
    function: Callable[..., Any],
    result: Any,
    arguments: Sequence[Any],
) -> Callable[..., Any]:
    """Compile now, or load from disk, a function whose last arguments are a kernel's functions.

    `given` are those with their signatures; a caller passes only the others, which have the types
    `arguments`. Releases the GIL.
    """
    pointers = [Pointer(*each) for each in given]
    signature = result(*arguments, *(types.FunctionType(each) for _, each in given))
    whole = Deferred(function, signature, FOLDER)
    whole.settle()

    def call(*own: Any) -> Any:
        return whole(*own, *pointers)

    return call
