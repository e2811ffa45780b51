"""How a service is stopped: the first signal finishes what is going on, the second quits."""

import os
import signal
from typing import Any, Final

from twisted.internet.defer import Deferred

INTERRUPTED: Final = 130
"""The exit status after the second signal."""

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def catch_signals(reactor: Any, signals: list[Deferred[Any]]) -> None:
    """Let each signal fire the next Deferred with its number; one more kills.

    To be called when the reactor runs, because it installs handlers of its own.
    """

    def caught(number: int, _frame: object) -> None:
        reactor.callFromThread(received, number)

    def received(number: int) -> None:
        if not signals:
            os._exit(128 + number)
        fire_once(None, signals.pop(0), number)

    for number in _SIGNALS:
        signal.signal(number, caught)


def fire_once(_result: object, deferred: Deferred[Any], value: object) -> None:
    """Fire a Deferred unless it was; as a callback it passes nothing on."""
    if not deferred.called:
        deferred.callback(value)
