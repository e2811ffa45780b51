"""The CGOS client and the CGOS server, connected in memory, agree on every game."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from linage_bot.records.reading import from_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS
from linage_bot.rules.history import History
from linage_bot.servers.cgos_server import passwords
from tests.linage_bot.servers.cgos_client import memory
from tests.linage_bot.servers.cgos_server import world as hosting

_STEP_SECONDS = 0.5
SIZES = {"linage": 5, "linage-two-color": 5, "linage-parity": 5, "leblin": 5, "gardar": 2}
BOB = """
[[players]]
name = "bob"
password_env = "CGOS_PASSWORD"
"""


class RandomEngine(memory.Engine):
    """An engine that plays random legal moves and fails at an illegal one."""

    def __init__(self, world: Any, words: list[str]) -> None:
        super().__init__(world, words)
        self._chance = random.Random(len(world.heard))

    async def answer(self, name: str, arguments: tuple[str, ...], timeout: float | None) -> str:  # noqa: ARG002
        match name:
            case "linage-game":
                self._kind = GAMES[arguments[0]]
                self._options = dict(word.split("=", 1) for word in arguments[1:])
            case "boardsize":
                board = self._kind.board_kind.of_array(int(arguments[0]), int(arguments[0]))
                self._history = History(self._kind.configure(board.size, None, self._options))
            case "play":
                self._history = self._history.play(arguments[1])
            case "genmove":
                position = self._history.position
                choices = [move for move in position.moves() if move != PASS] or [PASS]
                self._history = self._history.play(self._chance.choice(choices))
                return str(position.name_of(self._history.moves[-1]))
        return ""


class End:
    """The server's end of a client's connection."""

    def __init__(self, server: hosting.World, reactor: memory.Reactor, factory: Any) -> None:
        self.wire = memory.Wire(reactor)
        self.wire.protocol = factory.buildProtocol(None)
        self.wire.protocol.makeConnection(self.wire)
        self._server = server.server
        self.lost = False
        self.session = self._server.connected(self, "192.0.2.1")

    def write(self, data: bytes) -> None:
        """Send the server's data to the client."""
        if not self.wire.over:
            self.wire.protocol.dataReceived(data)

    def close(self) -> None:
        """Close the connection, for the server or for a test."""
        self.wire.end()

    def pass_on(self) -> bool:
        """Send the client's data to the server. Return whether there was any or the end."""
        if self.lost:
            return False
        data = self.wire.value()
        self.wire.clear()
        if data:
            self.session.receive_data(data)
        elif self.wire.over:
            self.lost = True
            self._server.lost(self.session)
        return bool(data) or self.lost


class Both:
    """A server, a client with two players on it, and one clock."""

    def __init__(self, server: hosting.World, client: memory.World) -> None:
        self.server, self.client = server, client
        self.ends: list[End] = []
        self.viewer, _ = server.viewer()
        self.seen: dict[int, list[str]] = {}

    def settle(self) -> None:
        """Exchange messages until neither side has more to send."""
        reactor, busy = self.client.reactor, True
        while busy:
            reactor.settle()
            for client in reactor.tcpClients[len(self.ends) :]:
                self.ends.append(End(self.server, reactor, client[2]))
            passed = [end.pass_on() for end in self.ends]
            busy = any(passed)
            self.server.settle()
            self._look()

    def _look(self) -> None:
        """Record the games and moves that the viewer receives."""
        for words in map(str.split, self.viewer.read()):
            if words[0] == "match":
                self.viewer.session.receive_data(f"observe {words[1]}\n".encode())
                self.server.settle()
            elif words[0] == "setup":
                self.seen[int(words[1])] = words[9::2]
            elif words[0] == "update" and len(words) == 4:
                self.seen[int(words[1])].append(words[2])

    def until(self, condition: Callable[[], object]) -> None:
        for _ in range(20_000):
            self.settle()
            if condition():
                return
            self.client.reactor.advance(_STEP_SECONDS)
            self.server.advance(_STEP_SECONDS)
            self.server.server.lobby.pair()
        raise AssertionError("it never came true")

    def cut(self) -> None:
        """Close every connection."""
        for end in self.ends:
            end.close()

    def restart(self) -> None:
        """Kill the server and start it again with a new viewer."""
        self.cut()
        for end in self.ends:
            end.lost = True  # the killed server need not learn of it
        self.server.kill_and_restart()
        self.viewer, _ = self.server.viewer()

    def moves(self, number: int = 1) -> int:
        return len(self.server.store.moves(number))

    def check(self, games: int) -> None:
        """Check that every game ended by the rules and has the same record on both sides."""
        own = {path.stem: from_sgf(path.read_bytes())
               for path in (self.server.folder / "sgf" / "2026").rglob("*.sgf")}  # fmt: skip
        assert sorted(map(int, own)) == [*range(1, games + 1)]
        theirs = [from_sgf(text.encode()) for text in self.client.records()]
        assert len(theirs) == 2 * games
        for record in theirs:
            last = record.history().position
            assert last.over
            assert str(last.result()) == record.result == own[record.round].result
            assert record.moves == own[record.round].moves
            assert record.game == own[record.round].game


@pytest.fixture
def meet(tmp_path, monkeypatch, caplog):
    """Return a function that connects a server and a client for a number of games."""
    monkeypatch.setattr(passwords, "_COST", 2)
    caplog.set_level("INFO")
    worlds = []

    def make(game: str = "linage", games: int = 1, engine: str = "") -> Both:
        text = hosting.SETTINGS.replace("size = 5", f'id = "{game}"\nsize = {SIZES[game]}')
        folders = [tmp_path / "server", tmp_path / "client"]
        for folder in folders:
            folder.mkdir()
        server = hosting.World(folders[0], text.replace("level_ms = 10000", "level_ms = 600_000"))
        worlds.append(server)
        client = memory.World(folders[1], monkeypatch, caplog)
        client.engine = RandomEngine
        both = Both(server, client)
        client.connect(
            f"has=linage-game {engine}",
            player=f"games = {games}",
            more=f"{BOB}games = {games}",
        )
        return both

    yield make
    for server in worlds:
        server.store.close()
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("game", GAMES)
def test_two_engines_play_each_game_to_its_end(meet, game):
    """Two engines play every game to its end, each moving first once, and viewers see each move."""
    both = meet(game, 2)
    both.until(lambda: not both.client.running)
    assert both.client.wait() == 0
    both.check(2)
    store = both.server.store
    assert store.game(1).first == store.game(2).second
    assert both.seen == {n: [move.move for move in store.moves(n)] for n in (1, 2)}


@pytest.mark.parametrize("plies", [0, 1, 4, 7])
def test_a_game_goes_on_after_all_wires_were_cut(meet, plies):
    """A game continues after all connections were lost, and both sides keep the same record."""
    both = meet()
    both.until(lambda: both.server.store.game(1) and both.moves() >= plies)
    both.cut()
    both.until(lambda: not both.client.running)
    both.check(1)


@pytest.mark.parametrize("plies", [0, 1, 4, 7])
def test_a_game_goes_on_after_the_server_was_killed(meet, plies):
    """A game continues after the server was killed, and both sides keep the same record."""
    both = meet()
    both.until(lambda: both.server.store.game(1) and both.moves() >= plies)
    both.restart()
    both.until(lambda: not both.client.running)
    both.check(1)
