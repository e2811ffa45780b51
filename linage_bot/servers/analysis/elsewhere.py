"""Thinking about questions on the workers of a cluster; needs the extra `cluster`."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable

import attrs

from linage_bot.engine.cluster import Crew, say, stopping
from linage_bot.servers.analysis.engine_pool import ClientEngines, EnginePool
from linage_bot.servers.analysis.questions import Question
from linage_bot.servers.analysis.thinking import think
from protocol.kata.messages import PositionReport

_MOST_CLIENTS = 4  # whose trees a worker keeps

Tell = Callable[[PositionReport], None]


@attrs.frozen
class Errand:
    """A question as it is sent.

    `topic` is where to tell what was found so far, `client` whose trees may serve it.
    """

    key: str
    client: str
    topic: str
    question: Question


class Elsewhere:
    """A cluster that thinks for all clients of a server."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._topic = f"linage-analysis-{uuid.uuid4().hex}"
        self._tellers: dict[str, Tell] = {}  # by key
        crew.listen(self._topic, self._heard)

    def new_client(self) -> RemoteThinker:
        """Who thinks for one client."""
        return RemoteThinker(self)

    def ask(
        self, client: str, question: Question, stopped: threading.Event, tell: Tell
    ) -> PositionReport | None:
        """The answer of a worker, the same question's only one; raises `ClusterGone`."""
        key = self._crew.new_key("position")
        errand = Errand(key, client, self._topic, question)
        self._tellers[key] = tell
        try:
            found: PositionReport | None = self._crew.ask(key, answer, errand, stopped=stopped)
            return found
        finally:
            del self._tellers[key]

    def _heard(self, said: tuple[str, PositionReport]) -> None:
        key, report = said
        tell = self._tellers.get(key)
        if tell is not None:
            tell(report)


class RemoteThinker:
    """Thinks for one client, on a cluster."""

    def __init__(self, elsewhere: Elsewhere) -> None:
        self._elsewhere = elsewhere
        self.forget()

    def think(
        self, question: Question, stopped: threading.Event, tell: Tell
    ) -> PositionReport | None:
        """As `thinking.think`; raises `ClusterGone`."""
        return self._elsewhere.ask(self._client, question, stopped, tell)

    def forget(self) -> None:
        """Have no more to do with what was found out before: the workers drop it by and by."""
        self._client = uuid.uuid4().hex

    close = forget


# On a worker

_known = threading.Lock()
_pool = EnginePool()
_trees: dict[str, ClientEngines] = {}  # by client, the latest at the end


def answer(errand: Errand) -> PositionReport | None:
    """What a worker finds out."""
    with _known:
        trees = _trees.pop(errand.client) if errand.client in _trees else ClientEngines(_pool)
        _trees[errand.client] = trees
        for client in list(_trees)[:-_MOST_CLIENTS]:
            _trees.pop(client).close()

    def tell(report: PositionReport) -> None:
        say(errand.topic, (errand.key, report))

    with stopping(errand.key) as stopped:
        return think(errand.question, trees, stopped, tell)
