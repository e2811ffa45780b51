"""The reactor, run for one command."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from linage_bot.cli.options import UserError, check_exposure

if TYPE_CHECKING:
    from twisted.internet.defer import Deferred

T = TypeVar("T")
S = TypeVar("S")
_log = logging.getLogger(__name__)


def run_until(begin: Callable[[Any], Coroutine[Any, Any, T] | Deferred[T]]) -> T | None:
    """Run the reactor until the coroutine or Deferred from `begin` is done, or a signal comes.

    Return its result, or None after a signal; raise its exception if it failed.
    """
    from twisted.internet import reactor
    from twisted.internet.defer import Deferred
    from twisted.internet.error import ReactorNotRunning
    from twisted.python.failure import Failure

    from protocol.transport.serving import use_monotonic_time

    use_monotonic_time(reactor)
    results: list[T | Failure] = []

    async def whole() -> T:
        return await begin(reactor)

    def stop(result: T | Failure) -> None:
        results.append(result)
        with contextlib.suppress(ReactorNotRunning):  # it has already stopped after a signal
            reactor.stop()

    # Start when the reactor handles signals: one may come as soon as the first line is printed.
    reactor.callWhenRunning(lambda: Deferred.fromCoroutine(whole()).addBoth(stop))
    reactor.run()
    for result in results:
        if not isinstance(result, Failure):
            return result
        result.raiseException()
    return None


def run_service(
    file: Path, settings: type[S], run: Callable[[Any, S], Coroutine[Any, Any, T]]
) -> T | None:
    """Read a service's settings from a TOML file, run it and return its result.

    Raise `UserError` for a setting that is invalid or turns out to be wrong. Raise its parent,
    whose exit status is 1, for a problem that may be gone at the next start.
    """
    from linage_bot.settings.checks import SettingFault
    from linage_bot.settings.reading import load

    try:
        loaded = load(file, settings)
        return run_until(lambda reactor: run(reactor, loaded))
    except SettingFault as fault:
        kind = click.ClickException if fault.passing else UserError
        raise kind(f"{file}: {fault}") from None


def serve_stdio(session: Callable[..., Any]) -> OSError | None:
    """Run one session on stdin and stdout until it is over; return the error if stdout failed."""
    # Twisted's reactor imports TLS if it can; without TLS the first answer comes 50 ms earlier.
    sys.modules.setdefault("OpenSSL", None)  # type: ignore[arg-type]  # so documented for imports

    from protocol.transport import serving

    return run_until(lambda reactor: serving.serve_stdio(reactor, session))


def serve_on(
    description: str, session: Callable[..., Any], expose: bool, what_they_can: str
) -> None:
    """Listen on the endpoint of `--listen` until a signal comes, with one session a connection.

    Raise `UserError` for an endpoint that is invalid, cannot be used, or is open to other machines
    without `--expose`. With it, a warning contains the text `what_they_can`.
    """
    from twisted.internet.defer import Deferred

    from protocol.transport.endpoints import BadEndpoint, check_server
    from protocol.transport.listening import clear_faults, place
    from protocol.transport.serving import serve_endpoint

    async def serve(reactor: Any) -> None:
        with clear_faults(description):
            check_server(description)
            port = await serve_endpoint(reactor, description, session)
        # No client has been accepted yet: only the reactor does that, and it is running this code.
        host = getattr(port.getHost(), "host", None)  # a Unix socket has none
        if host is not None:
            check_exposure(host, expose, what_they_can)
        _log.info("listening on %s", place(port))
        await Deferred()

    try:
        run_until(serve)
    except BadEndpoint as error:
        raise UserError(f"--listen: {error}") from None


def leave(status: int | None) -> NoReturn:
    """End the process, even if a thread still searches or compiles without a waiting caller."""
    logging.shutdown()
    os._exit(status or 0)
