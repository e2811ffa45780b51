"""A loaded table: its game, viewers, playing engines and analysis, and the choice of searches.

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
from linage_bot.rules.game import Move
from linage_bot.settings.playing import FULL_STRENGTH, PlaySettings
from linage_bot.web.table.actions import PageAction
from linage_bot.web.table.controls import take_seat
from linage_bot.web.table.errors import ActionRefused
from linage_bot.web.table.game import Change, TableGame
from linage_bot.web.table.moves import lose_on_time, play, resign
from linage_bot.web.table.permissions import apply_permitted
from linage_bot.web.table.timing import clock_runs, made_move, rest_seconds, with_time_used
from linage_bot.web.table.view import FOLLOWING, View
from linage_bot.web.table.viewer import Viewer
from linage_bot.web.thinking.advice import AdviceDesk, PendingQuestion
from linage_bot.web.thinking.cache import AnalysisCache
from linage_bot.web.thinking.questions import (
    Advice,
    Answer,
    Asked,
    Attempt,
    CompareMove,
    FindBestMove,
    JudgeAttempt,
    Loss,
)
from linage_bot.web.thinking.reviewer import Reviewer, ReviewResult
from linage_bot.web.thinking.tasks import (
    QUICK_SEARCH_VISITS,
    AnalysisTask,
    ChooseMove,
    Found,
    Judge,
    ResolvePie,
    Task,
    Urgent,
)

_MOST_NODES = 1_000_000  # of an analysis: 72 MB


class Session:
    """A table: its game, its viewers, the cached analysis and the choice of the next search."""

    def __init__(
        self,
        game: TableGame,
        settings: PlaySettings,
        save: Callable[[TableGame], None] = lambda _game: None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create a table. `save` saves each state of the game before it takes effect.

        If `save` raises `ActionRefused`, the state is unchanged. `seconds` returns the current
        time.
        """
        self.game = game
        self._save = save
        self._seconds = seconds
        self._moved_at = -math.inf  # time of the last move
        self._choosing = False  # an engine is searching for its move
        self.viewers: list[Viewer] = []
        self.used = 0.0  # time of the last request
        self.failure: str | None = None  # why the search failed
        self.revision = 0  # grows with every change of the game
        self.run_id = secrets.token_hex(4)  # distinguishes revisions from those before a restart
        self.code: Future[Any] | None = None  # done when the compiled code is loaded
        self.compiling: Any = None  # the message last sent to the pages
        self._settings = settings
        self._players: dict[int, StickyObject[Engine]] = {}  # by level
        nodes = min(settings.nodes, _MOST_NODES)
        self._analyst = attrs.evolve(settings, level=FULL_STRENGTH, nodes=nodes)
        self.cache = AnalysisCache(self._analyst)
        self._advice = AdviceDesk(self.cache, StickyObject(partial(Engine, self._analyst)))
        self.reviewer: Reviewer | None = None
        self._review(game)
        self._judged_last = False

    @property
    def waits(self) -> bool:
        """Whether a search would have to wait for compiled code."""
        return self.code is not None and not self.code.done()

    @property
    def busy(self) -> bool:
        """Whether the table is busy even without viewers: a clock runs or a question waits."""
        clock = self.game.clock
        runs = clock is not None and clock.since is not None
        return runs or self._advice.wanted is not None

    def do(self, change: Change) -> None:
        """Carry out an engine's action. Raise `ActionRefused`, and change nothing, if refused."""
        self.wake()
        self._do(change)

    def _do(self, change: Change) -> None:
        game, now = change(self.game), self.now
        if made_move(self.game, game):
            self._moved_at = now
        game = with_time_used(self.game, game, now)
        self._save(game)
        self._set_game(game)

    def act(self, action: PageAction, viewer: Viewer | None, holder: str = "") -> None:
        """Carry out a viewer's action; `viewer` is None if its page is not connected.

        `holder` is the hash of the viewer's secret: a shared table limits the actions of each
        viewer. Raise `ActionRefused`, and change nothing, if it is refused.
        """
        self.wake()
        before = viewer.view if viewer else FOLLOWING
        game, view = apply_permitted(action, self.game, before, holder)
        if game is not self.game:
            self._do(lambda _: game)
        if viewer is not None:
            viewer.view = view
        if view.analysing and not before.analysing:
            self.failure = None

    def take(self, invitation: str, holder: str) -> None:
        """Assign the seat of an invitation link; both are hashes. Raise `ActionRefused`."""
        game = take_seat(self.game, invitation, holder)
        if game.seats is not self.game.seats:
            self.do(lambda _: game)

    def join(self, viewer: Viewer) -> None:
        """Add a viewer. It starts without analysis while two people play each other."""
        if self.game.closed:
            viewer.view = attrs.evolve(viewer.view, analysing=False, ownership=False)
        self.viewers.append(viewer)
        self.revision += self.game.seats is not None  # others see which people are present

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self.viewers.remove(viewer)
        self.revision += self.game.seats is not None

    def viewer(self, name: str) -> Viewer | None:
        """Return the newest viewer of this name, as an old connection may linger, or None."""
        found = (each for each in reversed(self.viewers) if each.name == name != "")
        return next(found, None)

    def views(self) -> list[View]:
        """Return the views for which analysis is on."""
        return [each.view for each in self.viewers if each.view.analysing]

    def _set_game(self, game: TableGame) -> None:
        before = self.game
        if game.positions is not before.positions:
            self.cache.keep_only(game.positions)
        if game.reviewed is not before.reviewed:
            self._review(game)
        for viewer in self.viewers:
            viewer.view = viewer.view.after(before, game)
        self.failure = None
        self.game = game
        self.revision += 1
        self.keep_time()

    # Time: a player's clock runs while only they can continue the game.

    @property
    def now(self) -> float:
        """The current time, in seconds."""
        return self._seconds()

    def wake(self) -> None:
        """End the game if the flag of the player to move has fallen."""
        clock = self.game.clock
        fallen = None if clock is None else clock.fallen(self.now)
        if fallen is not None:
            try:
                self._do(partial(lose_on_time, player=fallen))
            except ActionRefused as error:  # such as a full disk
                self.fail(error.reason)

    def seconds_to_timer(self) -> float | None:
        """Return the seconds until a flag falls or the engines' rest ends; None if neither."""
        clock = self.game.clock
        moments = [clock.seconds_left(self.now) if clock else None, self._rest()]
        return min((each for each in moments if each is not None), default=None)

    def keep_time(self) -> None:
        """Start or stop the clock, as the current state requires."""
        game = self.game
        if game.clock is not None:
            runs = clock_runs(game, compiling=self.waits, searching=self._choosing)
            clock = game.clock.run(runs, self.now)
            if clock is not game.clock:
                self.game = attrs.evolve(game, clock=clock)

    def _rest(self) -> float | None:
        """Return the seconds that engines playing each other still rest; None if they do not."""
        return rest_seconds(self.game, self.now - self._moved_at)

    # Searches

    def _review(self, game: TableGame) -> None:
        """Create the reviewer of the line under review, or remove it if there is none."""
        self.reviewer = None
        if game.reviewed is not None:
            record = game.study.until(game.reviewed[-1])
            self.reviewer = Reviewer(game.reviewed, record, self._settings)

    def wanted(self) -> Task | None:
        """Return the next search task; None if there is none."""
        game, level = self.game, self.game.engine_to_move
        alone = None not in game.players and not self.viewers
        idle = alone or game.paused or self._rest() is not None
        if level is not None and not idle:
            history = game.now
            if game.pie is None:
                clock = game.clock
                seen = None if clock is None else clock.for_engine(self.now)
                return ChooseMove(self._engine(level), history, seen)
            stone = history.moves[0] if history.moves else None
            settings = attrs.evolve(self._settings, level=level)
            return ResolvePie(settings, game.rules, stone, game.pie.offered)
        if self._advice.wanted is not None:
            return self._advice.wanted
        if not self.viewers or game.pie is not None:
            return None
        task = self.cache.wanted(game, self.views())
        if self.reviewer is None or self.reviewer.finished or (task and self._judged_last):
            return task
        return Judge(self.reviewer.judging)

    def still_wanted(self, task: Task) -> bool:
        """Return whether the result of a task would still be useful."""
        if isinstance(task, Judge):
            return self.reviewer is not None and task.judging is self.reviewer.judging
        if isinstance(task, Asked):
            return self._advice.is_wanted(task)
        now, game = self.wanted(), self.game
        if isinstance(now, Urgent) or isinstance(task, Urgent):
            return now == task
        return now is not None and self.cache.still_wanted(task, game, self.views())

    def advice(self, node: int) -> Advice | FindBestMove:
        """Return the best move at a node, or the task that finds it. Raise `ActionRefused`."""
        return self._advice.advice(self.game, node)

    def loss(self, node: int, move: Move) -> Loss | CompareMove:
        """Return a move's loss at a node, or the task that finds it. Raise `ActionRefused`."""
        return self._advice.loss(self.game, node, move, may_search=not self.waits)

    def attempt(self, node: int, move: Move) -> Attempt | JudgeAttempt:
        """Return the check of a move in place of a reviewed one, or the task that makes it.

        Raise `ActionRefused` if the review did not judge a move at the node.
        """
        reviewed = self.reviewer and self.reviewer.judged_at(node)
        if not reviewed:
            raise ActionRefused("no review has judged a move here: review the game first")
        return self._advice.attempt(self.game, reviewed, node, move, self._analyst)

    def ask(self, question: PendingQuestion) -> None:
        """Queue a question, to be searched when no engine is to move. Raise `ActionRefused`."""
        self._advice.ask(question)

    def withdraw(self, question: PendingQuestion) -> None:
        """Remove a question whose answer is no longer needed."""
        self._advice.withdraw(question)

    def _engine(self, level: int) -> StickyObject[Engine]:
        """Return the engine of a level. Levels are separate: weak ones see no strong searches."""
        if level not in self._players:
            settings = attrs.evolve(self._settings, level=level)
            self._players[level] = StickyObject(partial(Engine, settings))
        return self._players[level]

    def began(self, task: Task) -> None:
        """Record that a task has started."""
        self._choosing = isinstance(task, ChooseMove)
        self.keep_time()

    def lost(self) -> None:
        """Record that the running task was lost and will run again; an engine's clock stops."""
        self._choosing = False
        self.keep_time()

    def accept(self, task: Task, found: Found) -> None:
        """Store or apply the result of a task, if it is still useful."""
        self._choosing = False
        self._judged_last = isinstance(task, Judge)
        if isinstance(task, Judge):
            assert isinstance(found, ReviewResult)
            if self.reviewer is not None and self.still_wanted(task):
                self.reviewer.accept(found)
        elif isinstance(found, Answer):
            self._advice.answer(task, found)
        elif isinstance(found, Analysis):
            assert isinstance(task, AnalysisTask)
            self.cache.accept(task, found, self.game)
        elif not isinstance(found, ReviewResult) and self.still_wanted(task):
            try:
                self.do(self._change(found) if isinstance(found, Decision) else found)
            except ActionRefused as error:  # such as a full tree
                self.fail(error.reason)
        self.keep_time()

    def _change(self, decision: Decision) -> Change:
        """Return the action that an engine decided on, and cache its analysis of the position."""
        if not decision.exact and decision.analysis.visits >= QUICK_SEARCH_VISITS:
            analysis = attrs.evolve(decision.analysis, position=self.game.position)
            self.cache.store(self.game.node, analysis)
        if decision.move is None:
            return partial(resign, by_engine=True)
        return partial(play, move=decision.move, node=self.game.node, by_engine=True)

    def fail(self, reason: str) -> None:
        """Report a failed search. Pause engines and analysis until a viewer restarts them."""
        self._choosing = False
        kept = self.game.reviewed if self.reviewer and self.reviewer.finished else None
        for viewer in self.viewers:
            viewer.view = attrs.evolve(viewer.view, analysing=False)
        held = attrs.evolve(self.game, paused=True, reviewed=kept)
        self._set_game(held)  # not saved, as the disk may have failed
        self.failure = reason
        self._advice.fail(ActionRefused(reason))

    def forget(self) -> None:
        """Drop data that only saves time. Must not be called while a task runs."""
        self._players.clear()
        self.cache.forget()
        self._advice.forget()
        if self.reviewer is not None and not self.reviewer.finished:
            self.reviewer = self.reviewer.restarted()
