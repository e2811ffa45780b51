"""Our CGOS client and our CGOS server together, as processes on the loopback."""

import json
import random
import re
import shlex
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest

from linage_bot.records.reading import from_sgf
from linage_bot.rules import GAMES
from tests.e2e.cgos_crowd import free_port
from tests.e2e.cgos_peer import Client, Command, end_well, eventually
from tests.e2e.engine import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

ENGINE = Path(__file__).with_name("match_engine.py")
SIZES = {"linage": 5, "linage-two-color": 5, "linage-parity": 5, "leblin": 5, "gardar": 2}


@attrs.define
class Table:
    """A server with its database, and two engines of one client."""

    folder: Path
    game: str = "linage"
    engines: tuple[str, str] = ("seed=any", "seed=any")
    program: tuple[str, ...] = (sys.executable, str(ENGINE))
    port: int = attrs.Factory(free_port)
    processes: list[Command] = attrs.Factory(list)

    def serve(self) -> Command:
        server = Command(
            self.folder / "server.toml",
            f"""
name = "both"
listen = "tcp:{self.port}:interface=127.0.0.1"
database = {json.dumps(str(self.folder / "server.sqlite"))}
sgf = {json.dumps(str(self.folder / "server-sgf"))}
[game]
id = "{self.game}"
size = {SIZES[self.game]}
[clock]
level_ms = 600_000
[pairing]
interval_seconds = 0.05
patience_seconds = 0
[ratings]
interval_seconds = 600
[limits]
messages_per_second = 100
""",
            *("serve", "cgos"),
        )
        self.processes.append(server)
        eventually(lambda: "listening" in server.log, lambda: server.log)
        return server

    def connect(self, games: int | None = None) -> Client:
        players = ""
        for name, engine in zip(("alice", "bob"), self.engines, strict=True):
            command = [*self.program, *engine.split()]
            players += f"""
[engines.{name}]
command = {json.dumps(command)}
[[players]]
name = "{name}"
engine = "{name}"
password_env = "CGOS_PASSWORD"
{"" if games is None else f"games = {games}"}
"""
        client = Client(
            self.folder,
            f"""
sgf = {json.dumps(str(self.folder / "client-sgf"))}
[reconnect]
first_seconds = 0.02
most_seconds = 0.2
[servers.both]
address = "tcp:127.0.0.1:{self.port}"
{players}
""",
        )
        self.processes.append(client)
        return client

    def rows(self, query: str) -> list[tuple]:
        path = self.folder / "server.sqlite"
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10) as database:
            rows = database.execute(query).fetchall()
        database.close()
        return rows

    def results(self) -> dict[int, str]:
        """The finished games by their number."""
        query = "select number, result from games where result is not null"
        return dict(self.rows(query))

    def moves(self) -> int:
        """Return the number of moves of the running game."""
        query = "select count(*) from moves join games using (number) where result is null"
        return self.rows(query)[0][0]

    def kill(self, process: Command) -> None:
        process.signal(signal.SIGKILL)
        process.wait()

    def check_records(self, client_games: int | None) -> None:
        """Every game was ended by the rules and recorded once, on both sides."""
        endings = Counter(ending for (ending,) in self.rows("select ending from games"))
        assert set(endings) <= {"score", None}, endings
        own = [path.read_text() for path in (self.folder / "server-sgf").rglob("*.sgf")]
        assert len(own) == len(self.results())
        both = [path.read_text() for path in (self.folder / "client-sgf").rglob("*.sgf")]
        whole = [record for record in map(from_sgf, map(str.encode, both)) if record.result]
        if client_games is not None:
            assert len(whole) == 2 * client_games
        for record in whole:
            assert record.game.id == self.game
            last = record.history().position
            assert last.over
            assert str(last.result()) == record.result


@pytest.fixture
def table(tmp_path) -> Iterator[Callable[..., Table]]:
    """Yield a maker of tables; check at the end that no log shows a traceback or the password."""
    tables = []

    def make(*arguments, **more) -> Table:
        tables.append(Table(tmp_path, *arguments, **more))
        return tables[-1]

    yield make
    end_well([process for made in tables for process in made.processes])


def play_to_the_end(table: Table, games: int) -> None:
    table.serve()
    client = table.connect(games)
    for number in range(1, games + 1):
        eventually(lambda: len(table.results()) >= number, lambda: client.log)  # noqa: B023
    assert client.wait() == 0, client.log
    assert len(table.results()) == games
    table.check_records(games)
    colours = Counter(name for (name,) in table.rows("select first from games"))
    assert abs(colours["alice"] - colours["bob"]) <= games % 2


def test_two_engines_play_two_games_to_their_end(table):
    """Client and server, as real processes, play two games to their end."""
    play_to_the_end(table("linage"), 2)


@pytest.mark.thorough
def test_the_example_engine_plays_with_the_required_commands_alone(table, tmp_path):
    """An engine as docs/write-an-engine.md shows it plays a game of CGOS to its end."""
    log, engine = tmp_path / "heard", ROOT / "examples/own_engine.py"
    command = f"tee {shlex.quote(str(log))}.$$ | {shlex.join([sys.executable, str(engine)])}"
    play_to_the_end(table("linage", ("", ""), program=("sh", "-c", command)), 1)
    for file in tmp_path.glob("heard.*"):
        names = [line.split()[0] for line in file.read_text().splitlines()]
        assert names[:3] == ["list_commands", "boardsize", "clear_board"]
        assert set(names[3:]) == {"play", "genmove", "quit"}


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", GAMES)
def test_fifty_games_of_each_game_are_played_to_their_end(table, game):
    """Client and server play fifty games without any failure."""
    play_to_the_end(table(game), 50)


@pytest.mark.thorough
def test_the_client_survives_a_restart_of_the_server_in_mid_game(table):
    """The client reconnects by itself, and the game continues at the same move."""
    both = table("linage", ("seed=1 slow=3", "seed=2"))
    server = both.serve()
    client = both.connect(1)
    eventually(lambda: both.moves() >= 4, lambda: server.log + client.log)
    server.signal()
    server.wait()
    assert both.moves() >= 4
    both.serve()
    assert client.wait() == 0, client.log
    assert len(both.results()) == 1
    both.check_records(1)
    assert "continues after move" in client.log


@pytest.mark.thorough
def test_the_server_survives_a_restart_of_the_client_in_mid_game(table):
    """A client that was killed is shown its game when it is started again."""
    both = table("linage", ("seed=1 slow=3", "seed=2"))
    both.serve()
    client = both.connect(1)
    eventually(lambda: both.moves() >= 4, lambda: client.log)
    both.kill(client)
    assert both.moves() >= 4
    again = both.connect(1)
    assert again.wait() == 0, again.log
    assert len(both.results()) == 1
    both.check_records(1)
    assert "after move" in again.log


def kill_the_server(table: Table, kills: int, games: int) -> None:
    """Kill the server `kills` times at random moments while `games` games are played."""
    chance = random.Random(games)
    server = table.serve()
    client = table.connect()
    for number in range(1, kills + 1):
        due = number * games // (kills + 1)
        eventually(lambda: len(table.results()) >= due, lambda: server.log + client.log)  # noqa: B023
        time.sleep(chance.random() * 0.2)
        table.kill(server)
        server = table.serve()
    eventually(lambda: len(table.results()) >= games, lambda: server.log + client.log)
    client.signal()
    assert client.wait() == 0, client.log
    results = table.results()
    assert sorted(results) == list(range(1, len(results) + 1))
    assert len(results) >= games
    told = re.findall(r"(\w+)@both: game (\d+): (\S+)", client.log)
    assert len(told) == len({(name, game) for name, game, _ in told})
    assert all(results[int(game)] == result for _, game, result in told)
    # A player that missed the result was disconnected by a kill then.
    assert len(told) >= 2 * (len(results) - kills)
    table.check_records(None)


@pytest.mark.thorough
def test_a_server_killed_during_games_loses_none_and_counts_none_twice(table):
    """A kill of the server at any moment neither loses a game nor counts one twice."""
    kill_the_server(table("leblin"), 2, 6)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_server_killed_ten_times_during_a_hundred_games_records_each_once(table):
    """The same for long."""
    kill_the_server(table("linage"), 10, 100)
