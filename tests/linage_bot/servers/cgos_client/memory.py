"""The client in memory, with a simulated clock, a scripted server and a plain engine.

No test waits in real time: the clock is advanced until a condition is true. The engine has the
options of the one in `tests/e2e/cgos_engine.py` and two of its own: with `heeds=yes` it moves at
once when it is interrupted, and `mourn=SECONDS` is the time that it takes for the end of a game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from twisted.internet import error
from twisted.internet.defer import Deferred
from twisted.internet.defer import TimeoutError as TimedOut
from twisted.internet.testing import MemoryReactorClock, StringTransport
from twisted.python.failure import Failure

from linage_bot.arena import child
from linage_bot.servers.cgos_client.command import run
from linage_bot.servers.cgos_client.settings import ClientSettings
from linage_bot.servers.stopping import catch_signals
from linage_bot.settings.reading import load
from protocol.session.errors import CannotStart, CommandFailed, ConnectionLost, EngineTimeout
from tests.linage_bot.servers.cgos_client.talk import PASSWORD, Talk

PATIENCE_SECONDS = 200.0
_STEP_SECONDS = 0.05
_COMMANDS = {
    *("name", "version", "list_commands", "boardsize", "komi", "clear_board", "play", "genmove"),
    *("time_settings", "time_left", "cgos-opponent_name", "cgos-opponent_rating"),
    *("cgos-gameover", "quit"),
}


class Reactor(MemoryReactorClock):
    """A reactor whose clock and connections a test controls."""

    def callWhenRunning(self, act, *arguments) -> None:  # noqa: N802
        if act is catch_signals:
            self.signals: list[Deferred[int]] = arguments[-1]
        else:
            act(*arguments)

    def settle(self) -> None:
        """Run all calls that are due."""
        while any(call.getTime() <= self.seconds() for call in self.getDelayedCalls()):
            self.advance(0)

    def until(self, condition: Callable[[], object]) -> None:
        """Advance the clock until a condition is true."""
        self.settle()
        deadline = self.seconds() + PATIENCE_SECONDS
        while not condition():
            assert self.seconds() < deadline, "it never came true"
            self.advance(_STEP_SECONDS)
            self.settle()


class Engine:
    """A replacement for the engine process that `GtpChild` uses."""

    stderr_tail: tuple[str, ...] = ()

    def __init__(self, world: World, words: list[str]) -> None:
        self.alive = True
        self.world = world
        self.options = dict(word.split("=", 1) for word in words)
        self.transcript: tuple[str, ...] = ()
        self._asked = 0
        self._taken: set[str] = set()
        self._ended: Deferred[None] = Deferred()
        self._passing: Any = None  # the timer that ends its search
        has, lacks = (set(self.options.get(key, "").split(",")) for key in ("has", "lacks"))
        self.commands = (_COMMANDS | has) - lacks - {""}

    async def ask(
        self,
        name: str,
        *arguments: str,
        timeout: float | None = None,
        silence: float | None = None,  # noqa: ARG002 - as a process has it
    ) -> str:
        if not self.alive:
            raise ConnectionLost("exited")
        line = " ".join([name, *arguments])
        self.transcript += (f"> {line}",)
        self.world.heard.append(line)
        if name == "list_commands":
            return "\n".join(self.commands)
        if name not in self.commands:
            raise CommandFailed("unknown command")
        self._asked += "genmove" in name
        return await self.answer(name, arguments, timeout)

    async def answer(self, name: str, arguments: tuple[str, ...], timeout: float | None) -> str:
        if name == "gogui-rules_game_id":
            return self.options["id"]
        if name == "linage-compile":
            await self._pass(float(self.options["compile"]), timeout)
        elif name == "cgos-gameover":
            await self._pass(float(self.options.get("mourn", 0)), timeout)
        elif name == "clear_board":
            self._taken.clear()
        elif name == "play":
            self._taken.add(arguments[1])
        elif "genmove" in name:
            return await self._choose(name, timeout)
        return ""

    async def _choose(self, name: str, timeout: float | None) -> str:
        if self._due("refuse"):
            raise CommandFailed("I will not")
        if "think" in self.options:
            await self._pass(float(self.options["think"]), timeout)
        if self._due("die") or ("die_once" in self.options and not self.world.died):
            self.world.died = True
            self.kill()
            raise ConnectionLost("exited with status 3")
        if self._due("hang"):
            await self._pass(1e9, timeout)
        moves = [move for move in self.options.get("moves", "").split(",") if move]
        free = (move for move in moves if move not in self._taken)
        move = "sideways" if self._due("nonsense") else next(free, "pass")
        self._taken.add(move)
        candidate = {"move": move, "winrate": 0.25, "visits": 3, "pv": f"{move} E5"}
        whole = {"winrate": 0.25, "score": -1.5, "visits": 3, "own": [1, 2], "moves": [candidate]}
        return {
            "genmove": move,
            "cgos-genmove_analyze": f"{json.dumps(whole)}\nplay {move}",
            "kata-genmove_analyze": f"info move {move} visits 3 winrate 0.25 scoreLead -1.5"
            f" prior 0.5 order 0 pv {move} E5\nplay {move}",
            "lz-genmove_analyze": f"thinking\nplay {move}",
        }[name]

    def _due(self, behaviour: str) -> bool:
        return behaviour in self.options and int(self.options[behaviour]) in (0, self._asked)

    async def _pass(self, seconds: float, timeout: float | None) -> None:
        """Wait for some time, or until the engine is killed."""
        passed: Deferred[None] = Deferred()
        call = self._passing = self.world.reactor.callLater(seconds, passed.callback, None)
        self._ended.addCallback(lambda _: passed.called or passed.errback(ConnectionLost("killed")))
        if timeout is not None:
            passed.addTimeout(timeout, self.world.reactor)
        try:
            await passed
        except TimedOut:
            raise EngineTimeout("genmove", timeout or 0.0) from None
        finally:
            self._passing = None
            if call.active():
                call.cancel()

    def interrupt(self) -> None:
        self.world.heard.append("# interrupt")
        if "heeds" in self.options and self._passing is not None:
            self._passing.reset(0)

    def kill(self) -> None:
        if self.alive:
            self.alive = False
            self.world.reactor.callLater(0, self._ended.callback, None)

    async def close(self, _patience_seconds: float) -> None:
        if self.alive:
            self.world.heard.append("quit")
        self.kill()


class Wire(StringTransport):
    """The client's end of a connection, which closes with a short delay, as sockets do."""

    def __init__(self, reactor: Reactor) -> None:
        super().__init__()
        self.reactor = reactor
        self.over = False
        self.protocol: Any = None

    def loseConnection(self) -> None:  # noqa: N802
        self.reactor.callLater(0, self.end)

    abortConnection = loseConnection  # noqa: N815

    def end(self) -> None:
        if not self.over:
            self.over = True
            self.protocol.connectionLost(Failure(error.ConnectionDone()))


class MemoryTalk(Talk):
    """A connection in memory on a clock that the test advances."""

    def __init__(self, reactor: Reactor, factory: Any) -> None:
        self._reactor = reactor
        self.wire = Wire(reactor)
        self.wire.protocol = factory.buildProtocol(None)
        self.wire.protocol.makeConnection(self.wire)
        reactor.settle()

    def send(self, data: bytes) -> None:
        if not self.wire.over:
            self.wire.protocol.dataReceived(data)
        self._reactor.settle()

    def hear(self) -> str:
        """Return the next line, or an empty one if the client has closed the connection."""
        self._reactor.until(lambda: b"\n" in self.wire.value() or self.wire.over)
        line, _, rest = self.wire.value().partition(b"\n")
        self.wire.clear()
        self.wire.write(rest)
        return line.decode()

    def expect_end(self) -> None:
        assert self.hear() == ""

    def close(self) -> None:
        self.wire.end()
        self._reactor.settle()


class World:
    """A client with its engines and connections."""

    engine = Engine

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, log: Any) -> None:
        self.reactor = Reactor()
        self.heard: list[str] = []  # by engines
        self.died = False
        self._folder = folder
        self._caplog = log
        self._accepted = 0
        self._done: list[int | BaseException] = []
        monkeypatch.setattr(child, "EngineProcess", self)
        monkeypatch.setenv("CGOS_PASSWORD", PASSWORD)

    async def start(self, _reactor, argv, session, cwd=None, env=None) -> Engine:  # noqa: ARG002
        """Start an engine in place of `EngineProcess.start`."""
        if "no-such-program" in argv[0]:
            raise CannotStart(argv[0], "No such file or directory")
        self.heard.append("start")
        return self.engine(self, argv[1:])

    def connect(
        self,
        engine: str = "",
        *,
        address: str = "tcp:127.0.0.1:6867",
        server: str = "",
        top: str = "",
        player: str = "",
        more: str = "",
    ) -> None:
        """Run the client with one player and additional settings."""
        file = self._folder / "client.toml"
        if not top.startswith("sgf"):
            top += f"\nsgf = {json.dumps(str(self._folder / 'sgf'))}"
        file.write_text(f"""
{top}
[reconnect]
first_seconds = 1
most_seconds = 100
[servers.local]
address = "{address}"
{server}
[engines.test]
command = {json.dumps(["engine", *engine.split()])}
patience_seconds = 10
[[players]]
name = "linus"
password_env = "CGOS_PASSWORD"
{player}
{more}
""")
        running = Deferred.fromCoroutine(run(self.reactor, load(file, ClientSettings)))
        running.addCallbacks(self._done.append, lambda failure: self._done.append(failure.value))
        self.reactor.settle()

    def accept(self, port: int = 6867) -> MemoryTalk:
        """Return the client's next connection."""
        self.reactor.until(lambda: len(self.reactor.tcpClients) > self._accepted)
        client = self.reactor.tcpClients[self._accepted]
        self._accepted += 1
        assert client[1] == port
        return MemoryTalk(self.reactor, client[2])

    def refuse(self) -> None:
        """Refuse the client's next connection."""
        self.reactor.until(lambda: len(self.reactor.tcpClients) > self._accepted)
        factory = self.reactor.tcpClients[self._accepted][2]
        connector = self.reactor.connectors[self._accepted]
        self._accepted += 1
        factory.clientConnectionFailed(connector, Failure(error.ConnectionRefusedError()))
        self.reactor.settle()

    def signal(self) -> None:
        self.reactor.signals.pop(0).callback(15)
        self.reactor.settle()

    @property
    def running(self) -> bool:
        return not self._done

    def wait(self) -> int:
        """Return the client's exit status, or raise its error."""
        self.reactor.until(lambda: self._done)
        (status,) = self._done
        if isinstance(status, BaseException):
            raise status
        return status

    @property
    def log(self) -> str:
        return "".join(f"{line}\n" for line in self._caplog.messages)

    def records(self) -> list[str]:
        return sorted(path.read_text() for path in (self._folder / "sgf").rglob("*.sgf"))


@pytest.fixture
def world(tmp_path, monkeypatch, caplog) -> Iterator[World]:
    """A world whose log contains neither the password nor a traceback at the end."""
    caplog.set_level("DEBUG")
    world = World(tmp_path, monkeypatch, caplog)
    yield world
    assert PASSWORD not in world.log
    assert "Traceback" not in world.log
