"""The order of a ladder's games: next come those with the most information about the engine."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from linage_bot.arena.ladder import Ladder, Rung
from linage_bot.arena.records import GameRecord, Key
from linage_bot.arena.standings import Failures
from linage_bot.settings.ladder import LadderEvent


def ladder_of(settings: LadderEvent, records: Iterable[GameRecord] = ()) -> Ladder:
    """Return the engine's games against its rungs, the weakest first."""
    errors = settings.ladder.rung_errors
    rungs = [Rung(name, elo, errors[name]) for name, elo in settings.anchors.items()]
    return Ladder(settings.names[0], sorted(rungs, key=lambda rung: rung.elo), records)


def next_keys(
    settings: LadderEvent, records: Mapping[Key, GameRecord], playing: Collection[Key] = ()
) -> list[Key]:
    """Return the games that can be played now; none when the error is small enough.

    Pairs that were begun come first, then as many new ones as games are played at once. Each rung
    uses the openings in order, from the first; a rung whose last pair held no new game has no more
    information and is left out. Games in `playing`, which are in progress, count as played, though
    they may be among the games returned.
    """
    engine, goal = settings.names[0], settings.ladder
    gone = Failures(settings.names, settings.max_failures, records.values()).withdrawn
    if engine in gone:
        return []
    begun: dict[str, int] = {}
    found = []
    for key in records:
        other = Key(key.pairing, key.opening, not key.swapped)
        rung = key.pairing[1]
        begun[rung] = max(begun.get(rung, 0), key.opening + 1)
        if other not in records and rung not in gone:
            found.append(other)
    ladder = ladder_of(settings, records.values())
    if records and ladder.rating().error <= goal.error:
        return found
    room = goal.games - len({*records, *playing, *found})
    used_up = {rung for rung, count in begun.items() if _repeated(records, engine, rung, count - 1)}
    for rung in ladder.next_rungs(settings.concurrency, gone | used_up):
        opening = begun.get(rung, 0)
        begun[rung] = opening + 1
        pair = [Key((engine, rung), opening, swapped) for swapped in (False, True)]
        room -= sum(key not in playing for key in pair)
        if room < 0:
            break
        found += pair
    return found


def _repeated(records: Mapping[Key, GameRecord], engine: str, rung: str, opening: int) -> bool:
    """Return whether both games of a pair were played and repeat earlier ones."""
    pair = [records.get(Key((engine, rung), opening, swapped)) for swapped in (False, True)]
    return all(record is not None and record.repeats for record in pair)
