"""What the tests of the web need: tables, pages that listen, and searches that end when told to."""

import json
import sqlite3
import threading
import weakref
from collections.abc import Callable
from typing import Any

import attrs
from twisted.internet.task import Clock

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.decision import Decision
from linage_bot.jobs.executor import ThreadExecutor
from linage_bot.records import Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import Move
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.messages.events import tell, tell_clock
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.pie import PlayerKind
from linage_bot.web.table.view import View, ViewerAction
from linage_bot.web.table.viewer import Viewer
from linage_bot.web.thinking.scheduler import SearchScheduler
from linage_bot.web.thinking.session import Session
from linage_bot.web.thinking.store import GameStore
from linage_bot.web.thinking.tasks import Found, Task

PERSON, ENGINE = None, 1
SETTINGS = PlaySettings(visits=20, seed=1)


def new_course(
    game: str = "linage",
    size: str = "5",
    *seats: PlayerKind,
    pie: bool = False,
    moves: tuple[Move, ...] = (),
) -> TableGame:
    """A table at which persons play unless other seats are given."""
    first, second = seats or (PERSON, PERSON)
    record = Record(GAMES[game].configure(size), moves=moves)
    return TableGame.of(record, (first, second), with_pie=pie)


def new_session(
    game: str = "linage", size: str = "5", *seats: PlayerKind, pie: bool = False
) -> Session:
    """The same with engines that think."""
    return Session(new_course(game, size, *seats, pie=pie), SETTINGS)


def think(session: Session) -> Task:
    """Do what the session wants thought, and hand it back."""
    task = session.wanted()
    assert task is not None
    session.accept(task, task.run(threading.Event()))
    return task


def decision(session: Session, move: Move) -> Decision:
    """An engine's, without much thought."""
    return Decision(move, Analysis(position=session.course.position))


class Page:
    """Who looks on: the events that came, and how often the line was kept open."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, Any]] = []
        self.alive = 0

    def send(self, kind: str, data: str) -> None:
        self.heard.append((kind, json.loads(data)))

    def keep_alive(self) -> None:
        self.alive += 1

    @property
    def tables(self) -> list[Any]:
        return [value for kind, value in self.heard if kind == "table"]


def look_on(session: Session, **sight: Any) -> Page:
    """A page that comes to a table, and wants to know that of it."""
    page = Page()
    session.onlookers.append(Viewer(page, "", View(**sight)))
    return page


def act(session: Session, deed: ViewerAction) -> None:
    """Do what the person at the page that came last asks."""
    session.act(deed, session.onlookers[-1])


class Reactor(Clock):
    """Time that passes when it is told to, and one thread."""

    def callFromThread(self, function: Callable[..., None], *arguments: object) -> None:  # noqa: N802
        function(*arguments)


@attrs.define
class Search:
    """A search that runs until it is told what it has found: in place of a `Worker`."""

    work: Callable[[threading.Event], Found]
    done: Callable[[Found | Exception], None]
    searches: list["Search"]
    stopped: threading.Event = attrs.field(factory=threading.Event)

    @property
    def task(self) -> Task:
        return self.work.__self__

    def begin(self) -> None:
        self.searches.append(self)

    def stop(self) -> None:
        self.stopped.set()


class Searches:
    """All that run."""

    def __init__(self) -> None:
        self.running: list[Search] = []

    def worker(self, work: Callable[..., Found], done: Callable[..., None]) -> Search:
        return Search(work, done, self.running)

    def finish(self, found: Found | Exception | None = None) -> None:
        """The search that has run longest ends; an analysis may have found nothing."""
        search = self.running.pop(0)
        search.done(found or Analysis(position=search.task.history.position))


def new_turns(searches: Searches, reactor: Reactor, at_once: int = 2) -> SearchScheduler:
    """SearchScheduler without threads."""
    return SearchScheduler(reactor, ThreadExecutor(at_once, searches.worker), tell, tell_clock)


def new_store() -> GameStore:
    """Games that are on no disk, closed when nobody has them any more."""
    database = sqlite3.connect(":memory:")
    store = GameStore(database)
    weakref.finalize(store, database.close)
    return store
