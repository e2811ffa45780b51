"""The games of an event: its pairings, and for each its openings, twice with sides swapped.

A game is identified by its `Key`, which depends on the configuration alone (in a Swiss tournament
also on the results of the rounds before, in a ladder on all earlier results). So a runner that was
interrupted can find the missing games, and games can be played anywhere and in any order.
"""

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import attrs

from linage_bot.arena.records import GameRecord, Key
from linage_bot.arena.standings import Failures
from linage_bot.match.ladder_order import next_keys
from linage_bot.match.matching import has_perfect_matching
from linage_bot.settings.ladder import LadderEvent
from linage_bot.settings.match import MatchSettings

Pairing = tuple[int, int]
"""Two engines by their places in the file, the lower one first."""


@attrs.frozen
class Task:
    """One game to be played: its key, its number in the event, and First's and Second's engine."""

    key: Key
    number: int
    engines: tuple[int, int]


def total(settings: MatchSettings) -> int:
    """Return the number of games if no engine is withdrawn and no test ends the event."""
    if isinstance(settings, LadderEvent):
        return settings.ladder.games
    count = len(settings.engines)
    if settings.tournament == "swiss":
        return settings.swiss_rounds * (count // 2) * settings.games
    return len(_pairings(settings)) * settings.games


def missing(
    settings: MatchSettings, records: Mapping[Key, GameRecord], playing: Collection[Key] = ()
) -> list[Task]:
    """Return the games that can be played now; in a Swiss tournament those of the current round.

    They include those of `playing` that are not recorded yet. In a ladder, the games in `playing`
    count toward its limit.
    """
    if isinstance(settings, LadderEvent):
        return [_rung_task(settings, key) for key in next_keys(settings, records, playing)]
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


def players(
    settings: MatchSettings, tasks: Iterable[Task], withdrawn: Collection[str]
) -> list[int]:
    """Return the places of the engines that may play in `tasks`, the current games, or later.

    In a Swiss tournament and in a ladder that is every engine which is not withdrawn.
    """
    if isinstance(settings, LadderEvent) or settings.tournament == "swiss":
        return [place for place, name in enumerate(settings.names) if name not in withdrawn]
    return sorted({place for task in tasks for place in task.engines})


def _pairings(settings: MatchSettings) -> list[Pairing]:
    """Return all pairs of engines or, in a gauntlet, the first engine with each of the others."""
    pairings = list(itertools.combinations(range(len(settings.engines)), 2))
    if settings.tournament == "gauntlet":
        return pairings[: len(settings.engines) - 1]
    return pairings


def _tasks(
    settings: MatchSettings, pairings: Sequence[Pairing], first_number: int, first_opening: int
) -> Iterator[Task]:
    """Yield the games of some pairings, all with one opening before all with the next."""
    names, number = settings.names, first_number
    for game in range(0, settings.games, 2):
        for one, two in pairings:
            for swapped in (False, True)[: settings.games - game]:
                key = Key((names[one], names[two]), first_opening + game // 2, swapped)
                number += 1
                yield Task(key, number, (two, one) if swapped else (one, two))


def _rung_task(settings: LadderEvent, key: Key) -> Task:
    """Return a game of a ladder; its number is derived from its key and unique."""
    rung = settings.names.index(key.pairing[1])
    number = 2 * (key.opening * (len(settings.names) - 1) + rung - 1) + key.swapped + 1
    return Task(key, number, (rung, 0) if key.swapped else (0, rung))


def _swiss_rounds(
    settings: MatchSettings, records: Mapping[Key, GameRecord]
) -> Iterator[list[Task]]:
    """Yield the games of each round; the pairings of a round depend on the results before it."""
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


def swiss(
    points: Sequence[float],
    met: Collection[Pairing],
    rested: Collection[int],
    absent: Collection[int],
) -> tuple[list[Pairing], int | None]:
    """Return the pairings of a round, and the engine that rests in it if the number is odd.

    Engines meet others with as many points as possible, and none twice while that can be avoided:
    the first is paired with the nearest below that leaves the rest a pairing, too. In the first
    round, when all are equal, the upper half of the list meets the lower half. No engine rests
    twice before all have rested.
    """
    standing = sorted(
        (index for index in range(len(points)) if index not in absent),
        key=lambda index: (-points[index], index),
    )
    resting = None
    if len(standing) % 2:
        fresh = [index for index in standing if index not in rested]
        resting = (fresh or standing)[-1]
        standing.remove(resting)
    if len(set(points)) <= 1:
        half = len(standing) // 2
        standing = [
            index for pair in zip(standing[:half], standing[half:], strict=True) for index in pair
        ]
    pairings = _without_rematch(standing, met, lambda _rest: True)  # almost always succeeds
    if pairings is None:
        pairings = _without_rematch(standing, met, lambda rest: _can_be_paired(rest, met))
    if pairings is None:  # everyone left has met
        pairings = [(standing[i], standing[i + 1]) for i in range(0, len(standing), 2)]
    return [_ordered(pairing) for pairing in pairings], resting


def _without_rematch(
    standing: Sequence[int], met: Collection[Pairing], may_be_left: Callable[[list[int]], bool]
) -> list[Pairing] | None:
    """Pair the first with the nearest below, and so on; return None if an engine has no opponent.

    After each pairing, the engines not yet paired must satisfy `may_be_left`.
    """
    pairings = []
    while standing:
        first, *others = standing
        for other in others:
            standing = [index for index in others if index != other]
            if _ordered((first, other)) not in met and may_be_left(standing):
                break
        else:
            return None
        pairings.append((first, other))
    return pairings


def _can_be_paired(standing: Sequence[int], met: Collection[Pairing]) -> bool:
    """Return whether all engines can meet one that they have not met, at the same time."""
    strangers = [
        [
            place
            for place, other in enumerate(standing)
            if other != one and _ordered((one, other)) not in met
        ]
        for one in standing
    ]
    return has_perfect_matching(strangers)


def _ordered(pairing: Pairing) -> Pairing:
    return (min(pairing), max(pairing))
