"""Matches on a cluster as Dask's documentation starts it, whose workers are killed."""

import io
import json
import os
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from linage_bot.settings.match import EngineSettings, GameSettings, MatchSettings, OpeningSettings

pytest.importorskip("distributed", reason="needs the extra `cluster`")
pytest.importorskip("psutil", reason="comes with Dask")

from linage_bot.match.cluster import run_on_cluster
from tests.e2e.dask_cluster import Killer, dask_cluster

pytestmark = pytest.mark.filterwarnings("ignore")  # Dask's own

ROOT = Path(__file__).parents[2]
ENGINE = (sys.executable, "-I", "-S", str(ROOT / "tests/e2e/resigning_engine.py"))
WORKERS = 2
KILL_SECONDS = float(os.environ.get("LINAGE_KILL_SECONDS", "1"))  # more on a slow machine


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """The scheduler's address and the `dask worker` process, with its workers."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with dask_cluster(tmp_path, WORKERS) as found:
        yield found


def play_while_workers_are_killed(pairs, kills, cluster, tmp_path, log):
    settings = MatchSettings(
        games=2 * pairs,
        out=str(tmp_path / "out"),
        engines=(
            EngineSettings((*ENGINE, str(log)), "ada"),
            EngineSettings((*ENGINE, str(log)), "bea"),
        ),
        game=GameSettings(size=5),
        openings=OpeningSettings(random_moves=2),
    )
    address, worker = cluster
    killer = Killer(address, worker, kills, KILL_SECONDS)
    killer.start()
    began = time.monotonic()
    try:
        assert run_on_cluster(settings, address, Console(file=io.StringIO())) == 0
    finally:
        killer.over.set()
        killer.join()
    print(f"{pairs} pairs, {len(killer.killed)} kills, {time.monotonic() - began:.0f} s")
    lines = (tmp_path / "out/results.jsonl").read_text().splitlines()[1:]
    records = [json.loads(line) for line in lines]
    assert sorted(record["number"] for record in records) == list(range(1, 2 * pairs + 1))
    assert len({json.dumps(record["key"]) for record in records}) == 2 * pairs
    assert {record["ending"] for record in records} == {"resignation"}
    assert len(killer.killed) > 3
    pids = set(log.read_text().split())
    for _ in range(100):
        if not [pid for pid in pids if Path(f"/proc/{pid}/cmdline").exists()]:
            return
        time.sleep(0.05)
    raise AssertionError("engines are left over")


@pytest.mark.thorough
def test_pairs_are_recorded_once_while_workers_are_killed(cluster, tmp_path, log):
    """Four kills, 24 games with a key each, and no engine is left over."""
    # Not for ever: where other work slows down the start of a worker, none would live to play.
    play_while_workers_are_killed(12, 4, cluster, tmp_path, log)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_100_pairs_are_recorded_once_while_a_worker_is_killed_every_second(cluster, tmp_path, log):
    """The same at length: 200 games, and kills until the last of them is over."""
    play_while_workers_are_killed(100, 10_000, cluster, tmp_path, log)
