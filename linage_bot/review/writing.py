"""The analysis of a game and its report as text, in one function for a single process."""

import json
import threading
from collections.abc import Mapping
from typing import Final, Literal

from linage_bot.records.record import Record
from linage_bot.review.judging import Progress, review_game
from linage_bot.settings.playing import PlaySettings

Form = Literal["page", "json", "line"]
"""An HTML page, a JSON document, or a line of JSON that includes the game's origin."""

_DRAWING: Final = threading.Lock()  # matplotlib draws one graph at a time


def written_review(
    record: Record,
    settings: PlaySettings,
    form: Form,
    origin: Mapping[str, object],
    progress: Progress = lambda _doing, _done, _total: None,
    at_once: int = 1,
) -> str:
    """Return the report of a game, with its last newline; raises `BadRecord`, see `review`.

    `at_once` positions are searched at once. A line begins with the game's `origin`:
    `{"file": "game.sgf"}`.
    """
    found = review_game(record, settings, progress, at_once=at_once)
    if form == "page":
        from linage_bot.review.page import to_html  # imports matplotlib

        with _DRAWING:
            return to_html(found)
    from linage_bot.review.plain import to_json, to_plain

    if form == "json":
        return to_json(found) + "\n"
    return json.dumps({**origin, **to_plain(found)}, ensure_ascii=False) + "\n"
