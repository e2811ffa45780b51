"""Queries to the real analyst, without threads: what it is asked to find out, and what it says."""

import json
from typing import Any

from linage_bot.jobs.executor import ThreadExecutor
from linage_bot.servers.analysis.analyst import GameAnalyst, position_queue
from linage_bot.servers.analysis.settings import AnalysisSettings
from protocol.kata.server import AnalysisSession

FIELDS = {"moves": [], "rules": "linage", "boardXSize": 5, "boardYSize": 5, "maxVisits": 100}


def line(id_: str, **more: Any) -> bytes:
    """A query's line; what is None is left out."""
    fields = {name: value for name, value in {**FIELDS, **more}.items() if value is not None}
    return json.dumps({"id": id_, **fields}).encode() + b"\n"


class Asked:
    """One client of a server."""

    def __init__(self, settings: AnalysisSettings | None = None) -> None:
        self.works: list[Any] = []
        self.analyst = GameAnalyst(
            settings or AnalysisSettings(), position_queue(ThreadExecutor(1))
        )
        self.session = AnalysisSession(self.analyst, self.works.append, 1000)

    def say(self, data: bytes) -> list[dict[str, Any]]:
        """What is answered at once."""
        return [json.loads(each) for each in self.session.receive_data(data).splitlines()]

    def question(self, **more: Any) -> Any:
        """What is to be found out for a query about one position, of which nothing is said."""
        said = self.say(line("x", **more))
        assert said == []
        return self.works.pop().question

    def refused(self, **more: Any) -> tuple[str, str]:
        """The field that is wrong, and why."""
        (said,) = self.say(line("x", **more))
        assert said.pop("id") == "x"
        assert said.keys() == {"error", "field"}, said
        return said["field"], said["error"]

    def warned(self, **more: Any) -> tuple[str, str]:
        """The field that a query is warned of, and why; it goes on."""
        works = len(self.works)
        (said,) = self.say(line("x", **more))
        assert said.pop("id") == "x"
        assert said.keys() == {"warning", "field"}, said
        assert len(self.works) == works + 1
        return said["field"], said["warning"]
