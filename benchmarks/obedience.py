"""Measure the response times of a searching engine, and the time to a new engine's first move.

    python benchmarks/obedience.py --size 19 --runs 30

Each run starts `genmove` with an hour of time, waits half a second to a second, sends one line, and
measures the time until the answer is complete: the move after `stop` and `# interrupt`, the end of
the process after `quit`. Then commands of other kinds are measured, and at last the first move of
new processes with one visit. All figures are in milliseconds.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import time

_ENGINE = ["linage-bot", "gtp", "--seed", "1"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", default="19")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--starts", type=int, default=10)
    arguments = parser.parse_args()
    print("| | median ms | worst ms |\n|---|---|---|")
    for line in ("stop", "# interrupt", "quit"):
        _row(line, [_stopped(arguments.size, line) for _ in range(arguments.runs)])
    for line in ("\n", "name"):
        _row(f"kata-analyze, then {line!r}", _analysis(arguments.size, line, arguments.runs))
    _row("name while the first search loads", _loading(arguments.size, arguments.runs))
    _row("name during a search, after stop", _queued(arguments.size, arguments.runs))
    moves = [_first_move(arguments.size) for _ in range(arguments.starts)]
    _row("first genmove at 1 visit", [wall for wall, _ in moves])
    _row("processor time of such a process", [processor for _, processor in moves])


def _row(label: str, seconds: list[float]) -> None:
    median, worst = 1000 * statistics.median(seconds), 1000 * max(seconds)
    print(f"| {label} | {median:.0f} | {worst:.0f} |", flush=True)


class _Engine:
    """An engine process, to which lines are written and from which lines are read."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [*_ENGINE, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read_line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def answer(self) -> list[str]:
        """Return the lines of one reply, up to the empty line."""
        lines = []
        while line := self.read_line():
            lines.append(line)
        return lines

    def warm(self) -> None:
        """Make the engine load its compiled code."""
        self.send("kata-search_analyze b 100000")
        self.read_line()  # the first line of the reply
        time.sleep(4)
        self.send("stop")
        self.answer()
        self.answer()

    def end(self) -> None:
        self.send("quit")
        self.process.wait()


def _stopped(size: str, line: str) -> float:
    engine = _engine(size)
    engine.send("genmove b")
    time.sleep(0.5 + random.random() / 2)
    began = time.perf_counter()
    engine.send(line)
    engine.answer()
    if line == "quit":
        engine.process.wait()
        _spare.clear()
    taken = time.perf_counter() - began
    if line != "quit":
        if line == "stop":
            engine.answer()
        engine.send("clear_board")
        engine.answer()
    return taken


_spare: list[_Engine] = []


def _engine(size: str) -> _Engine:
    """Return an engine that has searched before; it is reused in all runs."""
    if not _spare:
        engine = _Engine("--size", size, "--seconds", "3600")
        engine.warm()
        _spare.append(engine)
    return _spare[0]


def _analysis(size: str, line: str, runs: int) -> list[float]:
    taken = []
    for _ in range(runs):
        engine = _engine(size)
        engine.send("kata-analyze b 10")
        for _ in range(3):
            engine.read_line()
        time.sleep(random.random() / 10)
        began = time.perf_counter()
        engine.send(line.strip())
        engine.answer()  # the rest of the analysis
        if line.strip():
            engine.answer()
        taken.append(time.perf_counter() - began)
    return taken


def _queued(size: str, runs: int) -> list[float]:
    """Measure a command sent together with `stop`: it waits for the search, then is answered."""
    taken = []
    for _ in range(runs):
        engine = _engine(size)
        engine.send("kata-search b")
        time.sleep(0.3 + random.random() / 2)
        began = time.perf_counter()
        engine.send("stop\nname")
        for _ in range(3):
            engine.answer()
        taken.append(time.perf_counter() - began)
    return taken


def _loading(size: str, runs: int) -> list[float]:
    """Measure quick commands while compiled code is loaded in the background."""
    taken = []
    while len(taken) < runs:
        engine = _Engine("--size", size)
        engine.send("time_settings 300 0 0")  # starts to load the code
        engine.answer()
        for _ in range(10):
            began = time.perf_counter()
            engine.send("name")
            engine.answer()
            taken.append(time.perf_counter() - began)
            time.sleep(0.05)
        engine.end()
    return taken[:runs]


def _first_move(size: str) -> tuple[float, float]:
    """Return the seconds until the answer, and the processor time of the whole process."""
    before, began = os.times(), time.perf_counter()
    engine = _Engine("--size", size, "--visits", "1")
    engine.send("genmove b")
    engine.answer()
    taken = time.perf_counter() - began
    engine.end()
    after = os.times()
    children = after.children_user + after.children_system
    return taken, children - before.children_user - before.children_system


if __name__ == "__main__":
    main()
