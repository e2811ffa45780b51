"""TOML and JSON read into frozen attrs classes; every fault is a line that names the key.

A settings class is an ordinary attrs class: its annotations are the types, fields without a default
are required, and a field's validator raises `ValueError` with a reason for a bad value. Validators
see the whole object, so one of them can check several fields together. The metadata `IN_FILES`
excludes a field from files.

Types are strict: `"5"` is not a number and `1` is not true. Only a whole number is accepted where a
fraction is expected.
"""

import contextlib
import difflib
import json
import math
import tomllib
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar, Union, get_args, get_origin

import attrs
import cattrs

from linage_bot.settings.checks import IN_FILES, SettingFault
from protocol.session.text import decode

T = TypeVar("T")

_LONGEST: Final = 1 << 20  # bytes
_UNIONS: Final = (Union, types.UnionType)
_TOO_DEEP: Final = "lists or tables are nested too deeply"

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
    """Return the settings of class `cls` that a TOML file holds.

    Raises `SettingFault`, which does not name the file; the caller knows its name.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_LONGEST + 1)
        if len(data) > _LONGEST:
            raise SettingFault("", f"longer than {_LONGEST >> 20} MiB")
        text = decode(data)
    except OSError as error:
        raise SettingFault("", error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        raise SettingFault(
            f"byte {error.start + 1}", f"not {error.encoding.upper()} text"
        ) from None
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingFault("", str(error)) from None
    except RecursionError:
        raise SettingFault("", _TOO_DEEP) from None
    except ValueError:  # of int(), for a number with too many digits to convert in time
        raise SettingFault("", "a number with too many digits") from None
    return read(table, cls)


def read(value: object, cls: type[T]) -> T:
    """Return an object of class `cls` from plain values; raises `SettingFault`."""
    return _CONVERTER.structure(value, cls)


def parse_json(text: bytes | str, shape: type = dict) -> Any:
    """Return the object, or list, in a JSON text; raises `SettingFault`.

    All of it can be written again.
    """
    try:
        table = json.loads(text if isinstance(text, bytes) else text.removeprefix("\ufeff"))
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


@contextlib.contextmanager
def _under(key: str) -> Iterator[None]:
    """Put a key before that of a fault which is found under it: `engines`, `[1]`."""
    try:
        yield
    except SettingFault as fault:
        joint = "" if not fault.key or fault.key.startswith("[") else "."
        raise SettingFault(f"{key}{joint}{fault.key}", fault.reason) from None
    except ValueError as error:
        raise SettingFault(key, str(error)) from None


# ----------------------------------------------------------------------------- types


def _unexpected(word: str, value: object) -> SettingFault:
    """Return a fault that quotes a value of the file and names the expected type."""
    if isinstance(value, list | dict):
        shown = _WORDS[tuple if isinstance(value, list) else dict]
    else:
        shown = str(value).lower() if isinstance(value, bool) else repr(value)
    return SettingFault("", f"expected {word}, not {shown[:60]}{'...' if shown[60:] else ''}")


def _scalar(value: Any, kind: Any) -> Any:
    """Return a value whose type in the file is this one; raises `SettingFault`."""
    if type(value) is int and value.bit_length() > 63:  # as TOML has them
        raise SettingFault("", "a whole number of more than 64 bits")
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise _unexpected(_WORDS[kind], value)
    if kind is float and not math.isfinite(value):
        raise SettingFault("", f"{value} is not a finite number")
    return value


def _tuple(value: Any, kind: Any) -> tuple[Any, ...]:
    """Return a list with items of one type, or one item of each type; raises `SettingFault`."""
    if not isinstance(value, list | tuple):
        raise _unexpected(_WORDS[tuple], value)
    first, *others = get_args(kind)
    inner = [first] * len(value) if others == [...] else [first, *others]
    if len(inner) != len(value):
        raise SettingFault("", f"expected {len(inner)} items, not {len(value)}")
    items: list[Any] = []
    for item, of in zip(value, inner, strict=True):
        with _under(f"[{len(items)}]"):
            items.append(read(item, of))
    return tuple(items)


def _mapping(value: Any, kind: Any) -> dict[str, Any]:
    """Return a table with keys of the user's own; raises `SettingFault`."""
    if not isinstance(value, dict):
        raise _unexpected(_WORDS[dict], value)
    made = {}
    for key, item in value.items():
        with _under(key):
            made[key] = read(item, get_args(kind)[1])
    return made


def _union(value: Any, kind: Any) -> Any:
    """Return a value as the one member of a union with its type; TOML has no None."""
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
    """Return the type, of those in `_WORDS`, that a value of a type is read from."""
    shape = get_origin(kind) or kind
    return dict if attrs.has(kind) or shape is Mapping else shape


# ----------------------------------------------------------------------------- classes


def _read_class(value: Any, cls: Any) -> Any:
    """Return an object of an attrs class from a table; raises `SettingFault`."""
    if not isinstance(value, dict):
        raise _unexpected(_WORDS[dict], value)
    fields: dict[str, attrs.Attribute[Any]] = {
        field.name: field
        for field in attrs.fields(attrs.resolve_types(cls))
        if field.init and field.metadata.get(IN_FILES, True)
    }
    for key in value:
        if key not in fields:
            raise SettingFault(key, f"unknown key; {advice(key, fields)}")
    values = {}
    for name, field in fields.items():
        if name in value:
            with _under(name):
                values[name] = read(value[name], field.type or Any)
        elif field.default is attrs.NOTHING:
            raise SettingFault(name, "this key is missing")
    with attrs.validators.disabled():  # run below, where a fault's field is known
        made = cls(**values)
    for name, field in fields.items():
        if field.validator is not None:
            with _under(name):
                field.validator(made, field, getattr(made, name))
    return made


def advice(name: str, known: Mapping[str, object]) -> str:
    """Return a suggestion for a misspelt name, or the list of known names."""
    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"


_CONVERTER: Final = cattrs.Converter(detailed_validation=False)
for _kind in (bool, int, float, str):
    _CONVERTER.register_structure_hook(_kind, _scalar)
_CONVERTER.register_structure_hook_func(lambda kind: _shape(kind) is tuple, _tuple)
_CONVERTER.register_structure_hook_func(lambda kind: _shape(kind) is dict, _mapping)
_CONVERTER.register_structure_hook_func(lambda kind: _shape(kind) in _UNIONS, _union)
_CONVERTER.register_structure_hook_func(attrs.has, _read_class)
