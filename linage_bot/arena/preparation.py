"""The GTP commands that set up a game on an engine."""

from collections.abc import Iterable, Mapping

from linage_bot.arena.clocks import Words
from linage_bot.rules.boards import HexBoard
from linage_bot.rules.game import Game
from linage_bot.rules.options import format_option


def preparation(
    game: Game, commands: frozenset[str], options: Mapping[str, str | int | bool] | None = None
) -> Iterable[Words]:
    """Yield the commands that make an engine begin a game with the right board, komi and options.

    `options` replace the game's own for this engine; empty ones are not sent.
    """
    board = game.board
    yield ("clear_board",)
    if "linage-game" in commands:
        komi = {} if game.komi_step is None else {"komi": f"{game.komi:g}"}
        own = {name: format_option(value) for name, value in (options or {}).items()}
        values = {"size": board.size, **komi, **game.settings(), **own}
        words = (f"{name}={value}" for name, value in values.items() if value)
        yield ("linage-game", game.id, *words)
    columns, rows = str(board.columns), str(board.rows)
    if columns == rows or isinstance(board, HexBoard):
        yield ("boardsize", columns)
    elif "rectangular_boardsize" in commands:
        yield ("rectangular_boardsize", columns, rows)
    else:
        yield ("boardsize", columns, rows)
    yield ("clear_board",)
    if game.komi_step is not None and "komi" in commands:
        yield ("komi", f"{game.komi:g}")
