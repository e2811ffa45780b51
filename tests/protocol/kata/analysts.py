"""An analyst that knows no game: a position is worth the number of its turn."""

import json

import attrs

from protocol.gtp.analysis import MoveInfo
from protocol.kata.messages import BadField, PositionReport, RootInfo
from protocol.kata.server import AnalysisSession, AnalysisUpdate
from protocol.session.arguments import Colour

QUERY = {"moves": [], "rules": "any", "boardXSize": 5, "boardYSize": 5}


def query(id_: str, **more: object) -> bytes:
    """A query's line."""
    return json.dumps({"id": id_, **QUERY, **more}).encode() + b"\n"


def action(id_: str, name: str, **more: object) -> bytes:
    return json.dumps({"id": id_, "action": name, **more}).encode() + b"\n"


def report(visits: int) -> PositionReport:
    """Return a report with this number of visits."""
    return PositionReport(
        viewer=Colour.BLACK,
        moves=(MoveInfo("C3", visits, 0.5, pv=("C3",)),),
        root=RootInfo(player=Colour.BLACK, visits=visits, winrate=0.5, score_lead=0.0),
    )


@attrs.define(eq=False)
class Work:
    """A started search; the test decides its results."""

    question: tuple[str, int]
    stopped: bool = False

    def start(self, _report) -> None:
        raise AssertionError("the test starts nothing")

    def stop(self) -> None:
        self.stopped = True


class Counting:
    """An analyst that counts its calls, and refuses the rules named `refused`."""

    version = "7"

    def __init__(self) -> None:
        self.forgotten = 0

    def questions(self, query, warn):
        if query.rules == "refused":
            raise BadField("rules", "not these")
        if query.rules in ("odd", "foreign"):
            warn("rules", "these are odd")
        if query.rules == "broken":
            raise ZeroDivisionError
        return [(query.id, turn) for turn in query.turns]

    def is_foreign(self, query):
        return query.rules == "foreign"

    def work(self, question):
        return Work(question)

    def forget(self):
        self.forgotten += 1


class Talk:
    """A session with its client: started searches, and all messages sent, as objects."""

    def __init__(self, at_once: int = 1) -> None:
        self.begun: list[Work] = []
        self.said: list[dict] = []
        self.closed = 0
        self.analyst = Counting()
        self.session = AnalysisSession(
            self.analyst, self.begun.append, at_once, on_close=self._closing
        )

    def _closing(self) -> None:
        self.closed += 1

    def hear(self, data: bytes) -> list[dict]:
        return self._note(self.session.receive_data(data))

    def end(self) -> list[dict]:
        return self._note(self.session.receive_end())

    def find(self, work: Work, visits: int | None, *, final: bool = True) -> list[dict]:
        """Let a search report; return all messages that follow."""
        thought = AnalysisUpdate(None if visits is None else report(visits), final=final)
        said = self._note(self.session.update(work, thought))
        if self.session.has_more:
            said += self._note(self.session.receive_data(b""))
        return said

    def _note(self, data: bytes) -> list[dict]:
        said = [json.loads(line) for line in data.splitlines()]
        self.said += said
        return said
