"""Functions translated for LLVM one by one, then optimised and made machine code together.

Numba gives every function a module of its own, with the code of all that it calls in it: what ten
functions call is optimised eleven times, and each has wrappers for Python though Python calls few.
Here a function is a *piece*, neither optimised nor wrapped, until some that are called from outside
are made a *whole*: one module with every piece in it once, of which nobody sees more than these.
That takes half the time, and the code is as fast or faster, for LLVM sees who calls what.

What it needs of Numba's insides: with the flag `no_compile` its compiler stops where machine code
would be made, and fills the library that it was given; a library's `_final_module` is LLVM's module
and `finalize` optimises it; `create_cpython_wrapper` and `create_cfunc_wrapper` add wrappers.
"""

from collections.abc import Callable, Sequence
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags, compile_extra
from numba.core.registry import cpu_target


class _Piece(JITCodeLibrary):
    """A library that never becomes machine code by itself."""

    def _optimize_functions(self, _module: Any) -> None:
        """Not before it is part of a whole."""

    def finalize(self) -> None:
        """Nothing more to do: libraries that are linked are asked for this."""
        self._finalized = True

    def needed(self, found: dict[Any, None] | None = None) -> dict[Any, None]:
        """All libraries that it needs, those called before their callers, and itself, each once."""
        found = {} if found is None else found
        for library in self._linking_libraries:
            if library not in found:
                if isinstance(library, _Piece):
                    library.needed(found)
                else:
                    found[library] = None
        found[self] = None
        return found

    def _get_module_for_linking(self) -> Any:
        """A module for a caller that is no piece."""
        if self._shared_module is None:
            self._shared_module = self._final_module.clone()
            _link(self._shared_module, [self])
            for function in self._shared_module.functions:
                if not function.is_declaration and function.linkage.name == "external":
                    function.linkage = "linkonce_odr"
        return self._shared_module


def _link(module: Any, pieces: Sequence[_Piece]) -> None:
    """Add the pieces and what they need, each once, callers first: LLVM drops what nobody calls."""
    needed: dict[Any, None] = {}
    for piece in pieces:
        piece.needed(needed)
    for library in reversed(needed):
        own = isinstance(library, _Piece)
        part = library._final_module if own else library._get_module_for_linking()
        if part.name != module.name:
            module.link_in(part, preserve=True)


class _Compiler(Compiler):
    """Numba's, which fills a library of ours."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state.library = _Piece(self.state.targetctx.codegen(), "piece")


def piece(function: Callable[..., Any], signature: Any, *, distinct: bool = False) -> Any:
    """The function as a piece: Numba's result for it, without code.

    `distinct`: no two arrays or records that it is given overlap, so that LLVM may reorder.
    """
    flags: Any = Flags()
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.nrt = True  # some make arrays
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
    """What a function is called by: in LLVM, from Python, and by its address."""
    wrappers = description.llvm_cpython_wrapper_name, description.llvm_cfunc_wrapper_name
    return {description.llvm_func_name, *wrappers}


def whole(name: str, pieces: Sequence[Any]) -> Any:
    """A library with machine code for what `piece` returned, and for all that it calls.

    Who calls it from Python lets go of the GIL.
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
