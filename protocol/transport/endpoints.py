r"""A check of Twisted's endpoint strings, done before Twisted's own for clear error messages.

    tcp:5001:interface=127.0.0.1

First the kind, then its required values, then options by name; a colon within a word is written
`\:`.
"""

import re
from collections.abc import Mapping
from typing import Final

_WORD: Final = re.compile(r"(?:^|:)((?:[^:\\]|\\.)*)", re.DOTALL)
_NAMED: Final = re.compile(r"((?:[^=\\]|\\.)*)=(.*)", re.DOTALL)
_MOST_PORT: Final = 65_535


class BadEndpoint(ValueError):
    """An endpoint that cannot be used; the message names it and the reason."""


_Kinds = Mapping[str, tuple[str, str]]
"""The required words and the options of each kind, separated by spaces."""

_SERVERS: Final[_Kinds] = {
    "tcp": ("port", "interface backlog"),
    "tcp6": ("port", "interface backlog"),
    "ssl": ("port privateKey", "certKey interface backlog extraCertChain dhParameters sslmethod"),
    "unix": ("address", "mode backlog lockfile"),
    "systemd": ("domain", "index name"),
}
_CLIENTS: Final[_Kinds] = {
    "tcp": ("host port", "timeout bindAddress"),
    "tls": ("host port", "timeout bindAddress certificate privateKey trustRoots endpoint"),
    "ssl": ("host port", "timeout bindAddress certKey privateKey caCertsDir"),
    "unix": ("path", "timeout lockfile"),
}


def check_server(description: str) -> None:
    """Raise `BadEndpoint` unless a server endpoint is valid: `tcp:5001`, `ssl:443:privateKey=…`."""
    inner = re.sub("^(haproxy:)*", "", description)
    reason = _why_bad(inner, _SERVERS, least_port=0)
    if reason is not None:
        raise BadEndpoint(f"{description!r} is not an endpoint such as tcp:5001: {reason}")


def check_client(description: str) -> None:
    """Raise `BadEndpoint` unless a client endpoint is valid, such as `tcp:HOST:5001`."""
    reason = _why_bad(description, _CLIENTS, least_port=1)
    if reason is not None:
        raise BadEndpoint(f"{description!r} is not an endpoint such as tcp:HOST:PORT: {reason}")


def _why_bad(description: str, kinds: _Kinds, least_port: int) -> str | None:
    first, *words = _WORD.findall(description)
    if len(":".join((first, *words))) < len(description):
        return "there is nothing after a backslash"
    if first not in kinds:
        return f"it must begin with one of {', '.join(kinds)}"
    needs, options = (names.split() for names in kinds[first])
    values: dict[str, str] = {}
    unnamed = iter(needs)
    for word in words:
        named = _NAMED.fullmatch(word)
        name = named[1] if named else next(unnamed, None)
        if name is None:
            return f"{word!r} is one word too many; write a colon within a word as \\:"
        if name not in needs + options:
            return f"there is no option {name!r}; the options are {', '.join(options)}"
        if name in values:
            return f"{name} is given twice"
        values[name] = re.sub(r"\\(.)", r"\1", named[2] if named else word)
        reason = _why_bad_value(name, values[name], least_port)
        if reason is not None:
            return reason
    missing = [name for name in needs if not values.get(name)]
    return f"the {missing[0]} is missing" if missing else None


def _why_bad_value(name: str, value: str, least_port: int) -> str | None:
    if name == "port" and value and not _is_number(value, least_port, _MOST_PORT):
        return f"port {value!r} is not a number from {least_port} to {_MOST_PORT}"
    if name in ("host", "interface", "bindAddress") and not _is_host(value):
        return f"{value!r} cannot be the name of a machine"
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
    """Return whether a name can be looked up; Twisted would wait for ever for an invalid one."""
    try:
        word.encode("idna")
    except UnicodeError:
        return False
    return True
