"""Rules for when the clocks of a table run, and when its engines rest between two moves."""

import attrs

from linage_bot.rules.game import Player
from linage_bot.web.table.game import TableGame


def clock_runs(game: TableGame, *, compiling: bool, searching: bool) -> bool:
    """Return whether a player's clock runs: only while that player can continue the game.

    The first move of each player takes no time. `compiling` means that no engine can search yet,
    `searching` that an engine searches for its move.
    """
    if game.over or game.pie is not None or game.paused:
        return False
    if len(game.moves_to(game.node)) <= len(Player):
        return False
    if compiling and game.players != (None, None):
        return False
    return game.engine_to_move is None or searching


def made_move(before: TableGame, after: TableGame) -> bool:
    """Return whether the game went on by one move."""
    return after.node != before.node and after.tree[after.node].parent == before.node


def with_time_used(before: TableGame, after: TableGame, now: float) -> TableGame:
    """Return the game after a change, with its clock updated to the current time in seconds.

    The clock may be stopped by this; the session restarts it if it may run.
    """
    clock, mover = after.clock, after.position.to_move
    if clock is None:
        return after
    if after.node == before.node:
        clock = clock.run(False, now)  # so that the time used in this turn is saved, too
    elif made_move(before, after):
        clock = clock.moved(mover, now)
    else:
        clock = clock.turned(mover, now)
    return after if clock is after.clock else attrs.evolve(after, clock=clock)


def rest_seconds(game: TableGame, since_move: float) -> float | None:
    """Return the seconds that engines playing each other still rest; None if they do not.

    `since_move` is the number of seconds since the last move.
    """
    if None in game.players or game.pie is not None or game.over or game.paused:
        return None
    left = game.pace_seconds - since_move
    return left if left > 0 else None
