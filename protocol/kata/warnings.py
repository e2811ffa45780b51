"""Warnings that a client gets once in a conversation, however often it gives reason for them."""

from collections.abc import Iterable
from typing import Final

from protocol.kata.messages import Warned

MAX_WARNINGS: Final = 100
"""How many different ones are remembered; those beyond are not sent."""


class WarningsOnce:
    """Collects warnings until there is an answer to send them with."""

    def __init__(self) -> None:
        self._known: set[Warned] = set()
        self._unsent: list[Warned] = []

    def add(self, warned: Iterable[Warned]) -> None:
        """Keep those that are new."""
        for each in warned:
            if each not in self._known and len(self._known) < MAX_WARNINGS:
                self._known.add(each)
                self._unsent.append(each)

    def take(self) -> list[Warned]:
        """Return the warnings that have not been sent yet, and forget them."""
        unsent, self._unsent = self._unsent, []
        return unsent
