"""Stopping a service: the first signal finishes the current work, the second quits."""

import os
import signal
from typing import Any, Final

from twisted.internet.defer import Deferred

INTERRUPTED: Final = 130
"""The exit status after the second signal."""

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def catch_signals(reactor: Any, signals: list[Deferred[Any]]) -> None:
    """Fire the next Deferred with each signal's number; a signal after the last kills the process.

    Call this when the reactor runs, because the reactor installs handlers of its own.
    """

    def on_signal(number: int, _frame: object) -> None:
        reactor.callFromThread(received, number)

    def received(number: int) -> None:
        if not signals:
            os._exit(128 + number)
        fire_once(None, signals.pop(0), number)

    for number in _SIGNALS:
        signal.signal(number, on_signal)


def fire_once(_result: object, deferred: Deferred[Any], value: object) -> None:
    """Fire a Deferred unless it has fired; as a callback, return None."""
    if not deferred.called:
        deferred.callback(value)
