"""Functions that are translated for LLVM one by one, then optimised and compiled together.

Strategy. Numba gives every function a module of its own that includes the code of all functions it
calls. A function with ten callers is optimised eleven times, and every function gets wrappers for
Python, though Python calls only a few. Here a function is first a *piece*, neither optimised nor
wrapped. A *whole* is one module that contains some functions for callers outside and each piece
that they need once; only those functions are visible from outside. This takes half the time, and
the code is as fast or faster, because LLVM knows all callers.

Numba's internals used here:
- With the flag `no_compile`, the compiler fills the library that it was given and stops before it
  makes machine code.
- A library's `_final_module` is LLVM's module, and `finalize` optimises it.
- `create_cpython_wrapper` and `create_cfunc_wrapper` add wrappers.
"""

from collections.abc import Callable, Sequence
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags, compile_extra
from numba.core.registry import cpu_target


class _ModulePart(JITCodeLibrary):
    """A Numba library that never becomes machine code by itself."""

    def _optimize_functions(self, _module: Any) -> None:
        """Do nothing: a piece is optimised as part of a whole."""

    def finalize(self) -> None:
        """Mark the library as final, which Numba requires of linked libraries."""
        self._finalized = True

    def needed(self, found: dict[Any, None] | None = None) -> dict[Any, None]:
        """Return this library and all that it needs, each once, callees before callers."""
        found = {} if found is None else found
        for library in self._linking_libraries:
            if library not in found:
                if isinstance(library, _ModulePart):
                    library.needed(found)
                else:
                    found[library] = None
        found[self] = None
        return found

    def _get_module_for_linking(self) -> Any:
        """Return a module with this piece and all that it needs, for a caller that is no piece."""
        if self._shared_module is None:
            self._shared_module = self._final_module.clone()
            _link(self._shared_module, [self])
            for function in self._shared_module.functions:
                if not function.is_declaration and function.linkage.name == "external":
                    function.linkage = "linkonce_odr"
        return self._shared_module


def _link(module: Any, pieces: Sequence[_ModulePart]) -> None:
    """Add the pieces and all libraries that they need to a module, each once.

    Callers come first, because LLVM drops functions without callers.
    """
    needed: dict[Any, None] = {}
    for piece in pieces:
        piece.needed(needed)
    for library in reversed(needed):
        own = isinstance(library, _ModulePart)
        part = library._final_module if own else library._get_module_for_linking()
        if part.name != module.name:
            module.link_in(part, preserve=True)


class _Compiler(Compiler):
    """Numba's compiler, but filling a `_ModulePart`."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state.library = _ModulePart(self.state.targetctx.codegen(), "piece")


def piece(function: Callable[..., Any], signature: Any, *, distinct: bool = False) -> Any:
    """Translate a function as a piece; return Numba's result, without machine code.

    `distinct`: no two of the arrays and records passed to it overlap, so that LLVM may reorder
    reads and writes.
    """
    flags: Any = Flags()
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.nrt = True  # Numba's runtime, as some functions create arrays
    flags.error_model = "numpy"
    flags.noalias = distinct
    typing, target = cpu_target.typing_context, cpu_target.target_context
    return compile_extra(
        typing,
        target,
        function,
        signature.args,
        signature.return_type,
        flags,
        locals={},
        pipeline_class=_Compiler,
    )


def names_of(description: Any) -> set[str]:
    """Return the names of a function in LLVM, of its wrapper for Python and of that for C."""
    wrappers = description.llvm_cpython_wrapper_name, description.llvm_cfunc_wrapper_name
    return {description.llvm_func_name, *wrappers}


def whole(name: str, pieces: Sequence[Any]) -> Any:
    """Return a library with machine code for results of `piece` and for all that they call.

    A call from Python releases the GIL.
    """
    target = cpu_target.target_context
    library = JITCodeLibrary(target.codegen(), name)
    library.enable_object_caching()
    seen: set[str] = set()
    for each in pieces:
        of, helper = each.fndesc, each.call_helper
        target.create_cpython_wrapper(library, of, each.environment, helper, release_gil=True)
        target.create_cfunc_wrapper(library, of, each.environment, helper)
        seen |= names_of(of)
    _link(library._final_module, [each.library for each in pieces])
    for function in library._final_module.functions:
        if not function.is_declaration and function.name not in seen:
            function.linkage = "internal"
    library.finalize()
    return library
