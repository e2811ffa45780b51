"""Where thinking is done: on threads of this process, or elsewhere; it is all one to who asks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, Final, Protocol, TypeVar

from linage_bot.engine.search.loading import begin
from linage_bot.engine.solver.loading import prepare_solver
from linage_bot.engine.worker import Worker
from linage_bot.rules.game import Game

T = TypeVar("T")

HERE: Final = "here"


class Places(Protocol):
    """All that may think at once. What was thought at a place goes on best there."""

    def watch(self, changed: Callable[[], None]) -> None:
        """Have `changed` called, on any thread, when there are other places or they can do more."""

    def prepare(self, game: Game) -> Future[Any]:
        """Get the game's compiled code; done when a search of it would not wait any more."""

    def ready(self, game: Game) -> Mapping[str, int]:
        """How many things each place that can search this game thinks about at once."""

    def worker(
        self,
        place: str,
        work: Callable[[threading.Event], T],
        done: Callable[[T | Exception], None],
    ) -> Worker[T]:
        """What does the work there, once it is begun; `done` may hear of `PlaceGone`.

        Elsewhere it is a copy of `work` that is called, and what it returns is a copy, too.
        """


def load(game: Game) -> Future[Any]:
    """Get a game's compiled code in the background of this process.

    Its solver's, too, unless that is compiled for this game alone: that waits until it is wanted.
    """
    code = begin(game).begin()
    prepare_solver(game)
    return code


class OwnThreads:
    """So many threads of this process."""

    def __init__(self, at_once: int, worker: type[Worker[Any]] = Worker[Any]) -> None:
        self._at_once = at_once
        self._worker = worker

    def watch(self, changed: Callable[[], None]) -> None:
        """It is always the same place."""

    def prepare(self, game: Game) -> Future[Any]:
        """As `load`."""
        return load(game)

    def ready(self, _game: Game) -> Mapping[str, int]:
        """Who waits for code waits on a thread."""
        return {HERE: self._at_once}

    def worker(
        self,
        _place: str,
        work: Callable[[threading.Event], T],
        done: Callable[[T | Exception], None],
    ) -> Worker[T]:
        """A thread."""
        return self._worker(work, done)
