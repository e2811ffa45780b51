"""The web board's HTTP, as others than its page may use it: every refusal has its status."""

import contextlib
import http.client
import json
import re
import socket
import subprocess
from collections.abc import Iterator
from urllib.parse import urlsplit

import attrs
import pytest

from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS
from tests.e2e.web_server import COMMAND, web_server

NEW = {"game": "linage", "size": "5", "seats": [None, None]}


@attrs.frozen
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict:
        return json.loads(self.body)


@attrs.frozen
class Client:
    """Somebody who asks; with the token unless told otherwise."""

    host: str
    token: str

    @classmethod
    def of(cls, address: str) -> "Client":
        parts = urlsplit(address)
        return cls(parts.netloc, parts.query.removeprefix("token="))

    @property
    def port(self) -> int:
        return int(self.host.rpartition(":")[2])

    def ask(
        self, method: str, path: str, body: bytes | None = None, **changes: str | None
    ) -> Answer:
        headers: dict[str, str | None] = {
            "Host": self.host,
            "Cookie": f"linage-bot-{self.port}={self.token}",
        }
        if method == "POST":
            headers |= {"Origin": f"http://{self.host}", "Content-Type": "application/json"}
        headers |= {name.replace("_", "-"): value for name, value in changes.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        with contextlib.closing(connection):
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers.items():
                if value is not None:
                    connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())

    def get(self, path: str, **changes: str | None) -> Answer:
        return self.ask("GET", path, **changes)

    def post(self, path: str, fields: object = None, **changes: str | None) -> Answer:
        return self.ask("POST", path, json.dumps(fields or {}).encode(), **changes)

    def new(self, **fields: object) -> str:
        return self.post("/api/games", {**NEW, **fields}).json["name"]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with web_server("--visits", "10") as address:
        yield Client.of(address)


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
        (401, "/api/games/some-game", {"Cookie": "linage-bot-1=x"}),
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
        (404, "/api/games/no-such-game", {}),
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
    name = client.new()
    headers = {"Content-Type": changes.pop("Content_Type", "application/json"), **changes}
    answer = client.post(f"/api/games/{name}/play", {"move": 12, "number": 1}, **headers)
    assert answer.status == status
    assert client.get(f"/api/games/{name}").json["moves"] == []


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_other_methods_are_not_known(client: Client, method: str) -> None:
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
    head = f"POST /api/games HTTP/1.1\r\nHost: {client.host}\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", client.port), PATIENCE_SECONDS) as connection:
        connection.sendall(head.encode())
        received = b""
        with contextlib.suppress(ConnectionError):
            for _ in range(40):
                connection.sendall(chunk)
            while data := connection.recv(4096):
                received += data
    assert received == b"" or received.startswith(b"HTTP/1.1 413")
    assert client.get("/api/kinds").status == 200


def test_an_unknown_action_is_not_found_and_an_illegal_one_declined(client: Client) -> None:
    """The rules are no error of the request: their answer is one like any other."""
    name = client.new()
    assert client.post(f"/api/games/{name}/cheat").status == 404
    assert client.post(f"/api/games/{name}/play", {"move": "A1"}).status == 400
    client.post(f"/api/games/{name}/play", {"move": 12, "number": 1})
    answer = client.post(f"/api/games/{name}/play", {"move": 12, "number": 2})
    assert (answer.status, answer.json) == (200, {"refused": "there is a stone on this point"})
    answer = client.post("/api/games", {**NEW, "size": "99"})
    assert answer.status == 200
    assert "99" in answer.json["refused"]


def test_a_table_has_a_bounded_number_of_watchers(client: Client) -> None:
    name, connections = client.new(), []
    for _ in range(9):
        connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=PATIENCE_SECONDS)
        headers = {"Cookie": f"linage-bot-{client.port}={client.token}"}
        connection.request("GET", f"/api/games/{name}/events", headers=headers)
        connections.append((connection, connection.getresponse()))
    assert [answer.status for _, answer in connections] == [200] * 8 + [503]
    kind = connections[0][1].readline()
    assert kind == b"event: table\n"
    for connection, _ in connections:
        connection.close()


def test_tables_are_bounded_and_the_oldest_goes(client: Client) -> None:
    first = client.new()
    names = [client.new() for _ in range(64)]
    assert client.get(f"/api/games/{first}").status == 404
    assert client.get(f"/api/games/{names[-1]}").status == 200


def test_the_page_is_not_sent_twice(client: Client) -> None:
    answer = client.get("/static/main.js")
    again = client.get("/static/main.js", If_None_Match=answer.headers["ETag"])
    assert (again.status, again.body) == (304, b"")


def test_head_is_get_without_a_body(client: Client) -> None:
    answer = client.ask("HEAD", "/static/main.js")
    assert (answer.status, answer.body) == (200, b"")
    assert client.ask("HEAD", f"/api/games/{client.new()}/events").status == 404


def refused_to_start(*arguments: str) -> str:
    done = subprocess.run(
        [*COMMAND, *arguments],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


def test_what_the_user_can_mend_is_one_line(client: Client) -> None:
    assert "--expose" in refused_to_start("--listen", "0.0.0.0")
    assert "is not an address" in refused_to_start("--listen", "example.org")
    assert "--size" in refused_to_start("--size", "99")
    assert f"--port {client.port}" in refused_to_start("--port", str(client.port))


def test_an_address_of_another_machine_is_named() -> None:
    done = subprocess.run(
        [*COMMAND, "--listen", "192.0.2.5", "--expose"],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 2
    assert "--listen 192.0.2.5" in done.stderr.splitlines()[-1]


def test_to_listen_elsewhere_warns() -> None:
    """The token is then all that stands between the server and the network."""
    process = subprocess.Popen(
        [*COMMAND, "--listen", "0.0.0.0", "--expose"],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert re.match(r"http://127\.0\.0\.1:\d+/\?token=", process.stdout.readline())
    finally:
        process.terminate()
        _, said = process.communicate(timeout=PATIENCE_SECONDS)
    assert "warning: others can reach this server" in said
