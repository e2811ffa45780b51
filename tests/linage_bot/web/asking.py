"""A client that sends HTTP requests to the site without a network."""

import json
from collections.abc import Callable
from typing import Any

import attrs
from twisted.internet.error import ConnectionDone
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from linage_bot.engine.worker import Worker
from linage_bot.records.reading import from_sgf
from linage_bot.rules import GAMES
from linage_bot.web.http.files import load_files
from linage_bot.web.http.guard import Guard
from linage_bot.web.http.site import Site, web_site
from linage_bot.web.http.tables import MOST_TABLES, TableRegistry
from linage_bot.web.thinking.store import GameStore
from tests.linage_bot.web.room import ENGINE, PERSON, SETTINGS, Reactor, Searches, new_scheduler

NEW = {"game": "linage", "size": "5", "seats": [None, None]}


@attrs.frozen
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Line:
    """A connection to the site, without a network."""

    def __init__(self, site: Any) -> None:
        self.transport = StringTransport()
        self._channel = site.buildProtocol(None)
        self._channel.makeConnection(self.transport)

    def send(self, data: bytes) -> bytes:
        """Send bytes and return the whole response so far."""
        self._channel.dataReceived(data)
        return self.transport.value()

    def hang_up(self) -> None:
        self._channel.connectionLost(Failure(ConnectionDone()))


class AtOnce(Worker[Any]):
    """A worker that runs its work immediately in `begin`."""

    def begin(self) -> None:
        self._run()


class Client:
    """A client that sends requests, with the token unless given other headers."""

    host, port, token = "127.0.0.1:8413", 8413, "the-token"

    def __init__(
        self,
        store: GameStore,
        worker: Callable[..., Any] = AtOnce,
        most_tables: int = MOST_TABLES,
    ) -> None:
        clock = Reactor()
        tables = TableRegistry(
            clock, SETTINGS, new_scheduler(Searches(), clock), store, most_tables
        )
        guard = Guard(self.token, "127.0.0.1", self.port)
        chosen = GAMES["linage"].configure()
        call = clock.callFromThread
        site = Site(guard, tables, call, load_files(), chosen, (PERSON, ENGINE), worker)
        self.site = web_site(site, clock)

    def head(self, method: str, path: str, **changes: str | None) -> bytes:
        """Return a request line with its headers."""
        headers: dict[str, str | None] = {
            "Host": self.host,
            "Cookie": f"linage-bot-{self.port}={self.token}",
        }
        if method == "POST":
            headers |= {"Origin": f"http://{self.host}", "Content-Type": "application/json"}
        headers |= {name.replace("_", "-"): value for name, value in changes.items()}
        lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
        return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode("latin-1")

    def ask(
        self, method: str, path: str, body: bytes | None = None, **changes: str | None
    ) -> Answer:
        if body is not None:
            changes["Content-Length"] = str(len(body))
        line = Line(self.site)
        told = line.send(self.head(method, path, **changes) + (body or b""))
        line.hang_up()
        head, _, rest = told.partition(b"\r\n\r\n")
        status, *lines = head.decode().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        if headers.get("Transfer-Encoding") == "chunked":
            rest = rest.partition(b"\r\n")[2].partition(b"\r\n0\r\n")[0]
        return Answer(int(status.split()[1]), headers, rest)

    def get(self, path: str, **changes: str | None) -> Answer:
        return self.ask("GET", path, **changes)

    def post(self, path: str, fields: object = None, **changes: str | None) -> Answer:
        return self.ask("POST", path, json.dumps(fields or {}).encode(), **changes)

    def new(self, **fields: object) -> str:
        return self.post("/api/games", {**NEW, **fields}).json["name"]

    def moves(self, name: str) -> tuple[int, ...]:
        """The moves in a game's SGF file."""
        return from_sgf(self.get(f"/api/games/{name}/sgf").body).moves
