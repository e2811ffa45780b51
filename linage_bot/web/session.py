"""A game on the server with who thinks about it: engines that play, and an analyst.

Everything here runs on the reactor's thread and returns at once. Thinking is asked of a session
with `wanted` and handed back with `accept`; what is not wanted any more is dropped.
"""

from concurrent.futures import Future
from typing import Any

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Decision, Engine
from linage_bot.engine.solver.known import Proven
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.actions import Action, Pause, Play, Resign, ShowAnalysis
from linage_bot.web.course import Course
from linage_bot.web.notebook import Notebook
from linage_bot.web.seats import HIGHEST_LEVEL, Seat
from linage_bot.web.stream import Stream
from linage_bot.web.tasks import GLANCE_VISITS, ChooseMove, EatPie, Found, Note, Task, Urgent

_MOST_NODES = 1_000_000  # of an analysis: 72 MB


class Session:
    """A game, who looks on, and what is thought of its positions and to be thought about next."""

    def __init__(self, course: Course, settings: PlaySettings) -> None:
        self.course = course
        self.streams: list[Stream] = []  # to the pages that look on
        self.used = 0.0  # when somebody last asked for it
        self.trouble: str | None = None  # why thinking has failed
        self.revision = 0  # grows with every change, so that pages know the newest
        self.told = 0  # the revision that the pages were told
        self.code: Future[Any] | None = None  # what its searches wait for, if it is so
        self.compiling: dict[str, Any] | None = None  # as the pages were told
        self._settings = settings
        self._players: dict[Seat, Engine] = {}
        nodes = min(settings.nodes, _MOST_NODES)
        analyst = attrs.evolve(settings, level=HIGHEST_LEVEL, nodes=nodes)
        self.notebook = Notebook(Engine(analyst))

    @property
    def waits(self) -> bool:
        """Whether a search would only wait for compiled code."""
        return self.code is not None and not self.code.done()

    def do(self, action: Action) -> None:
        """Do what a person asks; raises `Declined`, and has done nothing then."""
        if isinstance(action, ShowAnalysis):
            self.notebook.on, self.notebook.ownership = action.on, action.ownership
            self.revision += 1
        else:
            self._change(self.course.do(action))
        if isinstance(action, Pause | ShowAnalysis):
            self.trouble = None

    def wanted(self) -> Task | None:
        """What to think about next; None if nothing."""
        course, seat = self.course, self.course.mover
        alone = all(each.is_engine for each in course.seats) and not self.streams
        if seat is not None and seat.is_engine and not course.paused and not alone:
            engine, history = self._engine(seat), course.now
            if course.pie is None:
                return ChooseMove(engine, history)
            stone = history.moves[0] if history.moves else None
            return EatPie(engine.settings, course.game, stone, course.pie.offered)
        return self.notebook.wanted(course) if self.streams and course.pie is None else None

    def still_wanted(self, task: Task) -> bool:
        """Whether the answer would still be of use."""
        now = self.wanted()
        if isinstance(now, Urgent) or isinstance(task, Urgent):
            return now == task
        return now is not None and self.notebook.still_wanted(task, self.course)

    def _engine(self, seat: Seat) -> Engine:
        """Who plays at a seat: weak players must not find what strong ones thought."""
        if seat not in self._players:
            assert seat.level is not None
            self._players[seat] = Engine(attrs.evolve(self._settings, level=seat.level))
        return self._players[seat]

    def accept(self, task: Task, found: Found) -> None:
        """Take what was thought, as far as it is still of use."""
        if isinstance(found, Analysis | Proven):
            assert isinstance(task, Note)
            self.notebook.accept(task, found, self.course)
        elif self.still_wanted(task):
            deed = self._deed(found) if isinstance(found, Decision) else found
            self._change(self.course.do(deed, by_engine=True))

    def _deed(self, decision: Decision) -> Play | Resign:
        """What an engine decided to do; what it thought of the position is written down."""
        if not decision.exact and decision.analysis.visits >= GLANCE_VISITS:
            self.notebook.note(self.course.at, decision.analysis)
        return Resign() if decision.move is None else Play(decision.move, self.course.at + 1)

    def fail(self, reason: str) -> None:
        """Thinking has failed, and would again: nobody thinks until somebody asks for it."""
        self._change(attrs.evolve(self.course, paused=True))
        self.trouble, self.notebook.on = reason, False

    def forget(self) -> None:
        """Let go of what is only kept for speed; not while a task runs."""
        self._players.clear()
        self.notebook.engine.forget()

    def _change(self, course: Course) -> None:
        """Take over another state; what was found out of moves that are gone is forgotten."""
        if course.history is not self.course.history:
            self.notebook.cut(course.at - 1)
        if (course.history, course.at) != (self.course.history, self.course.at):
            self.trouble = None
        self.course = course
        self.revision += 1
