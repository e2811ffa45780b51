"""The games of the arena's tests, and events of engines that need no process."""

import io
import json
from contextlib import closing
from pathlib import Path

import attrs
import pytest
from rich.console import Console
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from linage_bot.match.event import Event
from linage_bot.match.openings import Book
from linage_bot.match.report import TextReport
from linage_bot.match.store import EventStore
from linage_bot.settings.match import EngineSettings, GameSettings, MatchSettings
from tests.linage_bot.arena.conftest import game, settings
from tests.linage_bot.match.wire import Wire, finish

__all__ = ["game", "settings"]


@pytest.fixture
def wires(monkeypatch):
    """The engines that were started."""
    monkeypatch.setattr("linage_bot.arena.child.EngineProcess", Wire)
    monkeypatch.setattr(Wire, "wires", [])
    return Wire.wires


@pytest.fixture
def duel(tmp_path):
    """An event of good against bad, who behaves as the words say."""

    def duel(*words, **changes):
        good = EngineSettings(("engine", "seed=1"), name="good")
        bad = EngineSettings(("engine", "seed=2", *words), name="bad")
        event = MatchSettings(
            games=4, out=str(tmp_path / "out"), engines=(good, bad), game=GameSettings(size=5)
        )
        return attrs.evolve(event, **changes)

    return duel


@pytest.fixture
def play(wires):
    """Return a function that plays an event and returns its records and output.

    It may be stopped after some seconds; nearly every answer takes one thousandth.
    """

    def play(settings, stop_after=None, report_class=TextReport, accept_changes=False):
        book, clock = Book.load(settings), Clock()
        with closing(EventStore.open(settings, accept_changes, book.digest)) as store:
            lines = report_class(Console(file=io.StringIO(), highlight=False), store)
            lines.event_begins(book.games)
            event = Event(clock, store, book, lines)
            if stop_after is not None:
                clock.callLater(stop_after, event.stop)
            try:
                finish(clock, Deferred.fromCoroutine(event.run()))
            finally:
                assert not any(wire.alive for wire in wires)
            lines.event_ended(interrupted=False)
        kept = map(json.loads, (Path(settings.out) / "results.jsonl").read_text().splitlines())
        records = [table for table in kept if "fingerprint" not in table]
        return records, lines._console.file.getvalue()

    return play
