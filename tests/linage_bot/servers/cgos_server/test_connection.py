"""Connections of the CGOS server to clients that do not read or do not close."""

from collections.abc import Callable

import pytest
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport

from linage_bot.servers.cgos_server.connection import Connection, connections
from linage_bot.settings.checks import SettingFault
from tests.linage_bot.servers.cgos_server.world import GREETING, SETTINGS, World


class Line:
    """A client's connection to a server."""

    def __init__(self, world: World) -> None:
        self.clock = Clock()
        self.faults: list[SettingFault] = []
        self.transport = StringTransport()
        factory = connections(self.clock, world.server, self._guarded)
        self.protocol: Connection = factory.buildProtocol(None)
        self.protocol.makeConnection(self.transport)
        self._world = world
        world.settle()

    def _guarded(self, act: Callable[..., None], *arguments: object) -> None:
        try:
            act(*arguments)
        except SettingFault as fault:
            self.faults.append(fault)

    def say(self, *lines: str) -> list[str]:
        self.transport.clear()
        self.protocol.dataReceived("".join(f"{line}\n" for line in lines).encode())
        self._world.settle()
        return self.transport.value().decode().splitlines()


def test_whoever_connects_is_greeted_and_can_log_in(world):
    """A new connection is greeted and can log in."""
    line = Line(world)
    assert line.transport.value().decode().startswith(GREETING)
    assert line.say("e1 x", "anna", "secret") == ["username", "password"]
    assert "anna" in world.server.lobby.players


def test_who_reads_may_be_told_as_much_as_there_is(tmp_path):
    """A client that reads may receive any amount of data."""
    world = World(tmp_path, f"{SETTINGS}unread_bytes = 65536\nmessages_per_second = 1000000.0")
    line = Line(world)
    line.say("v1 x")
    for _ in range(10):
        assert len(line.say(*["observe 7"] * 1000)) == 1000
    assert not line.transport.disconnecting


def test_who_leaves_too_much_unread_is_cut_off(tmp_path):
    """A client that leaves too much data unread is disconnected."""
    world = World(tmp_path, f"{SETTINGS}unread_bytes = 65536\nmessages_per_second = 1000000.0")
    line = Line(world)
    line.say("v1 x")
    line.protocol.pauseProducing()
    sent = 0
    while not line.transport.disconnected:
        sent += sum(len(each) + 1 for each in line.say(*["observe 7"] * 1000))
        assert sent < 2 * 65_536
    assert sent > 65_536
    assert line.say("observe 7") == []


def test_who_reads_again_in_time_is_forgiven(tmp_path):
    """A client that pauses reading for a short time stays connected."""
    world = World(tmp_path, f"{SETTINGS}unread_bytes = 65536\nmessages_per_second = 1000000.0")
    line = Line(world)
    line.say("v1 x")
    for _ in range(10):
        line.protocol.pauseProducing()
        line.say(*["observe 7"] * 1000)
        line.protocol.resumeProducing()
    assert not line.transport.disconnected


def test_who_is_told_to_go_has_five_seconds_to_read_why(world):
    """A closed connection has five seconds to read the reason."""
    line = Line(world)
    (reason,) = line.say("hello")
    assert reason.startswith("Error: neither e1 nor v1")
    assert line.transport.disconnecting
    line.clock.advance(4.9)
    assert not line.transport.disconnected
    line.clock.advance(0.2)
    assert line.transport.disconnected


def test_a_store_that_fails_is_told_of(world, monkeypatch):
    """A failure of the database is reported, so that the whole server ends."""
    line = Line(world)

    def fail(*_arguments: object) -> None:
        raise SettingFault("database", "disk full")

    monkeypatch.setattr(type(world.server.lobby.outbox), "wake", fail)
    line.protocol.dataReceived(b"e1 x\n")
    assert [str(fault) for fault in line.faults] == ["database: disk full"]


@pytest.mark.parametrize("lines", [(), ("e1 x",), ("e1 x", "anna", "secret"), ("v1 x",)])
def test_a_connection_that_is_lost_leaves_nobody_behind(world, lines):
    """A lost connection leaves no player behind, at any stage of the login."""
    line = Line(world)
    line.say(*lines)
    line.protocol.connectionLost(None)
    assert world.server.lobby.players == {}
    world.server.lobby.inform("still here")
    world.settle()
