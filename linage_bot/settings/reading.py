"""TOML and JSON read into frozen attrs classes; every fault is a line that names the key.

A settings class is an ordinary attrs class: its annotations are the types, fields without a
default are required, and a field's validator raises `ValueError` with a reason for a bad value.
Validators see the whole object, so one of them can judge several fields together.

Types are taken at their word: `"5"` is not a number and `1` is not true. Only a whole number may
stand where a fraction is expected.
"""

import difflib
import json
import math
import re
import tomllib
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar, Union, get_args, get_origin

import attrs
import cattrs

from linage_bot.settings.checks import SettingFault

T = TypeVar("T")

_LONGEST: Final = 1 << 20  # bytes
_TOO_DEEP: Final = "lists or tables too deep in one another"

_WORDS: Final[dict[Any, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    tuple: "a list",
    dict: "a table",
    type(None): "nothing",
}


def load(path: Path, cls: type[T]) -> T:
    """The settings of class `cls` that a TOML file holds.

    Raises `SettingFault`, which does not name the file: whoever tells it knows which that is.
    """
    return read(_parse_toml(path), cls)


def read(value: object, cls: type[T]) -> T:
    """An object of class `cls` from plain values; raises `SettingFault`."""
    return _CONVERTER.structure(value, cls)


def parse_json(text: bytes | str, shape: type = dict) -> Any:
    """The object, or list, that a text of JSON holds; raises `SettingFault`.

    All of it can be written again.
    """
    try:
        table = json.loads(text)
        json.dumps(table, ensure_ascii=False).encode()  # half a surrogate pair cannot be written
    except RecursionError:
        raise SettingFault("", _TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise SettingFault("", f"not JSON: {error}") from None
    except ValueError:
        raise SettingFault("", "not JSON") from None
    if not isinstance(table, shape):
        raise SettingFault("", f"not a JSON {'object' if shape is dict else 'list'}")
    return table


def _parse_toml(path: Path) -> dict[str, Any]:
    """The file as TOML sees it."""
    try:
        with path.open("rb") as file:
            data = file.read(_LONGEST + 1)
        if len(data) > _LONGEST:
            raise SettingFault("", f"longer than {_LONGEST >> 20} MiB")
        text = data.decode("utf-8")
    except OSError as error:
        raise SettingFault("", error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        raise SettingFault(f"byte {error.start + 1}", "not UTF-8 text") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, where = str(error), f"line {text.rstrip().count(chr(10)) + 1}"
        if match := re.fullmatch(r"(.*) \(at (.*)\)", reason, re.DOTALL):
            reason = match[1]
            if match[2].startswith("line"):  # not "end of document"
                where = match[2]
        raise SettingFault(where, reason[:1].lower() + reason[1:]) from None
    except RecursionError:
        raise SettingFault("", _TOO_DEEP) from None
    except ValueError:  # of int(), for so many digits that it would take too long
        raise SettingFault("", "a number of too many digits") from None


def _under(key: str, error: ValueError) -> SettingFault:
    """A fault with the key under which it was found before its own: `engines`, `[1]`."""
    if not isinstance(error, SettingFault):
        return SettingFault(key, str(error))
    joint = "" if not error.key or error.key.startswith("[") else "."
    return SettingFault(f"{key}{joint}{error.key}", error.reason)


# ----------------------------------------------------------------------------- types


def _unexpected(word: str, value: object) -> SettingFault:
    """That a value of the file, which is quoted, should be something else."""
    if isinstance(value, list | dict):
        shown = _WORDS[tuple if isinstance(value, list) else dict]
    else:
        shown = str(value).lower() if isinstance(value, bool) else repr(value)
    return SettingFault("", f"expected {word}, not {shown[:60]}{'...' if shown[60:] else ''}")


def _scalar(value: Any, kind: Any) -> Any:
    """A value that the file itself calls by this type."""
    if type(value) is int and value.bit_length() > 63:  # as TOML has them
        raise SettingFault("", "a whole number of more than 64 bits")
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise _unexpected(_WORDS[kind], value)
    if kind is float and not math.isfinite(value):
        raise SettingFault("", f"{value} is not a number to count with")
    return value


def _tuple(value: Any, kind: Any) -> tuple[Any, ...]:
    """A list with items of one type, or of so many as are named."""
    if not isinstance(value, list | tuple):
        raise _unexpected(_WORDS[tuple], value)
    first, *others = get_args(kind)
    inner = [first] * len(value) if others == [...] else [first, *others]
    if len(inner) != len(value):
        raise SettingFault("", f"{len(value)} items in place of {len(inner)}")
    items: list[Any] = []
    try:
        for item, of in zip(value, inner, strict=True):
            items.append(read(item, of))
    except ValueError as error:
        raise _under(f"[{len(items)}]", error) from None
    return tuple(items)


def _mapping(value: Any, kind: Any) -> dict[str, Any]:
    """A table with keys of the user's own."""
    if not isinstance(value, dict):
        raise _unexpected(_WORDS[dict], value)
    made = {}
    for key, item in value.items():
        try:
            made[key] = read(item, get_args(kind)[1])
        except ValueError as error:
            raise _under(key, error) from None
    return made


def _union(value: Any, kind: Any) -> Any:
    """The one member of a union whose type the value has; in TOML nothing is None."""
    if value is None and type(None) in get_args(kind):
        return None
    shapes = {_shape(member): member for member in get_args(kind) if member is not type(None)}
    own = tuple if isinstance(value, list) else type(value)
    if own is int and int not in shapes:
        own = float
    if own not in shapes and len(shapes) > 1:
        raise _unexpected(" or ".join(_WORDS[shape] for shape in shapes), value)
    return read(value, shapes.get(own) or next(iter(shapes.values())))


def _shape(kind: Any) -> Any:
    """The type, of those in `_WORDS`, that a value of a type is read from."""
    return dict if attrs.has(kind) or _is_mapping(kind) else get_origin(kind) or kind


def _is_mapping(kind: Any) -> bool:
    return get_origin(kind) in (dict, Mapping)


def _is_tuple(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin is tuple


def _is_union(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin in (Union, types.UnionType)


# ----------------------------------------------------------------------------- classes


def _class_reader(cls: Any) -> Callable[[Any, Any], Any]:
    attrs.resolve_types(cls)
    fields: dict[str, attrs.Attribute[Any]] = {
        field.name: field for field in attrs.fields(cls) if field.init
    }

    def read_class(value: Any, _cls: Any) -> Any:
        if not isinstance(value, dict):
            raise _unexpected(_WORDS[dict], value)
        for key in value:
            if key not in fields:
                raise SettingFault(key, f"unknown key; {advice(key, fields)}")
        values = {}
        for name, field in fields.items():
            if name in value:
                try:
                    values[name] = read(value[name], field.type or Any)
                except ValueError as error:
                    raise _under(name, error) from None
            elif field.default is attrs.NOTHING:
                raise SettingFault(name, "this key is missing")
        with attrs.validators.disabled():  # run below, where a fault's field is known
            made = cls(**values)
        for name, field in fields.items():
            try:
                if field.validator is not None:
                    field.validator(made, field, getattr(made, name))
            except ValueError as error:
                raise _under(name, error) from None
        return made

    return read_class


def advice(name: str, known: Mapping[str, object]) -> str:
    """What else might have been meant."""
    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"


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
