"""TOML files read into frozen attrs classes; every fault becomes one line naming file and key.

A settings class is an ordinary attrs class: its annotations are the types, fields without a
default are required, and a field's validator raises `ValueError` with a reason for a bad value.
Validators see the whole object, so one of them can judge several fields together.

TOML's types are taken at their word: `"5"` is not a number and `1` is not true. Only a whole number
may stand where a fraction is expected.
"""

from __future__ import annotations

import contextlib
import difflib
import math
import re
import tomllib
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar, Union, get_args, get_origin

import attrs
import cattrs

T = TypeVar("T")

_LONGEST: Final = 1 << 20  # bytes

_WORDS: Final[dict[type, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    tuple: "a list",
    dict: "a table",
}


class ConfigError(Exception):
    """A settings file that cannot be used; `key` is where in it: `engines[1].command`, `line 3`."""

    def __init__(self, path: Path, key: str, reason: str) -> None:
        super().__init__(f"{path}: {key}: {reason}" if key else f"{path}: {reason}")
        self.path = path
        self.key = key
        self.reason = reason


def load(path: Path, cls: type[T]) -> T:
    """The settings of class `cls` that a TOML file holds; raises `ConfigError`."""
    try:
        return _CONVERTER.structure(_parse(path), cls)
    except _Fault as fault:
        raise ConfigError(path, fault.key, fault.reason) from None


class _Fault(ValueError):
    """A fault on its way up; each level puts its key before it."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason


@contextlib.contextmanager
def _at(key: str) -> Iterator[None]:
    """Name the key under which a fault is found: `engines`, `[1]`."""
    try:
        yield
    except _Fault as fault:
        joint = "" if not fault.key or fault.key.startswith("[") else "."
        raise _Fault(f"{key}{joint}{fault.key}", fault.reason) from None
    except ValueError as error:
        raise _Fault(key, str(error)) from None


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_LONGEST + 1)
        if len(data) > _LONGEST:
            raise _Fault("", f"longer than {_LONGEST >> 20} MiB")
        return data.decode("utf-8")
    except OSError as error:
        raise _Fault("", error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        raise _Fault(f"byte {error.start + 1}", "not UTF-8 text") from None


def _parse(path: Path) -> dict[str, Any]:
    """The file as TOML sees it."""
    text = _read(path)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, where = str(error), f"line {text.rstrip().count(chr(10)) + 1}"
        if match := re.fullmatch(r"(.*) \(at (.*)\)", reason, re.DOTALL):
            reason = match[1]
            if match[2].startswith("line"):  # not "end of document"
                where = match[2]
        raise _Fault(where, reason[:1].lower() + reason[1:]) from None
    except RecursionError:
        raise _Fault("", "lists or tables too deep in one another") from None
    except ValueError:  # of int(), for so many digits that it would take too long
        raise _Fault("", "a number of too many digits") from None


# ----------------------------------------------------------------------------- types


def _describe(value: object) -> str:
    """A value of the file as a message may quote it."""
    if isinstance(value, list | dict):
        return _WORDS[tuple if isinstance(value, list) else dict]
    shown = str(value).lower() if isinstance(value, bool) else repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _expect(word: str, value: object) -> _Fault:
    return _Fault("", f"expected {word}, not {_describe(value)}")


def _scalar(value: Any, kind: Any) -> Any:
    """A value that TOML itself calls by this type."""
    if type(value) is int and value.bit_length() > 63:  # as TOML has them
        raise _Fault("", "a whole number of more than 64 bits")
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise _expect(_WORDS[kind], value)
    if kind is float and not math.isfinite(value):
        raise _Fault("", f"{value} is not a number to count with")
    return value


def _tuple(value: Any, kind: Any) -> tuple[Any, ...]:
    """A list, each item of the one type that `tuple[item, ...]` names."""
    if not isinstance(value, list | tuple):
        raise _expect(_WORDS[tuple], value)
    items = []
    for index, item in enumerate(value):
        with _at(f"[{index}]"):
            items.append(_CONVERTER.structure(item, get_args(kind)[0]))
    return tuple(items)


def _mapping(value: Any, kind: Any) -> dict[str, Any]:
    """A table with keys of the user's own."""
    if not isinstance(value, dict):
        raise _expect(_WORDS[dict], value)
    made = {}
    for key, item in value.items():
        with _at(key):
            made[key] = _CONVERTER.structure(item, get_args(kind)[1])
    return made


def _shape(kind: Any) -> type:
    """The TOML type that a Python type is read from."""
    if attrs.has(kind) or _is_mapping(kind):
        return dict
    origin = get_origin(kind) or kind
    return origin if isinstance(origin, type) else object


def _union(value: Any, kind: Any) -> Any:
    """The one member of a union whose TOML type the value has; None means "may be left out"."""
    members = [member for member in get_args(kind) if member is not type(None)]
    shapes = {tuple if isinstance(value, list) else type(value)}
    if type(value) is int:
        shapes.add(float)
    for member in members:
        if _shape(member) in shapes or len(members) == 1:
            return _CONVERTER.structure(value, member)
    raise _expect(" or ".join(_WORDS.get(_shape(member), "?") for member in members), value)


def _is_tuple(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin is tuple


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, types.UnionType)


def _is_mapping(kind: Any) -> bool:
    return get_origin(kind) in (dict, Mapping)


# ----------------------------------------------------------------------------- classes


def _class_reader(cls: Any) -> Callable[[Any, Any], Any]:
    attrs.resolve_types(cls)
    fields: dict[str, attrs.Attribute[Any]] = {
        field.name: field for field in attrs.fields(cls) if field.init
    }

    def read_class(value: Any, _cls: Any) -> Any:
        if not isinstance(value, dict):
            raise _expect(_WORDS[dict], value)
        for key in value:
            if key not in fields:
                raise _Fault(key, _unknown(key, fields))
        for name, field in fields.items():
            if field.default is attrs.NOTHING and name not in value:
                raise _Fault(name, "this key is missing")
        values = {}
        for name in fields:
            if name in value:
                with _at(name):
                    values[name] = _CONVERTER.structure(value[name], _type(fields[name]))
        with attrs.validators.disabled():  # run below, where a fault's field is known
            made = cls(**values)
        for name, field in fields.items():
            if field.validator is not None:
                with _at(name):
                    field.validator(made, field, getattr(made, name))
        return made

    return read_class


def _type(field: attrs.Attribute[Any]) -> Any:
    return field.type


def _unknown(key: str, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(key, known, n=1)
    if near:
        return f"unknown key; did you mean {near[0]!r}?"
    return f"unknown key; there are {', '.join(known)}"


def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(detailed_validation=False)
    for kind in (bool, int, float, str):
        converter.register_structure_hook(kind, _scalar)
    converter.register_structure_hook_func(_is_tuple, _tuple)
    converter.register_structure_hook_func(_is_mapping, _mapping)
    converter.register_structure_hook_func(_is_union, _union)
    converter.register_structure_hook_factory(attrs.has, _class_reader)
    return converter


_CONVERTER: Final = _converter()
