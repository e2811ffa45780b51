"""What a request can be told instead of an answer."""

from __future__ import annotations


class Refused(Exception):
    """A request that is not obeyed; `status` is HTTP's, `reason` for the person at the page."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Declined(Exception):
    """What the rules, or the state of the game, do not allow: an answer like any other."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unconfirmed(Exception):
    """What would lose something, and is not done before a person agrees to the `question`."""

    def __init__(self, question: str) -> None:
        super().__init__(question)
        self.question = question
