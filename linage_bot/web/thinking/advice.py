"""The queue of the pages' questions about one game, and answers from the analysis cache.

A question that needs a search waits here until the session's turn comes. The search itself is a
task of `questions`.
"""

from collections.abc import Callable

import attrs

from linage_bot.engine.engine import Engine
from linage_bot.jobs.sticky import StickyObject
from linage_bot.review.facts import MoveReview
from linage_bot.rules.game import Move
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.table.errors import check
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.seats import CLOSED
from linage_bot.web.table.variations import check_playable
from linage_bot.web.thinking.cache import AnalysisCache
from linage_bot.web.thinking.questions import (
    HINT,
    Advice,
    Answer,
    Asked,
    Attempt,
    CompareMove,
    FindBestMove,
    JudgeAttempt,
    Loss,
    proven_loss,
)

_MOST_QUESTIONS = 8  # that wait for an answer


@attrs.frozen(eq=False)
class PendingQuestion:
    """A question, with callbacks for its answer and for the error if there is none."""

    task: Asked
    answered: Callable[[Answer], None]
    failed: Callable[[Exception], None]


class AdviceDesk:
    """The questions about one game: answered from the cache, or queued for a search."""

    def __init__(self, cache: AnalysisCache, engine: StickyObject[Engine]) -> None:
        self._cache = cache
        self._engine = engine
        self._questions: list[PendingQuestion] = []  # the first one is searched first

    def advice(self, game: TableGame, node: int) -> Advice | FindBestMove:
        """Return the best move at a node, or the task that finds it. Raise `ActionRefused`."""
        history = _asked_about(game, node)
        known = self._cache.analysis(node, history.position)
        moves = history.position.moves()
        if len(moves) == 1:
            return Advice(move=moves[0], only=True)
        much = known.settled or known.visits >= (HINT.visits or 0)
        if known.best or (known.candidates and much):
            return Advice.of(known)
        return FindBestMove(self._engine, history)

    def loss(
        self, game: TableGame, node: int, move: Move, *, may_search: bool
    ) -> Loss | CompareMove:
        """Return a move's loss at a node, or the task that finds it. Raise `ActionRefused`."""
        history = _asked_about(game, node)
        position = history.position
        check(position.why_illegal(move) is None, "the rules forbid this move")
        known = self._cache.proven(node, position)
        loss = known and proven_loss(known, move)
        if loss:
            return loss
        if len(position.moves()) == 1:
            return Loss(win_rate=0.0, points=0.0, proven=True, best=None, serious=False)
        check(may_search, "the search is still being compiled: try again in a moment")
        return CompareMove(self._engine, history, move)

    def attempt(
        self,
        game: TableGame,
        judged: MoveReview,
        node: int,
        move: Move,
        settings: PlaySettings,
    ) -> Attempt | JudgeAttempt:
        """Return the check of a move in place of a reviewed mistake, or the task that makes it.

        Raise `ActionRefused`.
        """
        history = _asked_about(game, node)
        check(history.position.why_illegal(move) is None, "the rules forbid this move")
        known = Attempt.known(judged, move)
        return known or JudgeAttempt(settings, history, judged.best, move)

    def ask(self, question: PendingQuestion) -> None:
        """Queue a question. Raise `ActionRefused` if too many are waiting."""
        check(
            len(self._questions) < _MOST_QUESTIONS,
            "too many questions wait: try again in a moment",
        )
        self._questions.append(question)

    @property
    def wanted(self) -> Asked | None:
        """The task of the next question; None if there is none."""
        return self._questions[0].task if self._questions else None

    def withdraw(self, question: PendingQuestion) -> None:
        """Remove a question, unless it has been answered."""
        if question in self._questions:
            self._questions.remove(question)

    def is_wanted(self, task: object) -> bool:
        """Return whether a page still waits for the answer that a task finds."""
        return any(each.task is task for each in self._questions)

    def answer(self, task: object, found: Answer) -> None:
        """Send a result to the page that requested it, unless it has withdrawn the question."""
        for question in [each for each in self._questions if each.task is task]:
            self._questions.remove(question)
            question.answered(found)

    def fail(self, error: Exception) -> None:
        """Send the error to all pages that wait for an answer."""
        questions, self._questions = self._questions, []
        for question in questions:
            question.failed(error)

    def forget(self) -> None:
        """Drop the engine's search tree. Must not be called while a question is searched."""
        self._engine.forget()


def _asked_about(game: TableGame, node: int) -> History:
    """Return the history to a node. Raise `ActionRefused` if no question is allowed there."""
    check(not game.closed, CLOSED)
    check_playable(game, node)
    check(game.pie is None, "the pie comes first")
    check(not game.positions[node].over, "the game is over")
    return game.history(node)
