"""Compiled functions that are compiled, or read from disk, when something first needs them.

The code of a compiled function contains that of the functions it calls. Numba, told a signature,
gets every one of them at import all the same, 5 ms for each that is on disk; a kernel is made of
up to 60, of which the search calls six. Told no signature it would wait, and then compile for
whatever types it meets. This waits, and compiles for the signature declared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from linage_bot.engine.jit.kept import KeptCode


class Deferred(CPUDispatcher):
    """A function of Numba's that has one signature, for callers compiled and not."""

    def __init__(
        self, function: Callable[..., Any], signature: Any, folder: Path | None = None
    ) -> None:
        """The code is kept in the folder, if there is one."""
        options = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": None}
        super().__init__(function, targetoptions=options)
        self._declared = signature
        if folder is not None:
            self._cache = KeptCode(function, folder)  # what `enable_caching` sets

    def settle(self) -> None:
        """Have the code for the signature declared, and never any other."""
        with global_compiler_lock:
            if not self.overloads:
                self.compile(self._declared)
                self.disable_compile()

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Numba's question when it compiles a caller."""
        self.settle()
        return super().get_call_template(args, kws)

    def get_compile_result(self, sig: Any) -> Any:
        """Numba's question when the function is passed as an argument."""
        self.settle()
        return super().get_compile_result(sig)

    def _compile_for_args(self, *_args: Any, **_kws: Any) -> Any:
        """Numba's question, what to call with types that it has no code for."""
        self.settle()
        return self  # which converts them, or says why it cannot


def settle(functions: Iterable[object]) -> None:
    """Have the code of those that are compiled on first use, one after the other."""
    for function in functions:
        if isinstance(function, Deferred):
            function.settle()
