"""A simulation of the queues of a `linage-bot web` server as the number of players grows.

A player thinks, moves, and waits for the engine's answer, again and again. The process that serves
pages receives the moves one after the other. The engine's searches queue for the workers, each of
which runs one at a time. Then the process of pages sends the answer. The costs of these steps were
measured by `hosting_load.py` and are constants below.

The number of players grows from 0.5 to 1000 times the load of one core, in three
settings: with one worker for all, with a worker for each core's load of players, and also with a
process of pages for every fifty workers. The drawing shows the wait that 95 % of the answers stay
below, beyond the engine's own time, and the mean lengths of the queues.

    PYTHONPATH=. python benchmarks/hosting_model.py            # redraws docs/images/hosting.svg
    PYTHONPATH=. python benchmarks/hosting_model.py FILE.svg
"""

from __future__ import annotations

import heapq
import html
import math
import random
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from linage_bot.drawing.layout import number
from linage_bot.drawing.palette import STYLE, Ink, paint

TARGET = Path(__file__).parents[1] / "docs" / "images" / "hosting.svg"

THINK_SECONDS = 10.0  # of a player, on average; exponentially distributed
MOVE_SECONDS = 1.0  # of the engine, `--seconds 1` at full strength
TAKE_SECONDS = 0.008  # of the process of pages, to receive a move
TELL_SECONDS = 0.018  # of the same, to send an answer; includes its way to a worker and back
MOST_WAIT = 1.0  # for 95 %, beyond the engine's own time; defines the players that a core carries
SHARE = 50  # workers for one process of pages, if there are several
LEAST_SECONDS, LEAST_MOVES = 180.0, 6000  # simulated; the first third, with growing queues, is cut
TIMES = (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@attrs.frozen(kw_only=True)
class Outcome:
    """The results of a simulation."""

    late: float  # seconds that 95 % of the waits stay below, beyond the engine's own time
    page: float  # mean number of players in the queues for the processes of pages
    workers: float  # mean number of players in the queue for the workers


class Queue:
    """A first-come, first-served queue for a number of equal servers."""

    def __init__(self, servers: int, warm: float) -> None:
        self._free = servers
        self._warm = warm
        self._waiting: deque[tuple[int, int, float]] = deque()
        self._since, self.area = 0.0, 0.0

    def _count(self, now: float) -> None:
        if now > self._warm:
            self.area += len(self._waiting) * (now - max(self._since, self._warm))
        self._since = now

    def come(self, now: float, who: int, stage: int, seconds: float) -> float | None:
        """Add a job; return the time of its end if a server is free, or None if it has to wait."""
        self._count(now)
        if self._free:
            self._free -= 1
            return now + seconds
        self._waiting.append((who, stage, seconds))
        return None

    def go(self, now: float) -> tuple[int, int, float] | None:
        """Finish a job; return the player, stage and end of the next one, or None if none waits."""
        self._count(now)
        if not self._waiting:
            self._free += 1
            return None
        who, stage, seconds = self._waiting.popleft()
        return who, stage, now + seconds

    def mean(self, now: float) -> float:
        """Return the mean number of waiting jobs since the warm-up."""
        self._count(now)
        return self.area / (now - self._warm)


def simulate(players: int, workers: int, processes: int = 1, seed: int = 1) -> Outcome:
    """Simulate players, workers and processes of pages; each player belongs to one process."""
    chance = random.Random(seed)
    slowest = max(MOVE_SECONDS / workers, (TAKE_SECONDS + TELL_SECONDS) / processes)
    moves = LEAST_MOVES * (THINK_SECONDS + MOVE_SECONDS) / players
    end = max(LEAST_SECONDS, moves, 6 * players * slowest)  # each player has waited several times
    warm = end / 3
    pages, crew = [Queue(1, warm) for _ in range(processes)], Queue(workers, warm)
    events = [(chance.expovariate(1 / THINK_SECONDS), who, 0) for who in range(players)]
    heapq.heapify(events)
    asked = [0.0] * players
    waits: list[float] = []

    # Stages: 0 a move arrives, 1 it is received, 2 the engine has moved, 3 the answer is sent.
    def come(queue: Queue, now: float, who: int, stage: int, seconds: float) -> None:
        through = queue.come(now, who, stage, seconds)
        if through is not None:
            heapq.heappush(events, (through, who, stage))

    def go(queue: Queue, now: float) -> None:
        following = queue.go(now)
        if following is not None:
            other, stage, through = following
            heapq.heappush(events, (through, other, stage))

    while True:
        now, who, stage = heapq.heappop(events)
        if now > end:
            break
        page = pages[who % processes]
        if stage == 0:
            asked[who] = now
            come(page, now, who, 1, TAKE_SECONDS)
        elif stage == 1:
            go(page, now)
            come(crew, now, who, 2, MOVE_SECONDS)
        elif stage == 2:
            go(crew, now)
            come(page, now, who, 3, TELL_SECONDS)
        else:
            go(page, now)
            if now > warm:
                waits.append(now - asked[who] - MOVE_SECONDS)
            heapq.heappush(events, (now + chance.expovariate(1 / THINK_SECONDS), who, 0))
    waits.sort()
    return Outcome(
        late=waits[int(0.95 * len(waits))],
        page=sum(each.mean(end) for each in pages),
        workers=crew.mean(end),
    )


def carried() -> int:
    """Return the number of players that one worker carries."""
    players = 1
    while simulate(players + 1, 1).late <= MOST_WAIT:
        players += 1
    return players


SETTINGS = ("one worker", "a worker for each core's load", "and pages in many processes")


def table(each: int) -> list[list[Outcome]]:
    """Return, for each of `SETTINGS`, the outcomes with `TIMES` the players that a core carries."""
    found: list[list[Outcome]] = [[], [], []]
    for times in TIMES:
        players, workers = max(1, round(times * each)), max(1, math.ceil(times))
        found[0].append(simulate(players, 1))
        found[1].append(simulate(players, workers))
        found[2].append(simulate(players, workers, math.ceil(workers / SHARE)))
    return found


# The drawing

_WIDTH, _HEIGHT = 720.0, 352.0
_LEFT, _TOP, _ACROSS, _UP = 46.0, 46.0, 286.0, 210.0
_INKS: tuple[Ink, ...] = ("second-strong", "first-strong", "accent")
_DASHES = ("", ' stroke-dasharray="6 3"', ' stroke-dasharray="2 3"')


def drawn(each: int, found: Sequence[Sequence[Outcome]]) -> str:
    """Return the drawing: two graphs side by side with logarithmic scales."""
    name = "Waiting and queues as players grow to a thousand times what one core carries"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{name}"'
        f' viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" width="{_WIDTH:g}" height="{_HEIGHT:g}"'
        ' font-family="system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif"'
        ' font-size="11">',
        f"<title>{name}</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{_WIDTH:g}" height="{_HEIGHT:g}" {paint("paper")}/>',
    ]
    waits = [(SETTINGS[i], i, [one.late for one in row]) for i, row in enumerate(found)]
    parts += _graph(
        _LEFT, "seconds that 95 % wait less than, beyond the engine's own", waits, -2, 4
    )
    queues = [
        ("workers, if there is one", 0, [one.workers for one in found[0]]),
        ("page's process, with workers enough", 1, [one.page for one in found[1]]),
        ("pages in many processes", 2, [one.page for one in found[2]]),
    ]
    parts += _graph(_LEFT + 360, "players in the queue for …", queues, -2, 4)
    below = f"across: players, in times of the {each} that one core carries"
    parts.append(_text(_LEFT, _HEIGHT - 10, below))
    return "\n".join([*parts, "</svg>", ""])


def _graph(
    left: float, title: str, lines: Sequence[tuple[str, int, list[float]]], low: int, high: int
) -> Iterator[str]:
    first, last = math.log10(TIMES[0]), math.log10(TIMES[-1])

    def x(times: float) -> float:
        return left + _ACROSS * (math.log10(times) - first) / (last - first)

    def y(value: float) -> float:
        power = max(low, math.log10(max(value, 1e-9)))
        return _TOP + _UP * (high - power) / (high - low)

    yield _text(left, 22, title)
    for power in range(low, high + 1):
        level = number(y(10.0**power))
        line = f'd="M{number(left)},{level}h{_ACROSS:g}" {paint(None, "grid")}'
        yield f'<path {line} stroke-width=".5"/>'
        yield _text(left - 6, y(10.0**power) + 4, f"{10.0**power:g}", "end")
    for times in (1, 10, 100, 1000):
        yield _text(x(times), _TOP + _UP + 16, f"{times}", "middle")
    for row, (label, style, values) in enumerate(lines):
        places = (f"{number(x(t))},{number(y(v))}" for t, v in zip(TIMES, values, strict=True))
        stroke = f'{paint(None, _INKS[style])} stroke-width="1.8"{_DASHES[style]}'
        yield f'<path d="M{"L".join(places)}" {stroke}/>'
        key = _TOP + _UP + 32 + 13 * row
        yield f'<path d="M{number(left)},{number(key - 4)}h24" {stroke}/>'
        yield _text(left + 30, key, label)


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    place = f'x="{number(x)}" y="{number(y)}" text-anchor="{anchor}"'
    return f"<text {place} {paint('ink')}>{html.escape(words)}</text>"


def main() -> None:
    each = carried()
    found = table(each)
    print(
        f"one core carries {each} players: 95 % wait at most {MOST_WAIT:g} s more than the engine"
    )
    for name, row in zip(SETTINGS, found, strict=True):
        print(name)
        for times, one in zip(TIMES, row, strict=True):
            print(
                f"  {times:6g} times: 95 % within {one.late:8.2f} s; in queues"
                f" {one.page:8.1f} page, {one.workers:8.1f} workers"
            )
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.write_text(drawn(each, found), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
