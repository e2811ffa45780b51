"""HTTP, as others than the page may use it too: every refusal has its status."""

import json
from typing import Any

import attrs
import pytest
from twisted.internet.defer import execute
from twisted.internet.error import ConnectionDone
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from linage_bot.records import from_sgf
from linage_bot.rules import GAMES
from linage_bot.web.files import load_files
from linage_bot.web.guard import Guard
from linage_bot.web.rooms import Rooms
from linage_bot.web.site import Site, web_site
from tests.linage_bot.web.room import ENGINE, PERSON, SETTINGS, Reactor, Searches, new_turns

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
        """All that was answered so far."""
        self._channel.dataReceived(data)
        return self.transport.value()

    def hang_up(self) -> None:
        self._channel.connectionLost(Failure(ConnectionDone()))


class Client:
    """Somebody who asks; with the token unless told otherwise."""

    host, port, token = "127.0.0.1:8413", 8413, "the-token"

    def __init__(self) -> None:
        clock = Reactor()
        rooms = Rooms(clock, SETTINGS, new_turns(Searches(), clock))
        guard = Guard(self.token, "127.0.0.1", self.port)
        chosen = GAMES["linage"].configure()
        site = Site(guard, rooms, execute, load_files(), chosen, (PERSON, ENGINE))
        self.site = web_site(site, clock)

    def head(self, method: str, path: str, **changes: str | None) -> bytes:
        """A request without its body."""
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
        """Those of the file of a game."""
        return from_sgf(self.get(f"/api/games/{name}/sgf").body).moves


@pytest.fixture
def client() -> Client:
    return Client()


def test_the_printed_address_lets_a_browser_in_and_the_token_out_of_sight(client: Client) -> None:
    """A cookie takes its place, so that it stays out of the history and of what is copied."""
    answer = client.get(f"/?token={client.token}", Cookie=None)
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith(f"linage-bot-{client.port}={client.token};")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    page = client.get("/", Cookie=cookie.partition(";")[0])
    assert page.status == 200
    assert b"<!doctype html>" in page.body


@pytest.mark.parametrize("path", ["/", "/g/some-game", "/static/main.js", "/api/kinds"])
def test_every_answer_tells_the_browser_to_be_careful(client: Client, path: str) -> None:
    """A refusal too."""
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("status", "path", "changes"),
    [
        (401, "/", {"Cookie": None}),
        (401, "/?token=wrong", {"Cookie": None}),
        (401, "/g/some-game", {"Cookie": None}),
        (401, "/api/kinds", {"Cookie": None}),
        (401, "/api/games/some-game/rules", {"Cookie": "linage-bot-1=x"}),
        (401, "/api/games/some-game/events", {"Cookie": None}),
        (401, "/api/games/some-game/sgf", {"Cookie": None}),
        (421, "/", {"Host": "evil.example"}),
        (421, "/static/main.js", {"Host": "evil.example"}),
        (421, "/api/kinds", {"Host": "evil.example:8413"}),
        (421, "/api/kinds", {"Host": None}),
        (403, "/api/kinds", {"Origin": "http://evil.example"}),
        (403, "/api/kinds", {"Sec_Fetch_Site": "cross-site"}),
        (404, "/nothing", {}),
        (404, "/api/nothing", {}),
        (404, "/api/games/no-such-game/rules", {}),
        (404, "/api/games/no-such-game/events", {}),
        (404, "/static/", {}),
        (404, "/static/nothing.js", {}),
        (404, "/static/../site.py", {}),
        (404, "/static/..%2fsite.py", {}),
        (404, "/static/%2e%2e/site.py", {}),
        (404, "/static//etc/passwd", {}),
        (404, "//etc/passwd", {}),
        (404, "/g/a/b", {}),
    ],
)
def test_what_is_not_allowed_to_read_is_refused(
    client: Client, status: int, path: str, changes: dict
) -> None:
    """And no answer shows how the server is made."""
    answer = client.get(path, **changes)
    assert answer.status == status
    assert b"Traceback" not in answer.body


@pytest.mark.parametrize(
    ("status", "changes"),
    [
        (401, {"Cookie": None}),
        (401, {"Cookie": "wrong"}),
        (421, {"Host": "evil.example"}),
        (403, {"Origin": None}),
        (403, {"Origin": "null"}),
        (403, {"Origin": "http://evil.example"}),
        (403, {"Sec_Fetch_Site": "same-site"}),
        (415, {"Content_Type": "text/plain"}),
        (415, {"Content_Type": "application/x-www-form-urlencoded"}),
        (415, {"Content_Type": None}),
    ],
)
def test_what_another_page_could_post_changes_nothing(
    client: Client, status: int, changes: dict
) -> None:
    """The game is as it was."""
    name = client.new()
    headers = {"Content-Type": changes.pop("Content_Type", "application/json"), **changes}
    answer = client.post(f"/api/games/{name}/play", {"move": 12, "at": 0}, **headers)
    assert answer.status == status
    assert client.moves(name) == ()


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_other_methods_are_not_known(client: Client, method: str) -> None:
    """Nobody needs them."""
    assert client.ask(method, "/api/kinds").status == 405


@pytest.mark.parametrize(
    ("status", "path", "body"),
    [
        (400, "/api/games", b"not json"),
        (400, "/api/games", b"[]"),
        (400, "/api/games", b'{"game": "go"}'),
        (400, "/api/games", b'{"game": "linage", "size": "5", "seats": [0, 99]}'),
        (404, "/api/games/no-such-game/undo", b"{}"),
        (404, "/api/nothing", b"{}"),
        (404, "/static/main.js", b"{}"),
        (413, "/api/games", b" " * (300 << 10)),
    ],
)
def test_nonsense_is_refused(client: Client, status: int, path: str, body: bytes) -> None:
    """With the status that says where it lies."""
    assert client.ask("POST", path, body).status == status


@pytest.mark.parametrize(
    "body",
    [
        b'{"game": "linage", "size": "5", "komi": 1%s}' % (b"0" * 400),
        b'{"game": "linage", "size": "5", "komi": 1e999}',
        b'{"game": "linage", "size": "5", "komi": NaN}',
        b'{"game": "linage", "size": "\\ud800"}',
        b'{"sgf": "(;SZ[5]RU[linage]C[\\ud800];B[cc])"}',
        b'{"sgf": "\\ud800"}',
        b'{"sgf": "(;SZ[25]RU[linage]AB%s)"}' % (b"[aa:yy]" * 30_000),
        b'{"link": "#game=linage&size=\\ud800"}',
        b'{"options": %s' % (b"[" * 100_000),
        b"9" * 5000,
        b"\xff\xfe",
    ],
    ids=lambda body: repr(body[:50]),
)
def test_no_body_is_answered_with_an_error_of_ours(client: Client, body: bytes) -> None:
    """A game, a reason in words, or a refusal: never `internal error`."""
    answer = client.ask("POST", "/api/games", body)
    assert answer.status in (200, 400)
    assert answer.json.keys() <= {"name", "refused"}
    if "name" in answer.json:
        name = answer.json["name"]
        assert client.get(f"/api/games/{name}/sgf").status == 200
        answer = client.ask("POST", f"/api/games/{name}/play", body)
        assert answer.status in (200, 400)


@pytest.mark.parametrize("header", ["Host", "Origin", "Sec_Fetch_Site", "Content_Type", "Cookie"])
def test_bytes_that_are_no_text_in_a_header_are_refused(client: Client, header: str) -> None:
    """Like any other wrong header."""
    answer = client.post("/api/games", NEW, **{header: "\xff\xfe"})
    assert answer.status in (401, 403, 415, 421)


def test_a_body_without_announced_end_is_cut_off_too(client: Client) -> None:
    """However it is sent."""
    line = Line(client.site)
    line.send(client.head("POST", "/api/games", Transfer_Encoding="chunked"))
    for _ in range(5):
        told = line.send(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
    assert told.startswith(b"HTTP/1.1 413")
    assert line.transport.disconnecting
    line.hang_up()


def test_an_unknown_action_is_not_found_and_an_illegal_one_declined(client: Client) -> None:
    """The rules are no error of the request: their answer is one like any other."""
    name = client.new()
    assert client.post(f"/api/games/{name}/cheat").status == 404
    assert client.post(f"/api/games/{name}/play", {"move": "A1"}).status == 400
    client.post(f"/api/games/{name}/play", {"move": 12, "at": 0})
    answer = client.post(f"/api/games/{name}/play", {"move": 12, "at": 1})
    assert (answer.status, answer.json) == (200, {"refused": "there is a stone on this point"})
    answer = client.post("/api/games", {**NEW, "size": "99"})
    assert answer.status == 200
    assert "99" in answer.json["refused"]


def test_a_page_hears_of_the_table_by_a_stream(client: Client) -> None:
    """At once, after every change, and no answer says it a second time."""
    name, line = client.new(), Line(client.site)
    told = line.send(client.head("GET", f"/api/games/{name}/events"))
    assert b"Content-Type: text/event-stream" in told
    assert told.count(b"event: table\n") == 1
    line.transport.clear()
    assert client.post(f"/api/games/{name}/play", {"move": 12, "at": 0}).json == {}
    assert b'"nodes":[[0,null,null,false,false],[1,0,12,false,false]]' in line.transport.value()
    line.hang_up()


def test_the_rules_are_those_of_the_game(client: Client) -> None:
    """The pie too, as long as nobody has eaten it."""
    name = client.new(game="leblin", pie=True)
    told = client.get(f"/api/games/{name}/rules").json
    *rules, pie = told["rules"]
    assert any("*lifeline*" in rule for rule in rules)
    assert "*pie*" in pie
    for example in told["examples"]:
        assert example["alt"]
        assert example["words"]
        answer = client.get(f"/api/games/{name}/rules/{example['name']}")
        assert answer.headers["Content-Type"] == "image/svg+xml"
        assert answer.body.startswith(b"<svg ")
    assert client.get(f"/api/games/{name}/rules/nothing").status == 404


def test_a_lesson_is_asked_for_by_its_game(client: Client) -> None:
    """Without a game on the server; there is none of what is no game."""
    assert len(client.get("/api/lessons/gardar").json["steps"]) == 5
    assert client.get("/api/lessons/go").status == 404


def test_the_page_is_not_sent_twice(client: Client) -> None:
    """A browser that has it is told so."""
    answer = client.get("/static/main.js")
    again = client.get("/static/main.js", If_None_Match=answer.headers["ETag"])
    assert (again.status, again.body) == (304, b"")


def test_head_is_get_without_a_body(client: Client) -> None:
    """But not for a stream."""
    answer = client.ask("HEAD", "/static/main.js")
    assert (answer.status, answer.body) == (200, b"")
    assert client.ask("HEAD", f"/api/games/{client.new()}/events").status == 404


def test_puzzles_and_positions_are_told_without_a_table(client: Client) -> None:
    """So that no game at hand is disturbed, nor one of other people put aside."""
    games = client.get("/api/puzzles").json["games"]
    name = games[0]["puzzles"][0]["name"]
    puzzle = client.get(f"/api/puzzles/{name}").json
    assert puzzle["name"] == name
    told = client.post("/api/positions", {"link": puzzle["link"]}).json
    assert told["position"]["toMove"] == puzzle["toMove"]
    assert client.post("/api/positions", {"link": "game=linage&size=3&first=abba"}).json == {
        "refused": "a region has no line of 3 points"
    }
    assert client.get("/api/puzzles/linage-0").status == 404
    assert client.post("/api/positions", {}).status == 400
