"""Some games of an event in a process of their own: what a cluster's worker runs.

Loads neither Twisted nor Dask, so that a worker that was just started is soon at work.
"""

import json
import pickle
import subprocess
import sys
from typing import Any

import attrs

from linage_bot.arena.records import Rules
from linage_bot.match.schedule import Task
from linage_bot.rules.game import Move
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.match import MatchSettings


@attrs.frozen
class Assignment:
    """Games that share their opening and their engines."""

    settings: MatchSettings
    tasks: tuple[Task, ...]
    rules: Rules
    opening: tuple[Move, ...]


def play(assignment: Assignment) -> list[dict[str, Any]]:
    """Play the games in a child process and return their records as tables.

    Raises `SettingFault` when an engine cannot be used here, `RuntimeError` when the child died.
    """
    child = subprocess.Popen(
        [sys.executable, "-m", "linage_bot.match.pair_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        # It stays open while we live: its end tells the child that nobody waits any more.
        child.stdin.write(pickle.dumps(assignment))
        child.stdin.flush()
        answer = child.stdout.read()
    finally:
        child.stdin.close()
        child.stdout.close()
        child.wait()
    if not answer:
        raise RuntimeError(f"a match process ended with status {child.returncode}")
    result = json.loads(answer)
    if "fault" in result:
        raise SettingFault(*result["fault"])
    records: list[dict[str, Any]] = result["records"]
    return records
