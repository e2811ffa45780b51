"""Searches on several workers that come and go: near their trees, fair and never lost."""

from collections import Counter
from concurrent.futures import Future

import pytest

from linage_bot.engine.worker import Worker
from linage_bot.jobs.executor import WorkerLost
from linage_bot.web.messages.events import tell, tell_clock
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
def turns(rack: Rack) -> SearchScheduler:
    turns = SearchScheduler(Reactor(), rack, tell, tell_clock)
    turns.start()
    return turns


def who(turns: SearchScheduler, sessions: list[Session], search: Search) -> int:
    """The number of the session that a search belongs to."""
    return next(
        number
        for number, each in enumerate(sessions)
        if turns.thinks(each) and search.task == turns._queue.running[each]
    )


def seated(
    turns: SearchScheduler, rack: Rack, sessions: list[Session], places: str
) -> list[tuple[str, int]]:
    """End searches on the workers in this order and return the session of each."""
    found = []
    for place in places:
        found.append((place, who(turns, sessions, rack.searches[place].running[0])))
        rack.searches[place].finish()
    return found


def test_an_analysis_goes_on_where_its_tree_is(turns: SearchScheduler, rack: Rack) -> None:
    """An analysis continues on the worker that has its tree, and all get equal shares."""
    sessions = [analysing() for _ in range(10)]
    for session in sessions:
        turns.look(session)
    seated(turns, rack, sessions, "ab" * 5)
    found = seated(turns, rack, sessions, "aabbabbaabab" * 5)
    homes = {(session, place) for place, session in found}
    assert len(homes) == 10
    shares = Counter(session for _, session in found)
    assert (min(shares.values()), max(shares.values())) == (6, 6)


def test_a_place_that_goes_costs_nobody_a_turn(turns: SearchScheduler, rack: Rack) -> None:
    """A search on a lost worker is repeated first; a new worker gets its share at once."""
    sessions = [analysing() for _ in range(6)]
    for session in sessions:
        turns.look(session)
    seated(turns, rack, sessions, "ababab")
    interrupted = who(turns, sessions, rack.searches["b"].running[0])
    rack.set(a=1)
    assert sessions[interrupted].trouble is None
    found = seated(turns, rack, sessions, "a" * 7)
    assert found[1] == ("a", interrupted)
    assert {session for _, session in found} == set(range(6))
    rack.set(a=1, c=1)
    seated(turns, rack, sessions, "ac" * 6)
    found = seated(turns, rack, sessions, "ac" * 6)
    assert len({(session, place) for place, session in found}) == 6
    assert Counter(session for _, session in found) == dict.fromkeys(range(6), 2)


def test_a_move_under_way_at_a_place_that_goes_is_thought_again(
    turns: SearchScheduler, rack: Rack
) -> None:
    """An engine's move on a lost worker is searched again before any analysis."""
    table = new_session("leblin", "5", ENGINE, PERSON)
    page = add_page(table)
    turns.look(table)
    (place,) = (name for name, found in rack.searches.items() if found.running)
    others = [analysing() for _ in range(3)]
    for session in others:
        turns.look(session)
    (left,) = {"a", "b"} - {place}
    rack.set(**{left: 1})
    assert table.trouble is None
    rack.searches[left].finish()
    assert turns.thinks(table)
    rack.searches[left].finish(decision(table, 12))
    assert page.tables[-1]["position"]["first"] == [12]
    assert all(each["trouble"] is None for each in page.tables)


def test_a_hurried_move_is_made_at_once_where_it_is_thought_again(
    turns: SearchScheduler, rack: Rack
) -> None:
    """A hurried move on a lost worker is made at once elsewhere; the next has its full time."""
    table = new_session("leblin", "5", ENGINE, PERSON)
    add_page(table)
    turns.look(table)
    turns.hurry(table)
    rack.set(c=1)
    (again,) = rack.searches["c"].running
    assert again.stopped.is_set()
    rack.searches["c"].finish(decision(table, 12))
    assert table.game.now.moves == (12,)
    act(table, PlayMove(move=10, at=table.game.at))
    turns.look(table)
    (later,) = rack.searches["c"].running
    assert not later.stopped.is_set()


def test_nobody_thinks_where_there_is_no_place_and_goes_on_when_there_is(
    turns: SearchScheduler, rack: Rack
) -> None:
    """Without workers nothing is searched; searches begin as soon as one joins."""
    rack.set()
    sessions = [analysing() for _ in range(2)]
    for session in sessions:
        turns.look(session)
    assert not any(map(turns.thinks, sessions))
    rack.set(c=2)
    assert all(map(turns.thinks, sessions))
