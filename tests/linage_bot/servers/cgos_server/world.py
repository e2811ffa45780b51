"""A server without sockets, on a clock that the test advances."""

from __future__ import annotations

import random
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, ClassVar

import attrs
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from linage_bot.rules.game import PASS, Game
from linage_bot.servers.cgos_server.environment import Environment
from linage_bot.servers.cgos_server.server import Server
from linage_bot.servers.cgos_server.settings import CgosServerSettings
from linage_bot.servers.cgos_server.sgf import SgfFolder
from linage_bot.servers.cgos_server.store import ServerStore
from linage_bot.settings.checks import Secret
from linage_bot.settings.reading import load

ADMIN_PASSWORD = "of-the-administrator"
GREETING = "protocol genmove_analyze "
SETTINGS = """
name = "test"
listen = "tcp:0"
database = "unused"
[game]
size = 5
[clock]
level_ms = 10000
[pairing]
patience_seconds = 0
[limits]
registrations_per_hour = 1000
"""


class Client:
    """A client's end of a connection."""

    def __init__(self, world: World, address: str = "192.0.2.1") -> None:
        self.closed = False
        self._world = world
        self._heard: list[str] = []
        self.session = world.server.connected(self, address)
        world.settle()

    def write(self, data: bytes) -> None:
        """Record lines from the server."""
        assert not self.closed
        assert data.endswith(b"\n")
        self._heard += data.decode().splitlines()

    def close(self) -> None:
        """Close the connection on the server's behalf."""
        self.closed = True
        self._world.server.lost(self.session)

    def say(self, *lines: str) -> list[str]:
        """Send lines in one piece and return the replies."""
        return self.send("".join(f"{line}\n" for line in lines).encode())

    def send(self, data: bytes) -> list[str]:
        """Send bytes and return the replies."""
        self.session.receive_data(data)
        self._world.settle()
        return self.read()

    def read(self) -> list[str]:
        """Return all lines received since the last call."""
        heard, self._heard = self._heard, []
        return heard

    def hang_up(self) -> None:
        """Close the connection from the client's end."""
        self.closed = True
        self._world.server.lost(self.session)
        self._world.settle()


class World:
    """A server with a clock that the test advances."""

    opened: ClassVar[list[World]] = []  # closed by a fixture after each test

    def __init__(self, folder: Path, text: str = SETTINGS) -> None:
        file = folder / "server.toml"
        file.write_text(text)
        self.settings = load(file, CgosServerSettings)
        self.seconds = 1000.0
        self.folder = folder
        self.held: list[Callable[[], None]] | None = None  # background work, if it is to wait
        self._waiting: list[tuple[float, Callable[[], None]]] = []
        self._failures: list[Failure] = []
        self.start()
        self.opened.append(self)

    @property
    def game(self) -> Game:
        return self.settings.game.configure()

    def start(self) -> None:
        """Start the server on the files of the previous run."""
        self.store = ServerStore.open(self.folder / "server.sqlite", self.game)
        self.server = Server(
            self.settings,
            self.store,
            Environment(
                now=lambda: self.seconds,
                today=lambda: "2026-01-31T09:30:00",
                soon=lambda act: self._later(0.0, act),
                sleep=self._sleep,
                in_thread=self._in_thread,
                start=self._start,
            ),
            Secret(ADMIN_PASSWORD),
            SgfFolder(self.folder / "sgf", self.game, self.settings.name),
        )

    def kill_and_restart(self, **changes: object) -> None:
        """Kill the server, which loses uncommitted data, and start it again."""
        self._waiting.clear()
        self.store._database.rollback()
        self.store.close()
        self.settings = attrs.evolve(self.settings, **changes)
        self.start()

    def settle(self) -> None:
        while due := [each for each in self._waiting if each[0] <= self.seconds]:
            self._waiting.remove(due[0])
            due[0][1]()
        for failure in self._failures:
            failure.raiseException()

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        self._waiting.append((self.seconds + seconds, act))

    def _sleep(self, seconds: float) -> Deferred[None]:
        over: Deferred[None] = Deferred()
        self._later(seconds, lambda: over.callback(None))
        return over

    def _in_thread(self, act: Callable[..., Any], *arguments: Any) -> Deferred[Any]:
        done: Deferred[Any] = Deferred()
        if self.held is None:
            done.callback(act(*arguments))
        else:
            self.held.append(lambda: done.callback(act(*arguments)))
        return done

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        Deferred.fromCoroutine(work).addErrback(self._failures.append)

    def advance(self, seconds: float) -> None:
        """Advance the clock and let the server check its timers."""
        self.seconds += seconds
        self.server.look()
        self.settle()

    def pair(self) -> None:
        self.server.lobby.pair()
        self.settle()

    # ------------------------------------------------------------------------ people

    def log_in(self, name: str) -> tuple[Client, list[str]]:
        """Return a logged-in client and its lines after the login."""
        client = Client(self)
        heard = client.say("e1 test", name, f"password-of-{name}")
        assert heard[0].startswith(GREETING)
        assert heard[1:3] == ["username", "password"]
        return client, heard[3:]

    def player(self, name: str) -> Client:
        """Return a player that waits for a game."""
        client, heard = self.log_in(name)
        assert heard == []
        return client

    def viewer(self) -> tuple[Client, list[str]]:
        """Return a viewer and the list of games it received."""
        client = Client(self)
        return client, client.say("v1 test")[1:]

    def admin(self) -> Client:
        """Return the administrator's client."""
        client = Client(self)
        assert client.say("e1 test", "admin", ADMIN_PASSWORD)[-1] == "ok"
        return client

    def begin(self, one: str = "anna", other: str = "bert") -> tuple[Client, Client]:
        """Return two players of a new game, the first to move first, with their lines unread."""
        clients = [self.player(name) for name in (one, other)]
        self.pair()
        clients.sort(key=lambda client: len(client._heard), reverse=True)
        return clients[0], clients[1]


def finish(world: World, first: Client, second: Client, seed: int = 0) -> list[str]:
    """Play random legal moves to the end of a game and return them."""
    rng, position = random.Random(seed), world.game.start()
    clients, moves = (first, second), []
    for client in clients:
        client.read()
    while not position.over:
        choices = [move for move in position.moves() if move != PASS] or [PASS]
        move = rng.choice(choices)
        moves.append(position.name_of(move))
        clients[position.to_move].say(moves[-1])
        position = position.play(move)
    return moves
