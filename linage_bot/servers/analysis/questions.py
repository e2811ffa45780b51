"""A query in our terms: the position of each turn, and how to analyse it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import attrs

from linage_bot.engine.candidates import moves_left
from linage_bot.engine.limits import Limits
from linage_bot.rules.boards import Board, NoSuchPoint, SquareBoard
from linage_bot.rules.game import PASS, Game, IllegalMove, Move, Player, Position
from linage_bot.rules.history import History, ImpossibleSetup
from linage_bot.rules.options import shortened
from linage_bot.rules.shared import KnownGames
from linage_bot.servers.analysis.games import Warn, game_of
from linage_bot.servers.analysis.overrides import budget_of
from linage_bot.servers.analysis.settings import AnalysisSettings
from linage_bot.settings.playing import PlaySettings
from protocol.kata.messages import BadField, Query, Stone
from protocol.session.arguments import Colour

PLAYERS: Final = {Colour.BLACK: Player.FIRST, Colour.WHITE: Player.SECOND}


@attrs.frozen(kw_only=True)
class Question:
    """A position, its search budget, and the values to report.

    `moves` are the moves to consider, None: all; `view` is the player whose win rate and score are
    reported, None: the player to move; `report_seconds` is the interval of partial reports, None:
    no such reports; `pv_length` limits the moves of a variation after its first, None: no limit.
    `spreads`: more threads than those of `play` may search it where processors are idle.
    """

    history: History
    moves: tuple[Move, ...] | None = None
    play: PlaySettings
    limits: Limits
    proof_seconds: float | None
    view: Player | None
    spreads: bool = False
    report_seconds: float | None = None
    ownership: bool = False
    moves_ownership: bool = False
    policy: bool = False
    pv_visits: bool = False
    pv_length: int | None = None


def questions(
    query: Query, settings: AnalysisSettings, games: KnownGames, warn: Warn
) -> list[Question]:
    """Return a question for each turn of a query; raise `BadField`.

    `warn` is called with a field and a reason.
    """
    game = game_of(query, settings.rules, warn)
    history = _history(query, game, games)
    budget = budget_of(query, settings, warn)
    whole = Question(
        history=history,
        play=budget.play,
        limits=budget.limits,
        proof_seconds=budget.proof_seconds,
        view=budget.view,
        spreads=budget.spreads,
        report_seconds=query.report_seconds,
        ownership=query.ownership,
        moves_ownership=query.moves_ownership,
        policy=query.policy,
        pv_visits=query.pv_visits,
        pv_length=query.pv_length,
    )
    choices = _choices(query, game, warn)
    reached = (history.to(turn) for turn in query.turns)
    return [
        attrs.evolve(whole, history=each, moves=_allowed(choices, each.position))
        for each in reached
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
    except IllegalMove as error:
        raise BadField("moves", f"Illegal {error}") from None  # as KataGo begins it
    except ImpossibleSetup as error:
        raise BadField("initialStones", str(error)) from None


def _placed(game: Game, stones: Iterable[Stone]) -> Iterable[tuple[Player, Move]]:
    for colour, vertex in stones:
        point = _move(game, "initialStones", vertex)
        if point == PASS:
            raise BadField("initialStones", "a pass cannot be set up as a stone")
        yield PLAYERS[colour], point


def _move(game: Game, field: str, vertex: str) -> Move:
    try:
        return game.move(vertex)
    except NoSuchPoint as error:
        raise BadField(field, str(error)) from None


# The moves to consider


@attrs.frozen
class _Choice:
    """The moves of one player that a field restricts."""

    field: str
    player: Player
    moves: frozenset[Move]


def _choices(query: Query, game: Game, warn: Warn) -> list[_Choice]:
    """Return the moves of `avoidMoves` and `allowMoves`; raise `BadField` for an invalid move.

    Clients name a rectangle point by point: the corners that a hexagon lacks are left out.
    """
    found = []
    for field, restrictions in (("avoidMoves", query.avoid), ("allowMoves", query.allow)):
        lacking = {
            word for each in restrictions for word in each.moves if _is_lacking(game.board, word)
        }
        for each in restrictions:
            moves = (_move(game, field, word) for word in each.moves if word not in lacking)
            found.append(_Choice(field, PLAYERS[each.colour], frozenset(moves)))
        if lacking:
            words = shortened(", ".join(sorted(lacking)))
            warn(field, f"{words}: not on the {game.board.shape} board; ignored")
        if any(each.depth > 1 for each in restrictions):
            warn(field, "untilDepth beyond 1 is treated as 1: only the first move is restricted")
    return found


def _is_lacking(board: Board, word: str) -> bool:
    """Return whether a vertex is in a board's rectangular array, but is none of its points."""
    array = SquareBoard.of(board.columns, board.rows)
    return word.lower() != "pass" and _is_on_board(array, word) and not _is_on_board(board, word)


def _is_on_board(board: Board, vertex: str) -> bool:
    try:
        board.point(vertex)
    except NoSuchPoint:
        return False
    return True


def _allowed(choices: list[_Choice], position: Position) -> tuple[Move, ...] | None:
    """Return the moves left for the side to move, None if all of them; raise `BadField`."""
    own = [each for each in choices if each.player is position.to_move]
    avoided = [each.moves for each in own if each.field == "avoidMoves"]
    wanted = [each.moves for each in own if each.field == "allowMoves"]
    try:
        return moves_left(position.moves(), avoided, wanted)
    except ValueError as error:
        raise BadField("allowMoves" if wanted else "avoidMoves", str(error)) from None
