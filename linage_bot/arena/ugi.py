"""The UGI commands that set up a game on an engine and limit its time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from linage_bot.arena.clocks import PlayerClock, Words
from linage_bot.rules.game import Game, Player
from linage_bot.rules.options import format_option
from protocol.ugi.messages import UgiOption, read_option


def options_of(description: str) -> dict[str, UgiOption]:
    """Return an engine's options by lower-case name, from its answer to `ugi`."""
    lines = (line.split() for line in description.splitlines())
    options = (read_option(words) for words in lines if words and words[0] == "option")
    return {option.name.lower(): option for option in options if option is not None}


def game_in_options(
    game: Game,
    known: Mapping[str, UgiOption],
    options: Mapping[str, str | int | bool] | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the options that set an engine up for this game.

    `known` are the engine's options. `options` replace the game's own for this engine or add to
    them; empty ones are not sent. A setting for which the engine has no option must be part of its
    command line.
    """
    komi = {} if game.komi_step is None else {"komi": f"{game.komi:g}"}
    own = {name: format_option(value) for name, value in (options or {}).items()}
    values = {"game": game.id, "size": game.board.size, **komi, **game.settings(), "pie": "off"}
    for name, value in {**values, **own}.items():
        option = known.get(name.lower())
        if option is not None and value:
            yield option.name, in_words(option, value)


def in_words(option: UgiOption, value: str) -> str:
    """Return a value in the form of the option's kind."""
    if option.kind == "check" and value in ("on", "off"):
        return "true" if value == "on" else "false"
    return value


def refuses(option: UgiOption, value: str) -> bool:
    """Return whether the option's own declaration excludes this value."""
    choices = {choice.lower() for choice in option.choices}
    return option.kind == "combo" and bool(choices) and value.lower() not in choices


def go_words(
    player: Player, own: PlayerClock | None, other: PlayerClock | None, alone: Words
) -> Words:
    """Return the words after `go`; those of `alone` where the player has no clock.

    UGI has a fixed time and increments. Periods are expressed by the nearest of these, which never
    gives the engine more time: the main time with the first period's share, then each move's share.
    """
    if own is None:
        return alone
    settings = own.settings
    if settings.move_seconds:
        return ("movetime", _milliseconds(settings.move_seconds))
    if settings.period_seconds and own.main_left <= 0:
        return ("movetime", _milliseconds(_share_of_period(own)))
    clocks = {player: own, player.other: own if other is None else other}
    first, second = clocks[Player.FIRST], clocks[Player.SECOND]
    return (
        *("p1time", _milliseconds(_left(first)), "p2time", _milliseconds(_left(second))),
        *("p1inc", _milliseconds(first.settings.increment_seconds)),
        *("p2inc", _milliseconds(second.settings.increment_seconds)),
    )


def _left(clock: PlayerClock) -> float:
    if clock.settings.move_seconds:
        return clock.settings.move_seconds
    return clock.main_left + (_share_of_period(clock) if clock.settings.period_seconds else 0.0)


def _share_of_period(clock: PlayerClock) -> float:
    """Return one move's share of the current period, in seconds."""
    return clock.period_left / clock.moves_left


def _milliseconds(seconds: float) -> str:
    return str(max(1, math.floor(1000 * seconds + 1e-6)) if seconds > 0 else 0)


def score_of(result: str) -> str:
    """Return a `query result` answer in the form of `final_score`; empty for an unknown result."""
    return {"p1win": "B+", "p2win": "W+", "draw": "0"}.get(result.strip(), "")
