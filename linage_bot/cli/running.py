"""Run the reactor for one command."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from twisted.internet.defer import Deferred
    from twisted.python.failure import Failure

T = TypeVar("T")


def run_until(finished: Deferred[T]) -> T | None:
    """Run the reactor until the Deferred fires or a signal comes, and return its result if any.

    Raises what it failed with.
    """
    from twisted.internet import reactor

    failures: list[BaseException] = []
    results: list[T] = []

    def failed(failure: Failure) -> None:
        assert failure.value is not None  # Twisted's types leave it open
        failures.append(failure.value)

    def stop(_result: object) -> None:
        if reactor.running:
            reactor.stop()

    finished.addCallbacks(results.append, failed).addCallback(stop)
    if not finished.called:
        reactor.run()
    if failures:
        raise failures[0]
    return results[0] if results else None
