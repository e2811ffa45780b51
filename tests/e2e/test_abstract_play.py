"""The bot against a site on the loopback: games are finished whatever happens on the way."""

import datetime
import json
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PrivateFormat
from cryptography.x509.oid import NameOID
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linage_bot.servers.abstract_play.position import PLAY_SECOND
from tests.e2e.abstract_play_site import BOT, SECRET, Bot, Game, Site
from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture
def bot(site, tmp_path) -> Iterator:
    """Makes bots; afterwards none of them may have shown a traceback or the secret."""
    bots = []

    def make(**keys) -> Bot:
        bots.append(Bot(site, tmp_path, **keys))
        return bots[-1]

    yield make
    for bot in bots:
        if bot.process.poll() is None:
            bot.signal(signal.SIGKILL)
        if not bot.process.stderr.closed:
            bot.wait()
        assert "Traceback" not in bot.log, bot.log
        assert "Error" not in bot.log, bot.log
        assert SECRET not in bot.log


def eventually(condition, bot=None) -> None:
    """Wait for what must come true, however busy the machine is."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, bot and bot.log[-3000:]
        time.sleep(0.02)


def all_branches(sizes) -> list[Game]:
    """The bot on both seats, both answers to the komi, on each size."""
    games = []
    for size in sizes:
        for number, (seat, pie, komi) in enumerate(
            [(1, PLAY_SECOND, ""), (1, "cell", ""), (2, "", "200"), (2, "", "-200")]
        ):
            variants = [] if size == 15 else [f"size-{size}"]
            games.append(Game(f"g{size}-{number}", variants, seat, pie, komi))
    return games


def check_whole(site: Site, games: list[Game]) -> None:
    """The bot sent one word for each of its plies, and only legal ones."""
    assert (site.counts["illegal"], site.counts["out of turn"]) == (0, 0)
    words: dict = {}
    for game, ply, word in site.sent:
        assert words.setdefault((game, ply), word) == word
    for game in games:
        if game.bot_seat == 2:
            assert (game.words[1] == PLAY_SECOND) == (game.words[0] == "200")
        assert game.position.transposed == (game.words[1] != PLAY_SECOND)


def test_whole_games_on_three_boards_in_both_branches_of_the_pie(site, bot):
    playing = bot()
    games = all_branches([11, 13, 15])
    for game in games:
        site.begin(game)
    eventually(lambda: all(game.over for game in games), playing)
    check_whole(site, games)
    assert len(site.sent) == site.counts["moves"]
    assert site.counts["token"] == 1
    playing.signal(signal.SIGTERM)
    assert playing.wait() == 0


def test_games_are_finished_whatever_is_lost_repeated_or_refused(site, bot):
    site.lost, site.repeated, site.troubled = 0.15, 0.3, 0.2
    site.token_seconds = 61  # used for a second
    playing = bot(recover_seconds=0.3)
    games = all_branches([11])
    for game in games:
        site.begin(game)
    eventually(lambda: all(game.over for game in games), playing)
    check_whole(site, games)
    assert all(site.counts[kind] for kind in ("inner", "outer", "expired", "dropped"))
    assert site.counts["token"] > 1


def test_no_message_shows_the_secret_even_if_the_site_quotes_it(site, bot):
    site.token_refused = True
    playing = bot()
    game = Game("g", ["size-11"], 1)
    site.begin(game)
    eventually(lambda: site.counts["token refused"] > 2, playing)
    site.token_refused = False
    eventually(lambda: game.over, playing)
    assert "no token: status 400" in playing.log


def test_an_answer_that_comes_after_the_reply_to_the_move_confuses_nobody(site, bot):
    site.reply_first = True
    playing = bot()
    games = all_branches([11])
    for game in games:
        site.begin(game)
    eventually(lambda: all(game.over for game in games), playing)
    check_whole(site, games)


def outlive(site, bot, seconds: float) -> None:
    playing = bot(recover_seconds=0.5)
    game = Game("g", ["size-11"], 1)
    site.begin(game)
    eventually(lambda: len(game.words) > 2, playing)
    site.dead = True
    eventually(lambda: site.counts["dead"] > 0, playing)
    time.sleep(seconds)
    site.dead = False
    eventually(lambda: game.over, playing)
    check_whole(site, [game])


def test_a_site_that_is_dead_for_a_while_is_outlived(site, bot):
    outlive(site, bot, 2)


@pytest.mark.slow
def test_a_site_that_is_dead_for_half_a_minute_is_outlived(site, bot):
    outlive(site, bot, 30)


def test_a_bot_killed_in_mid_game_goes_on_where_it_was(site, bot):
    site.troubled = 0.2  # so that words wait to be sent
    playing = bot(recover_seconds=1)
    games = all_branches([11])
    for game in games:
        site.begin(game)
    for kills in range(1, 5):
        eventually(lambda least=8 * kills: max(len(game.words) for game in games) > least, playing)
        playing.kill()
        playing.start()
    eventually(lambda: all(game.over for game in games), playing)
    check_whole(site, games)


def test_games_begun_while_the_bot_was_down_are_found_at_its_start(site, bot):
    games = all_branches([11])
    site.lost = 1.0
    for game in games:
        site.begin(game)
    site.lost = 0.0
    playing = bot()
    eventually(lambda: all(game.over for game in games), playing)
    check_whole(site, games)


def test_the_first_signal_lets_the_move_be_finished_and_sent(site, bot):
    playing = bot(play="seconds = 1.5")
    game = Game("g", ["size-11"], 1, words=["0", PLAY_SECOND, "b2", "c3"])
    site.begin(game)
    eventually(lambda: site.counts["games"] > 0, playing)
    playing.signal(signal.SIGINT)
    assert playing.wait() == 0
    assert [sent[1] for sent in site.sent] == [4]
    playing.start()
    eventually(lambda: len(site.sent) > 1, playing)


def test_the_second_signal_quits_at_once_and_nothing_is_lost(site, bot):
    playing = bot(play="seconds = 3600\nclock_share = 1.0")
    game = Game("g", ["size-11"], 1, words=["0", PLAY_SECOND, "b2", "c3"])
    site.begin(game)
    eventually(lambda: site.counts["games"] > 0, playing)
    playing.signal(signal.SIGTERM)
    eventually(lambda: "second signal" in playing.log, playing)
    playing.signal(signal.SIGTERM)
    assert playing.wait() == 130
    assert site.sent == []
    playing.file.write_text(playing.file.read_text().replace("seconds = 3600", "visits = 20"))
    site.lost = 1.0
    playing.start()
    eventually(lambda: len(site.sent) > 0, playing)
    assert site.sent[0][1] == 4


# --------------------------------------------------------------------- what is refused

MOVE = {"verb": "move", "metaGame": "linage", "variants": ["size-11"], "gameid": "x", "moves": []}


def test_unsigned_and_wrongly_signed_webhooks_get_401_and_no_work_is_done(site, bot):
    bot()
    body = json.dumps(MOVE).encode()
    good = site.signed(body)
    for name in good:
        assert site.post(body, {key: good[key] for key in good if key != name})[0] == 401
        assert site.post(body, {**good, name: good[name] + "0"})[0] == 401
        assert site.post(body, {**good, name: ""})[0] == 401
    other = Ed25519PrivateKey.generate()
    assert site.post(body, site.signed(body, key=other))[0] == 401
    for seconds in (-400, 400):
        assert site.post(body, site.signed(body, moment=time.time() + seconds))[0] == 401
    for place in range(0, len(body), 7):
        altered = body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :]
        assert site.post(altered, good)[0] == 401
    assert (site.sent, site.counts["token"]) == ([], 0)


def test_a_webhook_is_believed_once_even_after_a_restart(site, bot):
    playing = bot()
    body = json.dumps({**MOVE, "moves": [["x"]]}).encode()  # signed, but makes no sense
    for form in ("ms", "s"):
        headers = site.signed(body, form=form)
        assert [site.post(body, headers)[0] for _ in range(2)] == [400, 401]
        playing.kill()
        playing.start()
        assert site.post(body, headers)[0] == 401


@pytest.fixture(scope="module")
def idle(tmp_path_factory) -> Iterator[tuple[Site, Bot]]:
    """A bot without games."""
    site = Site()
    bot = Bot(site, tmp_path_factory.mktemp("idle"))
    yield site, bot
    bot.kill()
    site.close()
    assert "Traceback" not in bot.log, bot.log


def get(site: Site) -> object:
    with urllib.request.urlopen(site.bot_url, timeout=PATIENCE_SECONDS) as answer:
        return json.loads(answer.read())


def test_the_endpoint_says_that_it_is_operational(idle):
    assert get(idle[0]) == {"operational": True}


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
def test_signed_nonsense_gets_400(idle, body):
    site, _ = idle
    assert site.post(body, site.signed(body))[0] == 400
    assert get(site) == {"operational": True}


def raw(site: Site, data: bytes, end: bool = True) -> bytes:
    """What comes back for bytes sent as they are, and then perhaps nothing more."""
    port = int(site.bot_url.split(":")[2].split("/")[0])
    with socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS) as connection:
        answer = b""
        try:
            connection.sendall(data)
            if end:
                connection.shutdown(socket.SHUT_WR)
            while chunk := connection.recv(65536):
                answer += chunk
        except OSError:  # cut off
            pass
        return answer


@pytest.mark.parametrize("chunked", [False, True])
def test_bodies_of_more_than_a_mebibyte_are_cut_off(idle, chunked):
    site, _ = idle
    head = b"POST /hook HTTP/1.1\r\nHost: x\r\n"
    size = (1 << 20) + 1
    if chunked:
        data = head + b"Transfer-Encoding: chunked\r\n\r\n" + b"10000\r\n%b\r\n" % bytes(65536) * 30
    else:
        data = head + b"Content-Length: %d\r\n\r\n" % size + bytes(size)
    assert raw(site, data)[:12] in (b"HTTP/1.1 413", b"")
    assert get(site) == {"operational": True}


def test_other_paths_and_methods_are_turned_away(idle):
    site, _ = idle
    for line, status in ((b"GET /", 404), (b"PUT /hook", 405), (b"HEAD /hook", 200)):
        request = line + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        assert raw(site, request, end=False).startswith(b"HTTP/1.1 %d" % status)


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
fuzz = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@fuzz
@given(table=shaped | json_values)
def test_no_signed_shape_brings_the_endpoint_down(idle, table):
    site, bot = idle
    assert site.say(table) in (200, 202, 400)
    assert "Traceback" not in bot.log


@fuzz
@given(data=st.binary(max_size=300))
def test_no_signed_bytes_bring_the_endpoint_down(idle, data):
    site, _ = idle
    assert site.post(data, site.signed(data))[0] in (200, 202, 400)


@fuzz
@given(
    head=st.sampled_from([b"", b"POST /hook HTTP/1.1\r\n", b"GET /hook HTTP/1.1\r\nHost: x\r\n"]),
    data=st.binary(max_size=300),
    tail=st.sampled_from([b"", b"\r\n\r\n", b"\r\nContent-Type: multipart/form-data\r\n\r\n"]),
)
def test_no_bytes_at_all_bring_the_endpoint_down(idle, head, data, tail):
    site, bot = idle
    raw(site, head + data + tail)
    assert get(site) == {"operational": True}
    assert "Traceback" not in bot.log


# -------------------------------------------------------------------------------- TLS


def certificate(folder: Path) -> tuple[Path, Path]:
    """A key and a certificate that it signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    day = datetime.timedelta(days=1)
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .sign(key, hashes.SHA256())
    )
    files = folder / "key.pem", folder / "cert.pem"
    files[0].write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    files[1].write_bytes(made.public_bytes(Encoding.PEM))
    return files


def test_the_bot_can_end_tls_by_itself(site, bot, tmp_path):
    key, cert = certificate(tmp_path)
    listen = f"ssl:0:interface=127.0.0.1:privateKey={key}:certKey={cert}"
    playing = bot(listen=listen)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with urllib.request.urlopen(site.bot_url, context=context) as answer:
        assert json.loads(answer.read()) == {"operational": True}
    playing.kill()
    cert.write_text("no certificate")
    done = connect(playing.file, AP_SECRET=SECRET)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    cert.unlink()
    done = connect(playing.file, AP_SECRET=SECRET)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr


# ------------------------------------------------------------------------- challenges


def test_challenges_are_accepted_until_all_slots_are_taken(site, bot):
    playing = bot(challenges='games = 2\nsizes = [11]\nblocked = ["rude"]')
    assert site.invite(["size-13"]) == 400
    assert site.invite(["size-11"], challengers=["rude"]) == 400
    assert site.invite(["size-5"], metaGame="abande") == 400
    assert "refused: we do not play 'abande', only linage\n" in playing.log
    assert site.invite(["size-11"]) == 200
    assert site.invite(["size-11"]) == 200
    assert site.invite(["size-11"]) == 400
    playing.kill()
    playing.start()
    assert site.invite(["size-11"]) == 400  # it remembers
    game = Game("g", ["size-11"], 1, words=["0", PLAY_SECOND])
    site.begin(game)
    assert site.invite(["size-11"]) == 400  # a slot became a game
    assert playing.log.count("accepted") == 2
    assert "refused: 2 games are under way" in playing.log


# ---------------------------------------------------------------------- the command line


def connect(file: Path, **environment: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "linage_bot", "connect", "abstract-play", str(file)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        env={**ENVIRONMENT, **environment},
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def test_faults_of_the_user_are_told_in_one_line(bot, tmp_path):
    playing = bot()
    text = playing.file.read_text()
    file = tmp_path / "other.toml"

    def told(**environment: str) -> str:
        done = connect(file, **environment)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert SECRET not in done.stderr
        return done.stderr

    file.write_text(text)
    assert "AP_SECRET is not set" in told(AP_SECRET="")
    assert "another bot is at work on it" in told(AP_SECRET=SECRET)
    file.write_text(text.replace("state.sqlite", "new.sqlite").replace("tcp:0:", "tpc:0:"))
    assert "listen" in told(AP_SECRET=SECRET)
    file.write_text(text.replace("client_id", "cliend_id"))
    assert "did you mean" in told(AP_SECRET=SECRET)
    file.write_text(text.replace("ssh-ed25519", "ssh-rsa"))
    assert "site.public_key" in told(AP_SECRET=SECRET)
    assert connect(tmp_path / "none.toml").returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="no limits for processes")
def test_a_full_disk_at_the_start_is_one_line_and_status_1(bot, tmp_path):
    """So that a service manager tries again until there is room."""
    import resource

    text = bot().file.read_text()
    file = tmp_path / "other.toml"
    file.write_text(text.replace("state.sqlite", "new.sqlite"))
    process = subprocess.Popen(
        [sys.executable, "-m", "linage_bot", "connect", "abstract-play", str(file)],
        env={**ENVIRONMENT, "AP_SECRET": SECRET},
        stderr=subprocess.PIPE,
        text=True,
    )
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, 0))
    _, log = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 1
    assert f"{file}: state: " in log
    assert log.count("\n") == 1


def test_the_engine_on_stdin_starts_without_what_only_servers_need():
    command = [sys.executable, "-X", "importtime", "-m", "linage_bot", "gtp"]
    done = subprocess.run(
        command, input=b"name\n", capture_output=True, env=ENVIRONMENT, check=True
    )
    assert done.stdout == b"= linage-bot\n\n"
    modules = {line.split(b"|")[-1].strip().split(b".")[0] for line in done.stderr.splitlines()}
    assert b"twisted" in modules
    assert not modules & {b"treq", b"cryptography", b"sqlite3"}


def test_players_are_told_apart_by_their_ids(site, bot):
    """A game of two others in the list is none of our business."""
    playing = bot(recover_seconds=0.1)
    game = Game("theirs", ["size-11"], 1)
    site.games[game.id] = game
    site.current = lambda: [
        {"id": "theirs", "metaGame": "linage", "players": [{"id": "a"}, {"id": BOT + "x"}],
         "toMove": "0", "numMoves": 0, "variants": ["size-11"]},
        {"id": 5}, "nonsense",
    ]  # fmt: skip
    eventually(lambda: site.counts["games"] > 3, playing)
    assert (site.counts["get_game"], site.sent) == (0, [])
