"""Who thinks when and where: few searches at once, in slices, so that many tables get their share.

An engine that is to move, or a question, goes before an analysis; among equals it is first come,
first served. A session that wants more after its turn queues again. Who only waits for the compiler
is in nobody's way.

A session's trees are where it thought last, so that place is its home. Where there are several, a
free one takes the first in the queue that is at home there, or the first of all, whose home it
becomes: where that spreads the homes more evenly, or who waits was overtaken too often. So homes
spread over places that come and go, and stay as they are else. What a place that is gone was
thinking about is thought again, first of all.

All of this runs on the reactor's thread.
"""

import functools
import logging
from collections import Counter
from collections.abc import Collection, Mapping
from concurrent.futures import Future
from typing import Any

import attrs

from linage_bot.engine.places import Places
from linage_bot.engine.worker import PlaceGone, Worker
from linage_bot.rules.game import Game
from linage_bot.web.alarms import Alarms
from linage_bot.web.errors import Declined, check
from linage_bot.web.news import tell, tell_clock
from linage_bot.web.questions import Asked
from linage_bot.web.session import Session
from linage_bot.web.tasks import Found, Task, Urgent

_log = logging.getLogger(__name__)

_OVERTAKEN = 2  # so often by everybody, those who wait for their home wait no longer


@attrs.frozen(eq=False)
class _Thought:
    """A task under way."""

    task: Task
    place: str
    worker: Worker[Found]


class Turns:
    """The searches of all sessions, as many at a time as there are places for."""

    def __init__(self, reactor: Any, places: Places) -> None:
        self._reactor = reactor
        self._places = places
        self._queue: dict[Session, int] = {}  # with the numbers that they drew, in their order
        self._drawn = 0
        self._homes: dict[Session, str] = {}
        self._thinking: dict[Session, _Thought] = {}
        self._hurried: dict[Session, Task] = {}  # by players, at places that went since then
        self._stopped = False
        self._alarms = Alarms(reactor, self._rang)

    def start(self) -> None:
        """Think at places that come later, too, from now on."""
        self._places.watch(lambda: self._reactor.callFromThread(self._begin))

    def prepare(self, game: Game) -> Future[Any]:
        """Get a game's compiled code; done when a search would not wait for it any more."""
        return self._places.prepare(game)

    def thinks(self, session: Session) -> bool:
        """Whether a search of the session is under way: its engines are not to be touched."""
        return session in self._thinking

    def look(self, session: Session) -> None:
        """Something has changed at a table: stop what is not wanted any more, queue what is."""
        if session in self._thinking:
            thought = self._thinking[session]
            if self._wanted(session) is None or not session.still_wanted(thought.task):
                thought.worker.stop()
        elif session not in self._queue and self._wanted(session) is not None:
            self._drawn += 1
            self._queue[session] = self._drawn
        self._begin()
        self._keep_time(session)

    def _keep_time(self, session: Session) -> None:
        """Have the table's clock run or stand still, and look again when time is up."""
        session.keep_time()
        tell_clock(session)
        self._alarms.set(session, session.wakes_in())

    def _rang(self, session: Session) -> None:
        session.wake()
        tell(session)
        self.look(session)

    def hurry(self, session: Session) -> None:
        """Have the engine that thinks about its move make it; raises `Declined` if none does."""
        check(session.course.company is None, "nobody is hurried at a table of two")
        thought = self._thinking.get(session)
        if thought is None or not isinstance(thought.task, Urgent):
            raise Declined("no engine is thinking about a move")
        check(not session.waits, "the engine cannot think yet: it is still being compiled")
        thought.worker.stop()

    def leave(self, session: Session) -> None:
        """A session does not want its turn any more; none of its searches is under way."""
        self._alarms.set(session, None)
        self._queue.pop(session, None)
        self._homes.pop(session, None)
        self._hurried.pop(session, None)

    def stop(self) -> None:
        """Stop all searches, and begin no other."""
        self._stopped = True
        self._queue.clear()
        for thought in self._thinking.values():
            thought.worker.stop()

    def _begin(self) -> None:
        while not self._stopped and self._queue:
            found = self._next()
            if found is None:
                return
            session, task, place = found
            del self._queue[session]
            self._homes[session] = place
            ended = functools.partial(self._ended, session, task)
            done = functools.partial(self._reactor.callFromThread, ended)
            worker = self._places.worker(place, task.run, done)
            self._thinking[session] = _Thought(task, place, worker)
            worker.begin()
            if self._hurried.pop(session, None) == task:
                worker.stop()
            session.began(task)
            self._keep_time(session)

    def _next(self) -> tuple[Session, Task, str] | None:
        """Who is to think now, about what and where: the first for whom somebody waits, or else
        the first; None if nobody can.
        """  # noqa: D205
        used = Counter(each.place for who, each in self._thinking.items() if not who.waits)
        urgent: dict[Session, Task] = {}
        others: dict[Session, Task] = {}
        for session in list(self._queue):
            task = self._wanted(session)
            if task is None:
                del self._queue[session]
            elif isinstance(task, Urgent | Asked):
                urgent[session] = task
            else:
                others[session] = task
        for session, task in (*urgent.items(), *others.items()):
            ready = self._places.ready(session.course.game)
            free = [place for place, most in ready.items() if used[place] < most]
            place = self._place(session, free, ready, () if session in urgent else others)
            if place is not None:
                return session, task, place
        return None

    def _place(
        self,
        session: Session,
        free: list[str],
        ready: Mapping[str, int],
        others: Collection[Session],
    ) -> str | None:
        """Where a session thinks now: at home, or where nobody else soon is; None if nowhere."""
        home = self._homes.get(session)
        if home in free or not free:
            return home if home in free else None
        active = [*self._queue, *self._thinking]
        homes = Counter(self._homes.get(each) for each in active)
        if home is not None and home in ready:  # it is busy, but not for long
            most = self._queue[session] + _OVERTAKEN * len(active)
            near = {self._homes.get(each) for each in others if self._queue[each] <= most}
            crowd = homes[home] / ready[home]
            free = [
                place
                for place in free
                if place not in near or (homes[place] + 1) / ready[place] < crowd
            ]
        return min(free, key=lambda place: homes[place] / ready[place], default=None)

    def _wanted(self, session: Session) -> Task | None:
        """What a session wants; one that fails is not asked again, and the others go on."""
        try:
            return session.wanted()
        except Exception as error:  # such as a solver that does not compile
            self._failed(session, error)
            return None

    def _ended(self, session: Session, task: Task, found: Found | Exception) -> None:
        worker = self._thinking.pop(session).worker
        if isinstance(found, PlaceGone):  # which players need not know
            _log.info("asking again: %s", found)
            if worker.stopped.is_set():
                self._hurried[session] = task
            session.lost()
            self._queue = {session: min(self._queue.values(), default=self._drawn), **self._queue}
        elif isinstance(found, Exception):  # whatever it is, the session is told
            self._failed(session, found)
        else:
            session.accept(task, found)
            tell(session)
        self.look(session)

    def _failed(self, session: Session, error: Exception) -> None:
        _log.error("a search failed", exc_info=error)
        session.fail(f"the search failed: {error!r:.200}")
        tell(session)
