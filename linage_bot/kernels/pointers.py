"""A kernel's functions as the search is given them."""

from __future__ import annotations

from typing import Any

from numba import types


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
