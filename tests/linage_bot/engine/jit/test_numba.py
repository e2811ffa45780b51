"""Canary: the internals of Numba that `engine/jit` needs, which Numba does not guarantee.

A new Numba that lacks any of it fails here, by name, and not somewhere in a search.
"""

from importlib import import_module, metadata

import numba
import pytest
from packaging.requirements import Requirement

# Modules, and paths to the parts in use; the docstrings of `engine/jit` give the reasons.
_INSIDES = (
    ("numba.core.codegen", "JITCPUCodegen.create_library"),
    ("numba.core.codegen", "JITCPUCodegen.magic_tuple"),
    ("numba.core.codegen", "JITCPUCodegen.set_env"),
    ("numba.core.codegen", "JITCodeLibrary._finalize_final_module"),
    ("numba.core.codegen", "JITCodeLibrary._get_compiled_object"),
    ("numba.core.codegen", "JITCodeLibrary._get_module_for_linking"),
    ("numba.core.codegen", "JITCodeLibrary._optimize_functions"),
    ("numba.core.codegen", "JITCodeLibrary._set_compiled_object"),
    ("numba.core.codegen", "JITCodeLibrary.enable_object_caching"),
    ("numba.core.codegen", "JITCodeLibrary.finalize"),
    ("numba.core.codegen", "JITCodeLibrary.get_pointer_to_function"),
    ("numba.core.codegen", "JITCodeLibrary.has_dynamic_globals"),
    ("numba.core.compiler", "CompileResult._find_referenced_environments"),
    ("numba.core.compiler", "Compiler.define_pipelines"),
    ("numba.core.compiler", "Flags.no_compile"),
    ("numba.core.compiler", "Flags.no_cfunc_wrapper"),
    ("numba.core.compiler", "Flags.no_cpython_wrapper"),
    ("numba.core.compiler", "compile_extra"),
    ("numba.core.compiler", "compile_result"),
    ("numba.core.compiler_lock", "global_compiler_lock.__enter__"),
    ("numba.core.cpu", "CPUContext.codegen"),
    ("numba.core.cpu", "CPUContext.create_cfunc_wrapper"),
    ("numba.core.cpu", "CPUContext.create_cpython_wrapper"),
    ("numba.core.cpu", "CPUContext.get_executable"),
    ("numba.core.cpu", "CPUContext.insert_user_function"),
    ("numba.core.cpu", "CPUContext.refresh"),
    ("numba.core.funcdesc", "FunctionDescriptor.llvm_cfunc_wrapper_name"),
    ("numba.core.funcdesc", "FunctionDescriptor.llvm_cpython_wrapper_name"),
    ("numba.core.funcdesc", "FunctionDescriptor.llvm_func_name"),
    ("numba.core.registry", "CPUDispatcher._compile_for_args"),
    ("numba.core.registry", "CPUDispatcher.add_overload"),
    ("numba.core.registry", "CPUDispatcher.disable_compile"),
    ("numba.core.registry", "CPUDispatcher.get_call_template"),
    ("numba.core.registry", "CPUDispatcher.get_compile_result"),
    ("numba.core.registry", "CPUDispatcher.get_overload"),
    ("numba.core.registry", "cpu_target.target_context"),
    ("numba.core.registry", "cpu_target.typing_context"),
    ("numba.core.serialize", "dumps"),
    ("numba.core.typing.templates", "make_concrete_template"),
    ("numba.types", "Dispatcher"),
    ("numba.types", "FunctionType"),
    ("numba.types", "WrapperAddressProtocol.__wrapper_address__"),
    ("numba.types", "WrapperAddressProtocol.signature"),
)


@pytest.mark.parametrize(("module", "path"), _INSIDES, ids=lambda each: each)
def test_numba_has_what_is_used_of_its_insides(module: str, path: str) -> None:
    """A missing part of Numba is reported in one sentence that names Numba's version."""
    found = import_module(module)
    for name in path.split("."):
        if not hasattr(found, name):
            pytest.fail(f"Numba {numba.__version__} has no {module}.{path}, which engine/jit needs")
        found = getattr(found, name)


def test_a_dispatcher_has_what_is_set_and_read_in_it() -> None:
    """A dispatcher of Numba has the attributes that engine/jit uses."""
    dispatcher = numba.njit(lambda: 0)
    for name in ("_compiler", "_compiling_counter", "overloads"):
        if not hasattr(dispatcher, name):
            pytest.fail(
                f"Numba {numba.__version__}: dispatchers have no {name}, used by engine/jit"
            )


def test_the_numba_installed_is_one_that_this_was_tested_with() -> None:
    """The installed Numba is within the upper bound of the package's requirements."""
    wanted = [Requirement(each) for each in metadata.requires("linage-bot") or ()]
    (own,) = [each for each in wanted if each.name == "numba" and each.marker is None]
    assert any(each.operator == "<" for each in own.specifier)
    assert own.specifier.contains(numba.__version__)
