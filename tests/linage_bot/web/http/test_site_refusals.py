"""Every refused HTTP request has the right status."""

from collections.abc import Iterator

import pytest

from tests.linage_bot.web.asking import NEW, Client, Line
from tests.linage_bot.web.room import new_store


@pytest.fixture
def client() -> Iterator[Client]:
    store = new_store()
    yield Client(store)
    store.close()


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
    """Unauthorised and unknown paths give an error status without a traceback."""
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
    """A request forged by another site leaves the game unchanged."""
    name = client.new()
    headers = {"Content-Type": changes.pop("Content_Type", "application/json"), **changes}
    answer = client.post(f"/api/games/{name}/play", {"move": 12, "node": 0}, **headers)
    assert answer.status == status
    assert client.moves(name) == ()


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_other_methods_are_not_known(client: Client, method: str) -> None:
    """Unused HTTP methods give status 405."""
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
    """A malformed, misdirected or oversized POST is refused with the fitting status."""
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
    """Any body of a POST gets a game, a reason or a refusal, never an internal error."""
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
    """A header that is not valid text is refused like any other wrong header."""
    answer = client.post("/api/games", NEW, **{header: "\xff\xfe"})
    assert answer.status in (401, 403, 415, 421)


def test_a_body_without_announced_end_is_cut_off_too(client: Client) -> None:
    """A chunked body that is too large is refused with status 413."""
    line = Line(client.site)
    line.send(client.head("POST", "/api/games", Transfer_Encoding="chunked"))
    for _ in range(5):
        told = line.send(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
    assert told.startswith(b"HTTP/1.1 413")
    assert line.transport.disconnecting
    line.hang_up()


def test_a_wrong_secret_is_refused_by_the_header_s_name(client: Client) -> None:
    """A malformed seat secret is refused, and the reason names the header."""
    name = client.new()
    found = client.post(f"/api/games/{name}/play", {"move": 3, "node": 0}, Board_Seat="short")
    assert found.status == 400
    assert found.json["refused"].startswith("Board-Seat must be")
