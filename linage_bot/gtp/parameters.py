"""Commands that read and change how the engine plays."""

import math
from typing import Any

import attrs

from linage_bot.gtp.engine import GtpEngine, commands
from linage_bot.gtp.graphics import LIVE
from linage_bot.settings.playing import BOUNDS, PARAMETERS, is_whole
from linage_bot.settings.remote_clients import most_for_client
from protocol.session.arguments import parse_float, parse_int
from protocol.session.errors import CommandFailed

_NONE = {"visits": "unlimited", "seconds": "unlimited", "seed": "random", "resign_rate": "never"}
"""The words for None."""
_LIVE = "liveGraphics"  # of the session, not of the player
_LISTED = (*(name for name in PARAMETERS if name != "numSearchThreads"), _LIVE)  # each once


@commands.named("kata-list-params")
def kata_list_params(_engine: GtpEngine) -> str:
    """List the names of the parameters."""
    return " ".join(_LISTED)


@commands.named("kata-get-param")
def kata_get_param(engine: GtpEngine, name: str) -> str:
    """Return a parameter's value; fails for an unknown name."""
    if name == _LIVE:
        return engine.live.shows
    field = _field(name)
    value = getattr(engine.player.settings, field)
    if value is None:
        return _NONE[field]
    return f"{value:.12g}" if isinstance(value, float) else str(value)


@commands.named("kata-set-param")
def kata_set_param(engine: GtpEngine, name: str, value: str) -> None:
    """Set a parameter to a number, or to `unlimited`, `random` or `never` if it accepts that.

    `maxNodes` limits memory: a node is 72 bytes, and the tree is copied when a move is played. If
    the machine has less memory, there are fewer nodes. When all are used, the search deletes the
    least visited ones and continues. `numSearchThreads` is KataGo's name of `threads`.
    Over TCP `threads`, `maxNodes`, `maxTime` and `maxVisits` cannot exceed the options of the
    server; if it has neither `--seconds` nor `--visits`, the limits are 600 seconds and 1,000,000
    visits.
    `liveGraphics` selects GoGui's drawing during a search: `none`, `variation`, `moves` (size:
    share of visits; number: win rate) or `owners`; over TCP only `none`, as it uses stderr.
    """
    if name == _LIVE:
        if value not in LIVE:
            raise CommandFailed(f"syntax error: {_LIVE} is one of {', '.join(LIVE)}")
        if value != "none" and not engine.live.available:
            raise CommandFailed(f"syntax error: {_LIVE} needs the stderr of a local engine")
        engine.live.shows = value
        return
    field = _field(name)
    change = {field: _value(engine, name, field, value)}
    engine.configure(attrs.evolve(engine.player.settings, **change))


@commands.named("linage-param")
def linage_param(engine: GtpEngine, name: str | None = None, value: str | None = None) -> str:
    """List all parameters for GoGui's dialog; with a name and a value, set one."""
    if name is None:
        kinds = {_LIVE: "/".join(("list", *LIVE))}
        return "\n".join(
            f"[{kinds.get(each, 'string')}] {each} {kata_get_param(engine, each)}"
            for each in _LISTED
        )
    if value is None:
        raise CommandFailed("syntax error: usage: linage-param [NAME VALUE]")
    kata_set_param(engine, name, value)
    return ""


@commands.register
def clear_cache(engine: GtpEngine) -> None:
    """Delete all search results, so that the next search begins with an empty tree."""
    engine.clear()


def _field(name: str) -> str:
    if name not in PARAMETERS:
        raise CommandFailed(f"syntax error: unknown parameter {name[:60]!r}")
    return PARAMETERS[name]


def _value(engine: GtpEngine, name: str, field: str, word: str) -> Any:
    server = engine.bounds
    bound = _most(engine, field)
    if word.lower() == _NONE.get(field):
        value = None
        refused = field in ("visits", "seconds") and getattr(server, field, None) is not None
    else:
        value = parse_int(word) if is_whole(field) else parse_float(word)
        least, most = BOUNDS[field]
        if not least <= value <= most:
            raise CommandFailed(f"syntax error: {name} must be from {least:g} to {most:g}")
        refused = value > bound
    if refused:
        raise CommandFailed(f"syntax error: {name} is at most {bound:.12g} on this server")
    return value


def _most(engine: GtpEngine, field: str) -> float:
    """Return a field's largest value: over the network the limit of the command line."""
    return math.inf if engine.bounds is None else most_for_client(engine.bounds, field)
