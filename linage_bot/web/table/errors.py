"""What a request can be told instead of an answer."""

import attrs


@attrs.define
class HttpError(Exception):
    """A request that is not obeyed; `status` is HTTP's, `reason` for the person at the page."""

    status: int
    reason: str


@attrs.define
class ActionRefused(Exception):
    """What the rules, or the state of the game, do not allow: an answer like any other."""

    reason: str


def check(allowed: bool, reason: str) -> None:
    """Raises `ActionRefused` for this reason unless it is allowed."""
    if not allowed:
        raise ActionRefused(reason)
