"""Searches on several workers that come and go: near their trees, fair and never lost."""

from collections import Counter
from concurrent.futures import Future

import pytest

from linage_bot.engine.worker import Worker
from linage_bot.jobs.executor import WorkerLost
from linage_bot.web.messages.events import send_changes, send_clock
from linage_bot.web.table.actions import PlayMove, SwitchAnalysis
from linage_bot.web.thinking.scheduler import SearchScheduler
from linage_bot.web.thinking.session import Session
from tests.linage_bot.web.room import (
    ENGINE,
    PERSON,
    Reactor,
    Search,
    Searches,
    act,
    add_page,
    decision,
    new_session,
)


class Rack:
    """An executor whose searches end when the test says so."""

    def __init__(self, **most: int) -> None:
        self.most = most
        self.searches = {place: Searches() for place in most}
        self.changed = lambda: None

    def watch(self, changed) -> None:
        self.changed = changed

    def prepare(self, _game) -> Future:
        return Future()

    def ready(self, _game) -> dict[str, int]:
        return self.most

    def processors_each(self, _jobs: int) -> int:
        return 1

    def thread_for(self, worker, work, done, _report=None) -> Worker:
        return self.searches.setdefault(worker, Searches()).worker(work, done)

    def set(self, **most: int) -> None:
        """Replace the workers and report the loss of those that have gone."""
        gone = [place for place in self.most if place not in most]
        self.most = most
        for place in gone:
            for _ in list(self.searches[place].running):
                self.searches[place].finish(WorkerLost(place))
        self.changed()


def analysing() -> Session:
    session = new_session("leblin", "5")
    add_page(session)
    act(session, SwitchAnalysis(on=True, ownership=False))
    return session


@pytest.fixture
def rack() -> Rack:
    return Rack(a=1, b=1)


@pytest.fixture
def scheduler(rack: Rack) -> SearchScheduler:
    scheduler = SearchScheduler(Reactor(), rack, send_changes, send_clock)
    scheduler.start()
    return scheduler


def who(scheduler: SearchScheduler, sessions: list[Session], search: Search) -> int:
    """The number of the session that a search belongs to."""
    return next(
        number
        for number, each in enumerate(sessions)
        if scheduler.is_searching(each) and search.task == scheduler._queue.running[each]
    )


def seated(
    scheduler: SearchScheduler, rack: Rack, sessions: list[Session], places: str
) -> list[tuple[str, int]]:
    """End searches on the workers in this order and return the session of each."""
    found = []
    for place in places:
        found.append((place, who(scheduler, sessions, rack.searches[place].running[0])))
        rack.searches[place].finish()
    return found


def test_an_analysis_goes_on_where_its_tree_is(scheduler: SearchScheduler, rack: Rack) -> None:
    """An analysis continues on the worker that has its tree, and all get equal shares."""
    sessions = [analysing() for _ in range(10)]
    for session in sessions:
        scheduler.update(session)
    seated(scheduler, rack, sessions, "ab" * 5)
    found = seated(scheduler, rack, sessions, "aabbabbaabab" * 5)
    homes = {(session, place) for place, session in found}
    assert len(homes) == 10
    shares = Counter(session for _, session in found)
    assert (min(shares.values()), max(shares.values())) == (6, 6)


def test_a_place_that_goes_costs_nobody_a_turn(scheduler: SearchScheduler, rack: Rack) -> None:
    """A search on a lost worker is repeated first; a new worker gets its share at once."""
    sessions = [analysing() for _ in range(6)]
    for session in sessions:
        scheduler.update(session)
    seated(scheduler, rack, sessions, "ababab")
    interrupted = who(scheduler, sessions, rack.searches["b"].running[0])
    rack.set(a=1)
    assert sessions[interrupted].failure is None
    found = seated(scheduler, rack, sessions, "a" * 7)
    assert found[1] == ("a", interrupted)
    assert {session for _, session in found} == set(range(6))
    rack.set(a=1, c=1)
    seated(scheduler, rack, sessions, "ac" * 6)
    found = seated(scheduler, rack, sessions, "ac" * 6)
    assert len({(session, place) for place, session in found}) == 6
    assert Counter(session for _, session in found) == dict.fromkeys(range(6), 2)


def test_a_move_under_way_at_a_place_that_goes_is_thought_again(
    scheduler: SearchScheduler, rack: Rack
) -> None:
    """An engine's move on a lost worker is searched again before any analysis."""
    table = new_session("leblin", "5", ENGINE, PERSON)
    page = add_page(table)
    scheduler.update(table)
    (place,) = (name for name, found in rack.searches.items() if found.running)
    others = [analysing() for _ in range(3)]
    for session in others:
        scheduler.update(session)
    (left,) = {"a", "b"} - {place}
    rack.set(**{left: 1})
    assert table.failure is None
    rack.searches[left].finish()
    assert scheduler.is_searching(table)
    rack.searches[left].finish(decision(table, 12))
    assert page.tables[-1]["position"]["first"] == [12]
    assert all(each["trouble"] is None for each in page.tables)


def test_a_hurried_move_is_made_at_once_where_it_is_thought_again(
    scheduler: SearchScheduler, rack: Rack
) -> None:
    """A hurried move on a lost worker is made at once elsewhere; the next has its full time."""
    table = new_session("leblin", "5", ENGINE, PERSON)
    add_page(table)
    scheduler.update(table)
    scheduler.move_now(table)
    rack.set(c=1)
    (again,) = rack.searches["c"].running
    assert again.stopped.is_set()
    rack.searches["c"].finish(decision(table, 12))
    assert table.game.now.moves == (12,)
    act(table, PlayMove(move=10, node=table.game.node))
    scheduler.update(table)
    (later,) = rack.searches["c"].running
    assert not later.stopped.is_set()


def test_nobody_thinks_where_there_is_no_place_and_goes_on_when_there_is(
    scheduler: SearchScheduler, rack: Rack
) -> None:
    """Without workers nothing is searched; searches begin as soon as one joins."""
    rack.set()
    sessions = [analysing() for _ in range(2)]
    for session in sessions:
        scheduler.update(session)
    assert not any(map(scheduler.is_searching, sessions))
    rack.set(c=2)
    assert all(map(scheduler.is_searching, sessions))
