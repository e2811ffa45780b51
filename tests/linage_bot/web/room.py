"""Helpers for the web tests: tables, listening pages and searches that a test ends."""

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
from linage_bot.records.record import Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import Move
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.http.new_table import new_table, read_new_table
from linage_bot.web.messages.encoding import encode
from linage_bot.web.messages.events import send_changes, send_clock
from linage_bot.web.table import controls, edits
from linage_bot.web.table import moves as game_moves
from linage_bot.web.table.actions import PageAction
from linage_bot.web.table.game import Change, TableGame
from linage_bot.web.table.pie import PlayerKind
from linage_bot.web.table.view import View
from linage_bot.web.table.viewer import Viewer
from linage_bot.web.thinking.scheduler import SearchScheduler
from linage_bot.web.thinking.session import Session
from linage_bot.web.thinking.store import GameStore
from linage_bot.web.thinking.tasks import Found, Task

PERSON, ENGINE = None, 1
SETTINGS = PlaySettings(visits=20, seed=1)


def new_game(
    game: str = "linage",
    size: str = "5",
    *seats: PlayerKind,
    pie: bool = False,
    moves: tuple[Move, ...] = (),
) -> TableGame:
    """Return a table with two people unless other seats are given."""
    first, second = seats or (PERSON, PERSON)
    record = Record(GAMES[game].configure(size), moves=moves)
    return TableGame.of(record, (first, second), with_pie=pie)


def read_game(fields: dict[str, Any], warn: Callable[[str], object] | None = None) -> TableGame:
    """Return the game that a request for a table describes."""
    return new_table(read_new_table(fields), warn)


def change(name: str, *words: Any, **options: Any) -> Change:
    """Return a change of a game by its name in `moves`, `edits` or `controls`."""
    modules = (game_moves, edits, controls)
    function = next(getattr(each, name) for each in modules if hasattr(each, name))
    return lambda game: function(game, *words, **options)


def after(game: TableGame, *changes: Change) -> TableGame:
    """Return the game after these changes."""
    for each in changes:
        game = each(game)
    return game


def new_session(
    game: str = "linage", size: str = "5", *seats: PlayerKind, pie: bool = False
) -> Session:
    """Return a session with the same defaults as `new_game`."""
    return Session(new_game(game, size, *seats, pie=pie), SETTINGS)


def think(session: Session) -> Task:
    """Run the task that the session wants and return it."""
    task = session.wanted()
    assert task is not None
    session.accept(task, task.run(threading.Event()))
    return task


def decision(session: Session, move: Move) -> Decision:
    """Return an engine's decision with an empty analysis."""
    return Decision(move, Analysis(position=session.game.position))


class Page:
    """A page that records the events sent to it and counts the keep-alives."""

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


def add_page(session: Session, **view: Any) -> Page:
    """Add a page with the given view to a table."""
    page = Page()
    session.viewers.append(Viewer(page, "", View(**view)))
    return page


def received(message: Any) -> Any:
    """Return a message as a page parses it."""
    return json.loads(encode(message))


def act(session: Session, action: PageAction) -> None:
    """Perform an action as the page that joined last."""
    session.act(action, session.viewers[-1])


class Reactor(Clock):
    """A single-threaded reactor whose clock the test advances."""

    def callFromThread(self, function: Callable[..., None], *arguments: object) -> None:  # noqa: N802
        function(*arguments)


@attrs.define
class Search:
    """A replacement for `Worker` whose search runs until the test supplies its result."""

    work: Callable[[threading.Event], Found]
    done: Callable[[Found | Exception], None]
    searches: list["Search"]
    stopped: threading.Event = attrs.field(factory=threading.Event)

    @property
    def task(self) -> Task:
        return getattr(self.work, "func", self.work).__self__

    @property
    def processors(self) -> int:
        """Return the number of processors that the search may use."""
        given: dict[str, int] = getattr(self.work, "keywords", {})
        return given.get("processors", 1)

    def begin(self) -> None:
        self.searches.append(self)

    def stop(self) -> None:
        self.stopped.set()


class Searches:
    """The running searches, oldest first."""

    def __init__(self) -> None:
        self.running: list[Search] = []

    def worker(self, work: Callable[..., Found], done: Callable[..., None]) -> Search:
        return Search(work, done, self.running)

    def finish(self, found: Found | Exception | None = None) -> None:
        """End the oldest search, with an empty analysis unless a result is given."""
        search = self.running.pop(0)
        search.done(found or Analysis(position=search.task.history.position))


def new_scheduler(
    searches: Searches, reactor: Reactor, at_once: int = 2, most_each: int = 1
) -> SearchScheduler:
    """Return a scheduler that uses no threads."""
    executor = ThreadExecutor(at_once, searches.worker, most_each=most_each)
    return SearchScheduler(reactor, executor, send_changes, send_clock)


def new_store() -> GameStore:
    """Return an in-memory game store that is closed when it is garbage-collected."""
    # The garbage collector, which may run on any thread, closes it.
    database = sqlite3.connect(":memory:", check_same_thread=False)
    store = GameStore(database)
    weakref.finalize(store, database.close)
    return store
