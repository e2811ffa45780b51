"""Compiled functions that are compiled, or read from disk, when something first needs them.

A kernel is made of up to 60 functions, of which the search calls six; only these become machine
code of their own, all others are `pieces` of it. Numba, told a signature, would compile every one
of them at import; told none, for whatever types it meets. This waits, and compiles for the
signature declared, together with the functions that are needed whenever this one is.

What it needs of Numba's insides: a dispatcher answers its questions by `get_call_template`,
`get_overload` and `get_compile_result`, and `_compiling_counter` tells it of recursion;
`insert_user_function` tells it what to call for a key; `get_executable` and `add_overload` make
code callable from Python; code that `has_dynamic_globals` holds addresses of this process;
environments and the functions in `_reload_init` go with the code.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from numba.core.compiler import CompileResult, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typing.templates import make_concrete_template

from linage_bot.engine.jit.kept import KeptCode
from linage_bot.engine.jit.pieces import names_of, piece, whole
from linage_bot.engine.jit.progress import note

_LINKED_A_NOTE = 2  # these take as long to optimise as a short function to translate
_CODE_A_NOTE = 200  # so does so much bytecode


class Deferred(CPUDispatcher):
    """A function of Numba's that has one signature, for callers compiled and not."""

    def __init__(
        self,
        function: Callable[..., Any],
        signature: Any,
        folder: Path | None = None,
        *,
        distinct: bool = False,
    ) -> None:
        """The code is kept in the folder, if there is one; `distinct` is as for `piece`."""
        options = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": None}
        super().__init__(function, targetoptions=options)
        self.declared = signature
        self._folder = folder
        self._distinct = distinct
        self._piece: Any = None
        self._companions: tuple[Deferred, ...] = (self,)
        self._compiler: Any  # made by Numba

    def settle(self, *, wait: bool = True) -> bool:
        """Have the code for the signature declared, and never any other, its companions' too.

        Without `wait`, returns False where another process is compiling it.
        """
        with global_compiler_lock:
            if self.overloads:
                return True
            functions = [(each.py_func, each.declared) for each in self._companions]
            code = KeptCode(self._folder, functions)
            if not self._load(code):
                with code.alone(wait=wait) as alone:
                    if not alone:
                        return False
                    if not self._load(code):  # another process may have made it meanwhile
                        self._compile(code)
            return True

    def _load(self, code: KeptCode) -> bool:
        """Take the code from the disk, if it is there."""
        cpu_target.target_context.refresh()
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

    def _compile(self, code: KeptCode) -> None:
        pieces = [each.piece() for each in self._companions]
        library = whole(self.py_func.__name__, pieces)
        linked = {part for each in pieces for part in each.library.needed()}
        note(1 + len(linked) // _LINKED_A_NOTE)
        parts = [(each.fndesc, each.environment, each.signature) for each in pieces]
        results = [
            each._have(library, *own) for each, own in zip(self._companions, parts, strict=True)
        ]
        if library.has_dynamic_globals:
            code.cannot("it holds addresses")
            return
        names: set[str] = set()
        for of, _, _ in parts:
            of.typemap = of.calltypes = None  # as Numba does: they may be what cannot be pickled
            names |= names_of(of)
        machine_code, reload = library._get_compiled_object(), list(library._reload_init)
        environments = results[0]._find_referenced_environments()
        code.write((library.name, machine_code, names, reload, environments, parts))

    def _have(self, library: Any, description: Any, environment: Any, signature: Any) -> Any:
        """Take a library's code; returns Numba's result."""
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
        if not self.overloads:  # it may have companions only now
            self.add_overload(result)
            self.disable_compile()
        return result

    def piece(self) -> Any:
        """The function to be compiled with its callers: Numba's result, without code."""
        with global_compiler_lock:
            if self._piece is None:
                with self._compiling_counter:  # by which Numba knows a call of itself
                    self._piece = piece(self.py_func, self.declared, distinct=self._distinct)
                description, library = self._piece.fndesc, self._piece.library
                cpu_target.target_context.insert_user_function(self, description, [library])
                note(1 + len(self.py_func.__code__.co_code) // _CODE_A_NOTE)
            return self._piece

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Numba's question when it compiles a caller."""
        name, signatures = self.py_func.__name__, [self.piece().signature]
        template = make_concrete_template(f"Call({name})", name, signatures)
        return template, *self._compiler.fold_argument_types(args, kws), {}

    def get_overload(self, _signature: Any) -> Any:
        """Numba's question, by what key it finds what a caller calls."""
        return self

    def get_compile_result(self, sig: Any) -> Any:
        """Numba's question when the function is passed as an argument."""
        self.settle()
        return super().get_compile_result(sig)

    def _compile_for_args(self, *_args: Any, **_kws: Any) -> Any:
        """Numba's question, what to call with types that it has no code for."""
        self.settle()
        return self  # which converts them, or says why it cannot


def together(*functions: Callable[..., Any]) -> None:
    """Compile these with one another whenever one of them is needed."""
    own = tuple(each for each in functions if isinstance(each, Deferred))
    for each in own:
        each._companions = own


def settle(functions: Iterable[object]) -> None:
    """Have the code of those that are compiled on first use.

    What another process is compiling comes last.
    """
    own = [each for each in functions if isinstance(each, Deferred)]
    for each in [each for each in own if not each.settle(wait=False)]:
        each.settle()
