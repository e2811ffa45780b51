"""A query in our terms: for each turn the position, and what is to be found out about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from linage_bot.engine.limits import Limits
from linage_bot.rules.boards import NoSuchPoint
from linage_bot.rules.game import PASS, Game, Move, Player, Position
from linage_bot.rules.history import History, ImpossibleSetup
from linage_bot.rules.shared import IllegalMoveAt, KnownGames
from linage_bot.servers.analysis.games import Warn, game_of
from linage_bot.servers.analysis.overrides import budget_of
from linage_bot.servers.analysis.settings import AnalysisSettings
from linage_bot.settings.playing import PlaySettings
from protocol.analysis import Restriction
from protocol.arguments import Colour
from protocol.json_analysis import BadField, Query, Stone

PLAYERS: Final = {Colour.BLACK: Player.FIRST, Colour.WHITE: Player.SECOND}


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
    game = game_of(query, warn)
    history = _history(query, game, games)
    budget = budget_of(query, settings, warn)
    whole = Question(
        history=history,
        play=budget.play,
        limits=budget.limits,
        proof_seconds=budget.proof_seconds,
        view=budget.view,
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


# The position


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
