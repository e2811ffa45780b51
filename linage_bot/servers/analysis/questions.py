"""A query in our terms: for each turn the position, and what is to be found out about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import attrs

from linage_bot.engine.limits import Limits
from linage_bot.rules import GAMES
from linage_bot.rules.boards import BadSize, NoSuchPoint
from linage_bot.rules.game import PASS, Game, Move, Player, Position
from linage_bot.rules.history import History, ImpossibleSetup
from linage_bot.rules.options import BadOption, format_option, shortened
from linage_bot.rules.shared import IllegalMoveAt, KnownGames
from linage_bot.servers.analysis.settings import VIEWS, AnalysisSettings
from linage_bot.settings.playing import BOUNDS, PlaySettings
from protocol.analysis import Restriction
from protocol.arguments import Colour
from protocol.json_analysis import BadField, Query, Stone

Warn = Callable[[str, str], None]
PLAYERS: Final = {Colour.BLACK: Player.FIRST, Colour.WHITE: Player.SECOND}

_MANY_VISITS = 1_000_000  # for clients over the network, where the server has no limit at all
_LONG_SECONDS = 600.0
_LONGEST_PROOF_SECONDS = 3600.0


@attrs.frozen(kw_only=True)
class Question:
    """A position, how long to think about it, and what to tell.

    `moves` are those to consider, None: all; `view` is whose win rate and score are told, None: of
    who moves; `report_seconds` is how often to tell what was found so far, None: never.
    """

    history: History
    moves: tuple[Move, ...] | None = None
    play: PlaySettings
    limits: Limits
    proof_seconds: float
    view: Player | None
    report_seconds: float | None = None
    ownership: bool = False
    moves_ownership: bool = False
    policy: bool = False
    pv_visits: bool = False


def questions(
    query: Query, settings: AnalysisSettings, games: KnownGames, warn: Warn
) -> list[Question]:
    """One for each turn of the query; raises `BadField`, and warns of a field and why."""
    game = _game(query, warn)
    history = _history(query, game, games)
    asked = _asked(query, settings, warn)
    whole = Question(
        history=history,
        play=asked.play,
        limits=_limits(asked.play, settings),
        proof_seconds=asked.proof_seconds,
        view=VIEWS[asked.view],
        report_seconds=query.report_seconds,
        ownership=query.ownership,
        moves_ownership=query.moves_ownership,
        policy=query.policy,
        pv_visits=query.pv_visits,
    )
    for field, restrictions in (("avoidMoves", query.avoid), ("allowMoves", query.allow)):
        if any(each.depth > 1 for each in restrictions):
            warn(field, "untilDepth beyond 1 is taken for 1: only the first move is restricted")
    reached = (history.to(turn) for turn in query.turns)
    return [
        attrs.evolve(whole, history=each, moves=_allowed(query, each.position)) for each in reached
    ]


# The game


def _game(query: Query, warn: Warn) -> Game:
    name, options = _rules(query.rules)
    kind = GAMES[name]
    try:
        board = kind.board_kind.of_array(query.columns, query.rows)
    except BadSize as error:
        field = "boardXSize" if query.columns >= query.rows else "boardYSize"
        raise BadField(field, str(error)) from None
    size, komi = options.pop("size", board.size), query.komi
    told = options.pop("komi", None)
    if komi is None:
        komi = kind.default_komi if told is None else _komi(told)
    try:
        game = kind.configure(board.size, None, options)
        if kind.board_kind.parse(size) != board:
            raise BadField("rules", f"size {shortened(size)} is not that of boardXSize, boardYSize")
        exact = game.with_komi(komi)
    except BadSize as error:
        raise BadField("rules", f"size: {error}") from None
    except BadOption as error:
        field = "komi" if error.name == "komi" and query.komi is not None else "rules"
        raise BadField(field, str(error)) from None
    if exact.komi != komi:
        warn(
            "komi" if query.komi is not None else "rules",
            f"{komi:.15g} is no komi of {kind.name}; {exact.komi:g} is taken",
        )
    return exact


def _rules(rules: str | Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """A game's id and its options in words, komi and size perhaps among them."""
    values = {"game": rules} if isinstance(rules, str) else dict(rules)
    name = values.pop("game", None)
    if not isinstance(name, str) or name.lower() not in GAMES:
        told = "no game" if name is None else f"no game of ours: {shortened(str(name))!r}"
        raise BadField("rules", f"{told}; {', '.join(GAMES)} are known")
    options = {}
    for option, value in values.items():
        if not isinstance(value, str | int | float | bool):
            raise BadField("rules", f"{shortened(option)}: not a word, number or truth value")
        options[option] = f"{value:.15g}" if isinstance(value, float) else format_option(value)
    return name.lower(), options


def _komi(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise BadField("rules", f"komi: not a number: {shortened(word)!r}") from None


def _history(query: Query, game: Game, games: KnownGames) -> History:
    setup = tuple(_placed(game, query.initial_stones))
    if len({point for _, point in setup}) < len(setup):
        raise BadField("initialStones", "two stones on one point")
    begins = query.initial_player
    if begins is None:
        begins = query.moves[0][0] if query.moves else Colour.BLACK
    first = PLAYERS[begins]
    moves = []
    for number, (colour, vertex) in enumerate(query.moves, 1):
        mover = first if number % 2 else first.other
        if PLAYERS[colour] is not mover:
            raise BadField("moves", f"move {number}: it is {mover.colour}'s turn")
        moves.append(_move(game, "moves", vertex))
    try:
        return games.history(game, setup, first, moves)
    except IllegalMoveAt as error:
        raise BadField("moves", str(error)) from None
    except ImpossibleSetup as error:
        raise BadField("initialStones", str(error)) from None


def _placed(game: Game, stones: Iterable[Stone]) -> Iterable[tuple[Player, Move]]:
    for colour, vertex in stones:
        point = _move(game, "initialStones", vertex)
        if point == PASS:
            raise BadField("initialStones", "a pass is no stone")
        yield PLAYERS[colour], point


def _move(game: Game, field: str, vertex: str) -> Move:
    if vertex.lower() == "pass":
        return PASS
    try:
        return game.board.point(vertex)
    except NoSuchPoint as error:
        raise BadField(field, str(error)) from None


def _allowed(query: Query, position: Position) -> tuple[Move, ...] | None:
    """The moves that the query leaves for the side to move; None if all of them."""
    moves, game = position.moves(), position.game

    def named(field: str, restrictions: Sequence[Restriction]) -> list[set[Move]]:
        # Every word is read, so that a wrong one is told of whoever moves.
        read = [
            (each.colour, {_move(game, field, word) for word in each.moves})
            for each in restrictions
        ]
        return [names for colour, names in read if PLAYERS[colour] is position.to_move]

    avoided, wanted = named("avoidMoves", query.avoid), named("allowMoves", query.allow)
    allowed = set(moves).difference(*avoided).intersection(*wanted)
    if len(allowed) == len(moves):
        return None
    if not allowed:
        field = "allowMoves" if wanted else "avoidMoves"
        raise BadField(field, "no legal move is left")
    return tuple(move for move in moves if move in allowed)


# How to think


@attrs.frozen(kw_only=True)
class _Asked:
    """What a query changes in how to think."""

    play: PlaySettings
    view: str
    proof_seconds: float


_FIELDS: Final = {
    "maxVisits": "visits",
    "maxTime": "seconds",
    "maxNodes": "nodes",
    "numSearchThreads": "threads",
    "seed": "seed",
}
"""What of `PlaySettings` a query may override, by KataGo's name or that of GTP's parameter."""


def _asked(query: Query, settings: AnalysisSettings, warn: Warn) -> _Asked:
    changes: dict[str, Any] = {"threads": 1}
    view, proof_seconds = settings.view, settings.proof_seconds
    for name, value in query.settings.items():
        if name == "reportAnalysisWinratesAs":
            view = str(value).lower()
            if view not in VIEWS:
                raise BadField("overrideSettings", f"{name} is one of {', '.join(VIEWS)}")
        elif name == "maxProofTime":
            most = _LONGEST_PROOF_SECONDS if settings.local else settings.proof_seconds
            proof_seconds = _within(name, value, 0.0, most, whole=False)
        elif name in _FIELDS:
            field = _FIELDS[name]
            least, most = BOUNDS[field]
            whole = field != "seconds"
            changes[field] = _within(name, value, least, most, whole=whole)
            _check_bound("overrideSettings", f"{name}: ", field, changes[field], settings)
        else:
            warn("overrideSettings", f"{shortened(name)!r} has no meaning here")
    if query.max_visits is not None:
        changes["visits"] = query.max_visits
        _check_bound("maxVisits", "", "visits", query.max_visits, settings)
    play = attrs.evolve(settings.play, **changes)
    return _Asked(play=play, view=view, proof_seconds=proof_seconds)


def _within(name: str, value: Any, least: float, most: float, *, whole: bool) -> float:
    kinds: tuple[type, ...] = (int,) if whole else (int, float)
    if type(value) not in kinds or not least <= value <= most:
        kind = "whole number" if whole else "number"
        raise BadField("overrideSettings", f"{name}: expected a {kind} from {least:g} to {most:g}")
    return value  # type: ignore[no-any-return]  # one of the kinds


def _check_bound(
    field: str, where: str, name: str, value: float, settings: AnalysisSettings
) -> None:
    """Over the network nobody asks for more than the command line says."""
    if name == "threads":
        most: float | None = settings.play.threads
    elif settings.local or name == "seed":
        return
    else:
        most = getattr(settings.play, name)
        if most is None and name == "visits":
            most = _MANY_VISITS
        if most is None:
            most = _LONG_SECONDS
    if most is not None and value > most:
        raise BadField(field, f"{where}at most {most:.12g} here")


def _limits(play: PlaySettings, settings: AnalysisSettings) -> Limits:
    """Over the network there is always an end to be seen."""
    seconds = play.seconds
    if not settings.local and seconds is None:
        seconds = _LONG_SECONDS
    return Limits(play.visits, seconds)
