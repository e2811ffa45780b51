"""Arguments of the library: numbers of NumPy become Python's own."""

from __future__ import annotations

import numbers
import operator
from typing import Any, SupportsFloat, SupportsIndex


def whole_number(value: SupportsIndex | None) -> Any:
    """Return a whole number as Python's `int`, and any other value unchanged, for a validator."""
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return operator.index(value)
    return value


def number(value: SupportsFloat | SupportsIndex | None) -> Any:
    """Return a number as Python's `int` or `float`, and any other value unchanged."""
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral):
        return float(value)
    return whole_number(value)  # type: ignore[arg-type]  # unless it is one, it is unchanged
