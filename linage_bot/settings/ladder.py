"""The settings of a ladder: an engine to be rated, its rungs, and the precision of the rating.

These classes are read from TOML by `reading.load`; every key is described in `docs/ladder.md`. The
shipped rungs are of Linage 9x9, and come from docs/levels.md; level 0, random play, is at 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

from linage_bot.settings.checks import at_least, check_text
from linage_bot.settings.match import (
    ClockSettings,
    EngineSettings,
    GameSettings,
    MatchSettings,
    OpeningSettings,
)


@attrs.frozen
class RungSettings(EngineSettings):
    """An engine of known rating, with half its 95 % interval; 0 if the rating is exact."""

    elo: float = attrs.field(kw_only=True)
    error: float = attrs.field(default=0.0, validator=at_least(0), kw_only=True)


_LEVELS: Final = {  # Elo on 9x9, half the 95 % interval of its distance from the middle of all
    0: (0, 50),
    2: (230, 45),
    4: (430, 40),
    6: (610, 35),
    8: (830, 20),
    10: (1010, 20),
    12: (1160, 20),
    14: (1360, 35),
    16: (1510, 45),
    18: (1690, 50),
    20: (1830, 60),
}
SHIPPED_RUNGS: Final = tuple(
    RungSettings(f"linage-bot gtp --level {level}", name=f"level {level}", elo=elo, error=error)
    for level, (elo, error) in _LEVELS.items()
)
SHIPPED_GAME: Final = GameSettings(size=9)
SHIPPED_OPENINGS: Final = OpeningSettings(random_moves=2)


@attrs.frozen(kw_only=True)
class LadderGoal:
    """The end of a ladder, at this error or number of games, and the errors of its rungs."""

    error: float
    games: int
    rung_errors: Mapping[str, float]


@attrs.frozen
class LadderEvent(MatchSettings):
    """A ladder as an event: the first engine is rated, the anchors are the rungs."""

    ladder: LadderGoal = attrs.field(kw_only=True)


def _check_rungs(settings: LadderSettings, _field: object, value: tuple[RungSettings, ...]) -> None:
    if not value and settings.game.configure() != SHIPPED_GAME.configure():
        raise ValueError("the shipped rungs are for Linage 9x9 only; add [[rungs]] for this game")


@attrs.frozen(kw_only=True)
class LadderSettings:
    """A ladder as its file describes it."""

    engine: EngineSettings
    out: str = attrs.field(validator=check_text)
    error: float = attrs.field(default=50.0, validator=at_least(1))
    games: int = attrs.field(default=1000, validator=at_least(2))
    game: GameSettings = SHIPPED_GAME
    rungs: tuple[RungSettings, ...] = attrs.field(default=(), validator=_check_rungs)
    openings: OpeningSettings = SHIPPED_OPENINGS
    clock: ClockSettings | None = None
    concurrency: int = attrs.field(default=1, validator=at_least(1))
    max_moves: int | None = attrs.field(default=None, validator=at_least(1))
    patience_seconds: float = attrs.field(default=120.0, validator=at_least(0.001))
    max_failures: int = attrs.field(default=25, validator=at_least(1))

    def event(self) -> LadderEvent:
        """Return the ladder as an event; raises `ValueError` for two engines of one name."""
        rungs = self.rungs or SHIPPED_RUNGS
        fields = [field.name for field in attrs.fields(EngineSettings)]
        engines = [self.engine]
        for rung in rungs:  # their ratings may change while a ladder is interrupted
            engines.append(EngineSettings(**{name: getattr(rung, name) for name in fields}))
        plain = MatchSettings(games=2, out=self.out, engines=tuple(engines))
        by_name = dict(zip(plain.names[1:], rungs, strict=True))
        return LadderEvent(
            games=2,
            out=self.out,
            engines=tuple(engines),
            game=self.game,
            clock=self.clock,
            openings=self.openings,
            anchors={name: rung.elo for name, rung in by_name.items()},
            tournament="gauntlet",
            concurrency=self.concurrency,
            max_moves=self.max_moves,
            patience_seconds=self.patience_seconds,
            max_failures=self.max_failures,
            ladder=LadderGoal(
                error=self.error,
                games=self.games,
                rung_errors={name: rung.error for name, rung in by_name.items()},
            ),
        )
