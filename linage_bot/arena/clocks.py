"""The referee's clocks: a move's time limit, the time left after it, and the GTP clock commands.

A clock here decides whether a player loses on time; it measures nothing. `engine.clocks` is the
player's view.
"""

from __future__ import annotations

import math

import attrs

from linage_bot.rules.game import Player
from linage_bot.settings.match import ClockSettings

Words = tuple[str, ...]  # a GTP command


@attrs.frozen
class PlayerClock:
    """The time that a player has left."""

    settings: ClockSettings
    main_left: float
    period_left: float  # of the current period; whole while main time lasts
    moves_left: int  # to make in the current period
    periods_left: int

    @classmethod
    def full(cls, settings: ClockSettings) -> PlayerClock:
        """Return a clock that has not run yet."""
        main = settings.main_seconds
        return cls(settings, main, settings.period_seconds, settings.period_moves, settings.periods)

    @property
    def seconds(self) -> float:
        """The most seconds that the next move may take, without the runner's margin."""
        if self.settings.move_seconds:
            return self.settings.move_seconds
        later = (self.periods_left - 1) * self.settings.period_seconds
        return self.main_left + (self.period_left + later if self.settings.period_seconds else 0)

    @property
    def limit_seconds(self) -> float:
        """The most seconds that the next move may take, with a margin for the runner's delay."""
        return self.seconds + self.settings.margin_seconds

    def after(self, used: float) -> PlayerClock | None:
        """Return the clock after a move of `used` seconds; None when the time is exceeded."""
        if used > self.limit_seconds:
            return None
        used = min(used, self.seconds)
        settings = self.settings
        if settings.move_seconds:
            return self
        if not settings.period_seconds or (self.main_left and used <= self.main_left):
            main = self.main_left - used + settings.increment_seconds
            return attrs.evolve(self, main_left=main)
        over = used - self.main_left
        if settings.period_moves > 1:  # Canadian
            if self.moves_left > 1:
                left, moves = self.period_left - over, self.moves_left - 1
            else:
                left, moves = settings.period_seconds, settings.period_moves
            return attrs.evolve(self, main_left=0.0, period_left=left, moves_left=moves)
        spent = max(0, math.ceil(over / settings.period_seconds) - 1)
        return attrs.evolve(self, main_left=0.0, periods_left=max(1, self.periods_left - spent))

    def time_left(self, player: Player, fractions: bool = False) -> Words:
        """Return GTP's `time_left` for this clock: seconds, and moves or periods left in byo-yomi.

        GTP has whole seconds; `fractions` is for engines that are known to read more.
        """
        settings = self.settings
        if settings.move_seconds:
            seconds, stones = settings.move_seconds, 1
        elif self.main_left > 0 or not settings.period_seconds:
            seconds, stones = self.main_left, 0
        elif settings.periods > 1:
            seconds, stones = settings.period_seconds, self.periods_left
        else:
            seconds, stones = self.period_left, self.moves_left
        number = f"{math.floor(1000 * seconds) / 1000:.12g}" if fractions else str(int(seconds))
        return ("time_left", player.letter, number, str(stones))


def time_settings(settings: ClockSettings | None, known: frozenset[str]) -> Words | None:
    """Return the command that sets an engine's clock; None without a clock.

    Byo-yomi and Fischer need `kgs-time_settings` and `kata-time_settings`. An engine that lacks
    them gets the nearest clock that GTP has, which never gives it more time.
    """
    if settings is None:
        return None
    main, period = f"{settings.main_seconds:g}", f"{settings.period_seconds:g}"
    if settings.move_seconds:
        return ("time_settings", "0", f"{settings.move_seconds:g}", "1")
    if settings.increment_seconds:
        increment = f"{settings.increment_seconds:g}"
        if "kata-time_settings" in known:
            return ("kata-time_settings", "fischer", main, increment)
        return ("time_settings", main, increment, "1")
    if settings.periods > 1 and "kgs-time_settings" in known:
        return ("kgs-time_settings", "byoyomi", main, period, str(settings.periods))
    stones = settings.period_moves if settings.period_seconds else 0
    return ("time_settings", main, period, str(stones))
