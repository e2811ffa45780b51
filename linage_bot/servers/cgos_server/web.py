"""The pages over HTTP: the path and the headers of each page.

Paths are matched by patterns and never name a file; only GET and HEAD are answered.
"""

import re
from collections.abc import Callable
from typing import Any, Final

from twisted.web.resource import Resource
from twisted.web.server import Site

from linage_bot.servers.cgos_server.lobby import Lobby
from linage_bot.servers.cgos_server.pages import Pages
from linage_bot.servers.http import BoundedRequest

_OK, _NOT_FOUND, _NOT_ALLOWED = 200, 404, 405
_IDLE_SECONDS: Final = 60
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self';"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
_HTML, _CSS, _JS, _TEXT = ("text/html", "text/css", "text/javascript", "text/plain")
_SVG: Final = "image/svg+xml"
_SGF: Final = "application/x-go-sgf"
_NUMBER: Final = r"([1-9][0-9]{0,15})"
_PLY: Final = r"(0|[1-9][0-9]{0,5})"
_PLAYER: Final = r"([A-Za-z_.-][A-Za-z0-9_.-]{2,17})"


class WebPages(Resource):
    """The HTTP resource of all paths."""

    isLeaf = True  # noqa: N815

    def __init__(self, lobby: Lobby) -> None:
        super().__init__()
        self._pages = pages = Pages(lobby)
        self._routes: tuple[tuple[str, Callable[..., str | None], str], ...] = (
            (r"/", pages.front, _HTML),
            (r"/style\.css", pages.style, _CSS),
            (r"/icon\.svg", pages.icon, _SVG),
            (r"/viewer\.js", pages.script, _JS),
            (r"/status", pages.status, _TEXT),
            (r"/crosstable", pages.cross_table, _HTML),
            (r"/games", pages.games, _HTML),
            (rf"/games\?before={_NUMBER}", pages.games, _HTML),
            (rf"/games/{_NUMBER}", pages.game, _HTML),
            (rf"/games/{_NUMBER}\.sgf", pages.sgf, _SGF),
            (rf"/games/{_NUMBER}/{_PLY}", pages.game, _HTML),
            (rf"/players/{_PLAYER}", pages.player, _HTML),
        )

    def render(self, request: Any) -> bytes:
        """Answer a request of any method."""
        status, text, kind = self._answer(request)
        for name, value in _HEADERS.items():
            request.setHeader(name, value)
        if status == _NOT_ALLOWED:
            request.setHeader("Allow", "GET, HEAD")
        if kind == _SGF:
            file = request.uri.rpartition(b"/")[2]
            request.setHeader(b"Content-Disposition", b'attachment; filename="' + file + b'"')
        request.setHeader("Content-Type", f"{kind}; charset=utf-8")
        request.setResponseCode(status)
        return text.encode("utf-8", "replace")  # of which Twisted sends no byte to HEAD

    def _answer(self, request: Any) -> tuple[int, str, str]:
        """Return the status, text and media type of the response."""
        if request.method not in (b"GET", b"HEAD"):
            return _NOT_ALLOWED, "GET or HEAD\n", _TEXT
        for pattern, page, kind in self._routes:
            match = re.fullmatch(pattern, request.uri.decode("latin-1"))
            if match is not None:
                words = match.groups()  # no player's name is a number
                text = page(*(int(word) if word.isdigit() else word for word in words))
                if text is not None:
                    return _OK, text, kind
        return _NOT_FOUND, self._pages.not_found(), _HTML


def web_site(lobby: Lobby) -> Site:
    """Return a factory of HTTP connections that serves the pages."""
    site = Site(
        WebPages(lobby),
        requestFactory=BoundedRequest,
        timeout=_IDLE_SECONDS,
        parsePOSTFormSubmission=False,
    )
    site.displayTracebacks = False
    site.noisy = False
    return site
