"""Predict the speed-up of a search by 2 to 64 threads, from times measured with one thread.

    python benchmarks/threads.py --game linage --size 15 --stones 67 --check 2

The time that a flight takes from the tree's thread, to begin and to end, and the time to play it
are measured one after another in processor time. Then the search is simulated with each number of
threads, a processor for each. The speed-up is in visits a second, against one thread, which plays
each flight at once. `--check N` also measures it with N threads, in wall time; both searches need
processors at rest.
"""

from __future__ import annotations

import argparse
import random
import threading
import time
from collections.abc import Callable

import attrs

from linage_bot.engine import kernels
from linage_bot.engine.kernels.contract import Kernel
from linage_bot.engine.limits import Limits
from linage_bot.engine.search.think import Search, flights_for
from linage_bot.engine.search.tree import Tree
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Position

_THREADS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
_MEASUREMENTS = 5
_FIRST_VISITS = 2000  # so that the tree has some depth
_SPREAD = 0.3  # the times of playouts differ by up to this share of their mean


@attrs.frozen
class Times:
    """The mean times of a flight, in microseconds of a processor."""

    begin: float
    play: float
    end: float

    def tree(self, plays: int) -> float:
        """Return the time of the tree's thread for each playout."""
        return (self.begin + self.end) / plays


def measured(kernel: Kernel, position: Position, lag: int, plays: int, visits: int) -> Times:
    """Return the least times of a flight in several measurements, with `lag` under way."""
    found = [_measured(kernel, position, lag, plays, visits) for _ in range(_MEASUREMENTS)]
    return Times(*map(min, zip(*map(attrs.astuple, found), strict=True)))


def alone(kernel: Kernel, position: Position, visits: int) -> float:
    """Return the time of a visit by a search with one thread, in microseconds of a processor."""
    tree = Tree(kernel, position, position.moves(), 1)
    tree.grow(_FIRST_VISITS)
    spent = list[float]()
    while len(spent) < _MEASUREMENTS and (not spent or not tree.certain):
        before, started = tree.visits, time.thread_time_ns()
        tree.grow(visits)
        spent.append((time.thread_time_ns() - started) / 1000 / max(1, tree.visits - before))
    return min(spent)


def _measured(kernel: Kernel, position: Position, lag: int, plays: int, visits: int) -> Times:
    tuning = attrs.evolve(kernel.tuning_for(position.game.board), plays=plays)
    tree = Tree(kernel, position, position.moves(), 1, tuning, lag=lag)
    play = tree.playout_worker()
    tree.grow(_FIRST_VISITS)
    steps: list[Callable[[], object]] = [
        lambda: tree.grow(0, to_end=False),  # only the time of a call
        lambda: tree.grow(lag * plays, to_end=False),
        lambda: play(lag),
        lambda: tree.grow(0),
    ]
    spent, before = [0] * len(steps), tree.visits
    while tree.visits < before + visits and not tree.certain:
        for number, step in enumerate(steps):
            started = time.thread_time_ns()
            step()
            spent[number] += time.thread_time_ns() - started
    flights = 1000 * max(1, tree.visits - before) / plays
    call, begin, playing, end = (each / flights for each in spent)
    return Times(begin - call, playing, end - call)


def simulated(times: Times, threads: int, lag: int, flights: int = 4000) -> float:
    """Return the microseconds for each flight if every thread has a processor.

    As in `uct`, the tree's thread begins flights while fewer than `lag` are under way. Otherwise it
    ends the oldest one; until that has landed, it plays the last one that no thread has taken.
    """
    chance = random.Random(1)
    free = [0.0] * (threads - 1)  # when each other thread can take a flight
    now = 0.0
    waiting: list[tuple[int, float]] = []  # flights that no thread has taken, and when they began
    landed: list[float] = []  # when each flight lands
    begun = ended = 0

    def duration() -> float:
        return times.play * chance.uniform(1 - _SPREAD, 1 + _SPREAD)

    def take(until: float) -> None:
        """Let the other threads take the flights that they find up to this moment."""
        while waiting and free:
            first = min(range(len(free)), key=free.__getitem__)
            starts = max(free[first], waiting[0][1])
            if starts > until:
                return
            number, _ = waiting.pop(0)
            landed[number] = free[first] = starts + duration()

    while ended < flights:
        take(now)
        if begun - ended < lag:
            now += times.begin
            waiting.append((begun, now))
            landed.append(float("inf"))
            begun += 1
        elif landed[ended] <= now:
            now += times.end
            ended += 1
        elif waiting:
            number, _ = waiting.pop()
            now += duration()
            landed[number] = now
        else:
            now = landed[ended]
    return now / flights


def main() -> None:
    arguments = _arguments()
    game = GAMES[arguments.game].configure(arguments.size)
    position, chance = game.start(), random.Random(3)
    for _ in range(arguments.stones):
        position = position.after(chance.choice([m for m in position.moves() if m != PASS]))
    kernel = kernels.load(game)
    tuning = kernel.tuning_for(game.board)
    ways = sorted({flights_for(kernel, tuning, threads) for threads in _THREADS})
    times = {way: measured(kernel, position, *way, arguments.visits) for way in ways}
    for (lag, plays), each in times.items():
        print(
            f"{lag} flights of {plays}: begin {each.begin:.2f}, play {each.play:.2f}, "
            f"end {each.end:.2f} us; {each.tree(plays):.2f} us of the tree a playout"
        )
    one = alone(kernel, position, arguments.visits)
    print(f"one thread: {one:.2f} us a visit")
    for threads in _THREADS:
        lag, plays = flights_for(kernel, tuning, threads)
        rate = plays * one / simulated(times[lag, plays], threads, lag)
        print(f"{threads:2} threads: {rate:.2f} times one thread")
    if arguments.check:
        rates = [_rate(kernel, position, threads, arguments) for threads in (1, arguments.check)]
        print(f"measured with {arguments.check} threads: {rates[1] / rates[0]:.2f} times")


def _rate(kernel: Kernel, position: Position, threads: int, arguments: argparse.Namespace) -> float:
    """Return the visits a second of wall time."""
    search = Search(kernel, position, position.moves(), 1, threads)
    started = time.monotonic()
    search.run(Limits(seconds=arguments.seconds), threading.Event())
    return search.visits / (time.monotonic() - started)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="linage")
    parser.add_argument("--size")
    parser.add_argument("--stones", type=int, default=0, help="random stones on the board")
    parser.add_argument("--visits", type=int, default=40_000, help="visits of each measurement")
    parser.add_argument(
        "--check", type=int, default=0, help="also measure with this number of threads"
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement by --check")
    return parser.parse_args()


if __name__ == "__main__":
    main()
