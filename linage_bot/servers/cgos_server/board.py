"""What the page of one game shows: the board after a move, and steps to the others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

import attrs
from markupsafe import Markup

from linage_bot.drawing import Picture
from linage_bot.rules.game import PASS, Game, Move, Player, Position
from linage_bot.rules.history import History
from linage_bot.servers.cgos_server.limits import keep
from linage_bot.servers.cgos_server.rows import GameRow, MoveRow

_KEPT_GAMES: Final = 8
_MOST_TOLD: Final = 1e9  # of what players tell; Python cannot print all that JSON can hold


class Replays:
    """The positions of the games that were looked at last.

    Some games have thousands of moves, and whoever steps through one asks for each position.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._kept: dict[int, History] = {}

    def position(self, number: int, moves: Sequence[MoveRow], ply: int) -> Position:
        """A game's position after some of its moves."""
        history = self._kept.get(number) or History(self._game)
        # The referee has judged them, which takes longer than to make them.
        new = [move_of(self._game, move) for move in moves[len(history.moves) : ply]]
        positions = list(history.positions)
        for move in new:
            positions.append(positions[-1].after(move))
        keep(
            self._kept,
            number,
            attrs.evolve(history, moves=(*history.moves, *new), positions=tuple(positions)),
            _KEPT_GAMES,
        )
        return positions[ply]


def move_of(game: Game, move: MoveRow) -> Move:
    """A move as the rules know it."""
    return PASS if move.move == "pass" else game.board.point(move.move)


def game_values(
    position: Position, row: GameRow, moves: Sequence[MoveRow], ply: int
) -> dict[str, object]:
    """What the page of a game shows: the board after `ply` moves, its facts and all moves."""
    game, last = position.game, len(moves)
    dot = move_of(game, moves[ply - 1]) if ply else None
    clocks = [row.first_ms, row.second_ms]
    for number, move in enumerate(moves[:ply]):
        clocks[number % 2] = move.ms_left
    names, ratings = (row.first, row.second), (row.first_rating, row.second_rating)
    steps = (("First", 0), ("Back", ply - 1), ("Next", ply + 1), ("Last", last))
    return {
        "diagram": Markup(Picture(position, last=dot).svg(styled=False)),
        "row": row,
        "moves": moves,
        "ply": ply,
        "steps": [(name, to if 0 <= to <= last and to != ply else None) for name, to in steps],
        "sides": [
            (f"{game.players[p]} ({p.letter.upper()})", names[p], ratings[p], _time(clocks[p]))
            for p in Player
        ],
        "facts": list(_facts(row, moves, ply)),
    }


def _facts(row: GameRow, moves: Sequence[MoveRow], ply: int) -> Iterator[tuple[str, str]]:
    yield "Move", f"{ply} of {len(moves)}"
    yield "Began", f"{row.began.replace('T', ' ')} UTC"
    if row.result is None:
        yield "Result", "being played"
    else:
        yield "Result", row.result + (f": {row.reason}" if row.reason else "")
    yield from _analysis(moves, ply)


def _analysis(moves: Sequence[MoveRow], ply: int) -> Iterator[tuple[str, str]]:
    """What the player who made the last move thought of it, as far as it told."""
    if not ply or not moves[ply - 1].analysis:
        return
    told = json.loads(moves[ply - 1].analysis)  # only what could be read was kept
    shapes = {"winrate": "Win rate {:.0%}", "score": "score {:+.1f}", "visits": "{:.0f} visits"}
    words = [
        shape.format(told[key])
        for key, shape in shapes.items()
        if isinstance(told.get(key), int | float) and abs(told[key]) <= _MOST_TOLD
    ]
    if words:
        yield "Its player", ", ".join(words)
    if isinstance(told.get("comment"), str):
        yield "Comment", told["comment"][:200]


def _time(milliseconds: int) -> str:
    """`4:05` for minutes and seconds."""
    minutes, seconds = divmod(max(0, milliseconds) // 1000, 60)
    return f"{minutes}:{seconds:02d} left"
