"""Engines at rest, with what they found out about games that may be asked about again."""

import threading
from typing import Final

import attrs

from linage_bot.engine.engine import Engine
from linage_bot.rules.game import Position
from linage_bot.servers.analysis.questions import Question
from linage_bot.settings.playing import MOST_NODES

_MOST_AT_REST = 4  # for each client that is connected
FULL_TREES: Final = 4
"""What the trees of all clients of a server hold together, in trees of so many nodes as one may."""


@attrs.frozen(eq=False)
class _AtRest:
    client: "Trees"
    engine: Engine
    position: Position  # it thought about last
    nodes: int  # of its trees


class Shelf:
    """The engines at rest of all clients of a server, used by threads.

    Their trees have at most so many nodes together, however many clients there are: those that
    have waited longest go.
    """

    def __init__(self, most_nodes: int = FULL_TREES * MOST_NODES) -> None:
        self._most_nodes = most_nodes
        self._changing = threading.Lock()
        self._at_rest: list[_AtRest] = []  # the latest at the end

    @property
    def nodes(self) -> int:
        """The nodes of all trees at rest."""
        with self._changing:
            return sum(each.nodes for each in self._at_rest)

    def take(self, client: "Trees", question: Question) -> Engine | None:
        """Return the client's engine that knows most of the question's position, if any does."""
        with self._changing:
            found = min(
                (each for each in self._of(client) if _serves(each, question)),
                key=lambda each: len(question.history.since(each.position) or ()),
                default=None,
            )
            if found is None:
                return None
            self._at_rest.remove(found)
            return found.engine

    def put(self, client: "Trees", engine: Engine, position: Position, nodes: int) -> None:
        """Keep an engine of a client that is still there."""
        with self._changing:
            if client.closed:
                return
            self._at_rest.append(_AtRest(client, engine, position, nodes))
            for each in self._of(client)[:-_MOST_AT_REST]:
                self._at_rest.remove(each)
            excess = sum(each.nodes for each in self._at_rest) - self._most_nodes
            while excess > 0:
                excess -= self._at_rest.pop(0).nodes

    def close(self, client: "Trees") -> None:
        """Keep nothing of a client, from now on."""
        with self._changing:
            client.closed = True
            self._at_rest = [each for each in self._at_rest if each.client is not client]

    def _of(self, client: "Trees") -> list[_AtRest]:
        return [each for each in self._at_rest if each.client is client]


class Trees:
    """One client's engines; used by threads. An engine that is taken is nobody else's."""

    def __init__(self, shelf: Shelf) -> None:
        self.closed = False
        self._shelf = shelf

    def take(self, question: Question) -> Engine:
        """An engine that knows most of the question's position, or a new one."""
        return self._shelf.take(self, question) or Engine(question.play)

    def put_back(self, engine: Engine, position: Position, nodes: int) -> None:
        """Keep an engine for later, with trees of so many nodes."""
        self._shelf.put(self, engine, position, nodes)

    def close(self) -> None:
        """Keep nothing, from now on; what is under way goes on."""
        self._shelf.close(self)


def _serves(each: _AtRest, question: Question) -> bool:
    ours, wanted = each.engine.settings, question.play
    alike = attrs.evolve(ours, visits=wanted.visits, seconds=wanted.seconds) == wanted
    return alike and question.history.since(each.position) is not None
