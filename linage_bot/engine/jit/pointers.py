"""Pointers to a kernel's compiled functions, as arguments of the search's compiled code.

Strategy. For a function that Python passes as an object, Numba finds out the type and the address
in every call, which takes 30 us. So Python passes addresses as numbers, and calls the code for the
declared types directly.

Numba's internals used here: `FunctionModel` has the field `c_addr`; `entry_point` of a compile
result is callable.
"""

from collections.abc import Callable, Sequence
from typing import Any

from numba import types
from numba.core import cgutils
from numba.experimental.function_type import FunctionModel
from numba.extending import NativeValue, register_model, unbox

from linage_bot.engine.jit.code_cache import FOLDER
from linage_bot.engine.jit.lazy_function import LazyFunction


class _Address(types.FunctionType):
    """Numba's type of a compiled function that Python passes as its address, a number."""


register_model(_Address)(FunctionModel)


@unbox(_Address)  # type: ignore[untyped-decorator]  # of Numba
def _from_number(of: Any, number: Any, code: Any) -> Any:
    pointer = cgutils.create_struct_proxy(of)(code.context, code.builder)
    pointer.c_addr = code.pyapi.long_as_voidptr(number)
    return NativeValue(pointer._getvalue())


def taking(
    given: Sequence[Any], function: Callable[..., Any], result: Any, arguments: Sequence[Any]
) -> LazyFunction:
    """Return a deferred function whose last arguments are a kernel's functions.

    These have the types of `given`, and the other arguments the types `arguments`.
    """
    signature = result(*arguments, *(_Address(each.declared) for each in given))
    return LazyFunction(function, signature, FOLDER)


def bound(function: LazyFunction, given: Sequence[Any]) -> Callable[..., Any]:
    """Load or compile a function, and return it with its last arguments bound to `given`.

    The caller passes only the others, of exactly the declared types. The call releases the GIL.
    """
    addresses = [each.__wrapper_address__() for each in given]
    entry: Any = function.code().entry_point

    def call(*own: Any) -> Any:
        return entry(*own, *addresses)

    call.functions = given  # type: ignore[attr-defined]  # keeps their code in memory
    return call


def compiled_with(
    given: Sequence[Any], function: Callable[..., Any], result: Any, arguments: Sequence[Any]
) -> Callable[..., Any]:
    """Return a function of these types, loaded or compiled, with `given` as its last arguments.

    A shortcut for `bound` after `taking`, for a function that is used with these only.
    """
    return bound(taking(given, function, result, arguments), given)
