"""Standard input and output as a transport, on pipes."""

import errno
import os
import queue
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from protocol.transport.stdio import DescriptorTransport


class Calls:
    """A reactor that continues after a failed call, as Twisted's does."""

    def __init__(self) -> None:
        self._calls: queue.Queue[Callable[[], None]] = queue.Queue()

    def callFromThread(self, call: Callable[..., None], *args: object) -> None:  # noqa: N802
        self._calls.put(partial(call, *args))

    def run_until(self, done: Callable[[], bool]) -> None:
        while not done():
            with suppress(ZeroDivisionError):
                self._calls.get(timeout=10)()


class Failing:
    """A protocol that raises on all input except its end."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.ended = self.lost = False

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        self.heard.append(data)
        raise ZeroDivisionError

    def readConnectionLost(self) -> None:  # noqa: N802
        self.ended = True

    def connectionLost(self, _error: OSError | None) -> None:  # noqa: N802
        self.lost = True


def test_who_fails_at_what_it_hears_still_hears_what_comes_next_and_the_end():
    """Else its process would wait for ever, even after its input has ended."""
    reactor, protocol = Calls(), Failing()
    (stdin, writer), (reader, stdout) = os.pipe(), os.pipe()
    transport = DescriptorTransport(reactor, protocol, stdin, stdout)
    transport.start()
    for line in (b"one\n", b"two\n"):
        os.write(writer, line)
        reactor.run_until(lambda line=line: protocol.heard[-1:] == [line])
    os.close(writer)
    reactor.run_until(lambda: protocol.ended)
    transport.loseConnection()
    reactor.run_until(lambda: protocol.lost)
    for descriptor in (stdin, reader, stdout):
        os.close(descriptor)


class Quiet(Failing):
    """Hears, and has nothing to say."""

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        self.heard.append(data)

    def connectionLost(self, error: OSError | None) -> None:  # noqa: N802
        assert not self.lost
        assert error is None or error.errno == errno.EPIPE
        self.lost = True


def test_a_peer_that_closed_both_ends_is_gone_though_nothing_is_written_to_it():
    """A peer with both ends closed is reported as gone, even if no output was due for hours."""
    reactor, protocol = Calls(), Quiet()
    (stdin, writer), (reader, stdout) = os.pipe(), os.pipe()
    transport = DescriptorTransport(reactor, protocol, stdin, stdout)
    transport.start()
    os.write(writer, b"think\n")
    reactor.run_until(lambda: protocol.heard == [b"think\n"])
    os.close(writer)
    reactor.run_until(lambda: protocol.ended)
    assert not protocol.lost
    os.close(reader)
    reactor.run_until(lambda: protocol.lost)
    transport.loseConnection()  # as a caller might who has not been notified yet
    for descriptor in (stdin, stdout):
        os.close(descriptor)
