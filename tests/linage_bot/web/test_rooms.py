"""Tables are few, pages are told what happens, and what is left alone for long goes."""

from collections.abc import Callable
from operator import methodcaller as deed
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from linage_bot.web import rooms as limits
from linage_bot.web.errors import Declined, Refused
from linage_bot.web.rooms import IDLE_SECONDS, MOST_STREAMS, MOST_TABLES, Rooms
from tests.linage_bot.web.room import (
    ENGINE,
    PERSON,
    SETTINGS,
    Reactor,
    Searches,
    decision,
    new_course,
    new_turns,
)


class Watcher:
    """A request for events, as far as it is used: what was written, and its end."""

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
        """Their names, a comment as nothing, since this was last asked for.

        The machine may happen to compile.
        """
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
def rooms(clock: Reactor, searches: Searches) -> Rooms:
    rooms = Rooms(clock, SETTINGS, new_turns(searches, clock))
    rooms.start()
    return rooms


def check_refused(status: int, deed: Callable[..., Any], *arguments: object) -> None:
    with pytest.raises(Refused) as refused:
        deed(*arguments)
    assert refused.value.status == status


def test_a_table_is_found_by_its_name_and_by_no_other(rooms: Rooms) -> None:
    """A wrong name is not found."""
    course = new_course()
    assert rooms.find(rooms.open(course)).course is course
    check_refused(404, rooms.find, "no-such-name")


def test_when_all_tables_are_taken_the_one_longest_left_alone_is_cleared(
    rooms: Rooms, clock: Reactor
) -> None:
    """Not one at which somebody looks."""
    names = []
    for _ in range(MOST_TABLES):
        names.append(rooms.open(new_course()))
        clock.advance(0.1)
    rooms.watch(names[0], Watcher())
    new = rooms.open(new_course())
    check_refused(404, rooms.find, names[1])
    assert len({id(rooms.find(name)) for name in (new, names[0], *names[2:])}) == MOST_TABLES


def test_nobody_is_sent_away_from_a_table_they_look_at(rooms: Rooms) -> None:
    """Then there is no room for another one."""
    for _ in range(MOST_TABLES):
        rooms.watch(rooms.open(new_course()), Watcher())
    check_refused(503, rooms.open, new_course())


def test_what_is_left_alone_for_long_goes(rooms: Rooms, clock: Reactor) -> None:
    """What somebody looks at stays, and so does what somebody asks for now and then."""
    left, watched, asked = (rooms.open(new_course()) for _ in range(3))
    rooms.watch(watched, Watcher())
    for _ in range(3):
        clock.advance(IDLE_SECONDS / 2)
        rooms.find(asked)
    clock.advance(limits.ALIVE_SECONDS)
    check_refused(404, rooms.find, left)
    assert rooms.find(watched)
    assert rooms.find(asked)


def test_whoever_looks_on_is_told_every_change(rooms: Rooms) -> None:
    """All pages alike; nothing that was declined."""
    name, pages = rooms.open(new_course()), [Watcher(), Watcher()]
    for page in pages:
        rooms.watch(name, page)
        assert page.events == [b"tree", b"table", b"review"]
    rooms.do(name, deed("play", 12, 0))
    with pytest.raises(Declined):
        rooms.do(name, deed("play", 12, 1))
    assert [page.events for page in pages] == [[b"tree", b"table"]] * 2
    rooms.do(name, deed("analyse", on=True, ownership=False))
    rooms.do(name, deed("look", 0))
    assert pages[0].events == [b"table", b"analysis", b"graph"] * 2


def test_a_page_that_has_left_is_told_no_more(rooms: Rooms, searches: Searches) -> None:
    """And nobody goes on thinking for it."""
    name, page = rooms.open(new_course()), Watcher()
    rooms.watch(name, page)
    rooms.do(name, deed("analyse", on=True, ownership=False))
    assert page.events
    (search,) = searches.running
    page.gone.callback(None)
    assert search.stopped.is_set()
    searches.finish()
    rooms.do(name, deed("play", 12, 0))
    assert (page.events, searches.running) == ([], [])


def test_a_table_has_a_bounded_number_of_pages(rooms: Rooms) -> None:
    """When one leaves another may come."""
    name, pages = rooms.open(new_course()), [Watcher() for _ in range(MOST_STREAMS)]
    for page in pages:
        rooms.watch(name, page)
    check_refused(503, rooms.watch, name, Watcher())
    pages[0].gone.callback(None)
    rooms.watch(name, Watcher())


def test_a_silent_table_is_kept_open(rooms: Rooms, clock: Reactor) -> None:
    """Nothing on the way takes it for dead."""
    page = Watcher()
    rooms.watch(rooms.open(new_course()), page)
    assert page.events == [b"tree", b"table", b"review"]
    clock.pump([limits.ALIVE_SECONDS] * 3)
    assert page.events == [b"", b"", b""]


def test_search_trees_go_soon_after_the_last_page(
    rooms: Rooms, clock: Reactor, searches: Searches
) -> None:
    """Not while a search is under way."""
    name = rooms.open(new_course("linage", "5", ENGINE, PERSON))
    (search,) = searches.running
    while_it_runs = rooms.find(name).wanted()
    clock.pump([limits.FORGET_SECONDS, limits.ALIVE_SECONDS])
    assert rooms.find(name).still_wanted(while_it_runs)
    rooms.do(name, deed("pause", True))
    assert search.stopped.is_set()
    searches.finish(decision(rooms.find(name), 12))
    clock.pump([limits.FORGET_SECONDS, limits.ALIVE_SECONDS])
    rooms.do(name, deed("pause", False))
    assert not rooms.find(name).still_wanted(while_it_runs), "another engine plays"
