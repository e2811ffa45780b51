"""The client for the site's API, without a network."""

import json
from urllib.parse import parse_qs

import pytest
from treq.testing import StubTreq
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock
from twisted.web.resource import Resource
from twisted.web.server import NOT_DONE_YET

from linage_bot.servers.abstract_play.settings import SiteSettings
from linage_bot.servers.abstract_play.site import Refusal, SiteClient, Unreachable
from linage_bot.settings.checks import Secret
from tests.linage_bot.servers.abstract_play.test_bot import KEY

SECRET = "s3cret-of-the-bot"
SETTINGS = SiteSettings(
    token_url="http://site/token",
    scope="play",
    query_url="http://site/query",
    move_url="http://site/bot",
    public_key=KEY,
    client_id="bot-7",
    client_secret_env="SECRET",
)
Answer = tuple[int, bytes] | int  # a status, perhaps with a body; NOT_DONE_YET: no response


class World(Resource):
    """A site with preset responses, and the client that calls it."""

    isLeaf = True  # noqa: N815

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.http = StubTreq(self)
        self.client = SiteClient(self.clock, SETTINGS, Secret(SECRET), self.http)
        self.token: Answer = (200, b'{"access_token": "t", "expires_in": 3600}')
        self.answers: list[Answer] = []
        self.cookie: bytes | None = None  # sent with every response
        self.asked: list[tuple[str, str | None, dict]] = []  # path, token and body or query

    def render(self, request) -> bytes | int:
        path, body = request.path.decode(), request.content.read()
        if path == "/token":
            self.asked.append((path, None, parse_qs(body.decode())))
            answer = self.token
        else:
            asked = json.loads(body) if body else parse_qs(request.uri.decode().partition("?")[2])
            self.asked.append((path, request.getHeader("Authorization"), asked))
            answer = self.answers.pop(0) if self.answers else (200, b"{}")
        if answer is NOT_DONE_YET:
            return NOT_DONE_YET
        status, data = answer
        request.setResponseCode(status)
        if self.cookie is not None:
            request.setHeader(b"Set-Cookie", self.cookie)
        return data

    def result(self, coroutine) -> object:
        """Return the client's result, or raise its error."""
        results: list[object] = []
        deferred = Deferred.fromCoroutine(coroutine)
        deferred.addCallbacks(results.append, lambda failure: results.append(failure.value))
        self.http.flush()
        if not results:
            self.clock.advance(SETTINGS.timeout_seconds)
        (result,) = results
        if isinstance(result, Exception):
            raise result
        return result

    def move(self) -> None:
        self.result(self.client.move("g", "b2"))


@pytest.fixture
def world():
    return World()


def test_a_move_is_sent_with_a_token_that_was_asked_for_with_the_secret(world):
    """A move is sent with a token; the secret goes to the token's address only."""
    world.move()
    form = {"grant_type": ["client_credentials"], "client_id": ["bot-7"], "scope": ["play"]}
    body = {"verb": "move", "gameid": "g", "metaGame": "linage", "move": "b2"}
    assert world.asked == [
        ("/token", None, {**form, "client_secret": [SECRET]}),
        ("/bot", "Bearer t", body),
    ]


def test_a_token_is_used_until_a_minute_before_it_expires(world):
    """A token is used until a minute before it expires."""
    world.move()
    world.clock.advance(3539)
    world.move()
    assert [path for path, *_ in world.asked].count("/token") == 1
    world.clock.advance(2)
    world.move()
    assert [path for path, *_ in world.asked].count("/token") == 2


def test_a_token_that_is_no_longer_taken_is_replaced_once(world):
    """A rejected token is replaced once; after a second rejection the move waits."""
    world.answers = [(401, b""), (200, b"{}")]
    world.move()
    assert [path for path, *_ in world.asked] == ["/token", "/bot"] * 2
    world.answers = [(401, b""), (401, b"")]
    with pytest.raises(Unreachable, match="tokens"):
        world.move()


@pytest.mark.parametrize(
    "answer",
    [(400, SECRET.encode()), (500, SECRET.encode()), (200, b"{}"), (200, b"[]"), (200, b"<html>"),
     (200, json.dumps({"access_token": SECRET + " "}).encode())],
)  # fmt: skip
def test_without_a_token_no_move_is_sent_and_no_message_shows_the_secret(world, answer):
    """Without a token no move is sent, and no error message contains the secret."""
    world.token = answer
    with pytest.raises(Unreachable) as caught:
        world.move()
    if answer[0] != 500:  # other errors quote nothing of ours
        assert SECRET not in str(caught.value)
    assert [path for path, *_ in world.asked] == ["/token"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((503, b"come back later"), "status 503: 'come back later'"),
        ((429, b""), "status 429"),
        ((302, b""), "status 302"),
        ((200, b"x" * ((16 << 20) + 1)), "too long: 16777217 bytes"),
        (NOT_DONE_YET, "no response in time"),
    ],
    ids=["error", "too many", "redirect", "too long", "none"],
)
def test_what_may_be_better_later_is_tried_again(world, answer, words):
    """A temporary failure of the site or the network is reported as one that may be retried."""
    world.answers = [answer]
    with pytest.raises(Unreachable, match=words):
        world.move()


def test_an_answer_whose_headers_are_garbage_is_as_good_as_none(world):
    """A response with invalid headers counts as no response."""
    world.move()
    world.cookie = b"a=\xff"
    with pytest.raises(Unreachable):
        world.move()


@pytest.mark.parametrize(
    ("answer", "words", "for_good"),
    [
        ((400, b'{"message": "not your turn"}'), "status 400: 'not your turn'", True),
        ((200, b'{"statusCode": 400, "body": "no"}'), "status 400: 'no'", True),
        ((200, b'{"statusCode": "500", "body": "asleep"}'), "status 500: 'asleep'", False),
    ],
)
def test_a_refusal_is_told_wherever_the_site_hides_it(world, answer, words, for_good):
    """A refusal is recognised by its status or by the body of a success."""
    world.answers = [answer]
    with pytest.raises(Refusal, match=words) as caught:
        world.move()
    assert caught.value.for_good is for_good


def test_games_are_asked_for_without_a_token(world):
    """The list of games is fetched without a token, and invalid entries are left out."""
    line = {
        "id": "g",
        "metaGame": "linage",
        "players": [{"id": "bot-7", "time_ms": 3_600_000}, {"id": "human-3"}],
        "toMove": "0",
        "variants": ["size-11"],
    }
    world.answers = [(200, json.dumps([line, {"id": 5}, "nonsense"]).encode())]
    (game,) = world.result(world.client.current_games())
    assert (game.players, game.to_move, game.hours) == (("bot-7", "human-3"), 1, (1.0, None))
    asked = {"query": ["games"], "metaGame": ["linage"], "type": ["current"]}
    assert world.asked == [("/query", None, asked)]


def test_an_answer_that_makes_no_sense_is_no_game(world):
    """An invalid response counts as no response."""
    world.answers = [(200, b'{"game": {"state": "nonsense"}}')]
    with pytest.raises(Unreachable, match="is invalid"):
        world.result(world.client.game("g"))
