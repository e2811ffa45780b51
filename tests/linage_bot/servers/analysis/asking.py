"""Queries to the real analyst, without threads."""

import json
import threading
from typing import Any

from linage_bot.jobs.executor import ThreadExecutor
from linage_bot.servers.analysis.analyst import GameAnalyst, position_queue
from linage_bot.servers.analysis.settings import AnalysisSettings
from protocol.kata.server import AnalysisSession, AnalysisUpdate

FIELDS = {"moves": [], "rules": "linage", "boardXSize": 5, "boardYSize": 5, "maxVisits": 100}


def line(id_: str, **more: Any) -> bytes:
    """Return a query as a line of JSON, without the fields that are None."""
    fields = {name: value for name, value in {**FIELDS, **more}.items() if value is not None}
    return json.dumps({"id": id_, **fields}).encode() + b"\n"


class Asked:
    """A client of an analysis server."""

    def __init__(self, settings: AnalysisSettings | None = None) -> None:
        self.works: list[Any] = []
        self.analyst = GameAnalyst(
            settings or AnalysisSettings(), position_queue(ThreadExecutor(1))
        )
        self.session = AnalysisSession(self.analyst, self.works.append, 1000)

    def say(self, data: bytes) -> list[dict[str, Any]]:
        """Send bytes and return the immediate replies."""
        return [json.loads(each) for each in self.session.receive_data(data).splitlines()]

    def question(self, **more: Any) -> Any:
        """Return the question of a valid query for one position."""
        said = self.say(line("x", **more))
        assert said == []
        return self.works.pop().question

    def reports(self) -> list[AnalysisUpdate]:
        """Run the latest job and return all its reports."""
        reports, ended = list[AnalysisUpdate](), threading.Event()

        def take(thought: AnalysisUpdate) -> None:
            reports.append(thought)
            if thought.final:
                ended.set()

        self.works.pop().start(take)
        assert ended.wait(120)
        return reports

    def refused(self, **more: Any) -> tuple[str, str]:
        """Return the field and the reason of a refusal."""
        (said,) = self.say(line("x", **more))
        assert said.pop("id") == "x"
        assert said.keys() == {"error", "field"}, said
        return said["field"], said["error"]

    def warned(self, **more: Any) -> tuple[str, str]:
        """Return the field and the text of a warning about an accepted query."""
        works = len(self.works)
        (said,) = self.say(line("x", **more))
        assert said.pop("id") == "x"
        assert said.keys() == {"warning", "field"}, said
        assert len(self.works) == works + 1
        return said["field"], said["warning"]
