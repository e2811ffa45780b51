"""Functions that are compiled, or loaded from disk, on first use.

Strategy. A kernel consists of up to 60 functions, of which the search calls six. Only these get
machine code of their own; all others become parts of it (`module_parts`). With a signature, Numba
itself would compile every function at import; without one, it would compile a function for any
types with which it is called. A function here waits for its first use, and is then compiled for
its declared signature only, together with its *companions*: the functions that are needed whenever
it is.

Numba's internals used here:
- The compiler finds the type of a function by `_numba_type_`, queries its dispatcher by
  `get_call_template`, `get_overload` and `get_compile_result`, and detects recursion by
  `_compiling_counter`. A dispatcher takes 25 us to make, and most functions never need theirs.
- `insert_user_function` registers the code that is called for a key.
- `get_executable` and `add_overload` make code callable from Python.
- Code with `has_dynamic_globals` contains addresses of this process.
- Environments and the functions in `_reload_init` must be stored with the code.
"""

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from numba.core import types
from numba.core.compiler import CompileResult, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typing.templates import make_concrete_template

from linage_bot.engine.jit import runtime
from linage_bot.engine.jit.code_cache import CodeCache
from linage_bot.engine.jit.module_parts import names_of, piece, whole
from linage_bot.engine.jit.progress import record

_LINKED_A_STEP = 2  # linked functions for one unit of progress: that of translating a short one
_CODE_A_STEP = 200  # bytes of bytecode for one unit of progress


class LazyFunction:
    """A function with one declared signature, callable from compiled code and Python."""

    def __init__(
        self,
        function: Callable[..., Any],
        signature: Any,
        folder: Path | None = None,
        *,
        distinct: bool = False,
    ) -> None:
        """Create the function; its code is stored in `folder`, if any. `distinct`: see `piece`."""
        functools.update_wrapper(self, function)
        self.py_func = function
        self.declared = signature
        self._folder = folder
        self._distinct = distinct
        self._piece: Any = None
        self._error: NumbaError | None = None  # why it cannot be compiled
        self._companions: tuple[LazyFunction, ...] = (self,)
        self._result: CompileResult | None = None
        self._dispatcher: Any = None

    @property
    def dispatcher(self) -> Any:
        """The function as Numba knows it, made on first use."""
        with global_compiler_lock:
            if self._dispatcher is None:
                self._dispatcher = _Dispatcher(self)
            return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """The type of the function in compiled code; Numba asks for it."""
        return types.Dispatcher(self.dispatcher)

    def __call__(self, *arguments: Any) -> Any:
        """Call the code for the declared types; load or compile it first, if necessary."""
        return (self._dispatcher or self.dispatcher)(*arguments)

    def settle(self, *, wait: bool = True) -> bool:
        """Load or compile the code of this function and its companions; return True.

        Without `wait`, return False if another process is compiling it. The code is for the
        declared signature; code for any other is never made.
        """
        with global_compiler_lock:
            if self._result is not None:
                return True
            functions = [(each.py_func, each.declared) for each in self._companions]
            code = CodeCache(self._folder, functions)
            if not self._load(code):
                with code.alone(wait=wait) as alone:
                    if not alone:
                        return False
                    if not self._load(code):  # another process may have stored it during the wait
                        self._compile(code)
            return True

    def _load(self, code: CodeCache) -> bool:
        """Load the code from disk; return whether it was there."""
        runtime.prepare()
        content = code.read()
        if content is None:
            return False
        name, machine_code, names, reload, environments, functions = content
        for again in reload:
            again()
        codegen = cpu_target.target_context.codegen()
        library = codegen.create_library(name)
        library.enable_object_caching()
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        codegen._engine._defined_symbols |= names
        for each, parts in zip(self._companions, functions, strict=True):
            each._have(library, *parts)
        for environment in environments:
            codegen.set_env(environment.env_name, environment)
        return True

    def _compile(self, code: CodeCache) -> None:
        pieces = [each.piece() for each in self._companions]
        library = whole(self.py_func.__name__, pieces)
        linked = {part for each in pieces for part in each.library.needed()}
        record(1 + len(linked) // _LINKED_A_STEP)
        parts = [(each.fndesc, each.environment, each.signature) for each in pieces]
        results = [
            each._have(library, *own) for each, own in zip(self._companions, parts, strict=True)
        ]
        if library.has_dynamic_globals:
            code.cannot("it holds addresses")
            return
        names: set[str] = set()
        for of, _, _ in parts:
            of.typemap = of.calltypes = None  # as Numba does: they may not be picklable
            names |= names_of(of)
        machine_code, reload = library._get_compiled_object(), list(library._reload_init)
        environments = results[0]._find_referenced_environments()
        code.write((library.name, machine_code, names, reload, environments, parts))

    def _have(self, library: Any, description: Any, environment: Any, signature: Any) -> Any:
        """Use the code of a library; return Numba's result."""
        target = cpu_target.target_context
        result: CompileResult = compile_result(
            target_context=target,
            typing_context=cpu_target.typing_context,
            library=library,
            environment=environment,
            entry_point=target.get_executable(library, description, environment),
            fndesc=description,
            signature=signature,
            objectmode=False,
            lifted=(),
            reload_init=[],
        )
        if self._result is None:  # else it was loaded before it got companions
            self._result = result
            self.dispatcher.add_overload(result)
            self.dispatcher.disable_compile()
        return result

    def piece(self) -> Any:
        """Return the function for compilation with its callers: Numba's result, without code."""
        with global_compiler_lock:
            if self._piece is None:
                self._piece = self._translated()
                description, library = self._piece.fndesc, self._piece.library
                target = cpu_target.target_context
                target.insert_user_function(self.dispatcher, description, [library])
                record(1 + len(self.py_func.__code__.co_code) // _CODE_A_STEP)
            return self._piece

    def _translated(self) -> Any:
        """Return the result of `piece`; after an error, raise that again, as callers try twice."""
        if self._error is not None:
            raise self._error
        try:
            with self.dispatcher._compiling_counter:  # by which Numba detects recursion
                return piece(self.py_func, self.declared, distinct=self._distinct)
        except NumbaError as error:
            self._error = error
            raise

    def code(self) -> Any:
        """Return Numba's result with the code; load or compile it first, if necessary."""
        self.settle()
        assert self._result is not None
        return self._result

    def __wrapper_address__(self) -> int:
        """Return the code's address; Numba asks for it if Python passes the function on."""
        code = self.code()
        address: int = code.library.get_pointer_to_function(code.fndesc.llvm_cfunc_wrapper_name)
        return address


class _Dispatcher(CPUDispatcher):
    """A lazy function as Numba knows functions."""

    def __init__(self, function: LazyFunction) -> None:
        options = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": None}
        super().__init__(function.py_func, targetoptions=options)
        self._function = function
        self._compiler: Any  # made by Numba

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the type of a call; Numba calls this when it compiles a caller."""
        name, signatures = self.py_func.__name__, [self._function.piece().signature]
        template = make_concrete_template(f"Call({name})", name, signatures)
        return template, *self._compiler.fold_argument_types(args, kws), {}

    def get_overload(self, _signature: Any) -> Any:
        """Return the key under which Numba finds the code that a caller calls."""
        return self

    def get_compile_result(self, _sig: Any) -> Any:
        """Return the code; Numba calls this if compiled code passes the function on."""
        return self._function.code()

    def _compile_for_args(self, *_args: Any, **_kws: Any) -> Any:
        """Return the function to call with argument types for which Numba has no code."""
        self._function.settle()
        return self  # it converts the arguments, or raises an error that explains why it cannot


def together(*functions: Callable[..., Any]) -> None:
    """Make functions companions, so that they are compiled together when one is needed."""
    own = tuple(each for each in functions if isinstance(each, LazyFunction))
    for each in own:
        each._companions = own


def settle(functions: Iterable[object]) -> None:
    """Load or compile the code of those functions that are compiled on first use.

    Functions that another process is compiling come last.
    """
    own = [each for each in functions if isinstance(each, LazyFunction)]
    for each in [each for each in own if not each.settle(wait=False)]:
        each.settle()
