"""Which games an event consists of: pairings, and for each its openings, twice with sides swapped.

A game is known by its `Key`, which depends on the configuration alone (in a Swiss tournament also
on the results of the rounds before). So a runner that was interrupted knows what is missing, and
games can be played anywhere and in any order.
"""

from collections.abc import Iterator, Mapping, Sequence

import attrs

from linage_bot.arena.records import GameRecord, Key
from linage_bot.arena.standings import Failures
from linage_bot.match.tournaments import Pairing, gauntlet, round_robin, swiss
from linage_bot.settings.match import MatchSettings


@attrs.frozen
class Task:
    """One game to be played: its key, its number in the event, and First's and Second's engine."""

    key: Key
    number: int
    engines: tuple[int, int]


def total(settings: MatchSettings) -> int:
    """How many games the event has if nobody is withdrawn and no test ends it."""
    count = len(settings.engines)
    if settings.tournament == "swiss":
        return settings.swiss_rounds * (count // 2) * settings.games
    return len(_pairings(settings)) * settings.games


def missing(settings: MatchSettings, records: Mapping[Key, GameRecord]) -> list[Task]:
    """The games that can be played now; in a Swiss tournament those of the current round."""
    gone = Failures(settings.names, settings.max_failures, records.values()).withdrawn
    stages = _swiss_rounds(settings, records)
    if settings.tournament != "swiss":
        stages = iter([list(_tasks(settings, _pairings(settings), 0, 0))])
    for stage in stages:
        left = [
            task
            for task in stage
            if task.key not in records and not gone.intersection(task.key.pairing)
        ]
        if left:
            return left
    return []


def _pairings(settings: MatchSettings) -> list[Pairing]:
    count = len(settings.engines)
    return gauntlet(count) if settings.tournament == "gauntlet" else round_robin(count)


def _tasks(
    settings: MatchSettings, pairings: Sequence[Pairing], first_number: int, first_opening: int
) -> Iterator[Task]:
    """The games of some pairings, all with one opening before all with the next."""
    names, number = settings.names, first_number
    for game in range(0, settings.games, 2):
        for one, two in pairings:
            for swapped in (False, True)[: settings.games - game]:
                key = Key((names[one], names[two]), first_opening + game // 2, swapped)
                number += 1
                yield Task(key, number, (two, one) if swapped else (one, two))


def _swiss_rounds(
    settings: MatchSettings, records: Mapping[Key, GameRecord]
) -> Iterator[list[Task]]:
    """The games of each round, which must be over before the next can be told."""
    names = settings.names
    points = [0.0] * len(names)
    met: set[Pairing] = set()
    rested: set[int] = set()
    openings = (settings.games + 1) // 2
    failures = Failures(names, settings.max_failures)  # in the rounds before: a round is fixed
    number = 0
    for turn in range(settings.swiss_rounds):
        absent = {index for index, name in enumerate(names) if name in failures.withdrawn}
        pairings, resting = swiss(points, met, rested, absent)
        tasks = list(_tasks(settings, pairings, number, turn * openings))
        yield tasks
        number += len(tasks)
        met.update(pairings)
        if resting is not None:
            rested.add(resting)
            points[resting] += settings.games
        for task in tasks:
            if task.key in records:
                record = records[task.key]
                failures.add(record)
                for index in task.engines:
                    points[index] += record.points(names[index])
