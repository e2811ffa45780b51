"""The score table of an event, made from its records alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from linage_bot.arena.records import FORFEIT, GameRecord


@attrs.frozen
class Standing:
    """One engine's results; `as_first` and `as_second` are points with each side.

    `repeated` is the number of its games that repeat an earlier one.
    """

    name: str
    games: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    as_first: float = 0.0
    as_second: float = 0.0
    forfeited: int = 0
    moves: int = 0
    seconds: float = 0.0
    longest_seconds: float = 0.0
    repeated: int = 0

    @property
    def points(self) -> float:
        """The number of points: a win counts 1, a draw 0.5."""
        return self.won + self.drawn / 2

    @property
    def share(self) -> float:
        """The mean points per game; 0 before the first."""
        return self.points / self.games if self.games else 0.0

    @property
    def seconds_per_move(self) -> float:
        """The mean time of the engine's own moves."""
        return self.seconds / self.moves if self.moves else 0.0

    def after(self, record: GameRecord) -> Standing:
        """Return the standing with one more game of this engine."""
        side = record.players.index(self.name)
        points = record.points(self.name)
        own = record.own_seconds(self.name)
        return attrs.evolve(
            self,
            games=self.games + 1,
            won=self.won + (points == 1),
            lost=self.lost + (points == 0),
            drawn=self.drawn + (points == 0.5),
            as_first=self.as_first + (points if side == 0 else 0),
            as_second=self.as_second + (points if side == 1 else 0),
            forfeited=self.forfeited + (record.ending == FORFEIT and points == 0),
            moves=self.moves + len(own),
            seconds=self.seconds + sum(own),
            longest_seconds=max((self.longest_seconds, *own)),
            repeated=self.repeated + (record.repeats > 0),
        )


class Crosstable:
    """The standings of all engines, kept up to date game by game."""

    def __init__(self, names: Sequence[str], records: Iterable[GameRecord] = ()) -> None:
        self._rows = {name: Standing(name) for name in names}
        for record in records:
            self.add(record)

    def add(self, record: GameRecord) -> None:
        """Count one more game."""
        for name in record.players:
            if name in self._rows:
                self._rows[name] = self._rows[name].after(record)

    def rows(self) -> list[Standing]:
        """Return all engines, the best first; equal ones in the file's order."""
        return sorted(self._rows.values(), key=lambda row: row.share, reverse=True)


class Failures:
    """The engines that have forfeited too many games in succession, in the order of the records."""

    def __init__(
        self, names: Sequence[str], max_failures: int, records: Iterable[GameRecord] = ()
    ) -> None:
        self.withdrawn: set[str] = set()
        self._max_failures = max_failures
        self._counts = dict.fromkeys(names, 0)
        for record in records:
            self.add(record)

    def add(self, record: GameRecord) -> str | None:
        """Count one more game; return the engine that is withdrawn because of it, or None."""
        for name in record.players:
            if name in self._counts:
                forfeited = record.ending == FORFEIT and record.points(name) == 0
                self._counts[name] = self._counts[name] + 1 if forfeited else 0
                if self._counts[name] >= self._max_failures and name not in self.withdrawn:
                    self.withdrawn.add(name)
                    return name
        return None
