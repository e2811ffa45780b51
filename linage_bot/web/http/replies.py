"""Responses to requests: JSON or other content, now or later, or an error."""

import functools
import html
import logging
from typing import Any

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure
from twisted.web.server import NOT_DONE_YET

from linage_bot.web.messages.encoding import encode
from linage_bot.web.table.errors import ActionRefused, HttpError

_log = logging.getLogger(__name__)


def respond(request: Any, value: Any) -> bytes:
    """Return a JSON response."""
    request.setHeader("Content-Type", "application/json")
    return encode(value).encode()


def respond_later(request: Any, found: Deferred[Any]) -> Any:
    """Send a JSON response when the Deferred fires."""
    return later(request, found.addCallback(functools.partial(respond, request)))


def of_type(request: Any, kind: str, content: bytes) -> bytes:
    """Return a response that is not JSON."""
    request.setHeader("Content-Type", kind)
    return content


def refuse(request: Any, error: BaseException) -> bytes:
    """Return an error response; any other error is logged as internal."""
    if isinstance(error, ActionRefused):
        about = {"about": error.points} if error.points else {}
        return respond(request, {"refused": error.reason} | about)
    if not isinstance(error, HttpError):
        _log.error("a request failed", exc_info=error)
        error = HttpError(500, "internal error")
    request.setResponseCode(error.status)
    if error.status == 401:
        request.setHeader("WWW-Authenticate", "token")
    if request.path.startswith(b"/api/"):
        return respond(request, {"refused": error.reason})
    return of_type(request, "text/html; charset=utf-8", _page(error.reason).encode())


def _page(reason: str) -> str:
    """Return a page that shows an error's reason to a person."""
    words = html.escape(reason[:1].upper() + reason[1:])
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>linage-bot</title>'
        '<link rel="stylesheet" href="/static/style.css"></head>'
        f'<body><main class="card alone"><h1>linage-bot</h1><p>{words}.</p></main></body></html>\n'
    )


def later(request: Any, found: Deferred[Any]) -> Any:
    """Send the response when the Deferred fires, if the client is still connected."""

    def refused(failure: Failure) -> Any:
        assert failure.value is not None
        return refuse(request, failure.value)

    def finish(answer: Any) -> None:
        if answer is not NOT_DONE_YET and request.channel is not None:
            request.write(answer)
            request.finish()

    found.addErrback(refused)
    found.addCallback(finish)
    return NOT_DONE_YET
