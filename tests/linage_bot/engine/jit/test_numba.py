"""Canary: what `engine/jit` needs of Numba's insides, which no promise of Numba's covers.

A new Numba that lacks any of it fails here, by name, and not somewhere in a search.
"""

from importlib import import_module, metadata

import numba
import pytest
from packaging.requirements import Requirement

# Module, and the way from there to what is used, as the docstrings of `engine/jit` say what for.
_INSIDES = (
    ("numba.core.caching", "NullCache.load_overload"),
    ("numba.core.caching", "NullCache.save_overload"),
    ("numba.core.caching", "NullCache.disable"),
    ("numba.core.codegen", "JITCPUCodegen.magic_tuple"),
    ("numba.core.codegen", "JITCodeLibrary.get_pointer_to_function"),
    ("numba.core.codegen", "JITCodeLibrary.has_dynamic_globals"),
    ("numba.core.compiler", "CompileResult._rebuild"),
    ("numba.core.compiler", "CompileResult._reduce"),
    ("numba.core.compiler_lock", "global_compiler_lock.__enter__"),
    ("numba.core.cpu", "CPUContext.codegen"),
    ("numba.core.cpu", "CPUContext.refresh"),
    ("numba.core.funcdesc", "FunctionDescriptor.llvm_cfunc_wrapper_name"),
    ("numba.core.registry", "CPUDispatcher._compile_for_args"),
    ("numba.core.registry", "CPUDispatcher.compile"),
    ("numba.core.registry", "CPUDispatcher.disable_compile"),
    ("numba.core.registry", "CPUDispatcher.get_call_template"),
    ("numba.core.registry", "CPUDispatcher.get_compile_result"),
    ("numba.core.serialize", "dumps"),
    ("numba.types", "FunctionType"),
    ("numba.types", "WrapperAddressProtocol.__wrapper_address__"),
    ("numba.types", "WrapperAddressProtocol.signature"),
)


@pytest.mark.parametrize(("module", "path"), _INSIDES, ids=lambda each: each)
def test_numba_has_what_is_used_of_its_insides(module: str, path: str) -> None:
    """Else one sentence says what is gone, and from which version."""
    found = import_module(module)
    for name in path.split("."):
        if not hasattr(found, name):
            pytest.fail(f"Numba {numba.__version__} has no {module}.{path}, which engine/jit needs")
        found = getattr(found, name)


def test_a_dispatcher_has_what_is_set_and_read_in_it() -> None:
    """Attributes that are made with a dispatcher: its cache, and its code by signature."""
    dispatcher = numba.njit(lambda: 0)
    for name in ("_cache", "overloads", "targetoptions"):
        if not hasattr(dispatcher, name):
            pytest.fail(
                f"Numba {numba.__version__}: dispatchers have no {name}, used by engine/jit"
            )


def test_the_numba_installed_is_one_that_this_was_tested_with() -> None:
    """The bound on minor versions is in the package's own requirements, for pip to keep."""
    wanted = [Requirement(each) for each in metadata.requires("linage-bot") or ()]
    (own,) = [each for each in wanted if each.name == "numba" and each.marker is None]
    assert any(each.operator == "<" for each in own.specifier)
    assert own.specifier.contains(numba.__version__)
