"""Positions and whole games analysed on the workers of a Dask cluster, which may die."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason="needs the extra `cluster`")
pytest.importorskip("psutil", reason="comes with Dask")

import distributed

from linage_bot.rules import GAMES
from tests.e2e.analysis_client import COMMAND, PipedClient, Script, answers, described, line
from tests.e2e.dask_cluster import Killer, dask_cluster
from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS
from tests.linage_bot.review.games import RECORDS

# Dask's own warnings; restarting workers takes long on a busy machine.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Any]]:
    """A Dask cluster with two workers."""
    with dask_cluster(tmp_path_factory.mktemp("dask"), 2) as found:
        yield found


def wait_until_idle(address: str) -> None:
    """Wait until no worker computes, since the results have no reader."""
    with distributed.Client(address) as client:
        for _ in range(10 * PATIENCE_SECONDS):
            if not any(client.run(lambda dask_worker: dask_worker.state.executing_count).values()):
                return
            time.sleep(0.1)
    raise AssertionError("a worker still computes")


@pytest.mark.thorough
def test_every_position_is_answered_once_while_workers_are_killed(cluster):
    """With a seed, results equal those of this machine; a long search can be terminated."""
    address, nanny = cluster
    game = GAMES["linage"].configure("9")
    compared = line(
        id="compared", moves=[], **described(game), maxVisits=5000, overrideSettings={"seed": 3}
    )
    endless = {"moves": [], **described(game), "maxVisits": 10**12}
    script = Script.of(25, 11, most_visits=3000)
    data = script.data + compared
    killer = Killer(address, nanny, 2, 0.5)  # soon: the work takes a few seconds
    killer.start()
    try:
        said = answers(data, "--cluster", address)
    finally:
        killer.over.set()
        killer.join()
    assert killer.killed
    (there,) = [each for each in said if each["id"] == "compared"]
    script.check([each for each in said if each["id"] != "compared"])
    assert [there] == answers(compared)

    with PipedClient("--cluster", address) as client:
        client.send(line(id="long", **endless, reportDuringSearchEvery=0.1))
        partial = client.read()
        assert partial["isDuringSearch"] is True
        client.send(line(id="t", action="terminate", terminateId="long"))
        last = client.last_answers()[-1]
    assert (last["id"], last["isDuringSearch"]) == ("long", False)
    assert last["rootInfo"]["visits"] >= partial["rootInfo"]["visits"]
    wait_until_idle(address)


@pytest.mark.thorough
def test_what_a_client_wanted_that_died_is_not_computed_on(cluster):
    """The workers of a client that died are soon free for others."""
    address, _ = cluster
    game = GAMES["linage"].configure("9")
    with PipedClient("--cluster", address) as client:
        endless = {**described(game), "maxVisits": 10**12, "reportDuringSearchEvery": 0.1}
        client.send(line(id="long", moves=[], **endless))
        client.read()
        client.process.kill()
    wait_until_idle(address)


@pytest.mark.thorough
def test_games_are_judged_on_the_cluster_as_here(cluster, tmp_path: Path):
    """Each once, with the same facts."""
    address, _ = cluster
    for name in ("leblin", "gardar"):
        (tmp_path / f"{name}.sgf").write_text(RECORDS[name], encoding="utf-8")
    command = [sys.executable, "-m", "linage_bot", "analyze", str(tmp_path), "--json"]
    found = [
        subprocess.run(
            [*command, "--visits", "60", *more],
            env=ENVIRONMENT,
            capture_output=True,
            check=True,
            text=True,
        ).stdout.splitlines()
        for more in ([], ["--cluster", address])
    ]
    assert len(found[0]) == 2
    assert sorted(found[0]) == sorted(found[1])


def test_an_address_without_a_scheduler_is_one_line_and_status_2():
    """The error comes soon, without a long wait for the scheduler."""
    done = subprocess.run(
        [*COMMAND, "--cluster", "nonsense"],
        input=b"",
        capture_output=True,
        env=ENVIRONMENT,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"linage-bot: --cluster: nonsense: ")
    assert done.stderr.count(b"\n") == 1
