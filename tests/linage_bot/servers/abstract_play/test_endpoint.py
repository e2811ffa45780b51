"""The responses of the bot's endpoint, byte for byte, without a socket."""

import base64
import itertools
import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.internet.testing import StringTransport

from linage_bot.servers.abstract_play.endpoint import Endpoint, web_site
from linage_bot.servers.abstract_play.payloads import Challenge, MoveWanted
from linage_bot.servers.abstract_play.signatures import Verifier
from linage_bot.servers.abstract_play.store import BotStore

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
NOW = 1_800_000_000.0
MOVE = {"verb": "move", "metaGame": "linage", "variants": ["size-11"], "gameid": "x", "moves": []}
CHALLENGE = {
    "verb": "challenge",
    "metaGame": "linage",
    "variants": ["size-11"],
    "clockStart": 72,
    "clockInc": 24,
    "clockMax": 240,
    "challengers": ["human-3"],
}
_nonces = itertools.count()


def signed(body: bytes, moment: float = NOW, key: Ed25519PrivateKey = KEY) -> dict[str, str]:
    """Return the headers of a signed webhook."""
    stamp, nonce = str(int(moment * 1000)), f"nonce-{next(_nonces)}"
    signature = key.sign(f"{stamp}.{nonce}.".encode() + body)
    return {
        "X-Signature-Timestamp": stamp,
        "X-Signature-Nonce": nonce,
        "X-Signature": base64.b64encode(signature).decode(),
    }


class Server:
    """The endpoint behind HTTP; accepted requests are in `taken`."""

    def __init__(self, path: Path) -> None:
        self.store = BotStore(path)
        self.taken: list[Challenge | MoveWanted] = []
        self.reason: str | None = None
        verifier = Verifier(KEY.public_key(), self.store.use)
        endpoint = Endpoint("/hook", verifier, self._take, self._take, lambda: NOW)
        self._site = web_site(endpoint)

    def _take(self, webhook: Challenge | MoveWanted) -> str | None:
        if isinstance(webhook, MoveWanted):
            webhook.position()
        self.taken.append(webhook)
        return self.reason

    def raw(self, data: bytes) -> bytes:
        """Send raw bytes and return the response."""
        channel, transport = self._site.buildProtocol(None), StringTransport()
        channel.makeConnection(transport)
        channel.dataReceived(data)
        channel.connectionLost(None)
        return transport.value()

    def post(self, body: bytes, headers: dict[str, str]) -> tuple[int, dict]:
        """Post a webhook. Return the response's status and JSON."""
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = f"POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n{lines}\r\n"
        answer = self.raw(head.encode() + body)
        head, _, rest = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), json.loads(rest)

    def say(self, table: object) -> tuple[int, dict]:
        body = json.dumps(table).encode()
        return self.post(body, signed(body))

    @property
    def operational(self) -> bool:
        answer = self.raw(b"GET /hook HTTP/1.1\r\nHost: x\r\n\r\n")
        return answer.startswith(b"HTTP/1.1 200") and b'{"operational": true}' in answer


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("endpoint") / "state")
    yield server
    server.store.close()


@pytest.fixture
def fresh(server):
    """The shared server with an empty record of requests."""
    server.taken.clear()
    server.reason = None
    return server


def test_a_turn_is_taken_up(fresh):
    """A webhook for a new turn is accepted, and the response says that a move will come."""
    assert fresh.say(MOVE) == (202, {"message": "a move will come"})
    assert fresh.taken == [MoveWanted("x", ("size-11",), ())]


def test_a_turn_that_is_known_is_answered_well_too(fresh):
    """A webhook for a known turn is accepted too, so that the site does not repeat it."""
    fresh.reason = "ply 0 is known"
    assert fresh.say(MOVE) == (202, {"message": "ply 0 is known"})


def test_a_challenge_is_accepted_or_refused_with_the_reason(fresh):
    """A challenge is accepted, or refused with a reason for the challenger."""
    assert fresh.say(CHALLENGE)[0] == 200
    assert fresh.taken[0].challengers == ("human-3",)
    fresh.reason = "2 games are in progress, the limit of the setting `games`"
    assert fresh.say(CHALLENGE) == (
        400,
        {"message": "2 games are in progress, the limit of the setting `games`"},
    )


def test_unsigned_and_wrongly_signed_webhooks_get_401_and_no_work_is_done(fresh):
    """Unsigned or wrongly signed webhooks get status 401 and start no search."""
    body = json.dumps(MOVE).encode()
    good = signed(body)
    for name in good:
        for headers in (
            {key: good[key] for key in good if key != name},
            {**good, name: good[name] + "0"},
            {**good, name: ""},
            {**good, name.lower(): good[name]},  # twice
        ):
            assert fresh.post(body, headers)[0] == 401
    assert fresh.post(body, signed(body, key=Ed25519PrivateKey.generate()))[0] == 401
    for seconds in (-400, 400):
        assert fresh.post(body, signed(body, NOW + seconds))[0] == 401
    for place in range(0, len(body), 7):
        altered = body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :]
        assert fresh.post(altered, good)[0] == 401
    assert fresh.taken == []


def test_a_webhook_is_believed_once_even_after_a_restart(tmp_path):
    """A webhook is accepted only once, even after a restart."""
    server = Server(tmp_path / "state")
    body = json.dumps({**MOVE, "moves": [["x"]]}).encode()  # signed, but makes no sense
    headers = signed(body)
    assert [server.post(body, headers)[0] for _ in range(2)] == [400, 401]
    server.store.close()
    server = Server(tmp_path / "state")
    assert server.post(body, headers)[0] == 401
    server.store.close()


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'"move"', b"\xff\xfe", b"[" * 100_000, b"1" * 5000,
     json.dumps({**MOVE, "verb": "dance"}).encode(),
     json.dumps({**MOVE, "verb": 5}).encode(),
     json.dumps({**MOVE, "metaGame": "go"}).encode(),
     json.dumps({**MOVE, "numPlayers": 3}).encode(),
     json.dumps({**MOVE, "variants": ["hex"]}).encode(),
     json.dumps({**MOVE, "variants": "size-11"}).encode(),
     json.dumps({**MOVE, "gameid": ""}).encode(),
     json.dumps({**MOVE, "moves": None}).encode(),
     json.dumps({**MOVE, "moves": [[1]]}).encode(),
     json.dumps({**MOVE, "clockCurr": "soon"}).encode(),
     json.dumps({"verb": "challenge", "metaGame": "linage", "variants": []}).encode()],
    ids=lambda body: body[:40].decode("latin-1"),
)  # fmt: skip
def test_signed_nonsense_gets_400(fresh, body):
    """A signed webhook without sense gets status 400 and changes nothing."""
    assert fresh.post(body, signed(body))[0] == 400
    assert fresh.taken == []
    assert fresh.operational


@pytest.mark.parametrize("chunked", [False, True])
def test_bodies_of_more_than_a_mebibyte_are_cut_off(fresh, chunked):
    """A body of more than a mebibyte gets status 413, with or without a length header."""
    head = b"POST /hook HTTP/1.1\r\nHost: x\r\n"
    size = (1 << 20) + 1
    if chunked:
        data = head + b"Transfer-Encoding: chunked\r\n\r\n" + b"10000\r\n%b\r\n" % bytes(65536) * 30
    else:
        data = head + b"Content-Length: %d\r\n\r\n" % size + bytes(size)
    assert fresh.raw(data).startswith(b"HTTP/1.1 413 ")
    assert fresh.operational


@pytest.mark.parametrize(
    ("line", "status"), [(b"GET /", 404), (b"PUT /hook", 405), (b"HEAD /hook", 200)]
)
def test_other_paths_and_methods_are_turned_away(fresh, line, status):
    """Other paths and methods are refused with the fitting status."""
    answer = fresh.raw(line + b" HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 %d" % status)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)
shaped = st.fixed_dictionaries(
    {},
    optional={
        "verb": st.sampled_from(["move", "challenge"]) | json_values,
        "metaGame": st.just("linage") | json_values,
        "variants": st.lists(st.sampled_from(["size-11", "line-2", "x"])) | json_values,
        "gameid": st.text(min_size=1) | json_values,
        "numPlayers": st.just(2) | json_values,
        "clockCurr": json_values,
        "clockStart": st.just(72) | json_values,
        "clockInc": st.just(72) | json_values,
        "clockMax": st.just(72) | json_values,
        "challengers": st.lists(st.text()) | json_values,
        "moves": json_values,
    },
)
fuzz = settings(deadline=None)


@fuzz
@given(table=shaped | json_values)
def test_no_signed_shape_brings_the_endpoint_down(server, table):
    """Signed JSON of any shape gets a proper response."""
    assert server.say(table)[0] in (200, 202, 400)


@fuzz
@given(data=st.binary(max_size=300))
def test_no_signed_bytes_bring_the_endpoint_down(server, data):
    """Signed bytes of any kind get a proper response."""
    assert server.post(data, signed(data))[0] in (200, 202, 400)


@fuzz
@given(
    head=st.sampled_from([b"", b"POST /hook HTTP/1.1\r\n", b"GET /hook HTTP/1.1\r\nHost: x\r\n"]),
    data=st.binary(max_size=300),
    tail=st.sampled_from([b"", b"\r\n\r\n", b"\r\nContent-Type: multipart/form-data\r\n\r\n"]),
)
def test_no_bytes_at_all_bring_the_endpoint_down(server, head, data, tail):
    """No input on the port stops the endpoint."""
    server.raw(head + data + tail)
    assert server.operational
