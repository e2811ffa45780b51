"""Conversions of candidates and move restrictions between the engine and the protocols."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from linage_bot.engine.analysis import Candidate
from linage_bot.rules.boards import Board, Point
from linage_bot.rules.game import Move, Position
from protocol.gtp.analysis import MoveInfo


def move_info(
    position: Position, order: int, candidate: Candidate, pv_length: int | None = None
) -> MoveInfo:
    """Return a candidate of a position in the form that protocols send; `order` 0 is the best.

    `pv_length` limits the moves of the variation after its first; None means no limit.
    """
    shown = slice(None if pv_length is None else 1 + pv_length)
    return MoveInfo(
        move=position.name_of(candidate.move),
        visits=candidate.visits,
        winrate=candidate.win_rate,
        error=candidate.error,
        score_lead=candidate.lead,
        order=order,
        pv=tuple(map(position.name_of, candidate.line[shown])),
        score_spread=candidate.spread,
        exact=candidate.exact and position.game.counts_points,
        certain=candidate.certain is not None,
    )


def moves_left(
    legal: tuple[Move, ...],
    avoided: Iterable[Collection[Move]],
    allowed: Iterable[Collection[Move]],
) -> tuple[Move, ...] | None:
    """Return the legal moves that a client's restrictions permit, or None if they permit all.

    Raises `ValueError` if none is left.
    """
    left = set(legal).difference(*avoided).intersection(*allowed)
    if len(left) == len(legal):
        return None
    if not left:
        raise ValueError("no legal move is left")
    return tuple(move for move in legal if move in left)


def cell_rows(board: Board) -> list[list[Point]]:
    """Return the board's cells by row from the top left, including cells without a point."""
    rows, columns = reversed(range(board.rows)), range(board.columns)
    return [[board.columns * row + column for column in columns] for row in rows]


def cells_in_order(board: Board) -> list[Point]:
    """Return the cells of `cell_rows` in one list, the order in which protocols list points."""
    return [cell for row in cell_rows(board) for cell in row]
