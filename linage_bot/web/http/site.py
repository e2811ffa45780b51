"""HTTP: the routes, their handlers and the headers of responses; `guard` checks access."""

import functools
import logging
from collections.abc import Callable
from typing import Any

import attrs
from twisted.internet.defer import Deferred
from twisted.web.resource import Resource
from twisted.web.server import NOT_DONE_YET
from twisted.web.server import Site as WebSite

from linage_bot.engine.worker import Worker
from linage_bot.jobs.executor import ThreadExecutor
from linage_bot.records.study import Study
from linage_bot.records.writing import to_sgf
from linage_bot.rules.game import Game
from linage_bot.servers.http import BoundedRequest
from linage_bot.web.http import headers, replies
from linage_bot.web.http.fields import read_fields, read_secret
from linage_bot.web.http.files import PAGE, StaticFile
from linage_bot.web.http.guard import Guard
from linage_bot.web.http.new_table import new_table, read_new_table
from linage_bot.web.http.requests import (
    read_action,
    read_body,
    read_question,
    read_view,
)
from linage_bot.web.http.shared_jobs import SharedJobs
from linage_bot.web.http.tables import TableRegistry
from linage_bot.web.messages import pictures, puzzles
from linage_bot.web.messages.lessons import lesson
from linage_bot.web.messages.qr import qr_code
from linage_bot.web.messages.requests import CodeRequest
from linage_bot.web.messages.table import new_game_form, rules_message, rules_picture
from linage_bot.web.messages.wire import PassMessage
from linage_bot.web.table.errors import ActionRefused, HttpError
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.persistence import read
from linage_bot.web.table.pie import PlayerKind

_log = logging.getLogger(__name__)

_IDLE_SECONDS = 60  # for a connection without any data
_MOST_READ_AT_ONCE = 4  # game records
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
    """A request whose body may hold a game record of thousands of moves, also in base 64."""

    longest_body = 288 << 10


class Site(Resource):
    """The resource for everything under `/`."""

    isLeaf = True  # noqa: N815

    def __init__(
        self,
        guard: Guard,
        tables: TableRegistry,
        call: Callable[..., None],
        files: dict[str, StaticFile],
        chosen: Game,
        seats: tuple[PlayerKind, PlayerKind],
        worker: type[Worker[Any]] = Worker[Any],
    ) -> None:
        """Slow work runs on a `worker` thread; `call` calls a function on the reactor's thread."""
        super().__init__()
        self._guard = guard
        self._tables = tables
        self._files = files
        self._kinds = new_game_form(chosen, seats)
        # One at a time, so that play continues.
        self._animating = SharedJobs(ThreadExecutor(1, worker), call)
        self._reading = SharedJobs(ThreadExecutor(_MOST_READ_AT_ONCE, worker), call)

    def render(self, request: Any) -> Any:
        """Answer a request of any method."""
        for name, value in _HEADERS.items():
            request.setHeader(name, value)
        try:
            return self._answer(request)
        except (HttpError, ActionRefused) as error:
            return replies.refuse(request, error)

    def _answer(self, request: Any) -> Any:
        hosts = headers.header(request, b"host")
        self._guard.check_host(hosts)
        words = request.path.decode("ascii", "replace").split("/")[1:]
        guest = headers.argument(request, b"guest")
        posting = request.method == b"POST"
        if request.method not in (b"GET", b"HEAD", b"POST"):
            request.setHeader("Allow", "GET, HEAD, POST")
            raise HttpError(405, "GET or POST")
        match words:
            case ["static", *path] if not posting:
                return self._static(request, "/".join(path))
            case ["g", name] if not posting and self._guard.is_pass(name, guest):
                return self._cookie(request, self._guard.pass_cookie(name))
            case ["g", name] if not posting and name in self._passes(request):
                return self._static(request, PAGE)
            case [""] if not posting and self._is_guest(request):
                return self._static(request, PAGE)  # with the games that the guest can return to
            case [""] | ["g", _] if not posting:
                return self._page(request)
            case ["api", *rest]:
                fetch_sites = headers.header(request, b"sec-fetch-site")
                origins = headers.header(request, b"origin")
                self._guard.check_origin(hosts[0], origins, fetch_sites, posting=posting)
                self._check_allowed(request, rest)
                if posting:
                    self._guard.check_json(headers.header(request, b"content-type"))
                answer = functools.partial(self._post if posting else self._get, request, rest)
                match rest:
                    case ["games", name, *_]:
                        return self._when_loaded(request, name, answer)
                return answer()
        raise HttpError(404, "there is nothing here")

    def _when_loaded(self, request: Any, name: str, answer: Callable[[], Any]) -> Any:
        """Return a table's response, once the table is loaded."""
        text = self._tables.stored_text(name)
        if text is None:
            return answer()

        def respond(_: None) -> Any:
            return answer() if request.channel is not None else b""

        return replies.later(request, self._loaded(request, name, text).addCallback(respond))

    def _loaded(self, request: Any, name: str, text: str) -> Deferred[None]:
        """Return a Deferred that fires when a table has been loaded from its text on disk.

        Replaying a long game takes a while; all requests for the table share the work.
        """
        reading = self._reading.run(request, (name, text), lambda _stopped: _reread(text))
        return reading.addCallback(functools.partial(self._tables.load, name))

    def _check_token(self, request: Any) -> str | None:
        """Return the token in the address. Raise `HttpError` unless it or the cookie is valid."""
        token = headers.argument(request, b"token")
        self._guard.check_token(headers.cookies(request).get(self._guard.cookie_name), token)
        return token

    def _page(self, request: Any) -> bytes:
        """Return the page; with the token in the address, first set the cookie and redirect."""
        if self._guard.is_token(self._check_token(request)):
            return self._cookie(request, self._guard.cookie)
        return self._static(request, PAGE)

    def _cookie(self, request: Any, cookie: str) -> bytes:
        """Set a cookie and redirect to the same page without the query in its address."""
        request.setHeader("Set-Cookie", cookie)
        request.setResponseCode(303)
        request.setHeader("Location", request.path)
        return b""

    def _has_token(self, request: Any) -> bool:
        return self._guard.is_token(headers.cookies(request).get(self._guard.cookie_name))

    def _passes(self, request: Any) -> set[str]:
        """Return the tables to which the request has a pass."""
        return self._guard.tables(headers.cookies(request))

    def _is_guest(self, request: Any) -> bool:
        return bool(self._passes(request)) and headers.argument(request, b"token") is None

    def _check_allowed(self, request: Any, words: list[str]) -> None:
        """Raise `HttpError` without the token, unless a pass is enough."""
        passes = self._passes(request)
        match words:
            case ["games", name, *_] if name in passes:
                return
            case ["kinds"] | ["lessons", _] if passes:
                return
        self._check_token(request)

    def _static(self, request: Any, name: str) -> bytes:
        file = self._files.get(name)
        if file is None:
            raise HttpError(404, "there is nothing here")
        request.setHeader("Cache-Control", "no-cache")
        request.setHeader("Vary", "Accept-Encoding")
        if request.setETag(file.tag.encode()) is not None:  # the browser has it
            return replies.of_type(request, file.type, b"")
        if headers.accepts_gzip(request):
            request.setHeader("Content-Encoding", "gzip")
            return replies.of_type(request, file.type, file.compressed)
        return replies.of_type(request, file.type, file.content)

    def _get(self, request: Any, words: list[str]) -> Any:
        """Answer a request that changes nothing."""
        match words:
            case ["kinds"]:
                return replies.respond(
                    request, attrs.evolve(self._kinds, guest=not self._has_token(request))
                )
            case ["lessons", name]:
                return replies.respond(request, lesson(name))
            case ["puzzles"]:
                return replies.respond(request, puzzles.contents())
            case ["puzzles", name]:
                return replies.respond(request, puzzles.puzzle(name))
            case ["games", name, "events"] if request.method == b"GET":
                view = read_view(request.args)
                page, secret = headers.page(request), headers.secret(request)
                self._tables.watch(name, request, page, view=view, secret=secret)
                return NOT_DONE_YET
            case ["games", name, "pass"] if self._tables.find(name).game.seats is not None:
                address = self._guard.address_for_others
                word = self._guard.pass_to(name)
                return replies.respond(request, PassMessage(word=word, address=address))
            case ["games", name, "rules"]:
                return replies.respond(request, rules_message(self._tables.find(name).game))
            case ["games", name, "rules", picture]:
                found = rules_picture(self._tables.find(name).game, picture)
                return replies.of_type(request, "image/svg+xml", found.encode())
            case ["games", name, "picture", place]:
                found = pictures.svg(self._tables.find(name).game, place)
                return replies.of_type(request, "image/svg+xml", found.encode())
            case ["games", name, "animation", place]:
                positions, moves = pictures.shown(self._tables.find(name).game, place)
                make = functools.partial(pictures.animation, positions, moves)
                made = self._animating.run(request, (positions[0], *moves), make)
                reply = functools.partial(replies.of_type, request, "image/gif")
                return replies.later(request, made.addCallback(reply))
            case ["games", name, "page", place]:
                record = pictures.record(self._tables.find(name).game, place)
                made = self._read(request, pictures.page, record)
                reply = functools.partial(replies.of_type, request, "text/html; charset=utf-8")
                return replies.later(request, made.addCallback(reply))
            case ["games", name, "sgf"]:
                return self._sgf(request, self._tables.find(name).game.to_save())
        raise HttpError(404, "there is nothing here")

    def _post(self, request: Any, words: list[str]) -> Any:
        """Answer a request that changes something."""
        fields = read_body(request.content.read())
        match words:
            case ["games"]:
                warnings: list[str] = []
                wanted = read_new_table(fields)
                found = self._read(request, new_table, wanted, warnings.append)
                found.addCallback(lambda game: {"name": self._tables.open(game)})
                found.addCallback(
                    lambda reply: reply | {"warnings": warnings} if warnings else reply
                )
                return replies.respond_later(request, found)
            case ["positions"]:
                return replies.respond_later(request, self._read(request, puzzles.position, fields))
            case ["games", name, "take"]:
                self._tables.take(
                    name,
                    read_secret("word", fields.get("word")),
                    headers.secret(request, must=True),
                )
                return replies.respond(request, {})
            case ["games", name, "rematch"]:
                other = read_new_table(fields) if fields else None
                again = self._tables.rematch(name, headers.secret(request), other)
                shared = self._tables.find(name).game.seats is not None
                invited = {"pass": self._guard.pass_to(again)} if shared else {}
                return replies.respond(request, {"name": again} | invited)
            case ["games", _, "code"]:
                return replies.respond(request, qr_code(read_fields(CodeRequest, fields).link))
            case ["games", name, "discard"]:
                self._tables.discard(name)
                return replies.respond(request, {})
            case ["games", name, "move-now"]:
                self._tables.move_now(name)
                return replies.respond(request, {})
            case ["games", name, "hint" | "loss" | "attempt" as question]:
                asked: Deferred[Any] = Deferred()
                about = read_question(question, fields)
                withdraw = self._tables.ask(name, about, asked.callback, asked.errback)
                request.notifyFinish().addErrback(lambda _: withdraw())
                return replies.respond_later(request, asked)
            case ["games", name, word]:
                action, page = read_action(word, fields), headers.page(request)
                self._tables.do(name, action, page, secret=headers.secret(request))
                return replies.respond(request, {})
        raise HttpError(404, "there is nothing here")

    def _read(self, request: Any, read: Callable[..., Any], *arguments: Any) -> Deferred[Any]:
        """Read the game in a request on another thread, because replaying a long one is slow."""
        return self._reading.run(request, object(), lambda _stopped: read(*arguments))

    def _sgf(self, request: Any, study: Study) -> bytes:
        name = f'attachment; filename="{study.facts.game.id}.sgf"'
        request.setHeader("Content-Disposition", name)
        kind = "application/x-go-sgf; charset=utf-8"
        return replies.of_type(request, kind, to_sgf(study).encode())


def web_site(site: Resource | None, reactor: Any) -> WebSite:
    """Return a factory of HTTP connections for the site; None: the caller sets it later.

    It must be set before the first connection.
    """
    web = WebSite(
        site or Resource(),
        requestFactory=PageRequest,
        timeout=_IDLE_SECONDS,
        parsePOSTFormSubmission=False,
        reactor=reactor,
    )
    web.displayTracebacks = False
    return web


def _reread(text: str) -> TableGame:
    """Return the game from its text on disk. Raise `HttpError` if it cannot be read."""
    try:
        return read(text)
    except ValueError:
        _log.exception("a game on the disk cannot be read")
        raise HttpError(404, "this game cannot be read from the disk any more") from None
