"""HTTP: which path is which request, and what headers go with its answer; `guard` lets it in."""

import json
import logging
from collections.abc import Callable
from typing import Any

from twisted.internet.defer import Deferred
from twisted.web.resource import Resource
from twisted.web.server import NOT_DONE_YET
from twisted.web.server import Site as WebSite

from linage_bot.records import Study, to_sgf
from linage_bot.rules.game import Game
from linage_bot.servers.http import BoundedRequest
from linage_bot.web import puzzles, view
from linage_bot.web.course import Seat
from linage_bot.web.errors import Declined, Refused
from linage_bot.web.files import PAGE, StaticFile
from linage_bot.web.guard import Guard
from linage_bot.web.lessons import lesson
from linage_bot.web.requests import read_action, read_body, read_course
from linage_bot.web.rooms import Rooms

_log = logging.getLogger(__name__)

_IDLE_SECONDS = 60  # for a connection on which nothing comes
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class PageRequest(BoundedRequest):
    """A game record of thousands of moves fits into a body."""

    longest_body = 256 << 10


class Site(Resource):
    """Everything under `/`; `elsewhere` calls a function that takes a while on another thread."""

    isLeaf = True  # noqa: N815

    def __init__(
        self,
        guard: Guard,
        rooms: Rooms,
        elsewhere: Callable[..., Deferred[Any]],
        files: dict[str, StaticFile],
        chosen: Game,
        seats: tuple[Seat, Seat],
    ) -> None:
        super().__init__()
        self._guard = guard
        self._rooms = rooms
        self._elsewhere = elsewhere
        self._files = files
        self._kinds = view.kinds(chosen, seats)

    def render(self, request: Any) -> Any:
        """Answer a request of any method."""
        for name, value in _HEADERS.items():
            request.setHeader(name, value)
        try:
            return self._answer(request)
        except (Refused, Declined) as error:
            return _refuse(request, error)

    def _answer(self, request: Any) -> Any:
        hosts = _header(request, b"host")
        self._guard.check_host(hosts)
        words = request.path.decode("ascii", "replace").split("/")[1:]
        posting = request.method == b"POST"
        if request.method not in (b"GET", b"HEAD", b"POST"):
            request.setHeader("Allow", "GET, HEAD, POST")
            raise Refused(405, "GET or POST")
        match words:
            case ["static", name] if not posting:
                return self._static(request, name)
            case [""] | ["g", _] if not posting:
                return self._page(request)
            case ["api", *rest]:
                fetch_sites = _header(request, b"sec-fetch-site")
                origins = _header(request, b"origin")
                self._guard.check_origin(hosts[0], origins, fetch_sites, posting=posting)
                self._check_token(request)
                if not posting:
                    return self._tell(request, rest)
                self._guard.check_json(_header(request, b"content-type"))
                return self._do(request, rest)
        raise Refused(404, "there is nothing here")

    def _check_token(self, request: Any) -> str | None:
        """The token in the address; raises `Refused` if it is neither there nor in the cookie."""
        cookie = request.getCookie(self._guard.cookie_name.encode())
        token = _text(request.args.get(b"token", [None])[0])
        self._guard.check_token(_text(cookie), token)
        return token

    def _page(self, request: Any) -> bytes:
        """The page; with the token in the address, first the cookie and then the page without."""
        if self._guard.is_token(self._check_token(request)):
            request.setHeader("Set-Cookie", self._guard.cookie)
            request.setResponseCode(303)
            request.setHeader("Location", request.path)
            return b""
        return self._static(request, PAGE)

    def _static(self, request: Any, name: str) -> bytes:
        file = self._files.get(name)
        if file is None:
            raise Refused(404, "there is nothing here")
        request.setHeader("Content-Type", file.type)
        request.setHeader("Cache-Control", "no-cache")
        if request.setETag(file.tag.encode()) is not None:
            return b""
        return file.content

    def _tell(self, request: Any, words: list[str]) -> Any:
        """What is asked for without changing anything."""
        match words:
            case ["kinds"]:
                return _json(request, self._kinds)
            case ["lessons", name]:
                return _json(request, lesson(name))
            case ["puzzles"]:
                return _json(request, puzzles.contents())
            case ["puzzles", name]:
                return _json(request, puzzles.puzzle(name))
            case ["games", name, "events"] if request.method == b"GET":
                self._rooms.watch(name, request)
                return NOT_DONE_YET
            case ["games", name, "rules"]:
                return _json(request, view.rules(self._rooms.find(name).course))
            case ["games", name, "rules", picture]:
                request.setHeader("Content-Type", "image/svg+xml")
                return view.picture(self._rooms.find(name).course, picture).encode()
            case ["games", name, "sgf"]:
                return self._sgf(request, self._rooms.find(name).course.to_save())
        raise Refused(404, "there is nothing here")

    def _do(self, request: Any, words: list[str]) -> Any:
        """What changes something."""
        fields = read_body(request.content.read())
        match words:
            case ["games"]:
                # To replay a long record takes a while.
                found = self._elsewhere(read_course, fields)
                found.addCallback(lambda course: {"name": self._rooms.open(course)})
                return _later(request, found)
            case ["positions"]:
                return _later(request, self._elsewhere(puzzles.position, fields))
            case ["games", name, action]:
                self._rooms.do(name, read_action(action, fields))
                return _json(request, {})
        raise Refused(404, "there is nothing here")

    def _sgf(self, request: Any, study: Study) -> bytes:
        request.setHeader("Content-Type", "application/x-go-sgf; charset=utf-8")
        name = f'attachment; filename="{study.facts.game.id}.sgf"'
        request.setHeader("Content-Disposition", name)
        return to_sgf(study).encode()


def _header(request: Any, name: bytes) -> list[str]:
    """All values of a header."""
    values = request.requestHeaders.getRawHeaders(name, [])
    return [value.decode("latin-1") for value in values]  # every byte is something


def _text(word: bytes | None) -> str | None:
    return None if word is None else word.decode("utf-8", "replace")


def web_site(site: Resource | None, reactor: Any) -> WebSite:
    """The site as a factory of HTTP connections; None: it gets one before anybody is let in."""
    web = WebSite(
        site or Resource(),
        requestFactory=PageRequest,
        timeout=_IDLE_SECONDS,
        parsePOSTFormSubmission=False,
        reactor=reactor,
    )
    web.displayTracebacks = False
    return web


def _json(request: Any, value: view.Json) -> bytes:
    request.setHeader("Content-Type", "application/json")
    return json.dumps(value, separators=(",", ":")).encode()


def _refuse(request: Any, error: BaseException) -> bytes:
    """Say why not; any other error is our fault."""
    if isinstance(error, Declined):
        return _json(request, {"refused": error.reason})
    if not isinstance(error, Refused):
        _log.error("a request failed", exc_info=error)
        error = Refused(500, "internal error")
    request.setResponseCode(error.status)
    if error.status == 401:
        request.setHeader("WWW-Authenticate", "token")
    if request.path.startswith(b"/api/"):
        return _json(request, {"refused": error.reason})
    request.setHeader("Content-Type", "text/plain; charset=utf-8")
    return f"{error.reason}\n".encode()


def _later(request: Any, found: Any) -> Any:
    """Answer when the Deferred fires, if the client is still there."""

    def finish(body: bytes) -> None:
        if request.channel is not None:
            request.write(body)
            request.finish()

    found.addCallback(lambda value: _json(request, value))
    found.addErrback(lambda failure: _refuse(request, failure.value))
    found.addCallback(finish)
    return NOT_DONE_YET
