"""Who answers one client's queries: knows the games, keeps what it found out, thinks on threads."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from linage_bot.engine.worker import Worker, reason_of
from linage_bot.rules.shared import KnownGames
from linage_bot.servers.analysis.engine_pool import ClientEngines, EnginePool
from linage_bot.servers.analysis.games import Warn, is_foreign
from linage_bot.servers.analysis.questions import Question, questions
from linage_bot.servers.analysis.rota import Rota
from linage_bot.servers.analysis.settings import AnalysisSettings
from linage_bot.servers.analysis.thinking import think
from linage_bot.version import __version__
from protocol.kata.messages import PositionReport, Query
from protocol.kata.server import Thought

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
    """Thinks for one client, in this process; the clients of a server share a pool of engines."""

    def __init__(self, pool: EnginePool | None = None) -> None:
        self._pool = pool or EnginePool()
        self._trees = ClientEngines(self._pool)

    def think(
        self, question: Question, stopped: threading.Event, tell: Tell
    ) -> PositionReport | None:
        """As `thinking.think`."""
        return think(question, self._trees, stopped, tell)

    def forget(self) -> None:
        """Let go of all trees; those that grow just now are not kept either."""
        self._trees.close()
        self._trees = ClientEngines(self._pool)

    def close(self) -> None:
        """Keep nothing for a client that is gone."""
        self._trees.close()


class GameAnalyst:
    """A `protocol.kata.server.AnalysisBackend` for all our games; the clients share a rota."""

    version = __version__

    def __init__(
        self, settings: AnalysisSettings, rota: Rota, thinker: Thinker | None = None
    ) -> None:
        self._settings = settings
        self._rota = rota
        self._games = KnownGames()
        self._thinker = thinker or LocalThinker()

    def questions(self, query: Query, warn: Warn) -> list[Question]:
        """One for each of the query's turns; raises `BadField`."""
        return questions(query, self._settings, self._games, warn)

    def is_foreign(self, query: Query) -> bool:
        """Return whether a query's rules are those of another program's game."""
        return is_foreign(query.rules)

    def work(self, question: Question) -> PositionThinking:
        """What finds an answer on a thread of its own."""
        return PositionThinking(question, self._thinker, self._rota)

    def forget(self) -> None:
        """Let go of what was found out for earlier queries."""
        self._thinker.forget()

    def close(self) -> None:
        """Keep nothing for a client that is gone."""
        self._thinker.close()


class PositionThinking(Worker[PositionReport | None]):
    """A `protocol.kata.server.PositionWork`, done on a new thread."""

    def __init__(self, question: Question, thinker: Thinker, rota: Rota) -> None:
        super().__init__(self._think, self._ended, name="analysis")
        self.question = question
        self._thinker = thinker
        self._rota = rota
        self._report: Callable[[Thought], None] = lambda _thought: None

    def start(self, report: Callable[[Thought], None]) -> None:
        """Begin when it is our turn; `report` is called on the thread."""
        self._report = report
        self._rota.join(self)

    def stop(self) -> None:
        """As `PositionWork.stop`; who waits for its turn has ended then."""
        super().stop()
        if self._rota.withdraw(self):
            self._report(Thought(None))

    def _think(self, stopped: threading.Event) -> PositionReport | None:
        if stopped.is_set():
            return None
        return self._thinker.think(self.question, stopped, self._tell)

    def _tell(self, report: PositionReport) -> None:
        self._report(Thought(report, final=False))

    def _ended(self, found: PositionReport | Exception | None) -> None:
        self._rota.leave()
        if isinstance(found, Exception):
            if not isinstance(found, MemoryError):
                _log.error("an analysis failed", exc_info=found)
            self._report(Thought(None, error=reason_of(found)))
        else:
            self._report(Thought(found))
