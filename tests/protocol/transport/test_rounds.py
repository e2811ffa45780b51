"""Fair service of busy and quiet clients, without a socket and with a simulated clock."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.testing import MemoryReactorClock, StringTransport

from protocol.gtp.commands import CommandTable
from protocol.gtp.engine import EngineSession
from protocol.session.answering import Start
from protocol.session.work import Reply
from protocol.transport.rounds import SLICE_SECONDS, Round
from protocol.transport.serving import MAX_CONNECTIONS, serve_endpoint
from protocol.transport.stdio import MAX_OUTPUT_BYTES
from tests.protocol.gtp.counter import Counter, HandWork, make_session, table

COMMAND_SECONDS = 0.001
A_SLICE = round(SLICE_SECONDS / COMMAND_SECONDS)  # commands


class Reactor(MemoryReactorClock):
    """A reactor that reads input between calls that are due at once, unlike `Clock.advance`."""

    def __init__(self) -> None:
        super().__init__()
        self.soon: list[Callable[[], None]] = []

    def callLater(self, delay: float, call: Callable[[], None]) -> None:  # noqa: N802
        if not delay:
            self.soon.append(call)

    def callFromThread(self, call: Callable[..., None], *args: object) -> None:  # noqa: N802
        self.soon.append(partial(call, *args))

    def go_round(self) -> None:
        soon, self.soon = self.soon, []
        for call in soon:
            call()


class Server:
    """Sessions behind the real transport, whose commands take a millisecond each."""

    def __init__(self) -> None:
        self.reactor = Reactor()
        self.answered: list[str] = []
        self.works: list[HandWork] = []
        self._table: CommandTable[Counter] = CommandTable()

        @self._table.register
        def say(_counter: Counter, word: str) -> str:
            self.reactor.rightNow += COMMAND_SECONDS
            self.answered.append(word)
            return word

        @self._table.register
        def hand(_counter: Counter) -> HandWork:
            self.works.append(HandWork())
            return self.works[-1]

        serve_endpoint(self.reactor, "tcp:5001", self._session)
        (_, self._factory, _, self.interface), *_ = self.reactor.tcpServers

    def _session(self, start: Start) -> EngineSession[Counter]:
        return EngineSession(self._table, Counter(), start)

    def client(self) -> tuple:
        """Return a new connection's protocol and the transport that it writes to."""
        protocol, transport = self.accept(), StringTransport()
        protocol.makeConnection(transport)
        return protocol, transport

    def accept(self) -> Any:
        """Return the protocol of a new connection, or None if the server refuses it."""
        return self._factory.buildProtocol(None)

    def go_round(self) -> None:
        self.reactor.go_round()

    def finish(self) -> None:
        while self.reactor.soon:
            self.reactor.go_round()


def test_one_line_waits_for_a_slice_of_a_flood_and_not_for_all_of_it():
    """A newcomer is answered after two slices instead of 5000 commands."""
    server = Server()
    (flood, _), (one, transport) = server.client(), server.client()
    flood.dataReceived(b"say flood\n" * 5000)
    server.go_round()
    one.dataReceived(b"say hello\n")
    assert transport.value() == b"= hello\n\n"
    assert len(server.answered) == 2 * A_SLICE + 1


def test_floods_are_answered_in_turn_whole_and_in_their_order():
    """Three clients have a slice each, round after round."""
    server = Server()
    clients = [server.client() for _ in range(3)]
    words = [[f"{name}{number}" for number in range(100)] for name in "abc"]
    for (protocol, _), own in zip(clients, words, strict=True):
        protocol.dataReceived("".join(f"say {word}\n" for word in own).encode())
    server.finish()
    for (_, transport), own in zip(clients, words, strict=True):
        assert transport.value().decode() == "".join(f"= {word}\n\n" for word in own)
    turns = [word[0] for word in server.answered[::A_SLICE]]
    assert "".join(turns[:30]) == "abc" * 10


def test_while_much_waits_nothing_more_is_read_and_afterwards_it_is():
    """The sender has to wait, so our memory does not fill."""
    server = Server()
    protocol, transport = server.client()
    protocol.dataReceived(b"say x\n" * 5000)
    assert transport.producerState == "paused"
    server.finish()
    assert transport.producerState == "producing"
    assert len(server.answered) == 5000


def test_who_does_not_read_is_left_alone_and_answered_when_reading_again():
    """A buffer of answers is kept for it in advance, and nothing is tried again in vain."""
    server = Server()
    protocol, transport = server.client()
    reply = b"= " + b"x" * 1000 + b"\n\n"
    protocol.dataReceived((b"say " + b"x" * 1000 + b"\n") * 200)
    before = len(transport.value())
    protocol.pauseProducing()
    while server.reactor.soon:  # until no client waits
        server.reactor.go_round()
    kept = len(transport.value()) - before
    assert MAX_OUTPUT_BYTES <= kept <= MAX_OUTPUT_BYTES + A_SLICE * len(reply)
    assert transport.producerState == "paused"
    protocol.resumeProducing()
    server.finish()
    assert transport.value() == reply * 200
    assert transport.producerState == "producing"


def test_who_does_not_read_is_heard_while_there_is_room_for_the_answers():
    """A client that reads no output can still send a `stop` while the output buffer has room."""
    server = Server()
    protocol, transport = server.client()
    protocol.pauseProducing()
    protocol.dataReceived(b"say a\n")
    assert transport.producerState == "producing"
    assert transport.value() == b"= a\n\n"


def test_works_that_end_one_after_another_answer_no_more_than_is_kept():
    """Each lets the next request be obeyed, but not for a peer that does not read."""
    server = Server()
    protocol, transport = server.client()
    protocol.pauseProducing()
    protocol.dataReceived((b"hand\nsay " + b"x" * 1000 + b"\n") * 200)
    for work in server.works:  # it grows
        work.report(Reply(True, "done"))
        server.finish()
    assert MAX_OUTPUT_BYTES <= len(transport.value()) <= MAX_OUTPUT_BYTES + 2000
    begun = len(server.works)
    protocol.resumeProducing()
    server.finish()
    assert len(server.works) == begun + 1


def test_who_hangs_up_amid_a_flood_costs_nothing_more():
    """After a disconnection in a flood of commands no further slice is executed."""
    server = Server()
    protocol, _ = server.client()
    protocol.dataReceived(b"say x\n" * 5000)
    protocol.connectionLost()
    server.finish()
    assert len(server.answered) == A_SLICE


def test_the_end_of_the_input_behind_a_flood_ends_the_session_after_all_answers():
    """The last line, which lacks its newline, is answered before the connection closes."""
    server = Server()
    protocol, transport = server.client()
    protocol.dataReceived(b"say x\n" * 100 + b"say last")
    protocol.readConnectionLost()
    assert not transport.disconnecting
    server.finish()
    assert transport.value() == b"= x\n\n" * 100 + b"= last\n\n"
    assert transport.disconnecting


@pytest.mark.parametrize(
    ("description", "interface"),
    [("tcp:5001", "127.0.0.1"), ("tcp:5001:interface=0.0.0.0", "0.0.0.0"), ("tcp6:5001", "::1")],
)
def test_an_address_without_an_interface_is_one_of_this_machine(description, interface):
    """An endpoint without interface listens on this machine only, also for IPv6."""
    reactor = MemoryReactorClock()
    serve_endpoint(reactor, description, make_session)
    assert reactor.tcpServers[0][3] == interface


def test_each_has_its_turn_once_however_often_it_joins():
    """Joining a round twice gives one call; joining after it gives another."""
    reactor, called = Reactor(), []
    round_ = Round(reactor)

    def first() -> None:
        called.append("first")

    def second() -> None:
        called.append("second")
        if len(called) < 5:
            round_.join(second)

    for work_on in (first, second, first, second):
        round_.join(work_on)
    while reactor.soon:
        reactor.go_round()
    assert called == ["first", "second", "second", "second", "second"]


LINES = ["show", "add 2", "", "foo", "hand", "hand-analyze", "stop", "# interrupt", "quit", "9"]


def conversation(stream: bytes, enough) -> tuple[bytes, list[list[str]]]:
    """Return the output for a stream of input, and the calls that each of its works received."""
    works: list[HandWork] = []

    def start(work: HandWork) -> None:
        works.append(work)
        work.start(print)

    session = EngineSession(table, Counter(), start)
    session.enough = enough
    output = session.receive_data(stream)
    while session.has_more:
        output += session.receive_data(b"")
    output += session.receive_end()
    while not session.closed:
        if session.has_more:
            output += session.receive_data(b"")
        else:
            output += session.update(works[-1], Reply(True))
    return output, [work.told for work in works]


@given(
    st.lists(st.tuples(st.sampled_from(LINES), st.integers(1, 400)), max_size=8),
    st.lists(st.booleans(), min_size=1),
)
def test_answers_do_not_depend_on_where_slices_end(lines, ends):
    """Splitting the work into slices changes neither the answers nor the calls of works."""
    stream = "".join(f"{line}\n" * count for line, count in lines).encode()
    looks = 0

    def enough() -> bool:
        nonlocal looks
        looks += 1
        return ends[looks % len(ends)]

    assert conversation(stream, enough) == conversation(stream, lambda: False)


def test_a_server_hangs_up_on_clients_beyond_its_number_until_others_leave(caplog):
    """The number of clients is limited; the log reports refusals once per time the limit is hit."""
    server = Server()
    clients = [server.client() for _ in range(MAX_CONNECTIONS)]
    for _ in range(3):
        assert server.accept() is None
    assert caplog.text.count("clients are connected, the limit; others are refused") == 1
    clients[7][0].connectionLost()
    server.client()
    assert server.accept() is None
    assert caplog.text.count("others are refused") == 2
