"""The site answers the page's HTTP requests."""

import gzip
from collections.abc import Iterator
from typing import Any

import pytest

from linage_bot.web.thinking.store import GameStore
from tests.linage_bot.web.asking import NEW, AtOnce, Client, Line
from tests.linage_bot.web.room import new_store


@pytest.fixture
def store() -> Iterator[GameStore]:
    store = new_store()
    yield store
    store.close()


@pytest.fixture
def client(store: GameStore) -> Client:
    return Client(store)


def test_the_printed_address_lets_a_browser_in_and_the_token_hidden(client: Client) -> None:
    """Opening the printed address sets a cookie and removes the token from the address bar."""
    answer = client.get(f"/?token={client.token}", Cookie=None)
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith(f"linage-bot-{client.port}={client.token};")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    page = client.get("/", Cookie=cookie.partition(";")[0])
    assert page.status == 200
    assert b"<!doctype html>" in page.body
    refused = client.get("/", Cookie=None)
    assert refused.status == 401
    assert b"This board is private: open the full link that was printed." in refused.body
    assert b"<!doctype html>" in refused.body


@pytest.mark.parametrize("path", ["/", "/g/some-game", "/static/main.js", "/api/kinds"])
def test_every_answer_tells_the_browser_to_be_careful(client: Client, path: str) -> None:
    """Every response has the security headers, refusals included."""
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("accepted", "compressed"),
    [
        ("gzip, deflate, br", True),
        ("br;q=1.0, GZIP;q=0.8", True),
        ("br, gzip;q=0", False),
        ("gzip;q=0.000", False),
        ("identity", False),
        ("", False),
    ],
)
def test_files_are_compressed_for_who_takes_it(
    client: Client, accepted: str, compressed: bool
) -> None:
    """A file is sent compressed by gzip to a client that accepts this, and plain to others."""
    plain = client.get("/static/main.js")
    answer = client.get("/static/main.js", **{"Accept-Encoding": accepted})
    assert plain.headers.get("Content-Encoding") is None
    assert answer.headers.get("Content-Encoding") == ("gzip" if compressed else None)
    assert (gzip.decompress(answer.body) if compressed else answer.body) == plain.body
    assert answer.headers["Vary"] == "Accept-Encoding"


def test_what_is_played_while_a_table_is_read_from_the_disk_is_not_lost(store: GameStore) -> None:
    """Requests during the loading of a table are answered in order, and no move is lost."""
    held: list[AtOnce] = []
    holds = False

    class Held(AtOnce):
        def begin(self) -> None:
            if holds:
                held.append(self)
            else:
                super().begin()

    client = Client(store, Held, most_tables=1)
    name, slow = client.new(), Line(client.site)
    client.new()
    holds = True
    slow.send(client.head("GET", f"/api/games/{name}/sgf"))
    plays, body = Line(client.site), b'{"move": 12, "node": 0}'
    head = client.head("POST", f"/api/games/{name}/play", Content_Length=str(len(body)))
    plays.send(head + body)
    last = Line(client.site)
    last.send(client.head("GET", f"/api/games/{name}/sgf"))
    holds = False
    held.pop()._run()
    assert held == []
    assert b";B[cc])" not in slow.transport.value()
    assert b";B[cc])" in last.transport.value()
    for line in (slow, plays, last):
        line.hang_up()
    client.post(f"/api/games/{name}/play", {"move": 0, "node": 1})
    assert client.moves(name) == (12, 0)


def test_an_unknown_action_is_not_found_and_an_illegal_one_declined(client: Client) -> None:
    """An unknown action gives status 404; an illegal move gives status 200 and a reason."""
    name = client.new()
    assert client.post(f"/api/games/{name}/cheat").status == 404
    assert client.post(f"/api/games/{name}/play", {"move": "A1"}).status == 400
    client.post(f"/api/games/{name}/play", {"move": 12, "node": 0})
    answer = client.post(f"/api/games/{name}/play", {"move": 12, "node": 1})
    assert (answer.status, answer.json) == (200, {"refused": "there is a stone on this point"})
    answer = client.post("/api/games", {**NEW, "size": "99"})
    assert answer.status == 200
    assert "99" in answer.json["refused"]


def test_a_hint_is_an_answer_and_no_news(client: Client) -> None:
    """Hints and losses are sent only to the page that requested them."""
    name, line = client.new(), Line(client.site)
    line.send(client.head("GET", f"/api/games/{name}/events"))
    line.transport.clear()
    hint = client.post(f"/api/games/{name}/hint", {"node": 0})
    assert (hint.json["certain"], hint.json["exact"]) == (1.0, True)
    loss = client.post(f"/api/games/{name}/loss", {"node": 0, "move": -1})
    assert loss.json["serious"] is True
    attempt = client.post(f"/api/games/{name}/attempt", {"node": 0, "move": -1})
    assert "review the game first" in attempt.json["refused"]
    assert line.transport.value() == b""
    refused = client.post(f"/api/games/{name}/move-now")
    assert refused.json == {"refused": "no engine is searching for a move"}
    line.hang_up()


def test_a_rematch_is_a_table_of_its_own(client: Client) -> None:
    """A rematch opens a new table and leaves the old one unchanged."""
    name = client.new()
    again = client.post(f"/api/games/{name}/rematch").json["name"]
    assert again != name
    assert client.post(f"/api/games/{again}/play", {"move": 12, "node": 0}).json == {}
    assert client.post(f"/api/games/{name}/play", {"move": 12, "node": 0}).json == {}


def test_two_people_share_one_rematch(client: Client, store: GameStore) -> None:
    """After a game of two either player gets the same next table; it is kept with the game."""
    shared = {"seats": [None, "friend"], "secret": "s" * 40, "invitations": [None, "w" * 40]}
    name = client.new(**shared)
    mine, theirs = {"Board_Seat": "s" * 40}, {"Board_Seat": "t" * 40}
    client.post(f"/api/games/{name}/take", {"word": "w" * 40}, **theirs)
    rematch = f"/api/games/{name}/rematch"
    assert client.post(rematch, {}, **mine).json["refused"] == "the game is not over yet"
    client.post(f"/api/games/{name}/resign", {}, **mine)
    assert "only the two players" in client.post(rematch, {}).json["refused"]
    again = client.post(rematch, {}, **theirs).json
    assert client.post(rematch, {}, **mine).json == again
    assert client.get(f"/g/{again['name']}?guest={again['pass']}", Cookie=None).status == 303
    move = {"move": 12, "node": 0}
    assert client.post(f"/api/games/{again['name']}/play", move, **mine).json["refused"]
    assert client.post(f"/api/games/{again['name']}/play", move, **theirs).json == {}
    assert f'"again":"{again["name"]}"' in (store.read(name) or "")


def test_either_of_two_people_begins_another_game(client: Client) -> None:
    """Either player may choose another game, which both join; a file is not accepted."""
    shared = {"seats": [None, "friend"], "secret": "s" * 40, "invitations": [None, "w" * 40]}
    name = client.new(**shared)
    mine, theirs = {"Board_Seat": "s" * 40}, {"Board_Seat": "t" * 40}
    client.post(f"/api/games/{name}/take", {"word": "w" * 40}, **theirs)
    client.post(f"/api/games/{name}/resign", {}, **mine)
    rematch = f"/api/games/{name}/rematch"
    assert client.post(rematch, {"sgf": "(;GM[Linage])"}, **theirs).status == 400
    assert "99" in client.post(rematch, {"game": "leblin", "size": "99"}, **theirs).json["refused"]
    again = client.post(rematch, {"game": "leblin", "size": "5"}, **theirs).json
    assert client.post(rematch, {"game": "linage", "size": "7"}, **mine).json == again
    move = f"/api/games/{again['name']}/play"
    assert client.post(move, {"move": 12, "node": 0}, **mine).json["refused"]
    assert client.post(move, {"move": 12, "node": 0}, **theirs).json == {}
    assert b"RU[leblin]" in client.get(f"/api/games/{again['name']}/sgf").body


def test_a_link_has_a_code_for_phones(client: Client) -> None:
    """The page asks for the QR code of a link, and for the address that others can reach."""
    name = client.new(seats=[None, "friend"], secret="s" * 40, invitations=[None, "w" * 40])
    admission = client.get(f"/api/games/{name}/pass").json
    assert admission["address"] is None  # the server listens on the loopback interface
    link = f"http://127.0.0.1:8413/g/{name}?guest={admission['word']}"
    code = client.post(f"/api/games/{name}/code", {"link": link}).json
    assert code["size"] > 40
    assert code["path"].startswith("M4 4h7v1h-7z")  # the first row of the corner's mark
    assert client.post(f"/api/games/{name}/code", {"link": "x" * 999}).status == 400


def test_a_deleted_game_is_gone(client: Client, store: GameStore) -> None:
    """A deleted game is gone from memory and disk, unless another page shows it."""
    name, line = client.new(), Line(client.site)
    line.send(client.head("GET", f"/api/games/{name}/events"))
    refused = client.post(f"/api/games/{name}/discard", {}).json["refused"]
    assert refused == "another page shows this game"
    line.hang_up()
    assert client.post(f"/api/games/{name}/discard", {}).json == {}
    assert client.get(f"/api/games/{name}/sgf").status == 404
    assert store.read(name) is None
    assert client.post(f"/api/games/{name}/discard", {}).status == 404


def test_a_page_hears_of_the_table_by_a_stream(client: Client) -> None:
    """A page gets the table's state by its event stream, at once and after every change."""
    name, line = client.new(), Line(client.site)
    told = line.send(client.head("GET", f"/api/games/{name}/events"))
    assert b"Content-Type: text/event-stream" in told
    assert told.count(b"event: table\n") == 1
    line.transport.clear()
    assert client.post(f"/api/games/{name}/play", {"move": 12, "node": 0}).json == {}
    assert b'"nodes":[[0,null,null,false,false],[1,0,12,false,false]]' in line.transport.value()
    line.hang_up()


def test_a_server_started_again_has_all_tables(client: Client, store: GameStore) -> None:
    """After a restart every stored table opens again, and unreadable or unknown ones give 404."""
    names = [client.new() for _ in range(3)]
    for name in names:
        client.post(f"/api/games/{name}/play", {"move": 12, "node": 0})
    again = Client(store)
    line = Line(again.site)
    told = line.send(again.head("GET", f"/api/games/{names[0]}/events"))
    assert b"event: table\n" in told
    assert again.post(f"/api/games/{names[0]}/play", {"move": 0, "node": 1}).json == {}
    assert b"[2,1,0,false,false]" in line.transport.value()
    line.hang_up()
    assert again.post(f"/api/games/{names[1]}/play", {"move": 12, "node": 1}).json == {
        "refused": "there is a stone on this point"
    }
    assert again.moves(names[2]) == (12,)
    store.write("broken", "{}", begun=True)
    for name in ("broken", "no-such-name"):
        assert again.get(f"/api/games/{name}/sgf").status == 404
    assert again.get("/api/games").status == 404


def test_a_pass_opens_one_table_and_no_more(client: Client) -> None:
    """A guest link opens one table without the token; its cookie replaces the link."""
    shared = {"seats": [None, "friend"], "secret": "s" * 40, "invitations": [None, "w" * 40]}
    name, other = client.new(**shared), client.new()
    assert client.get(f"/api/games/{other}/pass").status == 404, "nobody shares it"
    word = client.get(f"/api/games/{name}/pass").json["word"]
    answer = client.get(f"/g/{name}?guest={word}", Cookie=None)
    assert (answer.status, answer.headers["Location"]) == (303, f"/g/{name}")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert client.token not in cookie
    guest = {"Cookie": cookie.partition(";")[0]}
    assert client.get(f"/g/{name}", **guest).status == 200
    assert client.get("/api/kinds", **guest).json["guest"]
    assert not client.get("/api/kinds").json["guest"]
    assert client.get("/api/lessons/gardar", **guest).status == 200
    assert client.get(f"/api/games/{name}/sgf", **guest).status == 200
    seat = {**guest, "Board_Seat": "s" * 40}
    assert client.post(f"/api/games/{name}/play", {"move": 12, "node": 0}, **seat).json == {}
    assert client.get("/", **guest).status == 200, "with a list of the games to return to"
    assert client.post(f"/api/games/{name}/discard", {}, **guest).json["refused"]
    for path in (f"/g/{other}", f"/api/games/{other}/sgf", "/api/puzzles", "/api/games"):
        assert client.get(path, **guest).status == 401
    assert client.get(f"/g/{other}?guest={word}", **guest).status == 401
    assert client.post("/api/games", NEW, **guest).status == 401


def test_a_seat_is_taken_once_and_its_secret_comes_with_requests(client: Client) -> None:
    """A seat is taken once, and moves from it need its secret."""
    mine, link, theirs = ("abc"[number] * 40 for number in range(3))
    name = client.new(seats=[None, "friend"], secret=mine, invitations=[None, link])

    def ask(action: str, fields: object, seat: str | None) -> Any:
        return client.post(f"/api/games/{name}/{action}", fields, Board_Seat=seat)

    move = {"move": 12, "node": 0}
    assert "only the two players" in ask("play", move, None).json["refused"]
    assert "only the two players" in ask("play", move, theirs).json["refused"]
    assert ask("play", move, "short").status == 400
    assert ask("take", {"word": link}, None).status == 400
    for _ in range(2):
        assert ask("take", {"word": link}, theirs).json == {}
    assert "another person" in ask("take", {"word": link}, "d" * 40).json["refused"]
    assert ask("play", move, theirs).json == {"refused": "it is the other's turn"}
    assert ask("play", move, mine).json == {}
    assert ask("play", {"move": 0, "node": 1}, theirs).json == {}
    assert client.moves(name) == (12, 0)


def test_the_rules_are_those_of_the_game(client: Client) -> None:
    """The rules page describes the game, including a pie that is still to be resolved."""
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
    """A lesson is found by its game, without a table; an unknown game gives 404."""
    assert len(client.get("/api/lessons/gardar").json["steps"]) == 5
    assert client.get("/api/lessons/go").status == 404


def test_the_page_is_not_sent_twice(client: Client) -> None:
    """A browser with an up-to-date copy of a file gets status 304."""
    answer = client.get("/static/main.js")
    again = client.get("/static/main.js", If_None_Match=answer.headers["ETag"])
    assert (again.status, again.body) == (304, b"")


def test_head_is_get_without_a_body(client: Client) -> None:
    """HEAD returns the headers of a file, and 404 for an event stream."""
    answer = client.ask("HEAD", "/static/main.js")
    assert (answer.status, answer.body) == (200, b"")
    assert client.ask("HEAD", f"/api/games/{client.new()}/events").status == 404


def test_puzzles_and_positions_are_told_without_a_table(client: Client) -> None:
    """Puzzles and set-up positions are served without opening a table."""
    games = client.get("/api/puzzles").json["games"]
    name = games[0]["puzzles"][0]["name"]
    puzzle = client.get(f"/api/puzzles/{name}").json
    assert puzzle["name"] == name
    told = client.post("/api/positions", {"link": puzzle["link"]}).json
    assert told["position"]["toMove"] == puzzle["toMove"]
    assert client.post("/api/positions", {"link": "game=linage&size=3&first=abba"}).json == {
        "refused": "a region has no line of 3 points",
        "about": [0],
    }
    assert client.get("/api/puzzles/linage-0").status == 404
    assert client.post("/api/positions", {}).status == 400


def test_pictures_of_a_game_are_asked_for_by_its_name(client: Client) -> None:
    """A game's positions are served as SVG, its moves as an animated GIF and as a page."""
    name = client.new()
    picture = client.get(f"/api/games/{name}/picture/0")
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert picture.body.startswith(b"<svg ")
    assert client.get(f"/api/games/{name}/picture/7").status == 404
    animation = client.get(f"/api/games/{name}/animation/0")
    assert animation.headers["Content-Type"] == "image/gif"
    assert b"GIF89a" in animation.body
    assert client.get(f"/api/games/{name}/animation/7").status == 404
    page = client.get(f"/api/games/{name}/page/0")
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert page.body.startswith(b"<!DOCTYPE html>")
    assert client.get(f"/api/games/{name}/page/7").status == 404
