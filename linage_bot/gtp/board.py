"""Commands about the board: its size, komi, stones and score."""

import time

from linage_bot.gtp.engine import PLAYERS, GtpEngine, commands
from linage_bot.rules.game import Player
from linage_bot.version import __version__
from protocol.session.arguments import Colour
from protocol.session.errors import CommandFailed


@commands.register
def name(_engine: GtpEngine) -> str:
    """Return the engine's name."""
    return "linage-bot"


@commands.register
def version(_engine: GtpEngine) -> str:
    """Return the engine's version."""
    return __version__


@commands.register
def boardsize(engine: GtpEngine, columns: int, rows: int | None = None) -> None:
    """Begin a new game on a board of COLUMNS by ROWS points (square if ROWS is left out).

    For a hexagon of side n give the size of its array, 2n-1.
    Fails with `unacceptable size`; the current game is then kept.
    """
    engine.resize(columns, columns if rows is None else rows)


@commands.register
def rectangular_boardsize(engine: GtpEngine, columns: int, rows: int) -> None:
    """Begin a new game on a board of COLUMNS by ROWS points, as `boardsize` does."""
    engine.resize(columns, rows)


@commands.register
def clear_board(engine: GtpEngine) -> None:
    """Begin a new game with the same board, komi and options; reset the clocks."""
    engine.new_game(engine.game)


@commands.register
def komi(engine: GtpEngine, points: float) -> None:
    """Set komi, at any time, to the nearest number the game allows.

    GUIs send 6.5, for which Gardar takes 6. Fails with `syntax error` beyond -10000 to 10000; games
    without komi ignore any number.
    """
    engine.set_komi(points)


@commands.register
def get_komi(engine: GtpEngine) -> str:
    """Return komi."""
    return f"{engine.game.komi:g}"


@commands.register
def showboard(engine: GtpEngine) -> str:
    """Show the board, the side to move, and the score of the current position."""
    from linage_bot.drawing import as_text  # not needed to start

    position, game = engine.position, engine.game
    last = engine.record.moves[-1] if engine.record.moves else None
    mover = f"{position.to_move.colour} ({game.players[position.to_move]}) to move"
    lines = [
        as_text(position, last).rstrip("\n"),
        f"{game.name} {game.board}, {'game over' if position.over else mover}",
    ]
    scores = position.scores()
    if scores is not None:
        lines.append(", ".join(f"{game.players[each]} {scores[each]:g}" for each in Player))
    return "\n" + "\n".join(lines)


@commands.register
def final_score(engine: GtpEngine) -> str:
    """Return the current result: `B+7`, `W+3.5`, `0`, or `B+` in games without scores.

    During a game it is the result of the current position. Fails with `cannot score` during a game
    without scores that has no winner yet.
    """
    result = engine.position.result()
    if result.winner is None and not engine.game.counts_points and not engine.position.over:
        raise CommandFailed("cannot score: the game is not over")
    return str(result)


@commands.register
def set_position(engine: GtpEngine, *stones: str) -> None:
    """Replace all stones on the board with these pairs of COLOR VERTEX; black is to move.

    Fails with `invalid color or coordinate` or `syntax error`; the position is then kept.
    """
    engine.set_up(engine.pairs(stones), Player.FIRST)


@commands.named("gogui-setup")
def gogui_setup(engine: GtpEngine, *stones: str) -> None:
    """Put stones, pairs of COLOR VERTEX, on the board before the first move.

    Fails with `board not empty` once a move was played.
    """
    _no_moves_yet(engine)
    engine.set_up((*engine.record.setup, *engine.pairs(stones)), engine.record.to_move)


@commands.named("gogui-setup_player")
def gogui_setup_player(engine: GtpEngine, color: Colour) -> None:
    """Set the side that moves first; fails with `board not empty` once a move was played."""
    _no_moves_yet(engine)
    engine.set_up(engine.record.setup, PLAYERS[color])


def _no_moves_yet(engine: GtpEngine) -> None:
    if engine.record.moves:
        raise CommandFailed("board not empty: setup comes before the first move")


@commands.named("gomill-cpu_time")
@commands.register
def cputime(_engine: GtpEngine) -> str:
    """Return the processor time used by this process, in seconds."""
    return f"{time.process_time():.3f}"
