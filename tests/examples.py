"""The share of a test that the quick run executes; the thorough run executes the rest.

A property test with more or fewer examples than the others asks `examples` for its number; a
test of many costly cases has `some_quick` choose which of them run every time.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from hypothesis import settings

from tests.conftest import THOROUGH


def examples(thorough: int) -> int:
    """Return the number for the chosen Hypothesis profile; `thorough` is that of `.ci/run`."""
    return max(5, thorough * settings().max_examples // THOROUGH)


def some_quick(cases: Iterable[Any], *quick: Any) -> Sequence[Any]:
    """Return cases for `parametrize`: all but those named `quick` are marked `thorough`.

    A case of several arguments is a tuple and is named by the first of them.

    Raises:
        ValueError: If a name is that of no case.
    """
    named = [(case[0] if isinstance(case, tuple) else case, case) for case in cases]
    if unknown := [name for name in quick if name not in [each for each, _ in named]]:
        raise ValueError(f"no such case: {unknown}")
    return [case if name in quick else _thorough(case) for name, case in named]


def _thorough(case: Any) -> Any:
    arguments = case if isinstance(case, tuple) else (case,)
    return pytest.param(*arguments, marks=pytest.mark.thorough)
