"""The process that plays the games of one `Assignment` for a cluster's worker.

`python -m linage_bot.match.pair_process` reads one pickled `Assignment` from its standard input and
prints, pickled too, the records of its games, or the fault in the settings that kept it from
playing. If its standard input ends before that, its parent is gone, and it and its engines end.
"""

import os
import pickle
import sys
import threading
from collections.abc import Callable
from typing import Any

from twisted.internet.defer import Deferred

from linage_bot.arena.child import EngineFault
from linage_bot.arena.records import GameRecord
from linage_bot.match.contestant import Contestant, contestant
from linage_bot.match.pair import Assignment
from linage_bot.match.play import MatchGame
from linage_bot.settings.checks import SettingFault
from protocol.transport.serving import use_monotonic_time


async def _play_all(
    assignment: Assignment, engines: dict[int, Contestant], now: Callable[[], float]
) -> list[GameRecord]:
    for index, engine in engines.items():
        try:
            await engine.prepare(assignment.game)
            if assignment.settings.pie:
                engine.check_pie()
        except EngineFault as fault:
            key = f"engines[{index}].{fault.setting}"
            raise SettingFault(key, fault.reason) from None
    records = []
    for task in assignment.tasks:
        sides = (engines[task.engines[0]], engines[task.engines[1]])
        match_game = MatchGame(
            task=task,
            game=assignment.game,
            sides=sides,
            opening=assignment.opening,
            settings=assignment.settings,
            now=now,
        )
        records.append(await match_game.play())
    return records


async def _main(reactor: Any, assignment: Assignment, abandoned: threading.Event) -> None:
    playing = {index for task in assignment.tasks for index in task.engines}
    engines = {
        index: contestant(reactor, assignment.settings, index)
        for index in sorted(playing or range(len(assignment.settings.engines)))
    }

    def wait_for_end() -> None:
        os.read(0, 1)  # not through sys.stdin, which a thread must not hold when Python ends
        abandoned.set()
        for engine in engines.values():
            reactor.callFromThread(engine.retire)

    threading.Thread(target=wait_for_end, daemon=True).start()
    try:
        answer: object = await _play_all(assignment, engines, reactor.seconds)
    except SettingFault as fault:
        answer = fault
    for engine in engines.values():
        await engine.stop(at_once=abandoned.is_set())
    if not abandoned.is_set():
        sys.stdout.buffer.write(pickle.dumps(answer))
        sys.stdout.flush()


def main() -> None:
    """Play the assignment on standard input."""
    from twisted.internet import reactor as installed
    from twisted.internet.task import react

    assignment = pickle.load(sys.stdin.buffer)  # from `play`, our own parent
    abandoned = threading.Event()
    use_monotonic_time(installed)
    react(
        lambda reactor: Deferred.fromCoroutine(_main(reactor, assignment, abandoned)), (), installed
    )


if __name__ == "__main__":
    main()
