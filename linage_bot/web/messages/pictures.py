"""Pictures to download: a position as SVG, a game as an animation or as a page of its own."""

import re
import threading
from collections.abc import Sequence

import attrs

from linage_bot.drawing import Picture
from linage_bot.records.record import Record
from linage_bot.records.tree import ROOT
from linage_bot.review.record_page import record_page
from linage_bot.rules.game import Move, Position
from linage_bot.web.table.errors import HttpError
from linage_bot.web.table.game import TableGame


def svg(game: TableGame, place: str) -> str:
    """Return the position at a node as SVG. Raise `HttpError` if there is no such node."""
    node = _read(game, place)
    moves = game.tree.moves(game.tree.path(node))
    return Picture(game.positions[node], last=moves[-1] if moves else None).svg(styled=False)


def shown(game: TableGame, place: str) -> tuple[list[Position], list[Move]]:
    """Return the positions of an animation of the line through a node, and the moves between them.

    Nodes with comments only and unplayable moves are omitted. Raise `HttpError` if there is no such
    node.
    """
    line = game.line(_read(game, place))
    tree = game.tree
    made = [
        (node, move)
        for node in line
        if (move := tree[node].move) is not None and tree[node].closed is None
    ]
    positions = [game.positions[node] for node in (ROOT, *(node for node, _ in made))]
    return positions, [move for _, move in made]


def record(game: TableGame, place: str) -> Record:
    """Return the line through a node as far as it can be played; a variation has no result.

    Raise `HttpError` if there is no such node.
    """
    tree = game.tree
    *_, end = (node for node in game.line(_read(game, place)) if tree[node].closed is None)
    line = game.to_save().until(end)
    return line if end == tree.end() else attrs.evolve(line, result=None)


def page(record: Record) -> bytes:
    """Return a game as an HTML page that needs no server."""
    return record_page(record, record.history().positions).encode()


def _read(game: TableGame, place: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", place) or int(place) not in game.tree:
        raise HttpError(404, "there is no such position")
    return int(place)


def animation(
    positions: Sequence[Position], moves: Sequence[Move], stopped: threading.Event
) -> bytes:
    """Return the positions as GIF, which takes about a second.

    Raise `CancelledError` soon after `stopped` is set.
    """
    # Imported only here: the page starts without the libraries that make pictures.
    from linage_bot.drawing.animation import gif

    return gif(positions, moves, stopped)
