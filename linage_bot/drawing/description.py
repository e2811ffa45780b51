"""A game and its options in words, as reports and pages name them."""

from linage_bot.rules.boards import HexBoard
from linage_bot.rules.game import Game


def describe_game(game: Game) -> str:
    """Return a game in words: `Linage 9x9, komi 0.5`."""
    board = game.board
    size = f"{board.columns}x{board.rows}"
    if isinstance(board, HexBoard):
        size = f"side {board.side}"
    return f"{game.name} {size}" + ("" if game.komi_step is None else f", komi {game.komi:g}")


def describe_options(game: Game) -> str:
    """Return a game's options in words: `line 3, edition current`; empty where it has none."""
    return ", ".join(f"{name} {value}" for name, value in game.settings().items())
