"""Positions of several clients share one queue and are searched one at a time."""

import json
import queue
import threading
from typing import Any

from linage_bot.jobs.executor import ThreadExecutor
from linage_bot.servers.analysis.analyst import GameAnalyst, PositionQueue, position_queue
from linage_bot.servers.analysis.settings import AnalysisSettings
from protocol.kata.server import AnalysisSession
from tests.linage_bot.gtp.conversation import PATIENCE_SECONDS
from tests.linage_bot.servers.analysis.asking import line


class Client:
    """A client whose positions are searched on threads."""

    def __init__(self, positions: PositionQueue) -> None:
        analyst = GameAnalyst(AnalysisSettings(proof_seconds=0.0), positions)
        self._session = AnalysisSession(analyst, self._start, 2, on_close=analyst.close)
        self._reports: queue.Queue = queue.Queue()

    def _start(self, work: Any) -> None:
        work.start(lambda thought: self._reports.put((work, thought)))

    def say(self, data: bytes) -> None:
        self._session.receive_data(data)

    def hear(self) -> tuple[str, bool]:
        """Return the next report's query and whether it has no results."""
        work, thought = self._reports.get(timeout=PATIENCE_SECONDS)
        said = json.loads(self._session.update(work, thought))
        return said["id"], said.get("noResults", False)

    def vanish(self) -> None:
        self._session.abandon()


def terminate(id_: str) -> bytes:
    return b'{"id":"t","action":"terminate","terminateId":"%b"}\n' % id_.encode()


def long(id_: str) -> bytes:
    """Return a query that runs until it is terminated."""
    return line(id_, boardXSize=9, boardYSize=9, maxVisits=10**9, reportDuringSearchEvery=0.01)


def thinking() -> int:
    """The number of searching threads."""
    return [thread.name for thread in threading.enumerate()].count("search")


def test_a_position_that_waits_for_anothers_search_can_be_terminated_at_once():
    """A queued query can be terminated at once while another client's search continues."""
    positions = position_queue(ThreadExecutor(1))
    one, other = Client(positions), Client(positions)
    one.say(long("long"))
    assert one.hear() == ("long", False)
    other.say(line("first") + line("second"))
    other.say(terminate("first"))
    assert other.hear() == ("first", True)
    one.say(terminate("long"))
    assert other.hear() == ("second", False)


def test_clients_that_vanish_leave_nothing_waiting():
    """Clients that disconnect leave no threads and no queued positions behind."""
    positions = position_queue(ThreadExecutor(1))
    one, last = Client(positions), Client(positions)
    one.say(long("long"))
    assert one.hear() == ("long", False)
    for _ in range(50):
        client = Client(positions)
        client.say(long("never"))
        client.vanish()
    assert thinking() == 1
    last.say(line("last"))
    one.vanish()
    assert last.hear() == ("last", False)
