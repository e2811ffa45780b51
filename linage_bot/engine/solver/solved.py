"""The shipped table of solved boards: scores and best first moves of empty boards, both players'.

`benchmarks/solved_boards.py` makes it. A row holds one board of a game and its options. The board
on its side is the same with columns and rows changed, and in games of Vertical and Horizontal with
the players changed and the signs of the scores, too. Edition `2016` of Linage has the values of the
current one (see `sums`).
"""

import functools
from typing import Any

import attrs

from linage_bot.engine.tables import read_table
from linage_bot.rules.boards import SquareBoard
from linage_bot.rules.game import PASS, Game, Move, Player
from linage_bot.rules.line_games import LineGame

TABLE = "solver/solved"
_WITHOUT_EFFECT = ("edition",)  # options that change no value


@attrs.frozen
class Solved:
    """An empty board with one player to move: First's lead under best play, komi not counted.

    In games that count no points it is 1 or -1.
    """

    score: float
    best: tuple[Move, ...]
    nodes: int  # of the search, for both players' questions together


def solved_board(game: Game, player: Player = Player.FIRST) -> Solved | None:
    """What the table says of the empty board with a player to move; None if it is not there."""
    found = _rows().get(_key(game, game.board.size))
    if found is not None:
        return _read(found, game, player)
    if not isinstance(game.board, SquareBoard):
        return None
    lying = SquareBoard.of(game.board.rows, game.board.columns)
    row = _rows().get(_key(game, lying.size))
    if row is None:
        return None
    changes = isinstance(game, LineGame)
    solved = _read(row, attrs.evolve(game, board=lying), player.other if changes else player)
    if solved is None:
        return None
    turned = next(each for each in lying.symmetries() if each.transposes)
    best = sorted(move if move == PASS else turned.image[move] for move in solved.best)
    placements = tuple(move for move in best if move != PASS)
    passing = (PASS,) if PASS in best else ()
    return Solved(-solved.score if changes else solved.score, placements + passing, solved.nodes)


def row_options(game: Game) -> dict[str, str]:
    """The options that a row names."""
    return {name: text for name, text in game.settings().items() if name not in _WITHOUT_EFFECT}


@functools.cache
def _rows() -> dict[tuple[Any, ...], dict[str, Any]]:
    return {
        (row["game"], row["size"], *sorted(row["options"].items())): row
        for row in read_table(TABLE)
    }


def _key(game: Game, size: str) -> tuple[Any, ...]:
    return (game.id, size, *sorted(row_options(game).items()))


def _read(row: dict[str, Any], game: Game, player: Player) -> Solved | None:
    facts = row.get(("first", "second")[player])
    if facts is None:
        return None
    best = tuple(PASS if name == "pass" else game.board.point(name) for name in facts["best"])
    return Solved(facts["score"], best, row["nodes"])
