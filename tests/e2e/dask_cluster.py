"""A cluster as in Dask's documentation, and a thread that kills its workers."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed
import psutil

from tests.e2e.engine import ENVIRONMENT


@contextlib.contextmanager
def dask_cluster(folder: Path, workers: int) -> Iterator[tuple[str, subprocess.Popen]]:
    """Start a cluster; yield the scheduler's address and the `dask worker` process."""
    dask = (sys.executable, "-m", "dask")
    where = folder / "scheduler.json"
    started: list[subprocess.Popen] = []

    def start(name: str, *words: str) -> subprocess.Popen:
        with (folder / f"{name}.txt").open("wb") as output:
            started.append(
                subprocess.Popen(
                    (*dask, name, *words), stdout=output, stderr=output, env=ENVIRONMENT
                )
            )
        return started[-1]

    start(
        "scheduler",
        *("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(where)),
    )
    try:
        for _ in range(600):
            if where.exists() and where.read_text().endswith("}"):
                break
            time.sleep(0.1)
        address = json.loads(where.read_text())["address"]
        worker = start(
            "worker",
            *(address, "--nworkers", str(workers), "--nthreads", "1", "--no-dashboard"),
            *("--host", "127.0.0.1", "--local-directory", str(folder / "spool")),
        )
        with distributed.Client(address) as client:
            client.wait_for_workers(workers, timeout=120)
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
    """Kills, again and again, the worker that has been in the cluster longest."""

    def __init__(self, address: str, nanny: subprocess.Popen, most: int, seconds: float) -> None:
        super().__init__()
        self._most = most
        self._seconds = seconds
        self.over = threading.Event()
        self.killed: list[int] = []
        self._address = address
        self._nanny = psutil.Process(nanny.pid)

    def run(self) -> None:
        with distributed.Client(self._address) as client:
            while len(self.killed) < self._most and not self.over.wait(self._seconds):
                ports = {
                    int(worker.rpartition(":")[2])
                    for worker in client.scheduler_info(n_workers=-1)["workers"]
                }
                # Killing a worker that is starting would end its nanny, which is not restarted.
                joined = [child for child in self._nanny.children() if self._listens(child, ports)]
                if joined:
                    oldest = min(joined, key=psutil.Process.create_time)
                    os.kill(oldest.pid, signal.SIGKILL)
                    self.killed.append(oldest.pid)

    @staticmethod
    def _listens(process: Any, ports: set[int]) -> bool:
        try:
            return any(
                each.status == "LISTEN" and each.laddr.port in ports
                for each in process.net_connections()
            )
        except psutil.Error:
            return False
