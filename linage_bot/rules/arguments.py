"""Arguments of the library: NumPy's numbers become Python's; wrong types are refused by name."""

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


def check_type(name: str, value: object, kind: type) -> None:
    """Raise `TypeError`, with the names of the argument and of both types, for another type."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected {kind.__name__}, not {type(value).__name__}")


def check_given(kind: type, **arguments: object) -> None:
    """Raise `TypeError` as `check_type` does for an argument that is neither None nor of a type."""
    for name, value in arguments.items():
        if value is not None:
            check_type(name, value, kind)


def of_type(kind: type) -> Any:
    """Return a validator that calls `check_type` with the field's name; None passes."""

    def check(_instance: object, field: Any, value: object) -> None:
        check_given(kind, **{field.name: value})

    return check
