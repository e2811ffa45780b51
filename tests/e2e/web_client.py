"""A client of `linage-bot web` without a browser, which records events and their times."""

from __future__ import annotations

import contextlib
import http.client
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.e2e.engine import PATIENCE_SECONDS


class WebRefused(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(f"{status}: {words}")
        self.status = status


class WebClient:
    """Asks a server as the page does; `context` says which certificates to believe."""

    def __init__(self, address: str, context: ssl.SSLContext | None = None) -> None:
        self.parts = urlsplit(address)
        self.origin = f"{self.parts.scheme}://{self.parts.netloc}"
        self._context = context
        with self.asking("GET", f"{self.parts.path}?{self.parts.query}") as answer:
            assert answer.status == 303, (answer.status, answer.read())
            self.set_cookie = answer.headers["Set-Cookie"]
        self.cookie = self.set_cookie.partition(";")[0]

    @contextlib.contextmanager
    def asking(
        self, method: str, path: str, body: Any = None
    ) -> Iterator[http.client.HTTPResponse]:
        """The answer to a request, on a connection of its own."""
        host, port = self.parts.hostname or "", self.parts.port
        kind: Callable[..., http.client.HTTPConnection] = http.client.HTTPConnection
        more: dict[str, Any] = {}
        if self.parts.scheme == "https":
            kind, more = http.client.HTTPSConnection, {"context": self._context}
        connection = kind(host, port, timeout=PATIENCE_SECONDS, **more)
        headers = {"Cookie": getattr(self, "cookie", ""), "Sec-Fetch-Site": "same-origin"}
        data = None
        if method == "POST":
            headers |= {"Origin": self.origin, "Content-Type": "application/json"}
            data = json.dumps(body or {}).encode()
        try:
            connection.request(method, path, data, headers)
            yield connection.getresponse()
        finally:
            connection.close()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of a good answer; raises `WebRefused`."""
        with self.asking(method, path, body) as answer:
            words = answer.read().decode()
            found = json.loads(words) if answer.status == 200 else {"refused": words}
        if "refused" in found:
            raise WebRefused(answer.status, found["refused"])
        return found

    def table(self, game: str, size: str, *seats: int | None, **more: Any) -> WebTable:
        """A new game, at which persons sit unless levels are given."""
        fields = {"game": game, "size": size, "seats": list(seats or (None, None)), **more}
        return WebTable(self, self.ask("POST", "/api/games", fields)["name"])


class WebTable:
    """A table, and a page that looks on once it is opened: `with` it, its events are heard."""

    def __init__(self, client: WebClient, name: str) -> None:
        self.client = client
        self.path = f"/api/games/{name}"
        self.heard: list[tuple[float, str, Any]] = []  # when, what kind, and what
        self.faults: list[str] = []
        self._changed = threading.Condition()
        self._over = False
        self._sight: dict[str, int] = {}
        self._thread: threading.Thread | None = None

    def do(self, word: str, **fields: Any) -> Any:
        """Send an action of the page; raise `WebRefused` if it is refused."""
        return self.client.ask("POST", f"{self.path}/{word}", fields)

    def open(self, **sight: int) -> WebTable:
        """Look on, analysing perhaps: `analyse=1, ownership=1`."""
        self._sight = sight
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        self.wait(lambda: self.last("table") is not None)
        return self

    def close(self) -> None:
        """Stop reading events after the next one."""
        self._over = True

    def __enter__(self) -> WebTable:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _listen(self) -> None:
        """Read events, and reconnect after each end of the stream, as a browser does."""
        kind = ""
        while not self._over:
            try:
                path = f"{self.path}/events?{urlencode(self._sight)}"
                with self.client.asking("GET", path) as answer:
                    if answer.status != 200:
                        self.faults.append(f"{answer.status}: {answer.read()!r}")
                        return
                    while not self._over and (line := answer.readline()):
                        word, _, rest = line.decode().rstrip("\n").partition(": ")
                        if word == "event":
                            kind = rest
                        elif word == "data":
                            self._hear(kind, json.loads(rest))
            except (OSError, http.client.HTTPException):
                time.sleep(0.2)

    def _hear(self, kind: str, found: Any) -> None:
        if kind == "table" and found["trouble"]:
            self.faults.append(found["trouble"])
        with self._changed:
            self.heard.append((time.monotonic(), kind, found))
            self._changed.notify_all()

    def last(self, kind: str) -> Any:
        """Return the last event of this kind, or None if there was none."""
        return next((what for _, each, what in reversed(self.heard) if each == kind), None)

    def times(self, kind: str) -> list[float]:
        """Return the times of all events of this kind."""
        return [when for when, each, _ in self.heard if each == kind]

    def wait(self, until: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until `until` returns true, checking after every event."""
        with self._changed:
            assert self._changed.wait_for(until, seconds), (self.faults, self.heard[-1:])

    @property
    def state(self) -> Any:
        """The table as last received."""
        return self.last("table")

    def play(self, move: int) -> None:
        """A person's move, on the page once it returns."""
        before = self.state["played"]
        self.do("play", move=move, node=self.state["node"])
        self.wait(lambda: self.state["played"] > before or bool(self.faults))
