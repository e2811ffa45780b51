"""The kinds of messages to a page: events and responses, with their types."""

from collections.abc import Mapping
from typing import Any

from linage_bot.web.messages.exercises import (
    LessonMessage,
    PuzzleListMessage,
    PuzzleMessage,
    SetUpMessage,
)
from linage_bot.web.messages.wire import (
    AnalysisMessage,
    ClockMessage,
    CodeMessage,
    CompileProgressMessage,
    FormMessage,
    GraphMessage,
    PassMessage,
    ReviewMessage,
    RulesMessage,
    TableMessage,
    TreeMessage,
)
from linage_bot.web.thinking.questions import Advice, Attempt, Loss
from linage_bot.web.thinking.reviewer import ReviewProgress

EVENTS: Mapping[str, Any] = {
    "compiling": CompileProgressMessage | None,
    "tree": TreeMessage,
    "table": TableMessage,
    "clock": ClockMessage | None,
    "analysis": AnalysisMessage,
    "graph": GraphMessage,
    "review": ReviewMessage | ReviewProgress | None,
}
"""The type of each kind of event to the pages of a table."""

RESPONSES: Mapping[str, Any] = {
    "kinds": FormMessage,
    "lesson": LessonMessage,
    "puzzles": PuzzleListMessage,
    "puzzle": PuzzleMessage,
    "position": SetUpMessage,
    "rules": RulesMessage,
    "pass": PassMessage,
    "code": CodeMessage,
    "hint": Advice,
    "loss": Loss,
    "attempt": Attempt,
}
"""The type of each response, by the last fixed word of the request's path."""
