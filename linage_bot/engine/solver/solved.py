"""The shipped table of solved boards: scores and best first moves of empty boards, both players'.

`benchmarks/solved_boards.py` makes it. A row holds one board of a game and its options. The board
on its side is the same with columns and rows changed, and in games of Vertical and Horizontal with
the players changed and the signs of the scores, too. Edition `2016` of Linage has the values of the
current one (see `sums`). Where it did not take too long a row has the scores of all first moves, of
one of each class of those alike by symmetry.
"""

import functools
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from linage_bot.engine.tables import Row, read_table
from linage_bot.rules.boards import Board, SquareBoard, Symmetry, bits
from linage_bot.rules.game import PASS, Game, Move, Player, Position
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
    moves: Mapping[Move, float] = attrs.field(factory=dict)  # the scores known, of moves not best


def solved_board(game: Game, player: Player = Player.FIRST) -> Solved | None:
    """What the table says of the empty board with a player to move; None if it is not there."""
    board = game.board
    solved = _read(game, board, player)
    if solved is not None or not isinstance(board, SquareBoard):
        return solved
    lying, changes = SquareBoard.of(board.rows, board.columns), isinstance(game, LineGame)
    solved = _read(game, lying, player.other if changes else player)
    if solved is None:
        return None
    turned = next(each for each in lying.symmetries() if each.transposes)
    best = (_image(turned, move) for move in solved.best)
    in_order = tuple(sorted(best, key=lambda move: (move == PASS, move)))
    sign = -1 if changes else 1
    moves = {_image(turned, move): sign * score for move, score in solved.moves.items()}
    return Solved(sign * solved.score, in_order, solved.nodes, moves)


def alike(position: Position, moves: Iterable[Move]) -> list[tuple[Move, ...]]:
    """Moves in classes of those that are the same but for a symmetry of the position."""
    keeping = [
        each
        for each in position.game.board.symmetries()
        if each.target == position.game.board
        and not (each.transposes and isinstance(position.game, LineGame))  # players would change
        and each(position.stones) == position.stones
        and (position.game.one_colour or each(position.first) == position.first)
    ]
    classes: dict[Move, list[Move]] = {}
    for move in moves:
        classes.setdefault(min(_image(each, move) for each in keeping), []).append(move)
    return [tuple(each) for each in classes.values()]


def _image(symmetry: Symmetry, move: Move) -> Move:
    return move if move == PASS else symmetry.image[move]


def row_options(game: Game) -> dict[str, str]:
    """The options that a row names."""
    return {name: text for name, text in game.settings().items() if name not in _WITHOUT_EFFECT}


def row_of(table: str, game: Game, size: str) -> Row | None:
    """The row of a table for the game, with its options, on a board of this size."""
    return _by_board(table).get((game.id, size, *sorted(row_options(game).items())))


@functools.cache
def _by_board(table: str) -> dict[tuple[Any, ...], Row]:
    return {
        (row["game"], row["size"], *sorted(row["options"].items())): row
        for row in read_table(table)
    }


@functools.lru_cache(maxsize=64)
def _read(game: Game, board: Board, player: Player) -> Solved | None:
    """What a row says of this board itself."""
    row = row_of(TABLE, game, board.size) or {}
    facts = row.get(("first", "second")[player])
    if facts is None:
        return None

    start = attrs.evolve(game, board=board).start()
    move = start.game.move
    scores = {move(name): score for name, score in facts.get("moves", {}).items()}
    classes = alike(start, (*bits(board.points), PASS)) if scores else []
    moves = {each: scores[same[0]] for same in classes if same[0] in scores for each in same}
    return Solved(facts["score"], tuple(map(move, facts["best"])), row["nodes"], moves)
