"""Searches take scheduler: a limited number runs, engines come first, useless ones are stopped."""

import threading
from concurrent.futures import Future

import pytest

from linage_bot.web.messages.events import send_changes
from linage_bot.web.table.actions import SwitchAnalysis
from linage_bot.web.table.errors import ActionRefused
from linage_bot.web.table.pie import PlayerKind
from linage_bot.web.thinking.scheduler import SearchScheduler
from linage_bot.web.thinking.session import Session
from linage_bot.web.thinking.tasks import Analyse, ChooseMove
from tests.linage_bot.web.room import (
    ENGINE,
    PERSON,
    Reactor,
    Searches,
    act,
    add_page,
    change,
    decision,
    new_scheduler,
    new_session,
)


def watched(*seats: PlayerKind) -> Session:
    """Return a session with one page."""
    session = new_session("leblin", "5", *seats)
    add_page(session)
    return session


def analysing() -> Session:
    session = watched()
    act(session, SwitchAnalysis(on=True, ownership=False))
    return session


@pytest.fixture
def searches() -> Searches:
    return Searches()


@pytest.fixture
def scheduler(searches: Searches) -> SearchScheduler:
    return new_scheduler(searches, Reactor())


def test_no_more_searches_run_at_once_than_allowed(
    scheduler: SearchScheduler, searches: Searches
) -> None:
    """The number of concurrent searches never exceeds the limit."""
    sessions = [analysing() for _ in range(5)]
    for session in sessions:
        scheduler.update(session)
        scheduler.update(session)
    assert [scheduler.is_searching(session) for session in sessions] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert len(searches.running) == 2


def test_an_analysis_uses_the_processors_that_other_tables_leave_idle(searches: Searches) -> None:
    """The only analysis has all processors; several have equal shares; an engine's move has one."""
    scheduler = new_scheduler(searches, Reactor(), at_once=6, most_each=6)
    first, second, playing = analysing(), analysing(), watched(ENGINE, PERSON)
    scheduler.update(first)
    assert [each.processors for each in searches.running] == [6]
    scheduler.update(second)
    searches.finish()
    assert [each.processors for each in searches.running] == [3, 3]
    scheduler.update(playing)
    searches.finish()
    assert [each.processors for each in searches.running] == [3, 1, 2]


def test_everybody_gets_a_turn_before_anybody_gets_a_second(
    scheduler: SearchScheduler, searches: Searches
) -> None:
    """Every analysis gets its first turn before any gets its second, in order of arrival."""
    sessions = [analysing() for _ in range(5)]
    for session in sessions:
        scheduler.update(session)
    order = []
    for _ in range(10):
        before = {session for session in sessions if scheduler.is_searching(session)}
        searches.finish()
        order += [s for s in sessions if scheduler.is_searching(s) and s not in before]
    assert order == [*sessions[2:], *sessions, *sessions[:2]]


def test_an_engine_that_is_to_move_goes_first(
    scheduler: SearchScheduler, searches: Searches
) -> None:
    """An engine that is to move is searched before waiting analyses."""
    waiting = [analysing() for _ in range(4)]
    for session in waiting:
        scheduler.update(session)
    playing = watched(ENGINE, PERSON)
    scheduler.update(playing)
    assert not scheduler.is_searching(playing)
    searches.finish()
    assert scheduler.is_searching(playing)
    assert not scheduler.is_searching(waiting[2])


def test_a_search_is_stopped_when_its_answer_is_of_no_use_any_more(
    scheduler: SearchScheduler, searches: Searches
) -> None:
    """A search is stopped when its position is left, and the new position is searched."""
    session = analysing()
    scheduler.update(session)
    (first,) = searches.running
    assert isinstance(first.task, Analyse)
    session.do(change("play", 12, 0))
    scheduler.update(session)
    assert first.stopped.is_set()
    searches.finish()
    (again,) = searches.running
    assert again.task.history.position is session.game.position
    assert not again.stopped.is_set()


def test_the_engines_move_is_played_and_told(
    scheduler: SearchScheduler, searches: Searches
) -> None:
    """An engine's move is played and sent to every page once."""
    session = watched(ENGINE, PERSON)
    add_page(session)
    scheduler.update(session)
    searches.finish(decision(session, 12))
    pages = [each.stream for each in session.viewers]
    assert [page.tables[0]["position"]["first"] for page in pages] == [[12], [12]]
    assert [len(page.tables) for page in pages] == [1, 1]
    assert not scheduler.is_searching(session)


def test_what_an_analysis_finds_is_told_after_every_slice(
    scheduler: SearchScheduler, searches: Searches
) -> None:
    """Every slice of an analysis sends its results, but not the unchanged table."""
    session = analysing()
    send_changes(session)
    page = session.viewers[0].stream
    page.heard.clear()
    scheduler.update(session)
    searches.finish(searches.running[0].task.run(searches.running[0].stopped))
    assert [kind for kind, _ in page.heard] == ["analysis", "graph"]
    assert page.heard[0][1]["visits"] > 0
    assert [point[0] for point in page.heard[1][1]["points"]] == [0]


def test_a_search_that_fails_is_told_and_harms_nobody_else(
    scheduler: SearchScheduler, searches: Searches, caplog: pytest.LogCaptureFixture
) -> None:
    """A failed search is reported to its pages and does not disturb other sessions."""
    session, other = watched(ENGINE, PERSON), analysing()
    scheduler.update(session)
    scheduler.update(other)
    searches.finish(MemoryError("no room"))
    assert "no room" in session.viewers[0].stream.tables[-1]["trouble"]
    assert not scheduler.is_searching(session)
    assert scheduler.is_searching(other)
    assert "a search failed" in caplog.text


def test_who_waits_for_the_compiler_is_in_nobodys_way(scheduler: SearchScheduler) -> None:
    """Sessions that wait for the compiler do not use up the search limit."""
    waiting, others = [analysing() for _ in range(3)], [analysing() for _ in range(3)]
    for session in waiting:
        session.code = Future()
    for session in (*waiting, *others):
        scheduler.update(session)
    assert all(scheduler.is_searching(session) for session in waiting)
    assert [scheduler.is_searching(session) for session in others] == [True, True, False]


def test_after_the_end_nothing_begins(scheduler: SearchScheduler, searches: Searches) -> None:
    """A stopped scheduler stops the running searches and starts no others."""
    for _ in range(3):
        scheduler.update(analysing())
    scheduler.stop()
    assert [each.stopped.is_set() for each in searches.running] == [True, True]
    searches.finish()
    searches.finish()
    assert not searches.running


def test_what_is_wanted_is_asked_for_when_its_turn_comes(
    scheduler: SearchScheduler, searches: Searches
) -> None:
    """A session is searched for its wish at the time of its turn, not when it queued."""
    for session in (analysing(), analysing()):
        scheduler.update(session)
    late = watched(ENGINE, PERSON)
    scheduler.update(late)
    late.do(change("pause", True))
    searches.finish()
    assert not scheduler.is_searching(late)
    late.do(change("pause", False))
    scheduler.update(late)
    searches.finish()
    assert isinstance(searches.running[-1].task, ChooseMove)


def test_an_engine_that_is_hurried_plays_what_it_has(
    scheduler: SearchScheduler, searches: Searches
) -> None:
    """A hurried engine stops its search and plays its best move so far."""
    session = watched(ENGINE, PERSON)
    with pytest.raises(ActionRefused, match="no engine is searching"):
        scheduler.move_now(session)
    scheduler.update(session)
    scheduler.move_now(session)
    assert searches.running[0].stopped.is_set()
    searches.finish(decision(session, 12))
    assert session.game.now.moves == (12,)


def test_who_is_hurried_at_once_has_looked_all_the_same() -> None:
    """An engine that is hurried at once still searches before it moves."""
    session = watched(ENGINE, PERSON)
    task = session.wanted()
    assert isinstance(task, ChooseMove)
    stopped = threading.Event()
    stopped.set()
    assert task.run(stopped).analysis.visits > 0


def test_an_engine_that_cannot_think_yet_is_not_hurried(scheduler: SearchScheduler) -> None:
    """An engine cannot be hurried before its code is compiled."""
    session = watched(ENGINE, PERSON)
    session.code = Future()
    scheduler.update(session)
    with pytest.raises(ActionRefused, match="compiled"):
        scheduler.move_now(session)
