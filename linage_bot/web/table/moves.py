"""The players' actions in the game at a table: moves, resigning, undoing and the pie.

Each function returns the game afterwards, or raises `ActionRefused`. Engines act in turn.
"""

import attrs

from linage_bot.records.record import EarlyEnd
from linage_bot.rules.game import Move, Player
from linage_bot.web.table.errors import CONTINUED, ActionRefused, check
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.pie import Pie
from linage_bot.web.table.variations import (
    check_node,
    with_facts,
    with_komi,
    with_main_line,
    with_move,
)


def play(game: TableGame, move: Move, node: int, *, by_engine: bool = False) -> TableGame:
    """Make a move at a node.

    Elsewhere than at the end of the game it makes a variation. Engines may only move in the game.
    """
    if node != game.node:
        check(not by_engine, CONTINUED)
        check(game.pie is None, "the pie comes first")
        check_node(game, node)
        return with_move(game, node, move)[0]
    pie = game.pie
    check(pie is None or pie.may_place(game.rules, move), "the pie comes first")
    engine = None if game.paused and pie is None else game.engine_to_move
    check(by_engine or engine is None, "it is the engine's turn")
    check(game.conceded is None, "the game is over")
    game, new = with_move(game, node, move)
    return attrs.evolve(with_main_line(game, new), node=new, pie=pie and pie.with_offer())


def resign(game: TableGame, *, by_engine: bool = False, seat: int | None = None) -> TableGame:
    """Resign for a seat if it is given, else for the person to move or the only person."""
    check(not game.over and game.pie is None, "there is no game to resign")
    if seat is not None:
        return attrs.evolve(game, conceded=EarlyEnd(Player(seat)))
    mover = game.position.to_move
    persons = [player for player in Player if game.players[player] is None]
    if by_engine or mover in persons:
        return attrs.evolve(game, conceded=EarlyEnd(mover))
    check(bool(persons), "only engines play here")
    return attrs.evolve(game, conceded=EarlyEnd(persons[0]))


def lose_on_time(game: TableGame, player: Player) -> TableGame:
    """End the game because a player's flag has fallen."""
    check(not game.over and game.pie is None, "there is no game to lose")
    return attrs.evolve(game, conceded=EarlyEnd(player, "T"))


def can_undo(game: TableGame) -> bool:
    """Return whether there is a move or resignation to take back."""
    return game.conceded is not None or _undone_to(game) is not None


def undo(game: TableGame) -> TableGame:
    """Take back a resignation, or moves until it is a person's turn again."""
    if game.conceded is not None:
        again = resumed(game)
        # An engine that resigned would resign again.
        return attrs.evolve(again, paused=game.paused or again.engine_to_move is not None)
    node = _undone_to(game)
    if node is None:
        raise ActionRefused("there is nothing to undo")
    return attrs.evolve(game, node=node)


def _undone_to(game: TableGame) -> int | None:
    """Return the last earlier node at which a person may act; None if there is none."""
    if game.pie is not None:
        return None
    path = game.tree.path(game.node)
    earlier = reversed(path[path.index(game.earliest) : -1])
    others = (node for node in earlier if game.positions[node] is not game.position)
    return next(filter(game.may_act, others), None)


def can_redo(game: TableGame) -> bool:
    """Return whether there is a move to replay."""
    return game.conceded is None and game.tree.end(game.node) != game.node


def redo(game: TableGame) -> TableGame:
    """Replay moves that were taken back, until it is a person's turn."""
    check(can_redo(game), "there is nothing to redo")
    line = game.tree.line(game.node)
    *following, last = line[line.index(game.node) + 1 :]
    return attrs.evolve(game, node=next(filter(game.may_act, following), last))


def resumed(game: TableGame) -> TableGame:
    """Return the game without its early end, such as a resignation."""
    if game.conceded is None:
        return game
    # A game continued after a loss on time has no clocks.
    clock = None if game.conceded.reason == "T" else game.clock
    game = with_facts(game, attrs.evolve(game.facts, result=None))
    return attrs.evolve(game, conceded=None, clock=clock)


def offer(game: TableGame, komi: float, *, by_engine: bool = False) -> TableGame:
    """Offer the komi with which the pie begins."""
    pie = _open_pie(game, by_engine, offered=False, kind="komi")
    return attrs.evolve(with_komi(game, komi), pie=pie.with_offer())


def choose(game: TableGame, player: Player, *, by_engine: bool = False) -> TableGame:
    """Choose a side, given the pie's offer."""
    pie = _open_pie(game, by_engine, offered=True, kind=game.rules.pie)
    # The offered stone was meant to be even, so a review does not count it as a mistake.
    game = with_facts(game, attrs.evolve(game.facts, given=len(game.now.moves)))
    return attrs.evolve(
        game,
        players=pie.seats(player),
        seats=game.seats if player or game.seats is None else game.seats.turned(),
        earliest=game.node,
        pie=None,
        sides=pie.resolved(player),
    )


def _open_pie(game: TableGame, by_engine: bool, *, offered: bool, kind: str) -> Pie:
    """Return the pie if this step of it is due. Raise `ActionRefused` otherwise."""
    if game.pie is None or game.pie.offered is not offered or game.rules.pie != kind:
        raise ActionRefused("the pie is not at this step")
    check(by_engine or game.engine_to_move is None, "it is the engine's turn")
    return game.pie
