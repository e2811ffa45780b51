"""Numba's runtime for machine code from disk, without what only the compiler needs.

Numba prepares to compile before it loads its first function: it imports the implementations of all
that it can compile, and compiles a part of its runtime. With stored code this was a quarter of the
time from the start of a process to its first move. The compiler prepares itself when it is used.

Numba's internals used here:
- Machine code calls the runtime's C functions, `c_helpers`, by names that LLVM is told.
- `typeof_impl` has a function for each class of arguments that Python may pass.
"""

import functools
from typing import Any

import numpy as np
from llvmlite import binding
from numba.core import types
from numba.core.errors import NumbaNotImplementedError
from numba.core.runtime import nrt
from numba.core.typing import typeof
from numba.np import numpy_support


@functools.cache
def prepare() -> None:
    """Let machine code call Numba's runtime, and let Python call it with arrays."""
    own: Any = nrt
    for name, address in own._nrt.c_helpers.items():
        binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
    typeof.typeof_impl.register(np.ndarray)(_type_of_array)


def _type_of_array(array: Any, purpose: Any) -> Any:
    """Return the Numba type of an array.

    Numba's own function, used here for subclasses, imports `numpy.ma` to see whether it is one.
    """
    if type(array) is np.ndarray:
        try:
            of = numpy_support.from_dtype(array.dtype)
        except NumbaNotImplementedError:
            pass  # the other function raises an error that explains it
        else:
            layout, readonly = numpy_support.map_layout(array), not array.flags.writeable
            return types.Array(of, array.ndim, layout, readonly=readonly)
    return _of_numba(array, purpose)


_of_numba = typeof.typeof_impl.dispatch(np.ndarray)
