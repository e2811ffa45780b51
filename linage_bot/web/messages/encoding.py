"""The form of a message on the wire: compact JSON, with names in camelCase."""

import json
from typing import Any

import attrs


def encode(message: Any) -> str:
    """Return a message as compact JSON. Raise `TypeError` if a part of it has no form there."""
    return json.dumps(message, separators=(",", ":"), default=_fields)


def _fields(message: Any) -> dict[str, Any]:
    return {
        camel_case(each.name): getattr(message, each.name) for each in attrs.fields(type(message))
    }


def camel_case(name: str) -> str:
    """Return the name on the wire of a field: `toMove` for `to_move`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
