"""Searches on threads of their own, and their results back on the reactor's thread."""

from __future__ import annotations

import threading
from typing import Any

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from linage_bot.web.tasks import Found, Task


def on_thread(reactor: Any, task: Task, stopped: threading.Event) -> Deferred[Found]:
    """Run a task on a new thread; the Deferred fires with what that returns or raises.

    Not one of the reactor's threads, for whose end it waits: whoever is in a hurry to exit need
    not wait for a compiler.
    """
    found: Deferred[Found] = Deferred()

    def run() -> None:
        try:
            reactor.callFromThread(found.callback, task.run(stopped))
        except Exception:  # whatever it is, the session is told
            reactor.callFromThread(found.errback, Failure())

    threading.Thread(target=run, name="search", daemon=True).start()
    return found
