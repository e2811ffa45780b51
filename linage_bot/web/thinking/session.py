"""A game on the server with who thinks about it: engines that play, and an analyst.

Everything here runs on the reactor's thread and returns at once. Thinking is asked of a session
with `wanted` and handed back with `accept`; what is not wanted any more is dropped.
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
from linage_bot.web.table.errors import ActionRefused, check
from linage_bot.web.table.game import TableAction, TableGame
from linage_bot.web.table.seats import check_may
from linage_bot.web.table.view import FOLLOWING, TableView, View, ViewerAction
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
    """A game, who looks on, and what is thought of its positions and to be thought about next."""

    def __init__(
        self,
        course: TableGame,
        settings: PlaySettings,
        keep: Callable[[TableGame], None] = lambda _course: None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """`keep` writes what is about to be so to disk; if it raises `ActionRefused`, it is not.

        `seconds` tells what time it is.
        """
        self.course = course
        self._keep = keep
        self._seconds = seconds
        self._moved_at = -math.inf  # when a move was made last
        self._chooses = False  # an engine thinks about its move
        self.onlookers: list[Viewer] = []
        self.used = 0.0  # when somebody last asked for it
        self.trouble: str | None = None  # why thinking has failed
        self.revision = 0  # grows with every change of the game
        self.birth = secrets.token_hex(4)  # tells a revision from one before a restart
        self.code: Future[Any] | None = None  # what its searches wait for, if it is so
        self.compiling: dict[str, Any] | None = None  # as the pages were told
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
        """Whether a search would only wait for compiled code."""
        return self.code is not None and not self.code.done()

    @property
    def goes_on(self) -> bool:
        """Whether something does though nobody looks on: a clock runs, or a question waits."""
        clock = self.course.clock
        runs = clock is not None and clock.since is not None
        return runs or self._counsel.wanted is not None

    def do(self, deed: TableAction) -> None:
        """Do what an engine asks; raises `ActionRefused`, and has done nothing then."""
        self.wake()
        self._do(deed)

    def _do(self, deed: TableAction) -> None:
        course = self._timed(deed(self.course))
        self._keep(course)
        self._become(course)

    def act(
        self, deed: ViewerAction, onlooker: Viewer | None, word: str = "", holder: str = ""
    ) -> None:
        """Do what the person at a page asks; None: at one that does not look on.

        `word` names it, and `holder` is the hash of the person's secret: at a shared table not
        everybody may do everything. Raises `ActionRefused`, and has done nothing then.
        """
        self.wake()
        before = TableView(self.course, onlooker.sight if onlooker else FOLLOWING)
        seen = self._fairly(word, deed, holder)(before)
        if seen.course is not self.course:
            self._do(lambda _: seen.course)
        if onlooker is not None:
            onlooker.sight = seen.sight
        if seen.sight.analysing and not before.sight.analysing:
            self.trouble = None

    def _fairly(self, word: str, deed: ViewerAction, holder: str) -> ViewerAction:
        """A deed as it is done at this table; raises `ActionRefused`."""
        course = self.course
        if course.company is None:
            return deed
        seat = course.company.seat_of(holder)
        check_may(word, seat, course.turn)
        if word == "resign":
            return lambda seen: seen.do(partial(TableGame.resign, seat=seat))

        def done(seen: TableView) -> TableView:
            after = deed(seen)
            if course.over:
                stays = after.course.over and after.course.at == course.at
                check(stays, "the game is over: it stays as it was played")
            elif word == "play":
                check(after.course.at != course.at, "no variations while the game runs")
            return after

        return done

    def take(self, invitation: str, holder: str) -> None:
        """Give somebody the seat of their link, both as hashes; raises `ActionRefused`."""
        course = self.course.take(invitation, holder)
        if course.company is not self.course.company:
            self.do(lambda _: course)

    def join(self, onlooker: Viewer) -> None:
        """A page comes; it is not helped at a table where nobody is."""
        if self.course.closed:
            onlooker.sight = attrs.evolve(onlooker.sight, analysing=False, ownership=False)
        self.onlookers.append(onlooker)
        self.revision += self.course.company is not None  # others see who is there

    def leave(self, onlooker: Viewer) -> None:
        """A page goes."""
        self.onlookers.remove(onlooker)
        self.revision += self.course.company is not None

    def onlooker(self, name: str) -> Viewer | None:
        """The page of this name; the newest, for an old connection may not have ended yet."""
        found = (each for each in reversed(self.onlookers) if each.name == name != "")
        return next(found, None)

    def sights(self) -> list[View]:
        """What pages want to know of."""
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

    # Time: a player's clock runs while it is up to them alone to go on.

    @property
    def now(self) -> float:
        """What time it is, in seconds."""
        return self._seconds()

    def wake(self) -> None:
        """Time has passed: whose flag has fallen meanwhile has lost."""
        clock = self.course.clock
        fallen = None if clock is None else clock.fallen(self.now)
        if fallen is not None:
            try:
                self._do(partial(TableGame.lose_on_time, player=fallen))
            except ActionRefused as error:  # such as a disk without room
                self.fail(error.reason)

    def wakes_in(self) -> float | None:
        """The seconds until something happens by itself; None if nothing does."""
        clock = self.course.clock
        moments = [clock.seconds_left(self.now) if clock else None, self._rest()]
        return min((each for each in moments if each is not None), default=None)

    def keep_time(self) -> None:
        """Have the clock run or stand still, as things are now."""
        course = self.course
        if course.clock is not None:
            clock = course.clock.run(self._runs(), self.now)
            if clock is not course.clock:
                self.course = attrs.evolve(course, clock=clock)

    def _runs(self) -> bool:
        """Whether the clock of the player to move does; the first move of each takes no time."""
        course = self.course
        if course.over or course.pie is not None or course.paused:
            return False
        if len(course.ground.moves_to(course.at)) <= len(Player):
            return False
        if self.waits and course.seats != (None, None):
            return False
        return course.engine_to_move is None or self._chooses

    def _timed(self, course: TableGame) -> TableGame:
        """What the course is about to be, with its clock as it is now, and after a turn."""
        before, now = self.course, self.now
        if course.at == before.at:
            # So that what was used of the turn is on the disk too; it runs on if it may.
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
        """How long engines that play each other still rest; None if they do not."""
        course = self.course
        if None in course.seats or course.pie is not None or course.over or course.paused:
            return None
        left = self._moved_at + course.pace_seconds - self.now
        return left if left > 0 else None

    # Thinking

    def _review(self, course: TableGame) -> None:
        """Have the game judged, or have no review."""
        self.reviewer = None
        if course.reviewed is not None:
            record = course.ground.study.until(course.reviewed[-1])
            self.reviewer = Reviewer(course.reviewed, record, self._settings)

    def wanted(self) -> Task | None:
        """What to think about next; None if nothing."""
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
        """Whether the answer would still be of use."""
        if isinstance(task, Judge):
            return self.reviewer is not None and task.judging is self.reviewer.judging
        if isinstance(task, FindBestMove | CompareMove):
            return self._counsel.awaits(task)
        now, course = self.wanted(), self.course
        if isinstance(now, Urgent) or isinstance(task, Urgent):
            return now == task
        return now is not None and self.notebook.still_wanted(task, course, self.sights())

    def advice(self, at: int) -> Advice | FindBestMove:
        """The best move in a position of the game, or how to find it; raises `ActionRefused`."""
        return self._counsel.advice(self.course, at)

    def loss(self, at: int, move: Move) -> Loss | CompareMove:
        """Return what a move loses in a position, or how to find it; raises `ActionRefused`."""
        return self._counsel.loss(self.course, at, move, may_search=not self.waits)

    def ask(self, question: PendingQuestion) -> None:
        """Have a question thought about, when no engine is to move; raises `ActionRefused`."""
        self._counsel.ask(question)

    def withdraw(self, question: PendingQuestion) -> None:
        """Forget a question; its answer is not wanted any more."""
        self._counsel.withdraw(question)

    def _engine(self, level: int) -> StickyObject[Engine]:
        """Who plays at a seat: weak players must not find what strong ones thought."""
        if level not in self._players:
            settings = attrs.evolve(self._settings, level=level)
            self._players[level] = StickyObject(partial(Engine, settings))
        return self._players[level]

    def began(self, task: Task) -> None:
        """A task is being thought about."""
        self._chooses = isinstance(task, ChooseMove)
        self.keep_time()

    def lost(self) -> None:
        """What was being thought is gone, and to be thought again: the clock stands still."""
        self._chooses = False
        self.keep_time()

    def accept(self, task: Task, found: Found) -> None:
        """Take what was thought, as far as it is still of use."""
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
            except ActionRefused as error:  # such as a tree without room for more
                self.fail(error.reason)
        self.keep_time()

    def _deed(self, decision: Decision) -> TableAction:
        """What an engine decided to do; what it thought of the position is written down."""
        if not decision.exact and decision.analysis.visits >= GLANCE_VISITS:
            analysis = attrs.evolve(decision.analysis, position=self.course.position)
            self.notebook.note(self.course.at, analysis)
        if decision.move is None:
            return partial(TableGame.resign, by_engine=True)
        return partial(TableGame.play, move=decision.move, at=self.course.at, by_engine=True)

    def fail(self, reason: str) -> None:
        """Thinking has failed, and would again: nobody thinks until somebody asks for it."""
        self._chooses = False
        kept = self.course.reviewed if self.reviewer and self.reviewer.through else None
        for onlooker in self.onlookers:
            onlooker.sight = attrs.evolve(onlooker.sight, analysing=False)
        held = attrs.evolve(self.course, paused=True, reviewed=kept)
        self._become(held)  # not on the disk, which may be what has failed
        self.trouble = reason
        self._counsel.fail(ActionRefused(reason))

    def forget(self) -> None:
        """Let go of what is only kept for speed; not while a task runs."""
        self._players.clear()
        self.notebook.forget()
        self._counsel.forget()
        if self.reviewer is not None and not self.reviewer.through:
            self.reviewer = self.reviewer.anew()
