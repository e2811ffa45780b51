"""Commands that load and print game records, and those with which a CGOS client adds to them."""

import logging
from pathlib import Path

import attrs

from linage_bot.gtp.engine import GtpEngine, commands
from linage_bot.records.record import BadRecord
from linage_bot.settings.files import check_writable, write_whole
from protocol.session.errors import CommandFailed

_log = logging.getLogger(__name__)


@commands.register
def loadsgf(engine: GtpEngine, file: str, move_number: int | None = None) -> str:
    """Load a game, up to the position before MOVE_NUMBER, and return the side to move.

    The game and its options come from the file; a file that names no game is read as the current
    game. If the file has several games, the first is loaded. Such irregularities are reported on
    stderr. Fails with `cannot load file` and the reason; the current game is then kept. Files of
    more than 4 MiB, pipes and devices are not accepted. Not available over TCP.
    """
    from linage_bot.records.reading import read_sgf  # not needed to start

    _local(engine, "cannot load file")
    try:
        record = read_sgf(Path(file), engine.game, lambda line: _log.warning("%s: %s", file, line))
        if move_number is not None:
            if move_number < 1:
                raise CommandFailed("cannot load file: moves are counted from 1")
            record = record.until(move_number - 1)
        engine.load(record)
    except (OSError, BadRecord) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CommandFailed(f"cannot load file: {file:.200}: {reason}") from None
    return engine.position.to_move.colour


@commands.register
def printsgf(engine: GtpEngine, file: str | None = None) -> str:
    """Print the game as SGF, or write it to FILE (not over TCP)."""
    from linage_bot.records.writing import to_sgf  # not needed to start

    result = str(engine.position.result()) if engine.position.over else engine.record.result
    text = to_sgf(attrs.evolve(engine.record, result=result))
    if file is None:
        return text
    _local(engine, "cannot write file")
    try:
        check_writable(Path(file))
        write_whole(Path(file), text.encode())
    except OSError as error:
        raise CommandFailed(f"cannot write file: {file:.200}: {error.strerror}") from None
    return ""


@commands.named("cgos-opponent_name")
def cgos_opponent_name(engine: GtpEngine, name: str) -> None:
    """Store the opponent's name for the record of the game."""
    engine.opponent = name


@commands.named("cgos-opponent_rating")
def cgos_opponent_rating(engine: GtpEngine, rating: str) -> None:
    """Store the opponent's rating, such as `1800?`, for the record of the game."""
    name = engine.opponent.partition(" ")[0]
    engine.opponent = f"{name} ({rating})"


@commands.named("cgos-gameover")
def cgos_gameover(engine: GtpEngine, result: str) -> None:
    """Store the result, such as `B+3.5` or `W+Resign`, and stop searching the game.

    `printsgf` then includes it, with the opponent as the event.
    """
    from protocol.cgos.words import sgf_result  # not needed to start

    event = f"CGOS, against {engine.opponent}" if engine.opponent else "CGOS"
    engine.record = attrs.evolve(engine.record, result=sgf_result(result) or None, event=event)
    engine.forget()


def _local(engine: GtpEngine, failure: str) -> None:
    if engine.bounds is not None:
        raise CommandFailed(f"{failure}: files are not available over TCP")
