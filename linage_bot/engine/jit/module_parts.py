"""Functions that are translated for LLVM one by one, then optimised and compiled together.

Strategy. Numba gives every function a module of its own that includes the code of all functions it
calls. A function with ten callers is optimised eleven times, and every function gets wrappers for
Python, though Python calls only a few. Here a function is first a *piece*, neither optimised nor
wrapped. A *whole* is one module that contains some functions for callers outside and each piece
that they need once; only those functions are visible from outside. This takes half the time, and
the code is as fast or faster, because LLVM knows all callers.

Translation itself leaves out what most functions do not need, a quarter of it: counting references
to arrays, which also slows the code down, and without which no function can create one; passes for
`with`, literals and array expressions; and the search for the rule by which, say, two integers are
added, which is made once for each operator and types of numbers.

Numba's internals used here:
- With the flag `no_compile`, the compiler fills the library that it was given and stops before it
  makes machine code.
- With the flag `nrt`, code counts references to arrays.
- A typing context resolves the types of calls. `types.Function` is the type of Numba's own
  functions, such as operators; the type of their result depends on those of the arguments alone.
- A typing context's `_fail_cache` has the calls without a type: those that create an array, too.
- Each function has an environment, a variable by which it finds Python objects. Few of ours need
  one, and each that is stored with the code takes time to load.
- A library's `_final_module` is LLVM's module, and `finalize` optimises it.
- `create_cpython_wrapper` and `create_cfunc_wrapper` add wrappers.
"""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from numba.core import typed_passes, types, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags, compile_extra
from numba.core.compiler_machinery import PassManager
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.core.typing.context import Context

_ENVIRONMENT = "_ZN08NumbaEnv"  # begins the names of such variables


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
    """Numba's compiler, but filling a `_ModulePart` by fewer passes."""

    _PASSES = (
        untyped_passes.TranslateByteCode,
        untyped_passes.FixupArgs,
        untyped_passes.IRProcessing,
        untyped_passes.InlineClosureLikes,  # and lists made by a comprehension
        untyped_passes.GenericRewrites,  # for constant indices
        untyped_passes.RewriteDynamicRaises,
        untyped_passes.InlineInlinables,
        untyped_passes.ReconstructSSA,
        typed_passes.NopythonTypeInference,
        typed_passes.PreLowerStripPhis,
        typed_passes.IRLegalization,
        typed_passes.NativeLowering,
        typed_passes.NoPythonBackend,
    )

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state.library = _ModulePart(self.state.targetctx.codegen(), "piece")

    def define_pipelines(self) -> list[PassManager]:
        """Return the passes, as Numba's compiler wants them."""
        passes = PassManager("piece")
        for each in self._PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]


class _Typing(Context):
    """Numba's typing context, but one that remembers the signatures of operators."""

    _known: ClassVar[dict[tuple[Any, ...], Any]] = {}

    def __init__(self) -> None:
        self.__dict__ = cpu_target.typing_context.__dict__  # shared, as Numba adds rules to it

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call with these types; None if there is none."""
        if kws or not isinstance(func, types.Function):
            return super().resolve_function_type(func, args, kws)
        call = func, *args
        if call not in self._known:
            self._known[call] = super().resolve_function_type(func, args, kws)
        return self._known[call]


def piece(function: Callable[..., Any], signature: Any, *, distinct: bool = False) -> Any:
    """Translate a function as a piece; return Numba's result, without machine code.

    `distinct`: no two of the arrays and records passed to it overlap, so that LLVM may reorder
    reads and writes. Raises `NumbaError` if the function cannot be compiled.
    """
    with contextlib.suppress(NumbaError):
        return _translated(function, signature, distinct, counting=False)
    cpu_target.typing_context.callstack._fail_cache.clear()
    return _translated(function, signature, distinct, counting=True)  # it may create arrays


def _translated(
    function: Callable[..., Any], signature: Any, distinct: bool, *, counting: bool
) -> Any:
    """Translate a function; if `counting`, it counts references to arrays, as Numba's code does."""
    flags: Any = Flags()
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.nrt = counting
    flags.error_model = "numpy"
    flags.noalias = distinct
    return compile_extra(
        _Typing(),
        cpu_target.target_context,
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
    for variable in library._final_module.global_variables:
        if variable.name.startswith(_ENVIRONMENT):
            variable.linkage = "linkonce_odr"  # LLVM drops it, if it is not used
    library.finalize()
    return library
