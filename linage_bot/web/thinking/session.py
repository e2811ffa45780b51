"""A table on the server: its game, its viewers, its playing engines and its analysis.

Everything here runs on the reactor's thread and returns at once. `wanted` returns the next search
task, and `accept` takes its result. Results that are no longer useful are dropped.
"""

import math
import secrets
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.decision import Decision
from linage_bot.engine.engine import Engine
from linage_bot.jobs.sticky import StickyObject
from linage_bot.rules.game import Move, Player
from linage_bot.settings.playing import FULL_STRENGTH, PlaySettings
from linage_bot.web.table.actions import PageAction
from linage_bot.web.table.errors import ActionRefused
from linage_bot.web.table.game import TableAction, TableGame
from linage_bot.web.table.permissions import apply_permitted
from linage_bot.web.table.view import FOLLOWING, TableView, View
from linage_bot.web.table.viewer import Viewer
from linage_bot.web.thinking.advice import AdviceDesk, PendingQuestion
from linage_bot.web.thinking.cache import AnalysisCache
from linage_bot.web.thinking.questions import Advice, CompareMove, FindBestMove, Loss
from linage_bot.web.thinking.reviewer import Reviewer, ReviewResult
from linage_bot.web.thinking.tasks import (
    GLANCE_VISITS,
    ChooseMove,
    Found,
    Judge,
    Note,
    ResolvePie,
    Task,
    Urgent,
)

_MOST_NODES = 1_000_000  # of an analysis: 72 MB


class Session:
    """A table: its game, its viewers, the cached analysis and the choice of the next search."""

    def __init__(
        self,
        course: TableGame,
        settings: PlaySettings,
        keep: Callable[[TableGame], None] = lambda _course: None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create a table. `keep` saves each state of the game before it takes effect.

        If `keep` raises `ActionRefused`, the state is unchanged. `seconds` returns the current
        time.
        """
        self.course = course
        self._keep = keep
        self._seconds = seconds
        self._moved_at = -math.inf  # time of the last move
        self._chooses = False  # an engine is searching for its move
        self.onlookers: list[Viewer] = []
        self.used = 0.0  # time of the last request
        self.trouble: str | None = None  # why the search failed
        self.revision = 0  # grows with every change of the game
        self.birth = secrets.token_hex(4)  # distinguishes revisions from those before a restart
        self.code: Future[Any] | None = None  # done when the compiled code is loaded
        self.compiling: Any = None  # the message last sent to the pages
        self._settings = settings
        self._players: dict[int, StickyObject[Engine]] = {}  # by level
        nodes = min(settings.nodes, _MOST_NODES)
        analyst = attrs.evolve(settings, level=FULL_STRENGTH, nodes=nodes)
        self.notebook = AnalysisCache(analyst)
        self._counsel = AdviceDesk(self.notebook, StickyObject(partial(Engine, analyst)))
        self.reviewer: Reviewer | None = None
        self._review(course)
        self._judged_last = False

    @property
    def waits(self) -> bool:
        """Whether a search would have to wait for compiled code."""
        return self.code is not None and not self.code.done()

    @property
    def goes_on(self) -> bool:
        """Whether the table is busy even without viewers: a clock runs or a question waits."""
        clock = self.course.clock
        runs = clock is not None and clock.since is not None
        return runs or self._counsel.wanted is not None

    def do(self, deed: TableAction) -> None:
        """Carry out an engine's action. Raise `ActionRefused`, and change nothing, if refused."""
        self.wake()
        self._do(deed)

    def _do(self, deed: TableAction) -> None:
        course = self._timed(deed(self.course))
        self._keep(course)
        self._become(course)

    def act(self, action: PageAction, onlooker: Viewer | None, holder: str = "") -> None:
        """Carry out a viewer's action; `onlooker` is None if its page is not connected.

        `holder` is the hash of the viewer's secret: a shared table limits the actions of each
        viewer. Raise `ActionRefused`, and change nothing, if it is refused.
        """
        self.wake()
        before = TableView(self.course, onlooker.sight if onlooker else FOLLOWING)
        seen = apply_permitted(action, before, holder)
        if seen.course is not self.course:
            self._do(lambda _: seen.course)
        if onlooker is not None:
            onlooker.sight = seen.sight
        if seen.sight.analysing and not before.sight.analysing:
            self.trouble = None

    def take(self, invitation: str, holder: str) -> None:
        """Assign the seat of an invitation link; both are hashes. Raise `ActionRefused`."""
        course = self.course.take(invitation, holder)
        if course.company is not self.course.company:
            self.do(lambda _: course)

    def join(self, onlooker: Viewer) -> None:
        """Add a viewer. It starts without analysis while two people play each other."""
        if self.course.closed:
            onlooker.sight = attrs.evolve(onlooker.sight, analysing=False, ownership=False)
        self.onlookers.append(onlooker)
        self.revision += self.course.company is not None  # others see which people are present

    def leave(self, onlooker: Viewer) -> None:
        """Remove a viewer."""
        self.onlookers.remove(onlooker)
        self.revision += self.course.company is not None

    def onlooker(self, name: str) -> Viewer | None:
        """Return the newest viewer of this name, as an old connection may linger, or None."""
        found = (each for each in reversed(self.onlookers) if each.name == name != "")
        return next(found, None)

    def sights(self) -> list[View]:
        """Return the views for which analysis is on."""
        return [each.sight for each in self.onlookers if each.sight.analysing]

    def _become(self, course: TableGame) -> None:
        before = self.course
        if course.positions is not before.positions:
            self.notebook.cut(course.positions)
        if course.reviewed is not before.reviewed:
            self._review(course)
        for onlooker in self.onlookers:
            onlooker.sight = onlooker.sight.after(before, course)
        self.trouble = None
        self.course = course
        self.revision += 1
        self.keep_time()

    # Time: a player's clock runs while only they can continue the game.

    @property
    def now(self) -> float:
        """The current time, in seconds."""
        return self._seconds()

    def wake(self) -> None:
        """End the game if the flag of the player to move has fallen."""
        clock = self.course.clock
        fallen = None if clock is None else clock.fallen(self.now)
        if fallen is not None:
            try:
                self._do(partial(TableGame.lose_on_time, player=fallen))
            except ActionRefused as error:  # such as a full disk
                self.fail(error.reason)

    def wakes_in(self) -> float | None:
        """Return the seconds until a flag falls or the engines' rest ends; None if neither."""
        clock = self.course.clock
        moments = [clock.seconds_left(self.now) if clock else None, self._rest()]
        return min((each for each in moments if each is not None), default=None)

    def keep_time(self) -> None:
        """Start or stop the clock, as the current state requires."""
        course = self.course
        if course.clock is not None:
            clock = course.clock.run(self._runs(), self.now)
            if clock is not course.clock:
                self.course = attrs.evolve(course, clock=clock)

    def _runs(self) -> bool:
        """Return whether the clock should run; the first move of each player takes no time."""
        course = self.course
        if course.over or course.pie is not None or course.paused:
            return False
        if len(course.ground.moves_to(course.at)) <= len(Player):
            return False
        if self.waits and course.seats != (None, None):
            return False
        return course.engine_to_move is None or self._chooses

    def _timed(self, course: TableGame) -> TableGame:
        """Return the next state of the game with its clock updated to the current time."""
        before, now = self.course, self.now
        if course.at == before.at:
            # Save the time used in this turn, too; `keep_time` restarts the clock if it may run.
            clock = course.clock and course.clock.run(False, now)
            return course if clock is course.clock else attrs.evolve(course, clock=clock)
        moved = course.tree[course.at].parent == before.at
        if moved:
            self._moved_at = now
        clock, mover = course.clock, course.position.to_move
        if clock is None:
            return course
        clock = clock.moved(mover, now) if moved else clock.turned(mover, now)
        return attrs.evolve(course, clock=clock)

    def _rest(self) -> float | None:
        """Return the seconds that engines playing each other still rest; None if they do not."""
        course = self.course
        if None in course.seats or course.pie is not None or course.over or course.paused:
            return None
        left = self._moved_at + course.pace_seconds - self.now
        return left if left > 0 else None

    # Searches

    def _review(self, course: TableGame) -> None:
        """Create the reviewer of the line under review, or remove it if there is none."""
        self.reviewer = None
        if course.reviewed is not None:
            record = course.ground.study.until(course.reviewed[-1])
            self.reviewer = Reviewer(course.reviewed, record, self._settings)

    def wanted(self) -> Task | None:
        """Return the next search task; None if there is none."""
        course, level = self.course, self.course.engine_to_move
        alone = None not in course.seats and not self.onlookers
        idle = alone or course.paused or self._rest() is not None
        if level is not None and not idle:
            history = course.now
            if course.pie is None:
                clock = course.clock
                seen = None if clock is None else clock.for_engine(self.now)
                return ChooseMove(self._engine(level), history, seen)
            stone = history.moves[0] if history.moves else None
            settings = attrs.evolve(self._settings, level=level)
            return ResolvePie(settings, course.game, stone, course.pie.offered)
        if self._counsel.wanted is not None:
            return self._counsel.wanted
        if not self.onlookers or course.pie is not None:
            return None
        note = self.notebook.wanted(course, self.sights())
        if self.reviewer is None or self.reviewer.through or (note and self._judged_last):
            return note
        return Judge(self.reviewer.judging)

    def still_wanted(self, task: Task) -> bool:
        """Return whether the result of a task would still be useful."""
        if isinstance(task, Judge):
            return self.reviewer is not None and task.judging is self.reviewer.judging
        if isinstance(task, FindBestMove | CompareMove):
            return self._counsel.awaits(task)
        now, course = self.wanted(), self.course
        if isinstance(now, Urgent) or isinstance(task, Urgent):
            return now == task
        return now is not None and self.notebook.still_wanted(task, course, self.sights())

    def advice(self, at: int) -> Advice | FindBestMove:
        """Return the best move at a node, or the task that finds it. Raise `ActionRefused`."""
        return self._counsel.advice(self.course, at)

    def loss(self, at: int, move: Move) -> Loss | CompareMove:
        """Return a move's loss at a node, or the task that finds it. Raise `ActionRefused`."""
        return self._counsel.loss(self.course, at, move, may_search=not self.waits)

    def ask(self, question: PendingQuestion) -> None:
        """Queue a question, to be searched when no engine is to move. Raise `ActionRefused`."""
        self._counsel.ask(question)

    def withdraw(self, question: PendingQuestion) -> None:
        """Remove a question whose answer is no longer needed."""
        self._counsel.withdraw(question)

    def _engine(self, level: int) -> StickyObject[Engine]:
        """Return the engine of a level. Levels are separate: weak ones see no strong searches."""
        if level not in self._players:
            settings = attrs.evolve(self._settings, level=level)
            self._players[level] = StickyObject(partial(Engine, settings))
        return self._players[level]

    def began(self, task: Task) -> None:
        """Record that a task has started."""
        self._chooses = isinstance(task, ChooseMove)
        self.keep_time()

    def lost(self) -> None:
        """Record that the running task was lost and will run again; an engine's clock stops."""
        self._chooses = False
        self.keep_time()

    def accept(self, task: Task, found: Found) -> None:
        """Store or apply the result of a task, if it is still useful."""
        self._chooses = False
        self._judged_last = isinstance(task, Judge)
        if isinstance(task, Judge):
            assert isinstance(found, ReviewResult)
            if self.reviewer is not None and self.still_wanted(task):
                self.reviewer.accept(found)
        elif isinstance(found, Advice | Loss):
            self._counsel.answer(task, found)
        elif isinstance(found, Analysis):
            assert isinstance(task, Note)
            self.notebook.accept(task, found, self.course)
        elif not isinstance(found, ReviewResult) and self.still_wanted(task):
            try:
                self.do(self._deed(found) if isinstance(found, Decision) else found)
            except ActionRefused as error:  # such as a full tree
                self.fail(error.reason)
        self.keep_time()

    def _deed(self, decision: Decision) -> TableAction:
        """Return the action that an engine decided on, and cache its analysis of the position."""
        if not decision.exact and decision.analysis.visits >= GLANCE_VISITS:
            analysis = attrs.evolve(decision.analysis, position=self.course.position)
            self.notebook.note(self.course.at, analysis)
        if decision.move is None:
            return partial(TableGame.resign, by_engine=True)
        return partial(TableGame.play, move=decision.move, at=self.course.at, by_engine=True)

    def fail(self, reason: str) -> None:
        """Report a failed search. Pause engines and analysis until a viewer restarts them."""
        self._chooses = False
        kept = self.course.reviewed if self.reviewer and self.reviewer.through else None
        for onlooker in self.onlookers:
            onlooker.sight = attrs.evolve(onlooker.sight, analysing=False)
        held = attrs.evolve(self.course, paused=True, reviewed=kept)
        self._become(held)  # not saved, as the disk may have failed
        self.trouble = reason
        self._counsel.fail(ActionRefused(reason))

    def forget(self) -> None:
        """Drop data that only saves time. Must not be called while a task runs."""
        self._players.clear()
        self.notebook.forget()
        self._counsel.forget()
        if self.reviewer is not None and not self.reviewer.through:
            self.reviewer = self.reviewer.anew()
