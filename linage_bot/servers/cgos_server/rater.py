"""Asks the rating program for a new list when games have ended: one at a time, not too often."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any, Final

from twisted.internet.defer import Deferred
from twisted.internet.utils import getProcessOutputAndValue
from twisted.python.failure import Failure

from linage_bot.servers.cgos_server.ratings import Rated, read_output

_log = logging.getLogger(__name__)

_COMMIT_SECONDS: Final = 0.05
"""What has just ended is on the disk then."""
_REST: Final = 3.0
"""A list that took a second is followed by a pause of at least three."""


class Rater:
    """Runs the program `words`; `took` gets each list."""

    def __init__(
        self,
        reactor: Any,
        words: list[str],
        took: Callable[[list[Rated]], None],
        interval_seconds: float,
    ) -> None:
        self._reactor = reactor
        self._words = words
        self._took = took
        self._interval_seconds = interval_seconds
        self._busy = False
        self._asked_again = False
        self._not_before = 0.0

    def ask(self) -> None:
        """Have a list made that knows all games that have ended by now."""
        if self._busy:
            self._asked_again = True
            return
        self._busy = True
        wait = max(_COMMIT_SECONDS, self._not_before - self._reactor.seconds())
        self._reactor.callLater(wait, self._start)

    def _start(self) -> None:
        self._asked_again = False
        began = self._reactor.seconds()
        ended: Deferred[tuple[bytes, bytes, int]] = getProcessOutputAndValue(
            self._words[0], self._words[1:], os.environ, reactor=self._reactor
        )
        ended.addBoth(self._ended, began)

    def _ended(self, outcome: tuple[bytes, bytes, int] | Failure, began: float) -> None:
        now = self._reactor.seconds()
        self._not_before = now + max(self._interval_seconds, _REST * (now - began))
        self._busy = False
        if isinstance(outcome, Failure):  # a signal has ended it
            _log.error("no new ratings: the program was killed")
        elif outcome[2] == 0:
            self._took(read_output(outcome[0]))
        else:
            last = outcome[1].decode(errors="replace").strip().rpartition("\n")[2]
            _log.error("no new ratings: %s", last)
        if self._asked_again:
            self.ask()
