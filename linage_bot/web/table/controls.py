"""The players, seats, clocks and pace of the game at a table.

Each function returns the game afterwards, or raises `ActionRefused`.
"""

import attrs

from linage_bot.rules.game import Player
from linage_bot.settings.match import ClockSettings
from linage_bot.web.table.clock import TableClock
from linage_bot.web.table.errors import ActionRefused, check
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.pie import PlayerKind

SLOWEST_PACE = 60  # seconds


def set_player(game: TableGame, player: Player, kind: PlayerKind) -> TableGame:
    """Replace the player of one side, also in the middle of a game."""
    check(game.pie is None, "the pie comes first")
    other = game.players[player.other]
    return attrs.evolve(game, players=(other, kind) if player else (kind, other))


def take_seat(game: TableGame, invitation: str, holder: str) -> TableGame:
    """Take the seat of an invitation link; both are hashes."""
    if game.seats is None:
        raise ActionRefused("this link gives no seat at this table")
    return attrs.evolve(game, seats=game.seats.taken(invitation, holder))


def name_person(game: TableGame, name: str, *, seat: int | None = None) -> TableGame:
    """Set the name of the person in a seat of a shared table."""
    if game.seats is None or seat is None:
        raise ActionRefused("only people at a table of two have names")
    return attrs.evolve(game, seats=game.seats.named(seat, name))


def timed(game: TableGame, settings: ClockSettings | None) -> TableGame:
    """Return the game with full clocks of these settings; None: without clocks."""
    full = None if settings is None else TableClock.full(settings, game.position.to_move)
    return attrs.evolve(game, time=settings, clock=full)


def pace(game: TableGame, seconds: float) -> TableGame:
    """Set the seconds of rest between two moves of engines that play each other."""
    check(0 <= seconds <= SLOWEST_PACE, f"a pace is 0 to {SLOWEST_PACE} seconds")
    return attrs.evolve(game, pace_seconds=seconds)


def pause(game: TableGame, on: bool) -> TableGame:
    """Pause or resume the engines and clocks."""
    check(not (on and game.closed), "a game between two people cannot be paused")
    return attrs.evolve(game, paused=on)
