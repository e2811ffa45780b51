"""Warnings that a client gets once in a conversation, however often they occur."""

from collections.abc import Iterable
from typing import Final

from protocol.kata.messages import Warned

MAX_WARNINGS: Final = 100
"""The number of different warnings remembered; further ones are not sent."""


class WarningsOnce:
    """A collection of warnings that are sent with the next answer."""

    def __init__(self) -> None:
        self._known: set[Warned] = set()
        self._unsent: list[Warned] = []

    def add(self, warned: Iterable[Warned]) -> None:
        """Store the warnings that are new."""
        for each in warned:
            if each not in self._known and len(self._known) < MAX_WARNINGS:
                self._known.add(each)
                self._unsent.append(each)

    def take(self) -> list[Warned]:
        """Return the warnings that have not been sent yet, and mark them as sent."""
        unsent, self._unsent = self._unsent, []
        return unsent
