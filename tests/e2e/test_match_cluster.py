"""Events on a Dask cluster of this machine."""

import io
import json
import os
import sys
from pathlib import Path

import attrs
import pytest
from rich.console import Console

from linage_bot.settings.checks import SettingFault
from linage_bot.settings.match import (
    EngineSettings,
    GameSettings,
    MatchSettings,
    OpeningSettings,
)

distributed = pytest.importorskip("distributed", reason="needs the extra `cluster`")

from linage_bot.match.cluster import run_on_cluster  # noqa: E402 - it imports Dask, too

pytestmark = pytest.mark.filterwarnings("ignore")  # Dask's own

ROOT = Path(__file__).parents[2]
ENGINE = (sys.executable, str(ROOT / "tests/e2e/match_engine.py"))


@pytest.fixture(autouse=True)
def _python_path(monkeypatch):
    """Workers are other processes and must find the tree under test."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))


@pytest.fixture
def settings(tmp_path):
    return MatchSettings(
        games=8,
        out=str(tmp_path / "out"),
        engines=(
            EngineSettings((*ENGINE, "seed=1", f"log={tmp_path / 'log'}"), "ada"),
            EngineSettings((*ENGINE, "seed=2", f"log={tmp_path / 'log'}"), "bea"),
        ),
        game=GameSettings(size=5),
        openings=OpeningSettings(random_moves=3),
    )


def play(settings, address):
    console = Console(file=io.StringIO(), highlight=False)
    assert run_on_cluster(settings, address, console) == 0
    lines = (Path(settings.out) / "results.jsonl").read_text().splitlines()[1:]
    return [json.loads(line) for line in lines], console.file.getvalue()


@pytest.mark.thorough
def test_an_event_is_played_on_a_cluster_of_this_machine(settings):
    """All eight games are on record; a second run says so and plays none."""
    records, shown = play(settings, "local")
    assert sorted(record["number"] for record in records) == list(range(1, 9))
    assert "ada – bea: Elo" in shown
    again, shown = play(settings, "local")
    assert again == records
    assert "All games of this event have been played" in shown


@pytest.mark.thorough
def test_an_engine_that_a_worker_cannot_use_is_named(settings):
    """The fault has the engine's key and says that it was a worker that failed."""
    broken = attrs.evolve(settings.engines[1], command="no-such-program-here")
    event = attrs.evolve(settings, engines=(settings.engines[0], broken))
    with pytest.raises(SettingFault, match=r"engines\[1\]\.command: on a worker: cannot start"):
        play(event, "local")


def test_a_scheduler_that_is_not_there_is_named(settings, monkeypatch):
    """A wrong address ends in a fault of `--cluster`, not in waiting for ever."""
    monkeypatch.setattr("linage_bot.jobs.cluster.PATIENCE_SECONDS", 1)
    with pytest.raises(SettingFault, match=r"--cluster: tcp://127\.0\.0\.1:9: "):
        play(settings, "tcp://127.0.0.1:9")
