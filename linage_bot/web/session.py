"""A game on the server with who thinks about it: engines that play, and an analyst.

Everything here runs on the reactor's thread and returns at once. Thinking is asked of a session
with `wanted` and handed back with `accept`; what is not wanted any more is dropped.
"""

from concurrent.futures import Future
from functools import partial
from typing import Any

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Decision, Engine
from linage_bot.engine.solver.known import Proven
from linage_bot.records import MoveTree
from linage_bot.review import Review
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.course import HIGHEST_LEVEL, Course, Deed
from linage_bot.web.errors import Declined
from linage_bot.web.notebook import Notebook
from linage_bot.web.reviewer import Reviewer, Underway
from linage_bot.web.stream import Stream
from linage_bot.web.tasks import GLANCE_VISITS, ChooseMove, EatPie, Found, Judge, Note, Task, Urgent

_MOST_NODES = 1_000_000  # of an analysis: 72 MB


class Session:
    """A game, who looks on, and what is thought of its positions and to be thought about next."""

    def __init__(self, course: Course, settings: PlaySettings) -> None:
        self.course = course
        self.streams: list[Stream] = []  # to the pages that look on
        self.used = 0.0  # when somebody last asked for it
        self.trouble: str | None = None  # why thinking has failed
        self.revision = 0  # grows with every change, so that pages know the newest
        self.told = 0  # the revision that the pages were told,
        self.told_tree: MoveTree | None = None  # and the moves
        self.code: Future[Any] | None = None  # what its searches wait for, if it is so
        self.compiling: dict[str, Any] | None = None  # as the pages were told
        self._settings = settings
        self._players: dict[int, Engine] = {}  # by level
        nodes = min(settings.nodes, _MOST_NODES)
        analyst = attrs.evolve(settings, level=HIGHEST_LEVEL, nodes=nodes)
        self.notebook = Notebook(Engine(analyst))
        self.reviewer: Reviewer | None = None
        self.told_review: object = None  # what the pages were told of it
        self._judged_last = False

    @property
    def waits(self) -> bool:
        """Whether a search would only wait for compiled code."""
        return self.code is not None and not self.code.done()

    def do(self, deed: Deed) -> None:
        """Do what a person or an engine asks; raises `Declined`, and has done nothing then."""
        before, course = self.course, deed(self.course)
        if course.positions is not before.positions:
            self.notebook.cut(course.positions)
        if course.reviewed is not before.reviewed:
            self.reviewer = None
            if course.reviewed is not None:
                self.reviewer = Reviewer(course.reviewed, course.so_far(), self._settings)
        if course.viewed == before.viewed or course.at != before.at:  # more than a look
            self.trouble = None
        self.course = course
        self.revision += 1

    def wanted(self) -> Task | None:
        """What to think about next; None if nothing."""
        course, level = self.course, self.course.engine_to_move
        alone = None not in course.seats and not self.streams
        if level is not None and not course.paused and not alone:
            engine, history = self._engine(level), course.now
            if course.pie is None:
                return ChooseMove(engine, history)
            stone = history.moves[0] if history.moves else None
            return EatPie(engine.settings, course.game, stone, course.pie.offered)
        if not self.streams or course.pie is not None:
            return None
        note = self.notebook.wanted(course)
        if self.reviewer is None or self.reviewer.through or (note and self._judged_last):
            return note
        return Judge(self.reviewer)

    def still_wanted(self, task: Task) -> bool:
        """Whether the answer would still be of use."""
        if isinstance(task, Judge):
            return task.reviewer is self.reviewer
        now = self.wanted()
        if isinstance(now, Urgent) or isinstance(task, Urgent):
            return now == task
        return now is not None and self.notebook.still_wanted(task, self.course)

    def _engine(self, level: int) -> Engine:
        """Who plays at a seat: weak players must not find what strong ones thought."""
        if level not in self._players:
            self._players[level] = Engine(attrs.evolve(self._settings, level=level))
        return self._players[level]

    def accept(self, task: Task, found: Found) -> None:
        """Take what was thought, as far as it is still of use."""
        self._judged_last = isinstance(task, Judge)
        if isinstance(task, Judge):
            assert isinstance(found, Underway | Review)
            task.reviewer.told = found
        elif isinstance(found, Analysis | Proven):
            assert isinstance(task, Note)
            self.notebook.accept(task, found, self.course)
        elif not isinstance(found, Underway | Review) and self.still_wanted(task):
            try:
                self.do(self._deed(found) if isinstance(found, Decision) else found)
            except Declined as error:  # such as a tree without room for more
                self.fail(error.reason)

    def _deed(self, decision: Decision) -> Deed:
        """What an engine decided to do; what it thought of the position is written down."""
        if not decision.exact and decision.analysis.visits >= GLANCE_VISITS:
            self.notebook.note(self.course.at, decision.analysis)
        if decision.move is None:
            return partial(Course.resign, by_engine=True)
        return partial(Course.play, move=decision.move, at=self.course.at, by_engine=True)

    def fail(self, reason: str) -> None:
        """Thinking has failed, and would again: nobody thinks until somebody asks for it."""
        kept = self.course.reviewed if self.reviewer and self.reviewer.through else None
        self.do(lambda course: attrs.evolve(course, paused=True, analysing=False, reviewed=kept))
        self.trouble = reason

    def forget(self) -> None:
        """Let go of what is only kept for speed; not while a task runs."""
        self._players.clear()
        self.notebook.engine.forget()
        if self.reviewer is not None and not self.reviewer.through:
            self.reviewer = self.reviewer.anew()
