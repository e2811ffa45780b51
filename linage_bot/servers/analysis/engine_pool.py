"""Idle engines, with their trees of games that a client may query again."""

import functools
import threading
from typing import Final

import attrs

from linage_bot.engine.engine import Engine
from linage_bot.rules.game import Position
from linage_bot.servers.analysis.questions import Question
from linage_bot.settings.playing import MOST_NODES

_MOST_IDLE = 4  # for each client that is connected
FULL_TREES: Final = 4
"""The number of full-size trees that the idle engines of a server may hold together."""


@attrs.frozen(eq=False)
class _IdleEngine:
    client: "ClientEngines"
    engine: Engine
    position: Position  # searched last
    nodes: int  # of its trees


class EnginePool:
    """The idle engines of all clients of a server; thread-safe.

    Their trees have at most `most_nodes` nodes together, however many clients there are. Beyond
    that the engines that have been idle for longest are dropped.
    """

    def __init__(self, most_nodes: int = FULL_TREES * MOST_NODES) -> None:
        self._most_nodes = most_nodes
        self._changing = threading.Lock()
        self._idle: list[_IdleEngine] = []  # the latest at the end

    @property
    def nodes(self) -> int:
        """The number of nodes of all idle trees."""
        with self._changing:
            return sum(each.nodes for each in self._idle)

    def take(self, client: "ClientEngines", question: Question) -> Engine | None:
        """Return the client's engine that has searched nearest to the position, or None."""
        with self._changing:
            found = min(
                (each for each in self._of(client) if _fits(each, question)),
                key=lambda each: len(question.history.since(each.position) or ()),
                default=None,
            )
            if found is None:
                return None
            self._idle.remove(found)
            return found.engine

    def put(self, client: "ClientEngines", engine: Engine, position: Position, nodes: int) -> None:
        """Store an idle engine for its client, unless the client has gone."""
        with self._changing:
            if client.closed:
                return
            self._idle.append(_IdleEngine(client, engine, position, nodes))
            for each in self._of(client)[:-_MOST_IDLE]:
                self._idle.remove(each)
            excess = sum(each.nodes for each in self._idle) - self._most_nodes
            while excess > 0:
                excess -= self._idle.pop(0).nodes

    def close(self, client: "ClientEngines") -> None:
        """Drop the engines of a client, and store no more for it."""
        with self._changing:
            client.closed = True
            self._idle = [each for each in self._idle if each.client is not client]

    def _of(self, client: "ClientEngines") -> list[_IdleEngine]:
        return [each for each in self._idle if each.client is client]


class ClientEngines:
    """The engines of one client; thread-safe. An engine serves one search at a time."""

    def __init__(self, pool: EnginePool | None = None) -> None:
        """Create a client's engines; without `pool`, use this process's pool, as on a worker."""
        self.closed = False
        self._pool = pool or _process_pool()

    def take(self, question: Question) -> Engine:
        """Return the idle engine that has searched nearest to the position, or a new one."""
        return self._pool.take(self, question) or Engine(question.play)

    def put_back(self, engine: Engine, position: Position, nodes: int) -> None:
        """Store an idle engine whose trees have `nodes` nodes together."""
        self._pool.put(self, engine, position, nodes)

    def close(self) -> None:
        """Drop all engines and store no more; running searches continue."""
        self._pool.close(self)


@functools.cache
def _process_pool() -> EnginePool:
    return EnginePool()


def _fits(each: _IdleEngine, question: Question) -> bool:
    ours, wanted = each.engine.settings, question.play
    alike = attrs.evolve(ours, visits=wanted.visits, seconds=wanted.seconds) == wanted
    return alike and question.history.since(each.position) is not None
