"""Engines at rest, with what they found out about games that may be asked about again."""

import threading

import attrs

from linage_bot.engine.engine import Engine
from linage_bot.rules.game import Position
from linage_bot.servers.analysis.questions import Question

_MOST_AT_REST = 4  # for each client that is connected, and their trees hold memory


@attrs.frozen(eq=False)
class _AtRest:
    engine: Engine
    position: Position  # it thought about last


class Trees:
    """One client's engines; used by threads. An engine that is taken is nobody else's."""

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._at_rest: list[_AtRest] = []  # the latest at the end
        self._closed = False

    def take(self, question: Question) -> Engine:
        """An engine that knows most of the question's position, or a new one."""
        with self._changing:
            found = min(
                (each for each in self._at_rest if _serves(each, question)),
                key=lambda each: len(question.history.since(each.position) or ()),
                default=None,
            )
            if found is None:
                return Engine(question.play)
            self._at_rest.remove(found)
            return found.engine

    def put_back(self, engine: Engine, position: Position) -> None:
        """Keep an engine for later; who has waited longest has to go."""
        with self._changing:
            if not self._closed:
                self._at_rest.append(_AtRest(engine, position))
                del self._at_rest[:-_MOST_AT_REST]

    def close(self) -> None:
        """Keep nothing, from now on; what is under way goes on."""
        with self._changing:
            self._closed = True
            self._at_rest.clear()


def _serves(each: _AtRest, question: Question) -> bool:
    ours, wanted = each.engine.settings, question.play
    alike = attrs.evolve(ours, visits=wanted.visits, seconds=wanted.seconds) == wanted
    return alike and question.history.since(each.position) is not None
