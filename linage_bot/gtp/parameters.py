"""Commands that read and change how the engine plays."""

import math
from collections.abc import Callable
from typing import Any

import attrs

from linage_bot.gtp.engine import GtpEngine, commands
from linage_bot.gtp.graphics import LIVE
from linage_bot.settings.playing import BOUNDS
from linage_bot.settings.remote_clients import most_for_client
from protocol.session.arguments import parse_float, parse_int
from protocol.session.errors import CommandFailed


@attrs.frozen
class _Parameter:
    """A field of `PlaySettings` as a GTP parameter; `none` is the word for no value."""

    field: str
    read: Callable[[str], float]
    none: str | None = None


_PARAMETERS = {
    "maxVisits": _Parameter("visits", parse_int, "unlimited"),
    "maxTime": _Parameter("seconds", parse_float, "unlimited"),
    "threads": _Parameter("threads", parse_int),
    "seed": _Parameter("seed", parse_int, "random"),
    "maxNodes": _Parameter("nodes", parse_int),
    "level": _Parameter("level", parse_int),
    "resignRate": _Parameter("resign_rate", parse_float, "never"),
}

_LIVE = "liveGraphics"  # of the session, not of the player


@commands.named("kata-list-params")
def kata_list_params(_engine: GtpEngine) -> str:
    """List the names of the parameters."""
    return " ".join((*_PARAMETERS, _LIVE))


@commands.named("kata-get-param")
def kata_get_param(engine: GtpEngine, name: str) -> str:
    """Return a parameter's value; fails for an unknown name."""
    if name == _LIVE:
        return engine.live.shows
    parameter = _parameter(name)
    value = getattr(engine.player.settings, parameter.field)
    if value is None:
        return f"{parameter.none}"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


@commands.named("kata-set-param")
def kata_set_param(engine: GtpEngine, name: str, value: str) -> None:
    """Set a parameter from now on: a number, or `unlimited`, `random` or `never` where it fits.

    `maxNodes` limits memory: a node is 72 bytes, and to follow a move the tree is copied. If the
    machine has less memory, there are fewer nodes. When they are used up, the search deletes the
    least visited ones and continues.
    Over TCP `threads`, `maxNodes`, `maxTime` and `maxVisits` are limited by the server's own
    options; if it has neither `--seconds` nor `--visits`, to 600 seconds and 1,000,000 visits.
    `liveGraphics` selects GoGui's drawing during a search: `none`, `variation`, `moves` (size:
    share of visits; number: win rate) or `owners`; over TCP only `none`, as it uses stderr.
    """
    if name == _LIVE:
        if value not in LIVE:
            raise CommandFailed(f"syntax error: {_LIVE} is one of {', '.join(LIVE)}")
        if value != "none" and not engine.live.available:
            raise CommandFailed(f"syntax error: {_LIVE} has no stderr here to go to")
        engine.live.shows = value
        return
    parameter = _parameter(name)
    change = {parameter.field: _value(engine, name, parameter, value)}
    engine.configure(attrs.evolve(engine.player.settings, **change))


@commands.named("linage-param")
def linage_param(engine: GtpEngine, name: str | None = None, value: str | None = None) -> str:
    """List all parameters for GoGui's dialog; with a name and a value, set one."""
    if name is None:
        kinds = {_LIVE: "/".join(("list", *LIVE))}
        return "\n".join(
            f"[{kinds.get(each, 'string')}] {each} {kata_get_param(engine, each)}"
            for each in (*_PARAMETERS, _LIVE)
        )
    if value is None:
        raise CommandFailed("syntax error: usage: linage-param [NAME VALUE]")
    kata_set_param(engine, name, value)
    return ""


@commands.register
def clear_cache(engine: GtpEngine) -> None:
    """Delete all search results, so that the next search begins with an empty tree."""
    engine.clear()


def _parameter(name: str) -> _Parameter:
    if name not in _PARAMETERS:
        raise CommandFailed(f"syntax error: unknown parameter {name[:60]!r}")
    return _PARAMETERS[name]


def _value(engine: GtpEngine, name: str, parameter: _Parameter, word: str) -> Any:
    field, server = parameter.field, engine.bounds
    bound = _most(engine, field)
    if parameter.none is not None and word.lower() == parameter.none:
        value = None
        refused = field in ("visits", "seconds") and getattr(server, field, None) is not None
    else:
        value = parameter.read(word)
        least, most = BOUNDS[field]
        if not least <= value <= most:
            raise CommandFailed(f"syntax error: {name} goes from {least:g} to {most:g}")
        refused = value > bound
    if refused:
        raise CommandFailed(f"syntax error: {name} is at most {bound:.12g} on this server")
    return value


def _most(engine: GtpEngine, field: str) -> float:
    """Return a field's largest value: over the network the limit of the command line."""
    return math.inf if engine.bounds is None else most_for_client(engine.bounds, field)
