"""The bot against a local site: games are finished in spite of any failure."""

import json
import signal
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from linage_bot.servers.abstract_play.position import PLAY_SECOND
from tests.e2e.abstract_play_site import SECRET, Bot, Game, Site
from tests.e2e.certificates import certificate
from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS
from tests.e2e.processes import workers_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture
def bot(site, tmp_path) -> Iterator:
    """Yield a maker of bots; check at the end that no log shows a traceback or the secret."""
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
    """Wait until `condition` is true, with patience for a busy machine."""
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


@pytest.mark.thorough
def test_whole_games_on_three_boards_in_both_branches_of_the_pie(site, bot):
    """The bot sends each move once, all of them legal, and uses one token for six games."""
    playing = bot()
    games = all_branches([11])
    games += [all_branches([13])[0], all_branches([15])[-1]]
    for game in games:
        site.begin(game)
    eventually(lambda: all(game.over for game in games), playing)
    check_whole(site, games)
    assert len(site.sent) == site.counts["moves"]
    assert site.counts["token"] == 1
    playing.signal(signal.SIGTERM)
    assert playing.wait() == 0


@pytest.mark.thorough
def test_games_are_thought_about_on_a_cluster_whose_workers_die(site, bot):
    """Several at once, to the end; no word is lost, and none is sent twice."""
    pytest.importorskip("distributed", reason="needs the extra `cluster`")
    playing = bot(options=("--cluster", "local", "--workers", "2"))
    games = all_branches([7])
    for game in games:
        site.begin(game)
    eventually(lambda: len(site.sent) > 8, playing)
    worker = workers_of(playing.process)[0]
    worker.kill()
    eventually(lambda: all(game.over for game in games), playing)
    check_whole(site, games)
    assert len(site.sent) == site.counts["moves"]
    playing.signal(signal.SIGTERM)
    assert playing.wait() == 0


@pytest.mark.thorough
def test_games_are_finished_whatever_is_lost_repeated_or_refused(site, bot):
    """A word that has to be sent again is the same word; the bot never changes its mind."""
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


@pytest.mark.thorough
def test_a_bot_killed_in_mid_game_goes_on_where_it_was(site, bot):
    """Four SIGKILLs while moves are unsent: every game ends, and no move sent is taken back."""
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


@pytest.mark.thorough
def test_the_first_signal_lets_the_move_be_finished_and_sent(site, bot):
    """The bot finishes its move and exits with status 0; a new one continues the game."""
    playing = bot(play="seconds = 1.5")
    game = Game("g", ["size-11"], 1, words=["0", PLAY_SECOND, "b2", "c3"])
    site.begin(game)
    eventually(lambda: site.counts["games"] > 0, playing)
    playing.signal(signal.SIGINT)
    assert playing.wait() == 0
    assert [sent[1] for sent in site.sent] == [4]
    playing.start()
    eventually(lambda: len(site.sent) > 1, playing)


@pytest.mark.thorough
def test_the_second_signal_quits_at_once_and_nothing_is_lost(site, bot):
    """Status 130 amid an hour's search; the next start makes that move without being asked."""
    playing = bot(play="seconds = 3600\nclock_share = 1.0")
    game = Game("g", ["size-11"], 1, words=["0", PLAY_SECOND, "b2", "c3"])
    site.begin(game)
    eventually(lambda: site.counts["games"] > 0, playing)
    playing.signal(signal.SIGTERM)
    eventually(lambda: "again to stop at once" in playing.log, playing)
    playing.signal(signal.SIGTERM)
    assert playing.wait() == 130
    assert site.sent == []
    playing.file.write_text(playing.file.read_text().replace("seconds = 3600", "visits = 20"))
    site.lost = 1.0
    playing.start()
    eventually(lambda: len(site.sent) > 0, playing)
    assert site.sent[0][1] == 4


# -------------------------------------------------------------------------------- TLS


@pytest.mark.thorough
def test_the_bot_can_end_tls_by_itself(site, bot, tmp_path):
    """No proxy is needed; a certificate that is broken or missing is one line and status 2."""
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


@pytest.mark.thorough
def test_faults_of_the_user_are_told_in_one_line(bot, tmp_path):
    """A missing secret, a state in use, a bad endpoint or key; the secret itself is never shown."""
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
    assert "another bot is using it" in told(AP_SECRET=SECRET)
    file.write_text(text.replace("state.sqlite", "new.sqlite").replace("tcp:0:", "tpc:0:"))
    assert "listen" in told(AP_SECRET=SECRET)
    file.write_text(text.replace("client_id", "cliend_id"))
    assert "did you mean" in told(AP_SECRET=SECRET)
    file.write_text(text.replace("ssh-ed25519", "ssh-rsa"))
    assert "site.public_key" in told(AP_SECRET=SECRET)
    assert connect(tmp_path / "none.toml").returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="no limits for processes")
def test_a_full_disk_at_the_start_is_one_line_and_status_1(bot, tmp_path):
    """A full disk at the start exits with status 1, so that a service manager tries again."""
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
    """An HTTP client, cryptography and SQLite would delay every start for nothing."""
    command = [sys.executable, "-X", "importtime", "-m", "linage_bot", "gtp"]
    done = subprocess.run(
        command, input=b"name\n", capture_output=True, env=ENVIRONMENT, check=True
    )
    assert done.stdout == b"= linage-bot\n\n"
    modules = {line.split(b"|")[-1].strip().split(b".")[0] for line in done.stderr.splitlines()}
    assert b"twisted" in modules
    assert not modules & {b"treq", b"cryptography", b"sqlite3"}
