"""A board solved by the workers of a Dask cluster."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytest.importorskip("distributed", reason="needs the extra `cluster`")
pytest.importorskip("psutil", reason="comes with Dask")

from linage_bot.engine.solver.solved_boards import solved_board
from linage_bot.rules import GAMES
from tests.e2e.dask_cluster import dask_cluster
from tests.e2e.engine import ENVIRONMENT

# Dask's own warnings; restarting workers takes long on a busy machine.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(900)]


@pytest.mark.thorough
def test_every_move_is_answered_once_by_one_of_the_workers(tmp_path):
    """One of each group of symmetric moves is searched; values equal those of the shipped table."""
    command = [sys.executable, "-m", "linage_bot", "solve", "--size", "4x5", "--json"]
    with dask_cluster(tmp_path, 2) as (address, _):
        done = subprocess.run(
            [*command, "--cluster", address, "--memory", "64"],
            capture_output=True,
            text=True,
            env=ENVIRONMENT,
            timeout=600,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    told, game = json.loads(done.stdout), GAMES["linage"].configure("4x5")
    listed = solved_board(game)
    assert told["exact"]
    assert told["score"] == listed.score == -4
    assert told["best"] == [game.start().name_of(move) for move in listed.best]
    assert len(told["moves"]) == 21
    heard = [line.split()[0] for line in done.stderr.splitlines() if " gets " in line]
    assert len(heard) == len(set(heard)) == 7  # six classes of points, and the pass
