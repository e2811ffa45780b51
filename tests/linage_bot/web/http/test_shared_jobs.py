"""Slow jobs of the site run once for all waiting clients and stop when they have all left."""

import json
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from linage_bot.engine.worker import Worker
from linage_bot.rules import GAMES
from linage_bot.web.thinking.store import GameStore
from tests.linage_bot.web.asking import NEW, AtOnce, Client, Line
from tests.linage_bot.web.room import new_store


class Threads:
    """A replacement for worker threads whose jobs end when the test says so."""

    def __init__(self) -> None:
        self.free = True  # jobs end at once
        self.begun: deque[Worker[Any]] = deque()

    def __call__(self, work: Callable[..., Any], done: Callable[[Any], None]) -> Worker[Any]:
        threads = self

        class Held(AtOnce):
            def begin(self) -> None:
                if threads.free:
                    super().begin()
                else:
                    threads.begun.append(self)

        return Held(work, done)

    def finish(self) -> None:
        """End the job that started first."""
        self.begun.popleft()._run()


@pytest.fixture
def threads() -> Threads:
    return Threads()


@pytest.fixture
def store() -> Iterator[GameStore]:
    store = new_store()
    yield store
    store.close()


@pytest.fixture
def client(store: GameStore, threads: Threads) -> Client:
    return Client(store, threads)


def asking(client: Client, path: str, method: str = "GET", **words: Any) -> Line:
    """Return a connection that waits for a response."""
    line = Line(client.site)
    assert line.send(client.head(method, path, **words)) == b""
    return line


def table(client: Client, *moves: int) -> str:
    name = client.new()
    for node, move in enumerate(moves):
        assert client.post(f"/api/games/{name}/play", {"move": move, "node": node}).json == {}
    return f"/api/games/{name}/animation/0"


def status(line: Line) -> int:
    return int(line.send(b"").split()[1])


def test_who_asks_for_the_same_animation_shares_it(client: Client, threads: Threads) -> None:
    """Clients that request the same animation at the same time share one job."""
    path, same = table(client, 12, 3), table(client, 12, 3)
    threads.free = False
    lines = [asking(client, path), asking(client, same), asking(client, path)]
    lines[1].hang_up()
    assert len(threads.begun) == 1
    threads.finish()
    assert [b"GIF89a" in line.send(b"") for line in lines] == [True, False, True]
    assert not threads.begun
    again = asking(client, path)
    threads.finish()
    assert status(again) == 200


def test_an_animation_that_nobody_waits_for_is_not_begun(client: Client, threads: Threads) -> None:
    """An animation is not drawn if its client hangs up while it is queued."""
    paths = [table(client, move) for move in range(5)]
    threads.free = False
    first, *gone = [asking(client, path) for path in paths[:4]]
    last = asking(client, paths[4])
    for line in gone:
        line.hang_up()
    assert len(threads.begun) == 1
    threads.finish()
    assert status(first) == 200
    assert len(threads.begun) == 1
    threads.finish()
    assert status(last) == 200
    assert not threads.begun


def test_an_animation_whose_last_client_goes_is_stopped(client: Client, threads: Threads) -> None:
    """An animation is stopped when its last client leaves; a later client gets a new one."""
    path, other = table(client, 12), table(client, 3)
    threads.free = False
    lines = [asking(client, path), asking(client, path)]
    (thread,) = threads.begun
    stopped = thread.stopped
    lines[0].hang_up()
    assert not stopped.is_set()
    lines[1].hang_up()
    assert stopped.is_set()
    late, waiting = asking(client, path), asking(client, other)
    assert len(threads.begun) == 1
    for _ in range(3):
        threads.finish()
    assert (status(late), status(waiting)) == (200, 200)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_can_be_animated(client: Client, game: str) -> None:
    """Every game can be animated, a pass included."""
    name = client.new(game=game, size="4")
    client.post(f"/api/games/{name}/play", {"move": 3, "node": 0})
    client.post(f"/api/games/{name}/play", {"move": -1, "node": 1})
    assert client.get(f"/api/games/{name}/animation/0").status == 200


def test_a_table_that_sleeps_is_read_once_for_all_who_come(
    store: GameStore, client: Client, threads: Threads
) -> None:
    """A sleeping table is read once for all waiting clients, and again if they had all left."""
    name = client.new()
    client.post(f"/api/games/{name}/play", {"move": 12, "node": 0})
    later = Client(store, threads)  # after a restart all tables sleep
    threads.free = False
    asking(later, f"/api/games/{name}/sgf").hang_up()
    assert len(threads.begun) == 1
    lines = [asking(later, f"/api/games/{name}/{what}") for what in ("sgf", "rules", "sgf")]
    assert len(threads.begun) == 2
    threads.finish()
    assert not any(line.send(b"") for line in lines)
    threads.finish()
    assert [status(line) for line in lines] == [200, 200, 200]


def test_a_record_whose_sender_has_gone_is_not_read(client: Client, threads: Threads) -> None:
    """A queued record is not read if its sender has hung up."""
    threads.free = False
    body = json.dumps(NEW).encode()
    lines = [Line(client.site) for _ in range(6)]
    for line in lines:
        line.send(client.head("POST", "/api/games", Content_Length=str(len(body))) + body)
    begun = len(threads.begun)
    for line in lines[1:]:
        line.hang_up()
    for _ in range(begun):
        threads.finish()
    assert not threads.begun
    assert status(lines[0]) == 200
