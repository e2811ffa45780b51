"""Compare the visits per second of many positions analysed at once with those of a single one.

Starts `linage-bot analysis --threads N` and sends two kinds of requests in turn: one position on N
threads, and many positions with one thread each, with the same total number of visits. Prints the
visits per second of both for each round, and the ratio of their medians. It prints the same by
processor time (from Linux's /proc), on which other work of the machine has less influence.

    PYTHONPATH=. python benchmarks/analysis_load.py --threads 2 --positions 100 --rounds 5
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import time
from pathlib import Path
from typing import IO, Any


def ask(engine: subprocess.Popen[bytes], queries: list[dict[str, Any]]) -> tuple[float, float]:
    """Send queries; return the visits per second of wall time and per second of processor time.

    The time is that from the first query to the last answer.
    """
    assert engine.stdin is not None
    assert engine.stdout is not None
    began, used = time.monotonic(), processor_seconds(engine.pid)
    engine.stdin.write(b"".join(json.dumps(query).encode() + b"\n" for query in queries))
    engine.stdin.flush()
    visits = sum(_visits(engine.stdout) for _ in queries)
    used = processor_seconds(engine.pid) - used
    return visits / (time.monotonic() - began), visits / max(used, 1e-3)


def processor_seconds(pid: int) -> float:
    """Return the processor seconds that a process has used so far."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _visits(answers: IO[bytes]) -> int:
    found = json.loads(answers.readline())
    assert "error" not in found, found
    return int(found["rootInfo"]["visits"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--visits", type=int, default=10_000, help="of each position")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--game", default="linage")
    parser.add_argument("--size", type=int, default=13)
    arguments = parser.parse_args()
    command = ["linage-bot", "analysis", "--threads", str(arguments.threads)]
    board = {"rules": arguments.game, "boardXSize": arguments.size, "boardYSize": arguments.size}
    letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ"[: arguments.size]
    points = [f"{letter}{row + 1}" for row in range(arguments.size) for letter in letters]
    # With different seeds, no search continues the tree of another.
    many = [
        {
            "id": str(number),
            "moves": [["B", points[number % len(points)]]],
            "maxVisits": arguments.visits,
            "overrideSettings": {"seed": number},
            **board,
        }
        for number in range(arguments.positions)
    ]
    one = {
        **many[0],
        "maxVisits": arguments.visits * arguments.positions,
        "overrideSettings": {"seed": 1, "numSearchThreads": arguments.threads},
    }
    alone, together = [], []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        ask(engine, many[: arguments.threads])  # so that the compiled code is loaded
        print("| round | one position | many | one, of processor time | many | load |")
        print("|---|---|---|---|---|---|")
        for number in range(1, arguments.rounds + 1):
            alone.append(ask(engine, [one]))
            together.append(ask(engine, many))
            rates = alone[-1][0], together[-1][0], alone[-1][1], together[-1][1]
            told = " | ".join(f"{rate:,.0f}" for rate in rates)
            print(f"| {number} | {told} | {os.getloadavg()[0]:.1f} |", flush=True)
        assert engine.stdin is not None
        engine.stdin.close()
    ratio, by_processor = (
        statistics.median(each[kind] for each in together)
        / statistics.median(each[kind] for each in alone)
        for kind in (0, 1)
    )
    print(
        f"{arguments.positions} positions of {arguments.game} {arguments.size} at once on"
        f" {arguments.threads} threads: {ratio:.3f} of the visits a second of one,"
        f" {by_processor:.3f} by the processor's time"
    )


if __name__ == "__main__":
    main()
