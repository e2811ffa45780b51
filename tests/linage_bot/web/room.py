"""What the tests of the web need: tables, pages that listen, and searches that end when told to."""

import json
import threading
from typing import Any

import attrs
from twisted.internet.defer import Deferred

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import AgentSettings, Decision
from linage_bot.records import Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import Move
from linage_bot.web.seats import Seat
from linage_bot.web.session import Session
from linage_bot.web.table import Table
from linage_bot.web.tasks import Found, Task

PERSON, ENGINE = Seat(), Seat(1)
SETTINGS = AgentSettings(visits=20, seed=1)


def new_table(
    game: str = "linage",
    size: str = "5",
    *seats: Seat,
    pie: bool = False,
    moves: tuple[Move, ...] = (),
) -> Table:
    """A table at which persons play unless other seats are given."""
    first, second = seats or (PERSON, PERSON)
    record = Record(GAMES[game].configure(size), moves=moves)
    return Table.of(record, (first, second), with_pie=pie)


def new_session(game: str = "linage", size: str = "5", *seats: Seat, pie: bool = False) -> Session:
    """The same with engines that think."""
    return Session(new_table(game, size, *seats, pie=pie), SETTINGS)


def think(session: Session) -> Task:
    """Do what the session wants thought, and hand it back."""
    task = session.wanted()
    assert task is not None
    session.accept(task, task.run(threading.Event()))
    return task


def decision(session: Session, move: Move) -> Decision:
    """An engine's, without much thought."""
    return Decision(move, Analysis(position=session.table.position))


class Page:
    """Who looks on: the events that came, and how often the line was kept open."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, Any]] = []
        self.alive = 0

    def send(self, kind: str, value: Any) -> None:
        self.heard.append((kind, json.loads(json.dumps(value))))

    def keep_alive(self) -> None:
        self.alive += 1

    @property
    def tables(self) -> list[Any]:
        return [value for kind, value in self.heard if kind == "table"]


@attrs.define
class Search:
    """A search that runs until it is told what it has found."""

    task: Task
    stopped: threading.Event
    found: Deferred[Found]


class Searches:
    """Takes the place of threads."""

    def __init__(self) -> None:
        self.running: list[Search] = []

    def run(self, task: Task, stopped: threading.Event) -> Deferred[Found]:
        self.running.append(Search(task, stopped, Deferred()))
        return self.running[-1].found

    def finish(self, found: Found | Exception | None = None) -> None:
        """The search that has run longest ends; an analysis may have found nothing."""
        search = self.running.pop(0)
        if isinstance(found, Exception):
            search.found.errback(found)
        else:
            search.found.callback(found or Analysis(position=search.task.history.position))
