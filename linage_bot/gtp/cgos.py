"""Commands with which a CGOS client tells about the game beside the board."""

import attrs

from linage_bot.gtp.engine import GtpEngine, commands
from protocol.cgos_words import sgf_result


@commands.named("cgos-opponent_name")
def cgos_opponent_name(engine: GtpEngine, name: str) -> None:
    """Take note of the opponent's name, for the record of the game."""
    engine.opponent = name


@commands.named("cgos-opponent_rating")
def cgos_opponent_rating(engine: GtpEngine, rating: str) -> None:
    """Take note of the opponent's rating, such as `1800?`, for the record of the game."""
    name = engine.opponent.partition(" ")[0]
    engine.opponent = f"{name} ({rating})"


@commands.named("cgos-gameover")
def cgos_gameover(engine: GtpEngine, result: str) -> None:
    """Take note of the result, such as `B+3.5` or `W+Resign`, and think no more about the game.

    `printsgf` then tells it, with the opponent as the event.
    """
    event = f"CGOS, against {engine.opponent}" if engine.opponent else "CGOS"
    engine.record = attrs.evolve(engine.record, result=sgf_result(result) or None, event=event)
    engine.player.forget()
