"""The score table of an event, made from its records alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from linage_bot.match.records import FORFEIT, GameRecord


@attrs.frozen
class Standing:
    """How one engine has done; `as_first` and `as_second` are points with each side."""

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

    @property
    def points(self) -> float:
        """A win counts 1, a draw 0.5."""
        return self.won + self.drawn / 2

    @property
    def seconds_per_move(self) -> float:
        """The mean time of the engine's own moves."""
        return self.seconds / self.moves if self.moves else 0.0

    def after(self, record: GameRecord) -> Standing:
        """The standing with one more game of this engine."""
        side = record.players.index(self.name)
        points = record.points(self.name)
        # A move that was not in time or not legal was timed, too, though it is not in the record.
        own = record.seconds[(side - record.opening_moves) % 2 :: 2]
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
        )


def standings(names: Sequence[str], records: Iterable[GameRecord]) -> list[Standing]:
    """All engines, the best first; equal ones in the file's order."""
    table = {name: Standing(name) for name in names}
    for record in records:
        for name in record.players:
            if name in table:
                table[name] = table[name].after(record)
    return sorted(table.values(), key=_share, reverse=True)


def _share(standing: Standing) -> float:
    return standing.points / standing.games if standing.games else 0.0


def failures_in_succession(name: str, records: Iterable[GameRecord]) -> int:
    """How many games up to the last one an engine has forfeited without a break."""
    count = 0
    for record in records:
        if name in record.players:
            forfeited = record.ending == FORFEIT and record.points(name) == 0
            count = count + 1 if forfeited else 0
    return count
