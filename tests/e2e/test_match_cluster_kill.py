"""A cluster as Dask's documentation starts it, whose workers are killed one a second."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from rich.console import Console

from linage_bot.settings.match import EngineSettings, GameSettings, MatchSettings, OpeningSettings

distributed = pytest.importorskip("distributed", reason="needs the extra `cluster`")
psutil = pytest.importorskip("psutil", reason="comes with Dask")

from linage_bot.match.cluster import run_on_cluster  # noqa: E402 - it imports Dask, too

pytestmark = pytest.mark.filterwarnings("ignore")  # Dask's own

ROOT = Path(__file__).parents[2]
ENGINE = (sys.executable, "-I", "-S", str(ROOT / "tests/e2e/resigning_engine.py"))
WORKERS = 3
KILL_SECONDS = float(os.environ.get("LINAGE_KILL_SECONDS", "1"))  # more on a slow machine


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """The scheduler's address and the `dask worker` process, with its workers."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    dask = (sys.executable, "-m", "dask")
    where = tmp_path / "scheduler.json"
    started = []

    def start(name, *words):
        with (tmp_path / f"{name}.txt").open("wb") as output:
            started.append(
                subprocess.Popen(
                    (*dask, name, *words), stdout=output, stderr=output, env=environment
                )
            )
        return started[-1]

    start(
        "scheduler",
        *("--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"),
        *("--scheduler-file", str(where)),
    )
    try:
        for _ in range(600):
            if where.exists() and where.read_text().endswith("}"):
                break
            time.sleep(0.1)
        address = json.loads(where.read_text())["address"]
        worker = start(
            "worker",
            *(address, "--nworkers", str(WORKERS), "--nthreads", "1", "--no-dashboard"),
            *("--host", "127.0.0.1", "--local-directory", str(tmp_path / "spool")),
        )
        with distributed.Client(address) as client:
            client.wait_for_workers(WORKERS, timeout=120)
        yield address, worker
    finally:
        for process in reversed(started):
            process.terminate()
        for process in reversed(started):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


class Killer(threading.Thread):
    """Kills, every second, the worker that has been in the cluster longest."""

    def __init__(self, address, nanny, most):
        super().__init__()
        self._most = most
        self.over = threading.Event()
        self.killed = []
        self._address = address
        self._nanny = psutil.Process(nanny.pid)

    def run(self):
        with distributed.Client(self._address) as client:
            while len(self.killed) < self._most and not self.over.wait(KILL_SECONDS):
                ports = {
                    int(worker.rpartition(":")[2])
                    for worker in client.scheduler_info(n_workers=-1)["workers"]
                }
                # One that is still starting would take its nanny with it, which nobody restarts.
                joined = [child for child in self._nanny.children() if self._listens(child, ports)]
                if joined:
                    oldest = min(joined, key=psutil.Process.create_time)
                    os.kill(oldest.pid, signal.SIGKILL)
                    self.killed.append(oldest.pid)

    @staticmethod
    def _listens(process, ports):
        try:
            return any(
                each.status == "LISTEN" and each.laddr.port in ports
                for each in process.net_connections()
            )
        except psutil.Error:
            return False


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
    killer = Killer(address, worker, kills)
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


def test_pairs_are_recorded_once_while_workers_are_killed(cluster, tmp_path, log):
    """Four or five kills, 40 games with a key each, and no engine is left over."""
    # Not for ever: where other work slows down the start of a worker, none would live to play.
    play_while_workers_are_killed(20, 5, cluster, tmp_path, log)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_100_pairs_are_recorded_once_while_a_worker_is_killed_every_second(cluster, tmp_path, log):
    """The same at length: 200 games, and kills until the last of them is over."""
    play_while_workers_are_killed(100, 10_000, cluster, tmp_path, log)
