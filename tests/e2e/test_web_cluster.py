"""`linage-bot web --cluster`: workers think, tables stay, and a worker that dies costs a moment."""

from __future__ import annotations

import itertools
import os
import signal
import statistics
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason="needs the extra `cluster`")
pytest.importorskip("psutil", reason="comes with Dask")


from linage_bot.engine.engine import Engine
from linage_bot.rules import GAMES
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings
from tests.e2e.dask_cluster import Killer, dask_cluster
from tests.e2e.engine import ENVIRONMENT
from tests.e2e.processes import workers_of
from tests.e2e.web_client import WebClient, WebRefused, WebTable
from tests.e2e.web_player import WebPlayer
from tests.e2e.web_server import COMMAND, web_process, web_server

# Dask's own warnings; restarting workers takes long on a busy machine.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(900)]

LONG_SECONDS = float(os.environ.get("LINAGE_HOSTING_SECONDS", "120"))
KILL_SECONDS = 10.0


def busiest(workers: list[Any]) -> Any:
    """The one that computes."""
    before = {each: sum(each.cpu_times()[:2]) for each in workers}
    time.sleep(0.5)
    return max(workers, key=lambda each: sum(each.cpu_times()[:2]) - before[each])


def hurry(table: WebTable) -> None:
    """Have the engine move as soon as it thinks."""
    while True:
        try:
            table.do("move-now")
        except WebRefused:
            time.sleep(0.1)
        else:
            return


@pytest.mark.thorough
def test_workers_think_and_one_that_is_killed_costs_a_moment(tmp_path: Path) -> None:
    """Moves are those of a single process with this seed; a killed worker ends no job."""
    options = ("--games", str(tmp_path / "games"), "--seed", "1", "--seconds", "60")
    with web_process(*options, "--cluster", "local", "--workers", "2") as (process, address):
        assert len(workers_of(process)) == 2
        client = WebClient(address)
        with client.table("linage", "9", None, 12).open() as table:
            history = History(GAMES["linage"].configure("9"))
            with Engine(PlaySettings(level=12, seconds=60, seed=1)) as engine:
                for move in (40, 20):
                    table.play(move)
                    table.wait(lambda: table.state["turn"] == "person")
                    history = history.play(move)
                    decision = Engine(engine.settings).play(history)
                    assert decision.move is not None
                    history = history.play(decision.move)
                    assert table.state["last"] == decision.move

        with (
            client.table("linage", "9", None, 27).open() as slow,
            client.table("linage", "9").open(analyse=1, ownership=1) as page,
        ):
            page.wait(lambda: (page.last("analysis") or {"visits": 0})["visits"] > 0)
            slow.play(40)
            workers = workers_of(process)
            os.kill(busiest(workers).pid, signal.SIGKILL)
            hurry(slow)
            slow.wait(lambda: slow.state["turn"] == "person")
            assert slow.state["played"] == 2
            page.play(40)  # the earlier analysis may have stopped
            page.wait(lambda: page.last("analysis")["node"] == page.state["node"])
            page.wait(lambda: page.last("analysis")["visits"] > 0)
            assert page.do("hint", node=page.state["node"])["move"] is not None
            assert slow.faults + page.faults == []
        with client.table("leblin", "3").open() as page:
            page.play(4)
            page.do("review", on=True)
            page.wait(lambda: (page.last("review") or {}).get("points") is not None)
            assert page.faults == []


@pytest.mark.thorough
def test_an_address_without_a_scheduler_is_one_line_and_status_2(tmp_path: Path) -> None:
    """A wrong scheduler address or number of workers is one error line and status 2."""
    for words in (["--cluster", "nonsense"], ["--cluster", "local", "--workers", "0"]):
        done = subprocess.run(
            [*COMMAND, "--games", str(tmp_path / "games"), *words],
            capture_output=True,
            env=ENVIRONMENT,
            check=False,
            timeout=120,
            text=True,
        )
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


# By hand: `pytest -m slow -s tests/e2e/test_web_cluster.py`


def gaps(page: WebTable, since: float) -> list[float]:
    """Return the intervals between a page's updates."""
    times = [when for when in page.times("analysis") if when >= since]
    return [after - before for before, after in itertools.pairwise(times)]


@pytest.mark.slow
def test_killing_a_worker_every_ten_seconds_loses_no_table(tmp_path: Path) -> None:
    """Games, analyses and a review continue, and no player sees an error."""
    with (
        dask_cluster(tmp_path, 2) as (scheduler, nanny),
        web_server("--cluster", scheduler, "--seconds", "1") as address,
    ):
        client = WebClient(address)
        players = [WebPlayer(client, number, 20, "linage", "9", 1.0) for number in range(3)]
        pages = [client.table("linage", "9").open(analyse=1, ownership=1) for _ in range(3)]
        for player in players:
            player.start()
        for page in pages:
            page.wait(lambda page=page: len(page.times("analysis")) > 2)
        killer = Killer(scheduler, nanny, 10**6, KILL_SECONDS)
        killer.start()
        began = time.monotonic()
        while time.monotonic() < began + LONG_SECONDS:
            time.sleep(1)
            assert [player.faults for player in players] == [[]] * len(players)
        killer.over.set()
        killer.join()
        for player in players:
            player.over.set()
            player.join()
        tables = [table for player in players for table in player.tables]
        for table in (*tables, *pages):
            assert table.faults == []
            with WebTable(client, table.path.rpartition("/")[2]).open() as again:
                assert again.state["position"] == table.state["position"]
        waits = sorted(wait for player in players for _, wait in player.waits)
        found = sorted(gap for page in pages for gap in gaps(page, began))
        print(
            f"{len(killer.killed)} kills, {len(tables)} tables; a move: median"
            f" {statistics.median(waits):.1f} s, longest {waits[-1]:.1f} s of {len(waits)}; an"
            f" update: median {statistics.median(found):.1f} s, longest {found[-1]:.1f} s of"
            f" {len(found)}; load {os.getloadavg()[0]:.1f}"
        )
        assert len(killer.killed) >= LONG_SECONDS / KILL_SECONDS / 2


@pytest.mark.slow
def test_twenty_pages_are_served_fairly_by_two_workers() -> None:
    """No page waits more than three times the median for its next update."""
    with web_server("--cluster", "local", "--workers", "2") as address:
        client = WebClient(address)
        pages = [client.table("linage", "13").open(analyse=1) for _ in range(20)]
        for page in pages:
            page.wait(lambda page=page: len(page.times("analysis")) > 3)
        since = time.monotonic()
        time.sleep(LONG_SECONDS)
        found = [gaps(page, since) for page in pages]
        every = sorted(gap for each in found for gap in each)
        median = statistics.median(every)
        print(
            f"20 pages, two workers: {len(every)} updates, median {median:.2f} s,"
            f" longest {every[-1]:.2f} s ({every[-1] / median:.2f} times the median);"
            f" of a page from {min(map(len, found))} to {max(map(len, found))};"
            f" load {os.getloadavg()[0]:.1f}"
        )
        assert [page.faults for page in pages] == [[]] * 20
        visits = [page.last("analysis")["visits"] for page in pages]
        assert min(visits) > 0.3 * max(visits)
        assert every[-1] <= 3 * median
