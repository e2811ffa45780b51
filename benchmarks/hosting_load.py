"""A load test of `linage-bot web`: the numbers of players and analyses that a server carries.

Players play against an engine, each at a table of their own: they think for a while (exponentially
distributed), move, and wait for the answer. Pages analyse the empty board. The program prints the
waiting times. For a server started here (without an address) it also prints the processor time per
move or update, of the process that serves pages and of the workers. This hardly depends on other
work of the machine, so it shows how many players a core carries.

    PYTHONPATH=. python benchmarks/hosting_load.py --players 8 --level 12 --think 5
    PYTHONPATH=. python benchmarks/hosting_load.py --analyses 20 -- --cluster local --workers 2
    PYTHONPATH=. python benchmarks/hosting_load.py --address 'https://…/?token=…' --players 8

`web_load.py` measures the time until a click is drawn in a real browser while others analyse.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from tests.e2e.web_client import WebClient
from tests.e2e.web_player import WebPlayer
from tests.e2e.web_server import web_process

_SAMPLE_SECONDS = 0.5


class Meter(threading.Thread):
    """A thread that sums the processor seconds of a process and of the processes it started."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._process = psutil.Process(pid)
        self._seen: dict[int, float] = {}
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(_SAMPLE_SECONDS):
            self.look()

    def look(self) -> tuple[float, float]:
        """Return the processor seconds of the process itself, and of all others."""
        for each in (self._process, *self._process.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                self._seen[each.pid] = sum(each.cpu_times()[:2])
        own = self._seen[self._process.pid]
        return own, sum(self._seen.values()) - own


@contextlib.contextmanager
def server(settings: argparse.Namespace) -> Iterator[tuple[str, Meter | None]]:
    """Yield the server's address, and a meter of its processor time if it is started here."""
    if settings.address is not None:
        yield settings.address, None
        return
    with tempfile.TemporaryDirectory() as folder:
        options = ("--games", str(Path(folder, "games")), *settings.options)
        with web_process(*options) as (process, address):
            meter = Meter(process.pid)
            meter.start()
            yield address, meter
            meter.over.set()


def measure(settings: argparse.Namespace) -> None:
    with server(settings) as (address, meter):
        client = WebClient(address)
        pages = [client.table(settings.game, settings.size) for _ in range(settings.analyses)]
        for page in pages:
            page.open(analyse=1)
        for page in pages:
            page.wait(lambda page=page: len(page.times("analysis")) > 1)
        how = (settings.level, settings.game, settings.size, settings.think)
        players = [WebPlayer(client, number, *how) for number in range(settings.players)]
        for player in players:
            player.start()
        while any(not player.waits and not player.faults for player in players):
            time.sleep(0.1)
        since, before = time.monotonic(), meter and meter.look()
        time.sleep(settings.seconds)
        after, until = meter and meter.look(), time.monotonic()
        for player in players:
            player.over.set()
        for player in players:
            player.join()
        waits = [
            wait for player in players for began, wait in player.waits if since < began < until
        ]
        updates = [[t for t in page.times("analysis") if since < t < until] for page in pages]
        gaps = [b - a for times in updates for a, b in itertools.pairwise(times)]
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        if waits:
            tell(f"{len(players)} players, level {settings.level}: an answer", waits)
        if gaps:
            tell(f"{len(pages)} analyses: an update", gaps)
        faults = [fault for each in (*players, *pages) for fault in each.faults]
        if faults:
            print(f"{len(faults)} faults: {faults[0]}")
        if before and after:
            count = len(waits) + sum(map(len, updates))
            for name, one, other in zip(("the page", "the workers"), before, after, strict=True):
                print(
                    f"processor time of {name}: {other - one:.1f} of {until - since:.0f} s,"
                    f" {1000 * (other - one) / max(1, count):.1f} ms an answer or update"
                )


def tell(what: str, seconds: list[float]) -> None:
    found = sorted(seconds)
    print(
        f"{what}: {len(found)}, median {statistics.median(found):.2f} s, 95 % within"
        f" {found[int(0.95 * len(found))]:.2f} s, longest {found[-1]:.2f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--address", help="of a server that runs, with its token")
    parser.add_argument("--players", type=int, default=0)
    parser.add_argument("--level", type=int, default=12, help="of the engine they play")
    parser.add_argument("--think", type=float, default=5.0, help="mean seconds of a player")
    parser.add_argument("--analyses", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=30.0, help="to measure for")
    parser.add_argument("--game", default="linage")
    parser.add_argument("--size", default="13")
    parser.add_argument("options", nargs="*", help="of the server that is started, behind --")
    measure(parser.parse_args())


if __name__ == "__main__":
    main()
