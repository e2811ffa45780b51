"""The bot's HTTP endpoint for webhooks; bad requests get status 400, 401, 404, 405 or 413."""

import json
import logging
from collections.abc import Callable
from typing import Any, Final

import attrs
from twisted.web.resource import Resource
from twisted.web.server import Site as WebSite

from linage_bot.servers.abstract_play.payloads import Challenge, MoveWanted, read_webhook
from linage_bot.servers.abstract_play.position import BadGame
from linage_bot.servers.abstract_play.signatures import Untrusted, Verifier
from linage_bot.servers.http import BoundedRequest
from linage_bot.settings.checks import SettingFault

_log = logging.getLogger(__name__)

_IDLE_SECONDS: Final = 60  # for a connection on which nothing comes
_Answer = tuple[int, dict[str, Any]]  # a status, and JSON
_OK, _ACCEPTED, _BAD, _UNAUTHORIZED, _NOT_FOUND, _NOT_ALLOWED = 200, 202, 400, 401, 404, 405


@attrs.define(eq=False, slots=False)
class Endpoint(Resource):
    """The HTTP resource that the site calls. Valid webhooks are passed to the two callables.

    `challenged` returns the reason to refuse, or None; `wanted` the reason why there is nothing to
    do, or None, and may raise `BadGame`.
    """

    isLeaf = True  # noqa: N815

    _path: str
    _verifier: Verifier
    _challenged: Callable[[Challenge], str | None]
    _wanted: Callable[[MoveWanted], str | None]
    _now: Callable[[], float]

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    def render(self, request: Any) -> bytes:
        """Answer a request of any method."""
        status, table = self._answer(request)
        request.setResponseCode(status)
        request.setHeader("Content-Type", "application/json")
        return json.dumps(table).encode()  # of which Twisted sends no byte to HEAD

    def _answer(self, request: Any) -> _Answer:
        if request.path != self._path.encode():
            return _NOT_FOUND, {"message": "no such address"}
        if request.method in (b"GET", b"HEAD"):
            return _OK, {"operational": True}
        if request.method != b"POST":
            request.setHeader("Allow", "GET, HEAD, POST")
            return _NOT_ALLOWED, {"message": "GET or POST"}
        body: bytes = request.content.read()
        names = ("X-Signature-Timestamp", "X-Signature-Nonce", "X-Signature")
        stamp, nonce, signature = (_single_header(request.requestHeaders, name) for name in names)
        try:
            self._verifier.check(stamp, nonce, signature, body, self._now())
            return self._handle(read_webhook(body))
        except Untrusted as error:
            _log.info("a webhook was refused: its signature is not valid: %s", error)
            return _UNAUTHORIZED, {"message": "not signed correctly"}
        except (SettingFault, BadGame) as error:
            _log.info("a webhook is invalid: %s", error)
            return _BAD, {"message": str(error)}

    def _handle(self, webhook: Challenge | MoveWanted) -> _Answer:
        if isinstance(webhook, Challenge):
            reason = self._challenged(webhook)
            return (_OK, {"message": "accepted"}) if reason is None else (_BAD, {"message": reason})
        reason = self._wanted(webhook)
        if reason is not None:
            _log.debug("game %s: no move needed: %s", webhook.game, reason)
        return _ACCEPTED, {"message": reason or "a move will come"}


def web_site(endpoint: Endpoint) -> WebSite:
    """Return a factory of HTTP connections that serves the endpoint."""
    site = WebSite(
        endpoint,
        requestFactory=BoundedRequest,
        timeout=_IDLE_SECONDS,
        parsePOSTFormSubmission=False,
    )
    site.displayTracebacks = False
    return site


def _single_header(headers: Any, name: str) -> bytes | None:
    """Return the value of a header that is there exactly once, else None."""
    values: list[bytes] = headers.getRawHeaders(name.encode(), [])
    return values[0] if len(values) == 1 else None
