"""Abstract Play on the loopback, for tests: real HTTP, real signatures and simulated failures.

It keeps games, signs webhooks, gives tokens, referees what the bot sends and plays the other seat
at random. It can lose and repeat webhooks, refuse, drop connections and be dead for a while.
"""

import base64
import contextlib
import itertools
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS, ROOT
from tests.linage_bot.servers.abstract_play.site_rules import BOT, HUMAN, Game, may_send

SECRET = "s3cret-of-the-bot"


class Site:
    """The site; its faults are attributes that a test sets."""

    def __init__(self, seed: int = 1) -> None:
        self.key = Ed25519PrivateKey.generate()
        self.games: dict[str, Game] = {}
        self.chance = random.Random(seed)
        self.lock = threading.RLock()
        self.bot_url: str | None = None
        self.tokens: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.sent: list[tuple[str, int, str]] = []  # all moves that came, taken or not
        self.lost = self.repeated = self.troubled = 0.0  # shares of webhooks, of webhooks, of moves
        self.token_seconds = 3600.0
        self._nonces = 0
        self._troubles = itertools.cycle(["inner", "outer", "expired", "dropped"])
        site = self

        class Handler(_Handler):
            def __init__(self, *args: object) -> None:
                self.site = site
                super().__init__(*args)

        self.server = _Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def public_key(self) -> str:
        raw = self.key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
        return raw.decode() + " the site"

    # ------------------------------------------------------------------ to the bot

    def signed(self, body: bytes) -> dict:
        """The headers of a webhook."""
        stamp = str(int(time.time() * 1000))
        with self.lock:
            self._nonces += 1
            nonce = f"nonce-{self._nonces}-{time.time_ns()}"
        signature = self.key.sign(f"{stamp}.{nonce}.".encode() + body)
        return {
            "X-Signature-Timestamp": stamp,
            "X-Signature-Nonce": nonce,
            "X-Signature": base64.b64encode(signature).decode(),
        }

    def post(self, body: bytes, headers: dict) -> tuple[int, bytes]:
        """Send a POST to the bot; return the status and the body."""
        assert self.bot_url is not None
        request = urllib.request.Request(self.bot_url, body, headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def say(self, table: object) -> int:
        """The status with which the bot answers a signed webhook."""
        body = json.dumps(table).encode()
        return self.post(body, self.signed(body))[0]

    def webhook(self, game: Game, plies: int | None = None) -> dict:
        words = game.words[:plies]
        return {
            "verb": "move",
            "metaGame": "linage",
            "variants": game.variants,
            "gameid": game.id,
            "clockCurr": 72,
            "numPlayers": 2,
            "moves": [words[start : start + 2] for start in range(0, len(words), 2)],
        }

    def tell(self, game: Game) -> None:
        """Notify the bot of its turn: perhaps never, perhaps twice, perhaps of an old one."""
        if self.chance.random() < self.lost:
            return
        for _ in range(2 if self.chance.random() < self.repeated else 1):
            with contextlib.suppress(OSError):  # the bot is down
                self.say(self.webhook(game))
        if self.chance.random() < self.repeated and len(game.words) > 2:
            with contextlib.suppress(OSError):
                self.say(self.webhook(game, len(game.words) - 2))

    def begin(self, game: Game) -> None:
        """Start a game."""
        with self.lock:
            self.games[game.id] = game
        self.go_on(game)

    def go_on(self, game: Game) -> None:
        """Play the human's move, then notify the bot."""
        with self.lock:
            if not game.over and not game.bots_turn:
                game.words.append(game.human_word(self.chance))
            wanted = game.bots_turn
        if wanted:
            self.tell(game)

    # ---------------------------------------------------------------- from the bot

    def current(self) -> list[dict]:
        lines = []
        for game in self.games.values():
            if not game.over:
                seats = [BOT, HUMAN] if game.bot_seat == 1 else [HUMAN, BOT]
                players = [{"id": id_, "name": id_, "time_ms": 3_600_000} for id_ in seats]
                lines.append(
                    {
                        "id": game.id,
                        "metaGame": "linage",
                        "players": players,
                        "toMove": str(game.position.seat_to_move - 1),
                        "numMoves": len(game.words),
                        "variants": game.variants,
                    }
                )
        return lines

    def state(self, game: Game) -> dict:
        stack = [{"currplayer": 1, "board": {"dataType": "Map", "value": []}}]
        stack += [{"lastmove": word} for word in game.words]
        state = {"game": "linage", "variants": game.variants, "gameover": game.over}
        return {"game": {"id": game.id, "state": {**state, "winner": [], "stack": stack}}}

    def take(self, table: dict) -> str | None:
        """Referee a move of the bot; the reason if it is refused."""
        with self.lock:
            game = self.games[table["gameid"]]
            self.sent.append((game.id, len(game.words), table["move"]))
            if not game.bots_turn:
                self.counts["out of turn"] += 1
                return "it is not your turn"
            if not may_send(game.position, table["move"]):
                self.counts["illegal"] += 1
                return f"{table['move']} is not legal"
            game.words.append(table["move"])
            self.counts["moves"] += 1
            return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 100

    def handle_error(self, *_args: object) -> None:
        """Connections that end early are part of the game."""


class _Handler(BaseHTTPRequestHandler):
    site: Site

    def log_message(self, *_args: object) -> None:
        pass

    def answer(self, status: int, table: object) -> None:
        data = json.dumps(table).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers["Content-Length"]))

    def do_GET(self) -> None:
        site = self.site
        assert "Authorization" not in self.headers
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        site.counts[query["query"]] += 1
        with site.lock:
            if query["query"] == "games":
                assert query["type"] == "current"
                answer: object = site.current()
            else:
                assert query["cbit"] == "0"
                answer = site.state(site.games[query["id"]])
        self.answer(200, answer)

    def do_POST(self) -> None:
        site, body = self.site, self.body()
        if self.path == "/token":
            self.give_token(dict(urllib.parse.parse_qsl(body.decode())))
            return
        assert self.path == "/bot"
        token = self.headers["Authorization"].removeprefix("Bearer ")
        if token not in site.tokens:
            site.counts["401"] += 1
            self.answer(401, {"message": "Unauthorized"})
            return
        if site.chance.random() < site.troubled:
            self.trouble()
            return
        table = json.loads(body)
        assert (table["verb"], table["metaGame"]) == ("move", "linage")
        reason = site.take(table)
        if reason is not None:
            inner = {"statusCode": 500, "body": json.dumps({"message": reason})}
            self.answer(200, inner)
            return
        game = site.games[table["gameid"]]
        with contextlib.suppress(OSError):  # a killed bot has made its move nevertheless
            self.answer(200, {"statusCode": 200, "body": "{}"})
            self.wfile.flush()
        site.go_on(game)

    def give_token(self, form: dict) -> None:
        expected = {"grant_type": "client_credentials", "client_id": BOT, "scope": "play"}
        assert form == {**expected, "client_secret": SECRET}, form
        token = f"token-{time.time_ns()}"
        self.site.tokens.add(token)
        self.site.counts["token"] += 1
        self.answer(200, {"access_token": token, "expires_in": self.site.token_seconds})

    def trouble(self) -> None:
        with self.site.lock:
            kind = next(self.site._troubles)  # in turn, so that a few moves meet all of them
            self.site.counts[kind] += 1
        if kind == "inner":
            self.answer(200, {"statusCode": 500, "body": '{"message": "database is asleep"}'})
        elif kind == "outer":
            self.answer(503, {"message": "come back later"})
        elif kind == "expired":
            self.site.tokens.clear()
            self.answer(200, {"statusCode": 401, "body": '{"message": "token expired"}'})
        else:
            self.connection.shutdown(socket.SHUT_RDWR)


class Bot:
    """The real bot as a process."""

    def __init__(self, site: Site, folder: Path, play: str = "visits = 20", **keys: object) -> None:
        self.site = site
        self.file = folder / "bot.toml"
        self.lines: list[str] = []
        self.options = keys.pop("options", ())  # of the command line
        listen = keys.pop("listen", "tcp:0:interface=127.0.0.1")
        self.scheme = listen.split(":")[0].replace("tcp", "http").replace("ssl", "https")
        site_keys = {
            "recover_seconds": 600,
            "retry_seconds": 0.05,
            "retry_most_seconds": 0.5,
            **keys,
        }
        self.file.write_text(
            f"""
listen = {json.dumps(listen)}
path = "/hook"
state = {json.dumps(str(folder / "state.sqlite"))}
[site]
token_url = "{site.url}/token"
scope = "play"
query_url = "{site.url}/query"
move_url = "{site.url}/bot"
public_key = "{site.public_key}"
client_id = "{BOT}"
client_secret_env = "AP_SECRET"
{chr(10).join(f"{key} = {value}" for key, value in site_keys.items())}
[challenges]
games = 100
[play]
resign_rate = 0
seed = 1
{play}
"""
        )
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "linage_bot", "-v", "connect", "abstract-play"]
        self.process = subprocess.Popen(
            [*command, *self.options, str(self.file)],
            env={**ENVIRONMENT, "AP_SECRET": SECRET},
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
        self.listening = threading.Event()
        self.reader = threading.Thread(target=self._read, args=(self.process,), daemon=True)
        self.reader.start()
        assert self.listening.wait(PATIENCE_SECONDS), self.lines

    def _read(self, process: subprocess.Popen) -> None:
        assert process.stderr is not None
        for data in process.stderr:
            line = data.decode()
            self.lines.append(line)
            found = re.search(r"listening on 127\.0\.0\.1 port (\d+)", line)
            if found:
                self.site.bot_url = f"{self.scheme}://127.0.0.1:{found[1]}/hook"
                self.listening.set()

    def signal(self, number: int) -> None:
        os.kill(self.process.pid, number)

    def wait(self) -> int:
        status = self.process.wait(PATIENCE_SECONDS)
        self.reader.join(PATIENCE_SECONDS)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return status

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self.wait()

    @property
    def log(self) -> str:
        return "".join(self.lines)
