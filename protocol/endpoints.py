r"""Twisted's endpoint strings, read before Twisted does, so that what is wrong is said in words.

    tcp:5001:interface=127.0.0.1

First the kind, then what it needs, then options by name; a colon within a word is written `\:`.
"""

import re
from collections.abc import Mapping
from typing import Final

import attrs

_WORD: Final = re.compile(r"(?:[^:\\]|\\.)*", re.DOTALL)
_NAMED: Final = re.compile(r"((?:[^=\\]|\\.)*)=(.*)", re.DOTALL)
_MOST_PORT: Final = 65_535


class BadEndpoint(ValueError):
    """An endpoint that cannot be used; says which and why."""


@attrs.frozen
class _Kind:
    """What comes behind the name of a kind: words that must be there, and options."""

    needs: tuple[str, ...]
    options: tuple[str, ...]


_FILES: Final = ("privateKey", "certKey", "extraCertChain", "dhParameters")
_SERVERS: Final = {
    "tcp": _Kind(("port",), ("interface", "backlog")),
    "tcp6": _Kind(("port",), ("interface", "backlog")),
    "ssl": _Kind(
        ("port", "privateKey"),
        ("certKey", "interface", "backlog", "extraCertChain", "dhParameters", "sslmethod"),
    ),
    "unix": _Kind(("address",), ("mode", "backlog", "lockfile")),
    "systemd": _Kind(("domain",), ("index", "name")),
}
_CLIENTS: Final = {
    "tcp": _Kind(("host", "port"), ("timeout", "bindAddress")),
    "tls": _Kind(
        ("host", "port"),
        ("timeout", "bindAddress", "certificate", "privateKey", "trustRoots", "endpoint"),
    ),
    "ssl": _Kind(
        ("host", "port"), ("timeout", "bindAddress", "certKey", "privateKey", "caCertsDir")
    ),
    "unix": _Kind(("path",), ("timeout", "lockfile")),
}
_PROXIED: Final = "haproxy"


def check_server(description: str) -> None:
    """Raise `BadEndpoint` for what nobody can listen on: `tcp:5001`, `ssl:443:privateKey=…`."""
    inner = description
    while inner.startswith(f"{_PROXIED}:"):
        inner = inner.removeprefix(f"{_PROXIED}:")
    reason = _why_bad(inner, _SERVERS, least_port=0)
    if reason is not None:
        raise BadEndpoint(f"{description!r} is not an endpoint such as tcp:5001: {reason}")


def check_client(description: str) -> None:
    """Raise `BadEndpoint` for what nobody can connect to: `tcp:HOST:5001`."""
    reason = _why_bad(description, _CLIENTS, least_port=1)
    if reason is not None:
        raise BadEndpoint(f"{description!r} is not an endpoint such as tcp:HOST:PORT: {reason}")


def _why_bad(description: str, kinds: Mapping[str, _Kind], least_port: int) -> str | None:
    words = _split(description)
    if words is None:
        return "a backslash stands before nothing"
    kind = kinds.get(words[0])
    if kind is None:
        return f"it begins with none of {', '.join(kinds)}"
    values: dict[str, str] = {}
    needs = iter(kind.needs)
    for word in words[1:]:
        named = _NAMED.fullmatch(word)
        name = named[1] if named else next(needs, None)
        if name is None:
            return f"{word!r} is one word too many; a colon within a word is written \\:"
        if name not in kind.needs + kind.options:
            return f"there is no option {name!r}, only {', '.join(kind.options)}"
        if name in values:
            return f"{name} is given twice"
        values[name] = re.sub(r"\\(.)", r"\1", named[2] if named else word)
        reason = _why_bad_value(name, values[name], least_port)
        if reason is not None:
            return reason
    missing = [name for name in kind.needs if not values.get(name)]
    return f"the {missing[0]} is missing" if missing else None


def _split(description: str) -> list[str] | None:
    """The words between colons, as they are written; None if the last one is cut off."""
    words, place = [], -1
    while place < len(description):
        match = _WORD.match(description, place + 1)
        assert match is not None  # it matches nothing, too
        words.append(match[0])
        place = match.end()
        if description[place : place + 1] == "\\":
            return None
    return words


def _why_bad_value(name: str, value: str, least_port: int) -> str | None:
    if name == "port" and value and not _is_number(value, least_port, _MOST_PORT):
        return f"port {value!r} is not a number from {least_port} to {_MOST_PORT}"
    if name in ("host", "interface", "bindAddress") and not _is_host(value):
        return f"no machine can be called {value!r}"
    if name in ("backlog", "timeout", "index") and not _is_number(value, 0, _MOST_PORT):
        return f"{name} {value!r} is not a number from 0 to {_MOST_PORT}"
    if name == "mode" and not re.fullmatch("[0-7]{1,4}", value):
        return f"mode {value!r} is not a number such as 660"
    if name == "lockfile" and value not in ("0", "1"):
        return f"lockfile {value!r} is neither 0 nor 1"
    return None


def _is_number(word: str, least: int, most: int) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10 and least <= int(word) <= most


def _is_host(word: str) -> bool:
    """Whether a name can be looked up at all: Twisted would wait for ever for one that cannot."""
    try:
        word.encode("idna")
    except UnicodeError:
        return False
    return True
