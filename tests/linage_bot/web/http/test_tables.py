"""The number of tables is limited, pages get every change, and idle tables sleep."""

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from linage_bot.engine.search.loading import begin
from linage_bot.records import EarlyEnd
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
    new_store,
    new_turns,
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
def rooms(clock: Reactor, searches: Searches, store: GameStore) -> TableRegistry:
    rooms = TableRegistry(clock, SETTINGS, new_turns(searches, clock), store)
    rooms.start()
    return rooms


def check_refused(status: int, deed: Callable[..., Any], *arguments: object) -> None:
    with pytest.raises(HttpError) as refused:
        deed(*arguments)
    assert refused.value.status == status


def test_a_table_is_found_by_its_name_and_by_no_other(rooms: TableRegistry) -> None:
    """A table is found by its name; a wrong name gives status 404."""
    game = new_game()
    assert rooms.find(rooms.open(game)).game is game
    check_refused(404, rooms.find, "no-such-name")


def wake(rooms: TableRegistry, name: str) -> None:
    """Wake a sleeping table as the site does."""
    text = rooms.asleep(name)
    assert text is not None
    rooms.wake(name, read(text))


def test_when_all_tables_are_taken_the_one_longest_left_alone_sleeps(
    rooms: TableRegistry, clock: Reactor
) -> None:
    """The longest idle table is unloaded for a new one, and is later loaded unchanged."""
    names = []
    for _ in range(MOST_TABLES):
        names.append(rooms.open(new_game()))
        clock.advance(0.1)
    rooms.do(names[1], PlayMove(12, 0))
    for name in (names[0], *names[2:]):
        clock.advance(0.1)
        rooms.find(name)
    rooms.watch(names[0], Watcher())
    new = rooms.open(new_game())
    check_refused(404, rooms.find, names[1])
    assert len({id(rooms.find(name)) for name in (new, names[0], *names[2:])}) == MOST_TABLES
    wake(rooms, names[1])
    assert rooms.find(names[1]).game.now.moves == (12,)


def test_an_engine_that_thinks_keeps_its_table_awake(
    rooms: TableRegistry, clock: Reactor, searches: Searches
) -> None:
    """A table stays awake while its engine searches; a queued one moves after it wakes."""
    begin(new_game().rules).begin().result()  # the test must not wait for the compiler
    names = [rooms.open(new_game("linage", "5", ENGINE, PERSON)) for _ in range(3)]
    clock.advance(IDLE_SECONDS)
    clock.advance(limits.ALIVE_SECONDS)
    assert [rooms.asleep(name) is None for name in names] == [True, True, False]
    for name in names[:2]:
        searches.finish(decision(rooms.find(name), 12))
    assert searches.running == []
    wake(rooms, names[2])
    assert len(searches.running) == 1


def let_time_pass(clock: Reactor, seconds: float) -> None:
    """Advance the clock in steps, so that periodic work runs."""
    clock.pump([limits.ALIVE_SECONDS] * int(seconds / limits.ALIVE_SECONDS))


HOURS = ClockSettings(main_seconds=2 * IDLE_SECONDS, margin_seconds=0)


def test_a_flag_falls_at_a_table_that_both_have_left(clock: Reactor, searches: Searches) -> None:
    """A player loses on time at a table without pages, which sleeps only afterwards."""
    rooms = TableRegistry(clock, SETTINGS, new_turns(searches, clock), new_store(), most_tables=1)
    rooms.start()
    name = rooms.open(after(new_game(), change("timed", HOURS)))
    for number, point in enumerate((12, 0)):
        rooms.do(name, PlayMove(point, number))
    check_refused(503, rooms.open, new_game())
    let_time_pass(clock, HOURS.main_seconds - IDLE_SECONDS / 2)
    assert rooms.asleep(name) is None
    let_time_pass(clock, 2 * IDLE_SECONDS)
    wake(rooms, name)
    assert rooms.find(name).game.conceded == EarlyEnd(Player.FIRST, "T")


def test_a_clock_that_is_stopped_shows_the_same_after_a_sleep(
    rooms: TableRegistry, clock: Reactor
) -> None:
    """A stopped clock shows the same time after its table has slept."""
    name = rooms.open(after(new_game(), change("timed", HOURS)))
    for number, point in enumerate((12, 0)):
        rooms.do(name, PlayMove(point, number))
    clock.advance(100)
    rooms.do(name, Pause(True))
    let_time_pass(clock, 2 * IDLE_SECONDS)
    wake(rooms, name)
    stopped = rooms.find(name).game.clock
    assert stopped is not None
    assert stopped.shown(Player.FIRST, clock.seconds()).seconds == HOURS.main_seconds - 100


def test_a_table_that_was_asked_something_answers_before_it_sleeps(
    clock: Reactor, searches: Searches
) -> None:
    """A table answers a pending question before it sleeps, even if its place is wanted."""
    begin(new_game("linage", "9").rules).begin().result()  # do not wait for the compiler
    rooms = TableRegistry(clock, SETTINGS, new_turns(searches, clock, at_once=1), new_store(), 2)
    busy = rooms.open(new_game("linage", "9", ENGINE, PERSON))
    asked = rooms.open(new_game("linage", "9"))
    answers: list[Answer] = []
    about = read_question("loss", {"at": 0, "move": PASS})
    rooms.ask(asked, about, answers.append, pytest.fail)
    check_refused(503, rooms.open, new_game())
    searches.finish(decision(rooms.find(busy), 12))
    loss = Loss(win_rate=1.0, points=8.0, proven=True, best=12, serious=True)
    searches.finish(loss)
    assert answers == [loss]
    rooms.open(new_game())


def test_after_a_kill_every_table_is_as_the_pages_saw_it(
    rooms: TableRegistry, clock: Reactor, searches: Searches, store: GameStore
) -> None:
    """After a kill every move and comment is there, whether by a person or an engine."""
    name, page = rooms.open(new_game("linage", "5", PERSON, ENGINE)), Watcher()
    rooms.watch(name, page)
    rooms.do(name, PlayMove(12, 0))
    searches.finish(decision(rooms.find(name), 0))
    rooms.do(name, Comment(1, "so"))
    after = TableRegistry(clock, SETTINGS, new_turns(searches, clock), store)
    wake(after, name)
    assert after.find(name).game == rooms.find(name).game
    wake_again = after.find(name)
    after.wake(name, new_game())
    assert after.find(name) is wake_again, "two pages may ask for it at once"


def test_what_cannot_be_kept_is_not_done(rooms: TableRegistry, store: GameStore) -> None:
    """An action that cannot be saved is refused and has no effect."""
    name = rooms.open(new_game())
    store.close()
    with pytest.raises(ActionRefused, match="the server cannot keep this game"):
        rooms.do(name, PlayMove(12, 0))
    assert rooms.find(name).game.now.moves == ()
    with pytest.raises(ActionRefused, match="the server cannot keep this game"):
        rooms.open(new_game())
    check_refused(503, rooms.asleep, "any-name")


def test_an_engines_move_that_cannot_be_kept_is_not_made(
    rooms: TableRegistry, searches: Searches, store: GameStore
) -> None:
    """If an engine's move cannot be saved, the engine is paused and the page shows the reason."""
    name = rooms.open(new_game("linage", "5", ENGINE, PERSON))
    search = searches.running.pop()
    write, store.write = store.write, _no_room
    search.done(decision(rooms.find(name), 12))
    session = rooms.find(name)
    assert (session.game.now.moves, session.game.paused) == ((), True)
    assert session.trouble == "the server cannot keep this game: disk is full"
    store.write = write
    rooms.do(name, Pause(False))
    searches.finish(decision(session, 12))
    assert session.game.now.moves == (12,)


def _no_room(*_row: object, **_more: object) -> None:
    raise sqlite3.OperationalError("disk is full")


def test_nobody_is_sent_away_from_a_table_they_look_at(rooms: TableRegistry) -> None:
    """A table with pages is never closed to make room for another one."""
    for _ in range(MOST_TABLES):
        rooms.watch(rooms.open(new_game()), Watcher())
    check_refused(503, rooms.open, new_game())


def test_what_is_left_alone_for_long_sleeps(rooms: TableRegistry, clock: Reactor) -> None:
    """An idle table sleeps, but not while it has pages or requests."""
    left, watched, asked = (rooms.open(new_game()) for _ in range(3))
    rooms.watch(watched, Watcher())
    for _ in range(3):
        clock.advance(IDLE_SECONDS / 2)
        rooms.find(asked)
    clock.advance(limits.ALIVE_SECONDS)
    check_refused(404, rooms.find, left)
    assert rooms.asleep(left) is not None
    assert rooms.find(watched)
    assert rooms.find(asked)


def test_what_somebody_looks_at_is_not_forgotten(searches: Searches) -> None:
    """A stored game expires only after its table has had no pages for long enough."""
    clock, database = Reactor(), sqlite3.connect(":memory:")
    store = GameStore(database, clock.seconds)
    rooms = TableRegistry(clock, SETTINGS, new_turns(searches, clock), store)
    page, names = Watcher(), [rooms.open(new_game(moves=(12, 0))), rooms.open(new_game())]
    for name in names:
        rooms.watch(name, page)
    clock.rightNow += KEPT_SECONDS + 1
    rooms.open(new_game())
    assert None not in [store.read(name) for name in names]
    page.gone.callback(None)
    rooms.start()
    let_time_pass(clock, 2 * IDLE_SECONDS)
    rooms.open(new_game())
    assert None not in [rooms.asleep(name) for name in names]
    for name in names:
        wake(rooms, name)
    let_time_pass(clock, 2 * IDLE_SECONDS)
    clock.rightNow += KEPT_SECONDS - IDLE_SECONDS
    rooms.open(new_game())
    assert [rooms.asleep(name) is None for name in names] == [False, True]
    database.close()


def test_as_many_tables_as_may_be_in_use_are_kept(clock: Reactor, searches: Searches) -> None:
    """The store keeps all tables that may be in use in addition to its limit of idle games."""
    kept = MOST_KEPT + MOST_TABLES
    store = new_store()
    for number in range(kept - 1):
        store.write(f"{number}", "", begun=True)
    rooms = TableRegistry(clock, SETTINGS, new_turns(searches, clock), store)
    rooms.open(new_game())
    assert store.read("0") is not None
    rooms.open(new_game())
    assert store.read("0") is None


def test_whoever_looks_on_is_told_every_change(rooms: TableRegistry) -> None:
    """Every page gets each change of the table, but no refused action and no other page's view."""
    name, pages = rooms.open(new_game()), [Watcher(), Watcher()]
    for number, page in enumerate(pages):
        rooms.watch(name, page, f"page {number}")
        assert page.events == [b"tree", b"table", b"review"]
    rooms.do(name, PlayMove(12, 0))
    with pytest.raises(ActionRefused):
        rooms.do(name, PlayMove(12, 1))
    assert [page.events for page in pages] == [[b"tree", b"table"]] * 2
    rooms.do(name, SwitchAnalysis(on=True, ownership=False), "page 0")
    rooms.do(name, LookAt(0), "page 0")
    assert pages[0].events == [b"table", b"analysis", b"graph"] * 2
    rooms.do(name, LookAt(0), "nobody")
    assert pages[1].events == []


def test_a_page_that_comes_again_says_what_it_looked_at(rooms: TableRegistry) -> None:
    """A page that reconnects restores its view, unless that position does not exist."""
    name = rooms.open(new_game(moves=(12, 0)))
    rooms.watch(name, Watcher(), "page")
    rooms.watch(name, Watcher(), "page", view=View(1, analysing=True))
    rooms.watch(name, Watcher(), "other", view=View(7))
    rooms.watch(name, Watcher(), "third", view=View(2))
    views = [each.view for each in rooms.find(name).viewers]
    assert views == [View(), View(1, analysing=True), View(), View()]
    rooms.do(name, LookAt(0), "page")
    assert rooms.find(name).viewers[1].view == View(0, analysing=True)


def test_a_page_that_has_left_is_told_no_more(rooms: TableRegistry, searches: Searches) -> None:
    """A page that has left gets no events, and its analysis stops."""
    name, page = rooms.open(new_game()), Watcher()
    rooms.watch(name, page, "page")
    rooms.do(name, SwitchAnalysis(on=True, ownership=False), "page")
    assert page.events
    (search,) = searches.running
    page.gone.callback(None)
    assert search.stopped.is_set()
    searches.finish()
    rooms.do(name, PlayMove(12, 0))
    assert (page.events, searches.running) == ([], [])


def test_a_table_has_a_bounded_number_of_pages(rooms: TableRegistry) -> None:
    """The number of pages at a table is limited; one may join when another leaves."""
    name, pages = rooms.open(new_game()), [Watcher() for _ in range(MOST_VIEWERS)]
    for page in pages:
        rooms.watch(name, page)
    check_refused(503, rooms.watch, name, Watcher())
    pages[0].gone.callback(None)
    rooms.watch(name, Watcher())


def test_a_silent_table_is_kept_open(rooms: TableRegistry, clock: Reactor) -> None:
    """Silent event streams get regular keep-alives, so that no proxy closes them."""
    page = Watcher()
    rooms.watch(rooms.open(new_game()), page)
    assert page.events == [b"tree", b"table", b"review"]
    clock.pump([limits.ALIVE_SECONDS] * 3)
    assert page.events == [b"", b"", b""]


def test_search_trees_go_soon_after_the_last_page(
    rooms: TableRegistry, clock: Reactor, searches: Searches
) -> None:
    """Search trees are freed soon after the last page has left, but not during a search."""
    name = rooms.open(new_game("linage", "5", ENGINE, PERSON))
    (search,) = searches.running
    while_it_runs = rooms.find(name).wanted()
    clock.pump([limits.FORGET_SECONDS, limits.ALIVE_SECONDS])
    assert rooms.find(name).still_wanted(while_it_runs)
    rooms.do(name, Pause(True))
    assert search.stopped.is_set()
    searches.finish(decision(rooms.find(name), 12))
    clock.pump([limits.FORGET_SECONDS, limits.ALIVE_SECONDS])
    rooms.do(name, Pause(False))
    assert not rooms.find(name).still_wanted(while_it_runs), "another engine plays"
