"""Searches take turns: few at once, engines first, and what is not wanted any more stops."""

from collections import deque
from collections.abc import Callable

import pytest

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import AgentSettings, Decision
from linage_bot.records import Record
from linage_bot.rules import GAMES
from linage_bot.web.course import Course
from linage_bot.web.seats import Seat
from linage_bot.web.session import Session
from linage_bot.web.tasks import Analyse, ChooseMove, Found, Task
from linage_bot.web.thoughts import Thought
from linage_bot.web.turns import Turns

Done = Callable[[Found | Exception], None]


class Threads:
    """Threads that finish when they are told to, with the result they are told."""

    def __init__(self) -> None:
        self.running: deque[Done] = deque()

    def run(self, _work: Callable[[], Found], done: Done) -> None:
        self.running.append(done)

    def call(self, function: Callable[[], None]) -> None:
        function()

    def finish(self, found: Found | Exception = None) -> None:
        self.running.popleft()(found)


class Listener:
    """Who hears of changed games, and lets the rest go by."""

    def __init__(self) -> None:
        self.heard: list[Session] = []

    def changed(self, session: Session) -> None:
        self.heard.append(session)

    def noted(self, session: Session) -> None:
        pass

    def told(self, session: Session, task: Task, thought: Thought) -> None:
        pass


def analysing() -> Session:
    session = table(Seat(), Seat())
    session.watchers, session.notebook.on = 1, True
    return session


def table(*seats: Seat) -> Session:
    first, second = seats
    record = Record(GAMES["leblin"].configure("5"))
    return Session(Course.of(record), (first, second), AgentSettings(visits=5))


@pytest.fixture
def threads() -> Threads:
    return Threads()


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def turns(threads: Threads, listener: Listener) -> Turns:
    return Turns(threads, listener, 2)


def thought() -> Thought:
    return Thought(10, 0.5, 0.0, ())


def test_no_more_searches_run_at_once_than_allowed(turns: Turns, threads: Threads) -> None:
    sessions = [analysing() for _ in range(5)]
    for session in sessions:
        turns.look(session)
        turns.look(session)
    assert [turns.thinks(session) for session in sessions] == [True, True, False, False, False]
    assert len(threads.running) == 2


def test_everybody_gets_a_turn_before_anybody_gets_a_second(turns: Turns, threads: Threads) -> None:
    sessions = [analysing() for _ in range(5)]
    for session in sessions:
        turns.look(session)
    order = []
    for _ in range(10):
        before = {session for session in sessions if turns.thinks(session)}
        threads.finish(thought())
        order += [s for s in sessions if turns.thinks(s) and s not in before]
    assert order == [*sessions[2:], *sessions, *sessions[:2]]


def test_an_engine_that_is_to_move_goes_first(turns: Turns, threads: Threads) -> None:
    waiting = [analysing() for _ in range(4)]
    for session in waiting:
        turns.look(session)
    playing = table(Seat(1), Seat())
    turns.look(playing)
    assert not turns.thinks(playing)
    threads.finish(thought())
    assert turns.thinks(playing)
    assert not turns.thinks(waiting[2])


def test_a_search_is_stopped_when_its_answer_is_of_no_use_any_more(
    turns: Turns, threads: Threads
) -> None:
    session = analysing()
    turns.look(session)
    running = turns._running[session]
    assert isinstance(running.task, Analyse)
    session.play(12, 1)
    turns.look(session)
    assert running.stopped.is_set()
    threads.finish(None)
    again = turns._running[session]
    assert again.task.position is session.course.position
    assert not again.stopped.is_set()


def test_the_engines_move_is_played_and_told(
    turns: Turns, threads: Threads, listener: Listener
) -> None:
    session = table(Seat(1), Seat())
    turns.look(session)
    threads.finish(Decision(12, Analysis(position=session.course.position)))
    assert session.course.moves == (12,)
    assert listener.heard == [session]
    assert not turns.thinks(session)


def test_a_search_that_fails_is_told_and_harms_nobody_else(
    turns: Turns, threads: Threads, listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    session, other = table(Seat(1), Seat()), analysing()
    turns.look(session)
    turns.look(other)
    threads.finish(MemoryError("no room"))
    assert "no room" in (session.trouble or "")
    assert listener.heard == [session]
    assert not turns.thinks(session)
    assert turns.thinks(other)
    assert "a search failed" in caplog.text


def test_after_the_end_nothing_begins(turns: Turns, threads: Threads) -> None:
    sessions = [analysing() for _ in range(3)]
    for session in sessions:
        turns.look(session)
    stopped = [turns._running[session].stopped for session in sessions[:2]]
    turns.stop()
    assert all(each.is_set() for each in stopped)
    threads.finish(thought())
    threads.finish(thought())
    assert not threads.running


def test_what_is_wanted_is_asked_for_when_its_turn_comes(turns: Turns, threads: Threads) -> None:
    """Not what was wanted when it queued."""
    for session in (analysing(), analysing()):
        turns.look(session)
    late = table(Seat(1), Seat())
    turns.look(late)
    late.pause(True)
    threads.finish(thought())
    assert not turns.thinks(late)
    late.pause(False)
    turns.look(late)
    threads.finish(thought())
    assert isinstance(turns._running[late].task, ChooseMove)
