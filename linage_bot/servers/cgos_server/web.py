"""The pages over HTTP: which path is which page, and what headers go with it.

Paths are matched by patterns and never name a file; only GET and HEAD are answered.
"""

import re
from collections.abc import Callable
from typing import Any, Final

from twisted.web.resource import Resource
from twisted.web.server import Site

from linage_bot.servers.cgos_server.pages import Pages
from linage_bot.servers.cgos_server.server import Server

_OK, _NOT_FOUND, _NOT_ALLOWED = 200, 404, 405
_IDLE_SECONDS: Final = 60
_LONGEST_PATH: Final = 200
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none';"
        " frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
_HTML, _CSS, _TEXT = ("text/html", "text/css", "text/plain")
_SGF: Final = "application/x-go-sgf"
_NUMBER: Final = r"([1-9][0-9]{0,15})"

Found = tuple[str | None, str]  # a text and its media type


class WebPages(Resource):
    """Answers every path."""

    isLeaf = True  # noqa: N815

    def __init__(self, server: Server) -> None:
        super().__init__()
        self._server = server
        self._pages = pages = Pages(server.settings.name, server.lobby, server.store)
        self._routes: list[tuple[re.Pattern[str], Callable[..., Found]]] = [
            (re.compile(pattern), page)
            for pattern, page in (
                (r"/", lambda: (pages.front(), _HTML)),
                (r"/style\.css", lambda: (pages.style(), _CSS)),
                (r"/status", lambda: (self._status(), _TEXT)),
                (r"/crosstable", lambda: (pages.cross_table(), _HTML)),
                (r"/games", lambda: (pages.games(), _HTML)),
                (rf"/games\?before={_NUMBER}", lambda n: (pages.games(int(n)), _HTML)),
                (rf"/games/{_NUMBER}", lambda n: (pages.game(int(n)), _HTML)),
                (rf"/games/{_NUMBER}\.sgf", lambda n: (pages.sgf(int(n)), _SGF)),
                (
                    rf"/games/{_NUMBER}/(0|[1-9][0-9]{{0,5}})",
                    lambda n, ply: (pages.game(int(n), int(ply)), _HTML),
                ),
                (r"/players/([A-Za-z0-9_.-]{3,18})", lambda name: (pages.player(name), _HTML)),
            )
        ]

    def render(self, request: Any) -> bytes:
        """Answer a request of any method."""
        for name, value in _HEADERS.items():
            request.setHeader(name, value)
        if request.method not in (b"GET", b"HEAD"):
            request.setHeader("Allow", "GET, HEAD")
            return _answer(request, _NOT_ALLOWED, "GET or HEAD\n", _TEXT)
        text, kind = self._find(request.uri)
        if text is None:
            return _answer(request, _NOT_FOUND, self._pages.not_found(), _HTML)
        if kind == _SGF:
            name = request.uri.rpartition(b"/")[2]
            request.setHeader(b"Content-Disposition", b'attachment; filename="' + name + b'"')
        return _answer(request, _OK, text, kind)

    def _find(self, uri: bytes) -> Found:
        if len(uri) <= _LONGEST_PATH:
            for pattern, page in self._routes:
                match = pattern.fullmatch(uri.decode("latin-1"))
                if match is not None:
                    return page(*match.groups())
        return None, _HTML

    def _status(self) -> str:
        lobby, pace = self._server.lobby, self._server.outbox.pace()
        return f"{len(lobby.players)} players, {len(lobby.live_games)} games; {pace}\n"


def web_site(server: Server) -> Site:
    """The pages as a factory of HTTP connections."""
    site = Site(WebPages(server), timeout=_IDLE_SECONDS, parsePOSTFormSubmission=False)
    site.displayTracebacks = False
    site.noisy = False
    return site


def _answer(request: Any, status: int, text: str, kind: str) -> bytes:
    request.setResponseCode(status)
    request.setHeader("Content-Type", f"{kind}; charset=utf-8")
    return text.encode("utf-8", "replace")  # of which Twisted sends no byte to HEAD
