"""Who answers one client's queries: knows the games, keeps what it found out, thinks on threads."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from linage_bot import __version__
from linage_bot.engine.processors import Processors
from linage_bot.engine.worker import Worker
from linage_bot.rules.shared import KnownGames
from linage_bot.servers.analysis.questions import Question, Warn, questions
from linage_bot.servers.analysis.settings import AnalysisSettings
from linage_bot.servers.analysis.thinking import think
from linage_bot.servers.analysis.trees import Trees
from protocol.analysis_session import Thought
from protocol.json_analysis import PositionReport, Query

_log = logging.getLogger(__name__)
Tell = Callable[[PositionReport], None]


class Thinker(Protocol):
    """Who thinks for one client, on any thread."""

    def think(
        self, question: Question, stopped: threading.Event, tell: Tell
    ) -> PositionReport | None:
        """As `thinking.think`."""

    def forget(self) -> None:
        """Let go of what was found out for earlier queries."""

    def close(self) -> None:
        """Keep nothing for a client that is gone."""


class LocalThinker:
    """Thinks for one client, in this process."""

    def __init__(self) -> None:
        self._trees = Trees()

    def think(
        self, question: Question, stopped: threading.Event, tell: Tell
    ) -> PositionReport | None:
        """As `thinking.think`."""
        return think(question, self._trees, stopped, tell)

    def forget(self) -> None:
        """Let go of all trees; those that grow just now are not kept either."""
        self._trees.close()
        self._trees = Trees()

    def close(self) -> None:
        """Keep nothing for a client that is gone."""
        self._trees.close()


class GameAnalyst:
    """A `protocol.analysis_session.AnalysisBackend` for all our games.

    `places` are shared by the clients: so many positions are thought about at once, in the order
    in which their turn came.
    """

    version = __version__

    def __init__(
        self, settings: AnalysisSettings, places: Processors, thinker: Thinker | None = None
    ) -> None:
        self._settings = settings
        self._places = places
        self._games = KnownGames()
        self._thinker = thinker or LocalThinker()

    def questions(self, query: Query, warn: Warn) -> list[Question]:
        """One for each of the query's turns; raises `BadField`."""
        return questions(query, self._settings, self._games, warn)

    def work(self, question: Question) -> PositionThinking:
        """What finds an answer on a thread of its own."""
        return PositionThinking(question, self._thinker, self._places)

    def forget(self) -> None:
        """Let go of what was found out for earlier queries."""
        self._thinker.forget()

    def close(self) -> None:
        """Keep nothing for a client that is gone."""
        self._thinker.close()


class PositionThinking(Worker[PositionReport | None]):
    """A `protocol.analysis_session.PositionWork`, done on a new thread."""

    def __init__(self, question: Question, thinker: Thinker, places: Processors) -> None:
        super().__init__(self._think, self._ended, name="analysis")
        self.question = question
        self._thinker = thinker
        self._places = places
        self._report: Callable[[Thought], None] = lambda _thought: None

    def start(self, report: Callable[[Thought], None]) -> None:
        """Begin; `report` is called on the thread."""
        self._report = report
        self.begin()

    def _think(self, stopped: threading.Event) -> PositionReport | None:
        with self._places:
            if stopped.is_set():
                return None
            return self._thinker.think(self.question, stopped, self._tell)

    def _tell(self, report: PositionReport) -> None:
        self._report(Thought(report, final=False))

    def _ended(self, found: PositionReport | Exception | None) -> None:
        if isinstance(found, Exception):
            _log.error("an analysis failed", exc_info=found)
            self._report(Thought(None, error=f"internal error: {found!r}"))
        else:
            self._report(Thought(found))
