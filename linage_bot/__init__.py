"""Linage and four related abstract games: exact rules and a search behind the Go Text Protocol.

This is the library, described in docs/library.md. Each public name is imported when it is first
used: the rules need few modules, and Numba is loaded when an engine first searches.
"""

# Nothing is imported here: the command line cannot handle Ctrl-C until this module is loaded.
TYPE_CHECKING = False  # as `typing` has it
if TYPE_CHECKING:
    from typing import Any

    from linage_bot.arena.player import GtpPlayer
    from linage_bot.drawing import Picture, as_text
    from linage_bot.engine.analysis import Analysis, Candidate
    from linage_bot.engine.decision import Decision
    from linage_bot.engine.engine import Engine
    from linage_bot.engine.jit.progress import CompileProgress
    from linage_bot.engine.limits import Limits
    from linage_bot.engine.pie.offer import FairPie
    from linage_bot.engine.warming import warm
    from linage_bot.records import (
        BadFen,
        BadRecord,
        Record,
        from_fen,
        from_sgf,
        read_sgf,
        to_fen,
        to_sgf,
    )
    from linage_bot.rules import GAMES
    from linage_bot.rules.game import PASS, Game, IllegalMove, Player, Position
    from linage_bot.rules.history import History
    from linage_bot.rules.options import BadOption
    from linage_bot.settings.playing import PlaySettings
    from linage_bot.version import __version__ as __version__
    from protocol.session.errors import (
        CannotStart,
        CommandFailed,
        ConnectionLost,
        EngineTimeout,
        LocalProtocolError,
        RemoteProtocolError,
    )

__all__ = [
    "GAMES",
    "PASS",
    "Analysis",
    "BadFen",
    "BadOption",
    "BadRecord",
    "Candidate",
    "CannotStart",
    "CommandFailed",
    "CompileProgress",
    "ConnectionLost",
    "Decision",
    "Engine",
    "EngineTimeout",
    "FairPie",
    "Game",
    "GtpPlayer",
    "History",
    "IllegalMove",
    "Limits",
    "LocalProtocolError",
    "Picture",
    "PlaySettings",
    "Player",
    "Position",
    "Record",
    "RemoteProtocolError",
    "as_text",
    "from_fen",
    "from_sgf",
    "game",
    "read_sgf",
    "to_fen",
    "to_sgf",
    "warm",
]

_HOMES = {
    "linage_bot.arena.player": ("GtpPlayer",),
    "linage_bot.drawing": ("Picture", "as_text"),
    "linage_bot.engine.analysis": ("Analysis", "Candidate"),
    "linage_bot.engine.decision": ("Decision",),
    "linage_bot.engine.engine": ("Engine",),
    "linage_bot.engine.jit.progress": ("CompileProgress",),
    "linage_bot.engine.limits": ("Limits",),
    "linage_bot.engine.pie.offer": ("FairPie",),
    "linage_bot.engine.warming": ("warm",),
    "linage_bot.records": (
        *("BadFen", "BadRecord", "Record"),
        *("from_fen", "from_sgf", "read_sgf", "to_fen", "to_sgf"),
    ),
    "linage_bot.rules": ("GAMES",),
    "linage_bot.rules.game": ("PASS", "Game", "IllegalMove", "Player", "Position"),
    "linage_bot.rules.history": ("History",),
    "linage_bot.rules.options": ("BadOption",),
    "linage_bot.settings.playing": ("PlaySettings",),
    "linage_bot.version": ("__version__",),
    "protocol.session.errors": (
        *("CannotStart", "CommandFailed", "ConnectionLost"),
        *("EngineTimeout", "LocalProtocolError", "RemoteProtocolError"),
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def game(
    name: str,
    size: int | str | None = None,
    komi: float | None = None,
    **options: int | str | bool,
) -> "Game":
    """Return a game by the name that `--game` takes, such as `linage-two-color`, ready to start.

    `size` is a number or, for rectangles, columns and rows such as `9x7`; the options are those
    that `linage-bot games` lists. Raise `BadOption` for an invalid name, size, komi or option.
    """
    from linage_bot.rules import GAMES
    from linage_bot.rules.options import BadOption, format_option

    if name not in GAMES:
        raise BadOption("game", f"{name!r} is not a game; the games are {', '.join(GAMES)}")
    words = {each: format_option(value) for each, value in options.items()}
    return GAMES[name].configure(None if size is None else str(size), komi, words)


def __getattr__(name: str) -> "Any":
    import importlib

    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value  # so that this function is called once for each name
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
