"""The number of tables is limited, pages get every change, and idle tables sleep."""

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from linage_bot.engine.search.loading import begin
from linage_bot.records.record import EarlyEnd
from linage_bot.rules.game import PASS, Player
from linage_bot.settings.match import ClockSettings
from linage_bot.web.http import tables as limits
from linage_bot.web.http.requests import read_question
from linage_bot.web.http.tables import IDLE_SECONDS, MOST_TABLES, MOST_VIEWERS, TableRegistry
from linage_bot.web.table.actions import Comment, LookAt, Pause, PlayMove, SwitchAnalysis
from linage_bot.web.table.errors import ActionRefused, HttpError
from linage_bot.web.table.persistence import read
from linage_bot.web.table.view import View
from linage_bot.web.thinking.questions import Answer, Loss
from linage_bot.web.thinking.store import KEPT_SECONDS, MOST_KEPT, GameStore
from tests.linage_bot.web.room import (
    ENGINE,
    PERSON,
    SETTINGS,
    Reactor,
    Searches,
    after,
    change,
    decision,
    new_game,
    new_scheduler,
    new_store,
)


class Watcher:
    """A replacement for the request of an event stream, which records the bytes written."""

    def __init__(self) -> None:
        self.written = b""
        self.gone: Deferred[None] = Deferred()

    def setHeader(self, _name: str, _value: str) -> None:  # noqa: N802
        pass

    def registerProducer(self, _producer: object, _streaming: bool) -> None:  # noqa: N802
        pass

    def notifyFinish(self) -> Deferred[None]:  # noqa: N802
        return self.gone

    def write(self, data: bytes) -> None:
        self.written += data

    @property
    def events(self) -> list[bytes]:
        """The names of new events except *compiling*; empty for a keep-alive."""
        told, self.written = self.written, b""
        names = [event.partition(b"\n")[0][7:] for event in told.split(b"\n\n")[:-1]]
        return [name for name in names if name != b"compiling"]


@pytest.fixture
def clock() -> Reactor:
    return Reactor()


@pytest.fixture
def searches() -> Searches:
    return Searches()


@pytest.fixture
def store() -> Iterator[GameStore]:
    store = new_store()
    yield store
    store.close()


@pytest.fixture
def tables(clock: Reactor, searches: Searches, store: GameStore) -> TableRegistry:
    tables = TableRegistry(clock, SETTINGS, new_scheduler(searches, clock), store)
    tables.start()
    return tables


def check_refused(status: int, action: Callable[..., Any], *arguments: object) -> None:
    with pytest.raises(HttpError) as refused:
        action(*arguments)
    assert refused.value.status == status


def test_a_table_is_found_by_its_name_and_by_no_other(tables: TableRegistry) -> None:
    """A table is found by its name; a wrong name gives status 404."""
    game = new_game()
    assert tables.find(tables.open(game)).game is game
    check_refused(404, tables.find, "no-such-name")


def wake(tables: TableRegistry, name: str) -> None:
    """Wake a sleeping table as the site does."""
    text = tables.stored_text(name)
    assert text is not None
    tables.load(name, read(text))


def test_when_all_tables_are_taken_the_one_longest_left_alone_sleeps(
    tables: TableRegistry, clock: Reactor
) -> None:
    """The longest idle table is unloaded for a new one, and is later loaded unchanged."""
    names = []
    for _ in range(MOST_TABLES):
        names.append(tables.open(new_game()))
        clock.advance(0.1)
    tables.do(names[1], PlayMove(12, 0))
    for name in (names[0], *names[2:]):
        clock.advance(0.1)
        tables.find(name)
    tables.watch(names[0], Watcher())
    new = tables.open(new_game())
    check_refused(404, tables.find, names[1])
    assert len({id(tables.find(name)) for name in (new, names[0], *names[2:])}) == MOST_TABLES
    wake(tables, names[1])
    assert tables.find(names[1]).game.now.moves == (12,)


def test_an_engine_that_thinks_keeps_its_table_awake(
    tables: TableRegistry, clock: Reactor, searches: Searches
) -> None:
    """A table stays awake while its engine searches; a queued one moves after it wakes."""
    begin(new_game().rules).begin().result()  # the test must not wait for the compiler
    names = [tables.open(new_game("linage", "5", ENGINE, PERSON)) for _ in range(3)]
    clock.advance(IDLE_SECONDS)
    clock.advance(limits.ALIVE_SECONDS)
    assert [tables.stored_text(name) is None for name in names] == [True, True, False]
    for name in names[:2]:
        searches.finish(decision(tables.find(name), 12))
    assert searches.running == []
    wake(tables, names[2])
    assert len(searches.running) == 1


def let_time_pass(clock: Reactor, seconds: float) -> None:
    """Advance the clock in steps, so that periodic work runs."""
    clock.pump([limits.ALIVE_SECONDS] * int(seconds / limits.ALIVE_SECONDS))


HOURS = ClockSettings(main_seconds=2 * IDLE_SECONDS, margin_seconds=0)


def test_a_flag_falls_at_a_table_that_both_have_left(clock: Reactor, searches: Searches) -> None:
    """A player loses on time at a table without pages, which sleeps only afterwards."""
    tables = TableRegistry(
        clock, SETTINGS, new_scheduler(searches, clock), new_store(), most_tables=1
    )
    tables.start()
    name = tables.open(after(new_game(), change("timed", HOURS)))
    for number, point in enumerate((12, 0)):
        tables.do(name, PlayMove(point, number))
    check_refused(503, tables.open, new_game())
    let_time_pass(clock, HOURS.main_seconds - IDLE_SECONDS / 2)
    assert tables.stored_text(name) is None
    let_time_pass(clock, 2 * IDLE_SECONDS)
    wake(tables, name)
    assert tables.find(name).game.conceded == EarlyEnd(Player.FIRST, "T")


def test_a_clock_that_is_stopped_shows_the_same_after_a_sleep(
    tables: TableRegistry, clock: Reactor
) -> None:
    """A stopped clock shows the same time after its table has slept."""
    name = tables.open(after(new_game(), change("timed", HOURS)))
    for number, point in enumerate((12, 0)):
        tables.do(name, PlayMove(point, number))
    clock.advance(100)
    tables.do(name, Pause(True))
    let_time_pass(clock, 2 * IDLE_SECONDS)
    wake(tables, name)
    stopped = tables.find(name).game.clock
    assert stopped is not None
    assert stopped.shown(Player.FIRST, clock.seconds()).seconds == HOURS.main_seconds - 100


def test_a_table_that_was_asked_something_answers_before_it_sleeps(
    clock: Reactor, searches: Searches
) -> None:
    """A table answers a pending question before it sleeps, even if its place is wanted."""
    begin(new_game("linage", "9").rules).begin().result()  # do not wait for the compiler
    tables = TableRegistry(
        clock, SETTINGS, new_scheduler(searches, clock, at_once=1), new_store(), 2
    )
    busy = tables.open(new_game("linage", "9", ENGINE, PERSON))
    asked = tables.open(new_game("linage", "9"))
    answers: list[Answer] = []
    about = read_question("loss", {"node": 0, "move": PASS})
    tables.ask(asked, about, answers.append, pytest.fail)
    check_refused(503, tables.open, new_game())
    searches.finish(decision(tables.find(busy), 12))
    loss = Loss(win_rate=1.0, points=8.0, proven=True, best=12, serious=True)
    searches.finish(loss)
    assert answers == [loss]
    tables.open(new_game())


def test_after_a_kill_every_table_is_as_the_pages_saw_it(
    tables: TableRegistry, clock: Reactor, searches: Searches, store: GameStore
) -> None:
    """After a kill every move and comment is there, whether by a person or an engine."""
    name, page = tables.open(new_game("linage", "5", PERSON, ENGINE)), Watcher()
    tables.watch(name, page)
    tables.do(name, PlayMove(12, 0))
    searches.finish(decision(tables.find(name), 0))
    tables.do(name, Comment(1, "so"))
    after = TableRegistry(clock, SETTINGS, new_scheduler(searches, clock), store)
    wake(after, name)
    assert after.find(name).game == tables.find(name).game
    wake_again = after.find(name)
    after.load(name, new_game())
    assert after.find(name) is wake_again, "two pages may ask for it at once"


def test_what_cannot_be_kept_is_not_done(tables: TableRegistry, store: GameStore) -> None:
    """An action that cannot be saved is refused and has no effect."""
    name = tables.open(new_game())
    store.close()
    with pytest.raises(ActionRefused, match="the server cannot keep this game"):
        tables.do(name, PlayMove(12, 0))
    assert tables.find(name).game.now.moves == ()
    with pytest.raises(ActionRefused, match="the server cannot keep this game"):
        tables.open(new_game())
    check_refused(503, tables.stored_text, "any-name")


def test_an_engines_move_that_cannot_be_kept_is_not_made(
    tables: TableRegistry, searches: Searches, store: GameStore
) -> None:
    """If an engine's move cannot be saved, the engine is paused and the page shows the reason."""
    name = tables.open(new_game("linage", "5", ENGINE, PERSON))
    search = searches.running.pop()
    write, store.write = store.write, _no_room
    search.done(decision(tables.find(name), 12))
    session = tables.find(name)
    assert (session.game.now.moves, session.game.paused) == ((), True)
    assert session.failure == "the server cannot keep this game: disk is full"
    store.write = write
    tables.do(name, Pause(False))
    searches.finish(decision(session, 12))
    assert session.game.now.moves == (12,)


def _no_room(*_row: object, **_more: object) -> None:
    raise sqlite3.OperationalError("disk is full")


def test_nobody_is_sent_away_from_a_table_they_look_at(tables: TableRegistry) -> None:
    """A table with pages is never closed to make room for another one."""
    for _ in range(MOST_TABLES):
        tables.watch(tables.open(new_game()), Watcher())
    check_refused(503, tables.open, new_game())


def test_what_is_left_alone_for_long_sleeps(tables: TableRegistry, clock: Reactor) -> None:
    """An idle table sleeps, but not while it has pages or requests."""
    left, watched, asked = (tables.open(new_game()) for _ in range(3))
    tables.watch(watched, Watcher())
    for _ in range(3):
        clock.advance(IDLE_SECONDS / 2)
        tables.find(asked)
    clock.advance(limits.ALIVE_SECONDS)
    check_refused(404, tables.find, left)
    assert tables.stored_text(left) is not None
    assert tables.find(watched)
    assert tables.find(asked)


def test_what_somebody_looks_at_is_not_forgotten(searches: Searches) -> None:
    """A stored game expires only after its table has had no pages for long enough."""
    clock, database = Reactor(), sqlite3.connect(":memory:")
    store = GameStore(database, clock.seconds)
    tables = TableRegistry(clock, SETTINGS, new_scheduler(searches, clock), store)
    page, names = Watcher(), [tables.open(new_game(moves=(12, 0))), tables.open(new_game())]
    for name in names:
        tables.watch(name, page)
    clock.rightNow += KEPT_SECONDS + 1
    tables.open(new_game())
    assert None not in [store.read(name) for name in names]
    page.gone.callback(None)
    tables.start()
    let_time_pass(clock, 2 * IDLE_SECONDS)
    tables.open(new_game())
    assert None not in [tables.stored_text(name) for name in names]
    for name in names:
        wake(tables, name)
    let_time_pass(clock, 2 * IDLE_SECONDS)
    clock.rightNow += KEPT_SECONDS - IDLE_SECONDS
    tables.open(new_game())
    assert [tables.stored_text(name) is None for name in names] == [False, True]
    database.close()


def test_as_many_tables_as_may_be_in_use_are_kept(clock: Reactor, searches: Searches) -> None:
    """The store keeps all tables that may be in use in addition to its limit of idle games."""
    kept = MOST_KEPT + MOST_TABLES
    store = new_store()
    for number in range(kept - 1):
        store.write(f"{number}", "", begun=True)
    tables = TableRegistry(clock, SETTINGS, new_scheduler(searches, clock), store)
    tables.open(new_game())
    assert store.read("0") is not None
    tables.open(new_game())
    assert store.read("0") is None


def test_whoever_looks_on_is_told_every_change(tables: TableRegistry) -> None:
    """Every page gets each change of the table, but no refused action and no other page's view."""
    name, pages = tables.open(new_game()), [Watcher(), Watcher()]
    for number, page in enumerate(pages):
        tables.watch(name, page, f"page {number}")
        assert page.events == [b"tree", b"table", b"review"]
    tables.do(name, PlayMove(12, 0))
    with pytest.raises(ActionRefused):
        tables.do(name, PlayMove(12, 1))
    assert [page.events for page in pages] == [[b"tree", b"table"]] * 2
    tables.do(name, SwitchAnalysis(on=True, ownership=False), "page 0")
    tables.do(name, LookAt(0), "page 0")
    assert pages[0].events == [b"table", b"analysis", b"graph"] * 2
    tables.do(name, LookAt(0), "nobody")
    assert pages[1].events == []


def test_a_page_that_comes_again_says_what_it_looked_at(tables: TableRegistry) -> None:
    """A page that reconnects restores its view, unless that position does not exist."""
    name = tables.open(new_game(moves=(12, 0)))
    tables.watch(name, Watcher(), "page")
    tables.watch(name, Watcher(), "page", view=View(1, analysing=True))
    tables.watch(name, Watcher(), "other", view=View(7))
    tables.watch(name, Watcher(), "third", view=View(2))
    views = [each.view for each in tables.find(name).viewers]
    assert views == [View(), View(1, analysing=True), View(), View()]
    tables.do(name, LookAt(0), "page")
    assert tables.find(name).viewers[1].view == View(0, analysing=True)


def test_a_page_that_has_left_is_told_no_more(tables: TableRegistry, searches: Searches) -> None:
    """A page that has left gets no events, and its analysis stops."""
    name, page = tables.open(new_game()), Watcher()
    tables.watch(name, page, "page")
    tables.do(name, SwitchAnalysis(on=True, ownership=False), "page")
    assert page.events
    (search,) = searches.running
    page.gone.callback(None)
    assert search.stopped.is_set()
    searches.finish()
    tables.do(name, PlayMove(12, 0))
    assert (page.events, searches.running) == ([], [])


def test_a_table_has_a_bounded_number_of_pages(tables: TableRegistry) -> None:
    """The number of pages at a table is limited; one may join when another leaves."""
    name, pages = tables.open(new_game()), [Watcher() for _ in range(MOST_VIEWERS)]
    for page in pages:
        tables.watch(name, page)
    check_refused(503, tables.watch, name, Watcher())
    pages[0].gone.callback(None)
    tables.watch(name, Watcher())


def test_a_silent_table_is_kept_open(tables: TableRegistry, clock: Reactor) -> None:
    """Silent event streams get regular keep-alives, so that no proxy closes them."""
    page = Watcher()
    tables.watch(tables.open(new_game()), page)
    assert page.events == [b"tree", b"table", b"review"]
    clock.pump([limits.ALIVE_SECONDS] * 3)
    assert page.events == [b"", b"", b""]


def test_search_trees_go_soon_after_the_last_page(
    tables: TableRegistry, clock: Reactor, searches: Searches
) -> None:
    """Search trees are freed soon after the last page has left, but not during a search."""
    name = tables.open(new_game("linage", "5", ENGINE, PERSON))
    (search,) = searches.running
    while_it_runs = tables.find(name).wanted()
    clock.pump([limits.FORGET_SECONDS, limits.ALIVE_SECONDS])
    assert tables.find(name).still_wanted(while_it_runs)
    tables.do(name, Pause(True))
    assert search.stopped.is_set()
    searches.finish(decision(tables.find(name), 12))
    clock.pump([limits.FORGET_SECONDS, limits.ALIVE_SECONDS])
    tables.do(name, Pause(False))
    assert not tables.find(name).still_wanted(while_it_runs), "another engine plays"
