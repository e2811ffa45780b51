"""The server's web pages: contents, headers and errors."""

import html
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import attrs
import pytest
from twisted.internet.testing import StringTransport

from linage_bot.drawing.html import SCRIPT
from linage_bot.records.reading import from_sgf
from linage_bot.rules import GAMES
from linage_bot.servers.cgos_client.settings import ClientSettings
from linage_bot.servers.cgos_server import passwords
from linage_bot.servers.cgos_server.settings import LimitSettings
from linage_bot.servers.cgos_server.web import web_site
from linage_bot.settings.reading import load
from tests.linage_bot.servers.cgos_server.world import SETTINGS, World, finish

STANDING = '<a href="/players/anna">anna</a>'
VOID = {"meta", "link", "br"}


def send(world: World, request: bytes) -> bytes:
    """Send bytes to the web site and return the response."""
    channel = web_site(world.server.lobby).buildProtocol(None)
    transport = StringTransport()
    channel.makeConnection(transport)
    channel.dataReceived(request)
    return transport.value()


def ask(world: World, path: str, method: str = "GET") -> tuple[int, dict[str, str], str]:
    """Return a response's status, headers and body."""
    request = f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    head, _, body = send(world, request.encode("latin-1")).partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    return int(status.split()[1]), headers, body.decode()


class Checker(HTMLParser):
    """A parser that checks the nesting of elements and collects links."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        self.links += [value for name, value in attrs if name == "href"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def links(text: str) -> list[str]:
    """Return all links of a page after checking its nesting."""
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    return checker.links


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Iterator[World]:
    """A world with two finished games and a third in progress."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_COST", 2)
        world = _with_games(World(tmp_path_factory.mktemp("played")))
    yield world
    world.store.close()


def _with_games(world: World) -> World:
    first, second = world.begin()
    finish(world, first, second)
    first.say("ready"), second.say("ready")
    world.pair()
    first.say("resign"), second.say("resign")
    world.player("eva").hang_up()
    carl, dora = world.begin("carl", "dora")
    carl.say('C3 {"winrate": 0.75, "comment": "<b>good</b>"}')
    dora.say("A1")
    return world


def test_a_number_beyond_all_measure_does_not_take_the_page_away(tmp_path, monkeypatch):
    """A huge number in a player's analysis does not break the page."""
    monkeypatch.setattr(passwords, "_COST", 2)
    world = World(tmp_path)
    first, _ = world.begin()
    first.say(f'C3 {{"winrate": 1{"0" * 400}, "score": -1{"0" * 400}, "visits": 7}}')
    status, _, body = ask(world, "/games/1/1")
    assert status == 200
    assert ">7 visits</dd>" in body


def test_every_link_leads_somewhere(played):
    """Every link on the pages leads to an existing, well-formed page."""
    seen, waiting = set(), ["/"]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            status, headers, body = ask(played, path)
            assert status == 200, path
            if headers["Content-Type"].startswith("text/html"):
                waiting += links(body)
    assert {"/", "/crosstable", "/games", "/games/1.sgf", "/games/3/1", "/players/dora"} <= seen


def test_the_front_page_has_standings_and_live_games(played):
    """The front page shows the rules, the standings and the live games."""
    _, _, body = ask(played, "/")
    assert "Linage 5x5, komi 0.5" in body
    assert body.count(STANDING) >= 2
    assert '<a href="/games/3">3</a>' in body
    assert '<meta http-equiv="refresh"' in body


def test_the_front_page_has_a_file_with_which_an_engine_connects(played, tmp_path, monkeypatch):
    """A client reads the file on the page: the server's address, a name and a command."""
    assert "Connect an engine" not in ask(played, "/")[2]  # nobody can connect to port 0
    settings = played.server.lobby.settings
    with_port = attrs.evolve(settings, listen="tcp:6867:interface=0.0.0.0")
    monkeypatch.setattr(played.server.lobby, "settings", with_port)
    body = ask(played, "/")[2]
    assert "first login registers" in body
    file = tmp_path / "cgos.toml"
    file.write_text(html.unescape(re.search("<pre[^>]*>(.*)</pre>", body, re.DOTALL)[1]))
    client = load(file, ClientSettings)
    assert client.servers["cgos"].address == "tcp:HOST:6867"
    assert [player.name for player in client.players] == ["NAME"]
    assert client.engines["mine"].command == "my-engine --gtp"
    closed = attrs.evolve(with_port, limits=LimitSettings(registrations_per_hour=0))
    monkeypatch.setattr(played.server.lobby, "settings", closed)
    assert "first login registers" not in ask(played, "/")[2]


def test_the_cross_table_adds_up_both_games(played):
    """The cross table adds up the results, with half a point for a draw."""
    _, _, body = ask(played, "/crosstable")
    results = [played.store.game(number) for number in (1, 2)]
    points = sum(
        0.5 if row.winner is None else (row.first, row.second)[row.winner] == "anna"
        for row in results
    )
    assert f"<td>{points:g}/2</td>" in body
    assert f"<td>{2 - points:g}/2</td>" in body


def test_a_game_can_be_stepped_through(played):
    """Each position of a game has a page of its own."""
    moves = played.store.moves(1)
    for ply in range(len(moves) + 1):
        status, _, body = ask(played, f"/games/1/{ply}")
        assert status == 200
        assert body.count("<circle") >= ply - sum(move.move == "pass" for move in moves[:ply])
    assert ask(played, f"/games/1/{len(moves) + 1}")[0] == 404


def test_a_live_game_shows_its_last_position_and_what_the_player_thought(played):
    """A live game shows its last position and the players' analysis as plain text."""
    _, _, body = ask(played, "/games/3/1")
    assert "Win rate 75%" in body
    assert "&lt;b&gt;good&lt;/b&gt;" in body
    _, _, body = ask(played, "/games/3")
    assert "being played" in body
    assert '<meta http-equiv="refresh"' in body
    assert body.count("<circle") >= 2


def steps(body: str) -> dict:
    """Return the data of the viewer on a page."""
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', body)[1])


def test_the_viewer_is_told_the_whole_game_with_clocks_and_opinions(played):
    """Every page of a game contains the whole game with clocks and analysis for the viewer."""
    told = steps(ask(played, "/games/3/1")[2])
    assert told == steps(ask(played, "/games/3")[2])
    row = played.store.game(3)
    assert told["words"] == [
        "The start",
        f"1. {row.first} (Vertical): C3",
        f"2. {row.second} (Horizontal): A1",
    ]
    assert told["notes"]["0"] == f"{row.first} has 0:10 left, {row.second} 0:10"
    assert told["notes"]["1"].endswith("Win rate 75%\n<b>good</b>")
    assert told["changes"][1] == [12, 1]


def test_a_live_game_is_looked_at_again_with_the_script_and_without(played):
    """A live game's page refreshes itself, with or without the script."""
    live, over = (ask(played, path)[2] for path in ("/games/3", "/games/1"))
    assert '<noscript><meta http-equiv="refresh" content="10"></noscript>' in live
    assert 'data-refresh="10"' in live
    assert "refresh" not in over
    assert "http-equiv" not in ask(played, "/games/3/1")[2]


def test_the_script_is_ours_alone(played):
    """The only script is the viewer from this server."""
    status, headers, body = ask(played, "/viewer.js")
    assert (status, headers["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert body == SCRIPT
    assert re.findall("<script [^>]*src=[^>]*>", ask(played, "/games/1")[2]) == [
        '<script type="module" src="/viewer.js">'
    ]


def test_a_player_has_a_rating_graph(played):
    """A player's page shows a graph of ratings, if the player has one."""
    _, _, body = ask(played, "/players/anna")
    assert re.search(r'aria-label="Rating of anna over 2 games: 1500 at first, \d+\? now', body)
    assert "before game 2: 1" in body
    assert "<h2>Rating</h2>" not in ask(played, "/players/eva")[2]


def test_a_record_can_be_downloaded_finished_or_not(played):
    """A record can be downloaded during and after the game."""
    status, headers, body = ask(played, "/games/1.sgf")
    assert (status, headers["Content-Type"]) == (200, "application/x-go-sgf; charset=utf-8")
    assert headers["Content-Disposition"] == 'attachment; filename="1.sgf"'
    record = from_sgf(body.encode())
    assert len(record.moves) == len(played.store.moves(1))
    assert from_sgf(ask(played, "/games/3.sgf")[2].encode()).result is None


def test_the_pages_and_their_boards_are_dark_where_that_is_wanted(played):
    """Pages and boards have a dark palette."""
    style = ask(played, "/style.css")[2]
    page, _, board = style.partition(".lb-")
    assert page.count("prefers-color-scheme: dark") == 1
    assert "color-scheme: light dark" in page
    assert "f-free{fill:" in board
    assert style.count("{") == style.count("}")


def test_headers_forbid_foreign_scripts_frames_and_guessing(played):
    """Every response has the security headers, including errors and records."""
    for path in ("/", "/nothing", "/games/1", "/games/1.sgf", "/style.css", "/status"):
        _, headers, _ = ask(played, path)
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "script-src 'self';" in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    ["/nothing", "/games/", "/games/0", "/games/99", "/games/-1", "/games/1/x", "/games/1/01",
     "/games/1.sgf/", "/games/99.sgf", "/games?before=x", "/games?before=1&x=2", "/players/nobody",
     "/players/", "/players/<script>", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//",
     "/games/1/../../etc/passwd", "/style.css/..", "/sgf/2026/01/31/1.sgf", "/server.sqlite",
     "/games/%31", "/" + "a" * 5000, "/games/" + "9" * 15,],
)  # fmt: skip
def test_what_is_not_there_is_404_and_nothing_of_the_path_is_repeated(played, path):
    """An unknown page gives status 404 and does not repeat the path."""
    status, headers, body = ask(played, path)
    assert status == 404
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert "This page does not exist" in body
    assert "passwd" not in body
    assert "<script" not in body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_only_reading_is_allowed(world, method):
    """Methods other than GET and HEAD are refused."""
    status, headers, _ = ask(world, "/", method)
    assert (status, headers["Allow"]) == (405, "GET, HEAD")


def test_a_long_body_is_refused_before_it_has_come(world):
    """A request with a huge body is refused before the body arrives."""
    request = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000000\r\n\r\n"
    assert send(world, request).startswith(b"HTTP/1.1 413 ")


def test_head_has_no_body(world):
    """HEAD returns the headers only, with the length of the body."""
    status, headers, body = ask(world, "/", "HEAD")
    assert (status, body) == (200, "")
    assert int(headers["Content-Length"]) > 0


def test_the_pages_of_an_empty_server(world):
    """The pages of a server without games say so."""
    for path in ("/", "/crosstable", "/games"):
        status, _, body = ask(world, path)
        assert status == 200
        links(body)
    assert "No game is finished yet." in ask(world, "/")[2]


def test_many_games_fill_several_pages(world):
    """A long list of games is split into linked pages."""
    first, second = world.begin()
    for number in range(1, 102):
        (first if world.store.game(number).first == first.session._name else second).say("resign")
        first.say("ready"), second.say("ready")
        world.seconds += 60
        world.pair()
    _, _, body = ask(world, "/games")
    assert '<a href="/games?before=2">Earlier games</a>' in body
    assert "Earlier" not in ask(world, "/games?before=2")[2]


def test_the_status_tells_how_quick_the_server_is(played):
    """The status page shows players, games and the response times of moves."""
    status, _, body = ask(played, "/status")
    assert status == 200
    assert body.startswith("4 players, 1 games; ")
    assert "99 % within" in body


@pytest.mark.parametrize("game", GAMES)
def test_the_pages_of_every_game(tmp_path, game):
    """The pages and records work for every game."""
    size = "2" if game == "gardar" else "5"  # where stones are taken games of random moves are long
    text = SETTINGS.replace("size = 5", f'size = {size}\nid = "{game}"')
    if game == "linage-parity":
        text = text.replace("[clock]", "[game.options]\nn = 2\n[clock]")
    world = World(tmp_path, text)
    first, second = world.begin()
    finish(world, first, second)
    assert world.store.game(1).ending == "score"
    for path in ("/", "/games/1", "/games/1/0", "/games/1/3", "/crosstable"):
        status, _, body = ask(world, path)
        assert status == 200
        links(body)
    assert from_sgf(ask(world, "/games/1.sgf")[2].encode()).game == world.game
