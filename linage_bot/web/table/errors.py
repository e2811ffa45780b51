"""Errors that a request can get as its response."""

from typing import Final

import attrs

from linage_bot.rules.boards import Point

CONTINUED: Final = "the game has continued: this move was for an earlier position"


@attrs.define
class HttpError(Exception):
    """An error response; `status` is HTTP's, `reason` is shown to the person at the page."""

    status: int
    reason: str


@attrs.define
class ActionRefused(Exception):
    """An action that the rules or the state of the game forbid: a normal response.

    `points` are those that the reason refers to, such as a region without a line.
    """

    reason: str
    points: tuple[Point, ...] = ()


def check(allowed: bool, reason: str) -> None:
    """Raise `ActionRefused` for this reason unless it is allowed."""
    if not allowed:
        raise ActionRefused(reason)
