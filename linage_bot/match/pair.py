"""Some games of an event in a process of their own, for a cluster's worker.

Loads neither Twisted nor Dask, so that a worker that was just started is soon at work.
"""

import pickle
import subprocess
import sys
import threading
from typing import Final

import attrs

from linage_bot.arena.records import GameRecord
from linage_bot.match.schedule import Task
from linage_bot.rules.game import Game, Move
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.match import MatchSettings

_POLL_SECONDS: Final = 0.2


@attrs.frozen
class Assignment:
    """Games that share their opening and their engines; without any, all engines are only tried."""

    settings: MatchSettings
    tasks: tuple[Task, ...]
    game: Game
    opening: tuple[Move, ...]


def play(assignment: Assignment, stopped: threading.Event) -> list[GameRecord]:
    """Play the games in a child process and return their records.

    Raises `SettingFault` when an engine cannot be used here, `RuntimeError` when the child died or
    `stopped` was set.
    """
    child = subprocess.Popen(
        [sys.executable, "-m", "linage_bot.match.pair_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    answered = threading.Event()
    try:
        # It stays open while we live: its end lets the child know that its parent is gone.
        child.stdin.write(pickle.dumps(assignment))
        child.stdin.flush()
        threading.Thread(target=_watch, args=(child, stopped, answered), daemon=True).start()
        answer = child.stdout.read()
    finally:
        answered.set()
        child.stdin.close()
        child.stdout.close()
        child.wait()
    if not answer:
        raise RuntimeError(f"a match process ended with status {child.returncode}")
    result: list[GameRecord] | SettingFault = pickle.loads(answer)  # our own child's
    if isinstance(result, SettingFault):
        raise result
    return result


def _watch(
    child: subprocess.Popen[bytes], stopped: threading.Event, answered: threading.Event
) -> None:
    """Close the child's input once the job is cancelled, which ends the child."""
    while not answered.wait(_POLL_SECONDS):
        if stopped.is_set():
            assert child.stdin is not None
            child.stdin.close()
            return
