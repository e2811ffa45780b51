"""Which games an event consists of: pairings, and for each its openings, twice with sides swapped.

A game is known by its `Key`, which depends on the configuration alone. So a runner that was
interrupted knows what is missing, and games can be played anywhere and in any order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import attrs

from linage_bot.game import Player
from linage_bot.match.settings import MatchSettings


@attrs.frozen
class Key:
    """One game of an event: two engines in the file's order, an opening, and who has which side."""

    pairing: tuple[str, str]
    opening: int
    swapped: bool = False  # the second of the pairing moves first


@attrs.frozen
class Task:
    """One game to be played: its key, its number in the event, and First's and Second's engine."""

    key: Key
    number: int
    engines: tuple[int, int]

    def engine(self, player: Player) -> int:
        """The index of a player's engine."""
        return self.engines[player]


def tasks(settings: MatchSettings) -> Iterator[Task]:
    """All games of the event in the order in which they are numbered; pairs stand together."""
    names = settings.names
    for number in range(settings.games):
        key = Key((names[0], names[1]), number // 2, bool(number % 2))
        yield Task(key, number + 1, (1, 0) if key.swapped else (0, 1))


def missing(settings: MatchSettings, played: Collection[Key]) -> list[Task]:
    """The games that are still to be played."""
    return [task for task in tasks(settings) if task.key not in played]
