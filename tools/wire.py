"""Write `linage_bot/web/wire.d.ts`: the types of the page's messages and actions, for its scripts.

    python tools/wire.py

The interfaces are those of the frozen classes in `web.messages.kinds` and `web.table.actions`, with
names in camelCase and without the suffix `Message`.
"""

import enum
import inspect
import types
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import attrs

from linage_bot.web.messages.encoding import camel_case
from linage_bot.web.messages.kinds import EVENTS, RESPONSES
from linage_bot.web.messages.requests import REQUESTS
from linage_bot.web.table.actions import ACTIONS

FILE = Path(__file__).parents[1] / "linage_bot" / "web" / "wire.d.ts"
_HEAD = "// The messages between the server and the page. Written by tools/wire.py; do not edit.\n"
_SIMPLE: dict[Any, str] = {
    int: "number",
    float: "number",
    str: "string",
    bool: "boolean",
    type(None): "null",
}


def text() -> str:
    """Return the content of the file."""
    seen: dict[type, str] = {}
    for kind in (*EVENTS.values(), *RESPONSES.values(), *REQUESTS.values()):
        for each in _classes(kind):
            seen.setdefault(each, _interface(each))
    actions = {word: _object(_fields(each)) for word, each in ACTIONS.items()}
    groups = [
        _group("Events", "The events to the pages of a table, by kind.", _shown(EVENTS)),
        _group("Responses", "The responses to requests.", _shown(RESPONSES)),
        _group("Requests", "The bodies of other requests.", _shown(REQUESTS)),
        _group("Actions", "The bodies of a page's actions, by the last word of the path.", actions),
    ]
    return "\n".join([_HEAD, *sorted(seen.values(), key=_name_of_text), *groups])


def _name_of_text(interface: str) -> str:
    return interface.partition("export interface ")[2]


def _classes(kind: Any) -> Iterator[type]:
    """Yield the attrs classes in a type, and in the types of their fields."""
    if attrs.has(kind) and attrs.fields(kind):
        yield kind
        for field in _fields(kind).values():
            yield from _classes(field)
    for part in typing.get_args(kind):
        yield from _classes(part)


def _fields(kind: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {camel_case(each.name): hints[each.name] for each in attrs.fields(kind)}


def _interface(kind: type) -> str:
    summary = (inspect.getdoc(kind) or "").partition("\n")[0]
    base = kind.__base__ if attrs.has(kind.__base__ or object) else None
    inherited = _fields(base) if base else {}
    fields = {name: each for name, each in _fields(kind).items() if name not in inherited}
    if kind in REQUESTS.values():
        usual = {camel_case(e.name) for e in attrs.fields(kind) if e.default is not attrs.NOTHING}
        fields = {f"{name}?" if name in usual else name: each for name, each in fields.items()}
    head = f"{_name(kind)} extends {_name(base)}" if base else _name(kind)
    return _group(head, summary, _shown(fields))


def _shown(types: Mapping[str, Any]) -> dict[str, str]:
    return {name: _type(each) for name, each in types.items()}


def _group(head: str, summary: str, fields: Mapping[str, str]) -> str:
    lines = "".join(f"  {_key(field)}: {shown};\n" for field, shown in fields.items())
    return f"/** {summary} */\nexport interface {head} {{\n{lines}}}\n"


def _object(fields: Mapping[str, Any]) -> str:
    if not fields:
        return "Record<string, never>"
    return "{ " + "; ".join(f"{name}: {_type(kind)}" for name, kind in fields.items()) + " }"


def _key(name: str) -> str:
    return name if name.removesuffix("?").isidentifier() else f'"{name}"'


def _name(kind: type) -> str:
    return kind.__name__.removesuffix("Message")


def _type(kind: Any) -> str:
    """Return a type in TypeScript. Raise `TypeError` for one that has no form on the wire."""
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if attrs.has(kind):
        return _name(kind) if attrs.fields(kind) else _object({})
    if isinstance(kind, type) and issubclass(kind, enum.IntEnum):
        return " | ".join(str(each.value) for each in kind)
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return " | ".join(f'"{each}"' for each in parts)
    if origin in (types.UnionType, typing.Union):
        return " | ".join(_type(each) for each in parts)
    if origin is tuple and parts[-1] is ...:
        inner = _type(parts[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(_type(each) for each in parts)}]"
    if origin is Mapping:
        return f"Record<{_type(parts[0])}, {_type(parts[1])}>"
    raise TypeError(f"{kind} has no type in TypeScript")


if __name__ == "__main__":
    FILE.write_text(text())
