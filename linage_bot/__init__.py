"""Linage and four related abstract games: exact rules and a search behind the Go Text Protocol.

This is the library, described in docs/library.md. Each public name is imported when it is first
used: the rules need few modules, and Numba is loaded when an engine first searches.
"""

# Nothing is imported here: the command line cannot handle Ctrl-C until this module is loaded.
TYPE_CHECKING = False  # as `typing` has it
if TYPE_CHECKING:
    from typing import Any

    from linage_bot.arena.async_player import AsyncPlayer
    from linage_bot.arena.gtp_player import GtpPlayer
    from linage_bot.arena.player import ExternalPlayer
    from linage_bot.arena.ugi_player import UgiPlayer
    from linage_bot.drawing import Picture, as_text
    from linage_bot.engine.analysis import Analysis, Candidate
    from linage_bot.engine.async_engine import AsyncEngine
    from linage_bot.engine.calls import EngineClosed
    from linage_bot.engine.decision import Decision
    from linage_bot.engine.engine import Engine
    from linage_bot.engine.jit.progress import CompileProgress
    from linage_bot.engine.limits import Limits
    from linage_bot.engine.network import NetworkFailed, load_network
    from linage_bot.engine.pie.offer import FairPie
    from linage_bot.engine.puzzles.puzzle import Puzzle, PuzzleStep, Refutation, shipped_puzzles
    from linage_bot.engine.rollouts import with_owners
    from linage_bot.engine.solver.errors import NotSolvable
    from linage_bot.engine.solver.proven_values import Interval, ProvenValues
    from linage_bot.engine.solver.report import SolverReport
    from linage_bot.engine.solver.run import solve
    from linage_bot.engine.warming import warm
    from linage_bot.match.openings import balanced_openings
    from linage_bot.records.fen import BadFen, from_fen, to_fen
    from linage_bot.records.reading import from_sgf, read_sgf, study_from_sgf
    from linage_bot.records.record import BadRecord, Record
    from linage_bot.records.study import Study
    from linage_bot.records.tree import ROOT, MoveTree, Node
    from linage_bot.records.writing import to_sgf
    from linage_bot.review.facts import MoveReview, Review, Value
    from linage_bot.review.judging import review_game
    from linage_bot.rules import GAMES
    from linage_bot.rules.boards import NoSuchPoint, bits
    from linage_bot.rules.game import (
        PASS,
        Area,
        Game,
        IllegalMove,
        Player,
        Position,
        Result,
        ScoredItem,
    )
    from linage_bot.rules.history import History, ImpossibleSetup
    from linage_bot.rules.options import BadOption
    from linage_bot.settings.network import Network
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
    "ROOT",
    "Analysis",
    "Area",
    "AsyncEngine",
    "AsyncPlayer",
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
    "EngineClosed",
    "EngineTimeout",
    "ExternalPlayer",
    "FairPie",
    "Game",
    "GtpPlayer",
    "History",
    "IllegalMove",
    "ImpossibleSetup",
    "Interval",
    "Limits",
    "LocalProtocolError",
    "MoveReview",
    "MoveTree",
    "Network",
    "NetworkFailed",
    "NoSuchPoint",
    "Node",
    "NotSolvable",
    "Picture",
    "PlaySettings",
    "Player",
    "Position",
    "ProvenValues",
    "Puzzle",
    "PuzzleStep",
    "Record",
    "Refutation",
    "RemoteProtocolError",
    "Result",
    "Review",
    "ScoredItem",
    "SolverReport",
    "Study",
    "UgiPlayer",
    "Value",
    "as_text",
    "balanced_openings",
    "bits",
    "from_fen",
    "from_sgf",
    "game",
    "load_network",
    "read_sgf",
    "review_game",
    "shipped_puzzles",
    "solve",
    "study_from_sgf",
    "to_fen",
    "to_sgf",
    "warm",
    "with_owners",
]

_HOMES = {
    "linage_bot.arena.async_player": ("AsyncPlayer",),
    "linage_bot.arena.gtp_player": ("GtpPlayer",),
    "linage_bot.arena.player": ("ExternalPlayer",),
    "linage_bot.arena.ugi_player": ("UgiPlayer",),
    "linage_bot.drawing": ("Picture", "as_text"),
    "linage_bot.engine.analysis": ("Analysis", "Candidate"),
    "linage_bot.engine.async_engine": ("AsyncEngine",),
    "linage_bot.engine.calls": ("EngineClosed",),
    "linage_bot.engine.decision": ("Decision",),
    "linage_bot.engine.engine": ("Engine",),
    "linage_bot.engine.jit.progress": ("CompileProgress",),
    "linage_bot.engine.limits": ("Limits",),
    "linage_bot.engine.network": ("NetworkFailed", "load_network"),
    "linage_bot.engine.pie.offer": ("FairPie",),
    "linage_bot.engine.puzzles.puzzle": (
        *("Puzzle", "PuzzleStep", "Refutation", "shipped_puzzles"),
    ),
    "linage_bot.engine.rollouts": ("with_owners",),
    "linage_bot.engine.solver.errors": ("NotSolvable",),
    "linage_bot.engine.solver.proven_values": ("Interval", "ProvenValues"),
    "linage_bot.engine.solver.report": ("SolverReport",),
    "linage_bot.engine.solver.run": ("solve",),
    "linage_bot.engine.warming": ("warm",),
    "linage_bot.match.openings": ("balanced_openings",),
    "linage_bot.records.fen": ("BadFen", "from_fen", "to_fen"),
    "linage_bot.records.reading": ("from_sgf", "read_sgf", "study_from_sgf"),
    "linage_bot.records.record": ("BadRecord", "Record"),
    "linage_bot.records.study": ("Study",),
    "linage_bot.records.tree": ("ROOT", "MoveTree", "Node"),
    "linage_bot.records.writing": ("to_sgf",),
    "linage_bot.review.facts": ("MoveReview", "Review", "Value"),
    "linage_bot.review.judging": ("review_game",),
    "linage_bot.rules": ("GAMES",),
    "linage_bot.rules.boards": ("NoSuchPoint", "bits"),
    "linage_bot.rules.game": (
        *("PASS", "Area", "Game", "IllegalMove", "Player", "Position", "Result"),
        *("ScoredItem",),
    ),
    "linage_bot.rules.history": ("History", "ImpossibleSetup"),
    "linage_bot.rules.options": ("BadOption",),
    "linage_bot.settings.network": ("Network",),
    "linage_bot.settings.playing": ("PlaySettings",),
    "linage_bot.version": ("__version__",),
    "protocol.session.errors": (
        *("CannotStart", "CommandFailed", "ConnectionLost", "EngineTimeout"),
        *("LocalProtocolError", "RemoteProtocolError"),
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
