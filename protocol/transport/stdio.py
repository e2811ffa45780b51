"""Standard input and output as a transport: threads that block, to read, to write and to watch.

Twisted's own makes the descriptors non-blocking, which a terminal shares with stderr and the user's
shell, and on Windows it reads only pipes.  Threads avoid these problems: pipes, files, terminals
and `/dev/null` are all alike.

A controller that dies amid a long command closes both pipes.  The end of the input alone does not
prove that, as a script may have been piped in, so the third thread waits until the output has no
reader left.
"""

import errno
import os
import select
import sys
import threading
from typing import Any, Final

MAX_OUTPUT_BYTES: Final = 1 << 16
"""The number of bytes written before the peer must have read some of them."""


class DescriptorTransport:
    """A transport on two file descriptors; `reactor` only needs `callFromThread`.

    `protocol` is a half-closeable Twisted protocol.
    """

    def __init__(self, reactor: Any, protocol: Any, stdin: int, stdout: int) -> None:
        self._reactor = reactor
        self._protocol = protocol
        self._stdin = stdin
        self._stdout = stdout
        self._producer: Any = None
        self._may_read = threading.Event()
        self._paused = False
        self._changed = threading.Condition()
        # The attributes below are protected by `_changed`.
        self._unwritten: list[bytes] = []
        self._writing = False
        self._full = False
        self._ending = False
        self._lost = False
        self._poll = None
        if hasattr(select, "poll"):
            self._poll = select.poll()
            self._poll.register(stdout, select.POLLOUT)

    def start(self) -> None:
        """Begin to read and write."""
        for descriptor in (self._stdin, self._stdout):
            # The parent process may have left them non-blocking.
            if sys.platform != "win32":
                os.set_blocking(descriptor, True)
        for run in (self._read_all, self._write_all, self._watch):
            threading.Thread(target=run, name=f"stdio{run.__name__}", daemon=True).start()

    # Called by the protocol

    def registerProducer(self, producer: Any, streaming: bool) -> None:  # noqa: ARG002, N802
        """Set the producer that is paused while the output is full."""
        self._producer = producer

    def unregisterProducer(self) -> None:  # noqa: N802
        """Remove the producer."""
        self._producer = None

    def write(self, data: bytes) -> None:
        """Write at once where that cannot block, else leave it to the writing thread."""
        with self._changed:
            if self._lost:
                return
            rest = data[self._write_now(data) :]
            if not rest:
                return
            self._unwritten.append(rest)
            self._changed.notify()
            if self._full or sum(map(len, self._unwritten)) < MAX_OUTPUT_BYTES:
                return
            self._full = True
        if self._producer is not None:
            self._producer.pauseProducing()

    def loseConnection(self) -> None:  # noqa: N802
        """Write the remaining output, then end."""
        with self._changed:
            self._ending = True
            self._changed.notify()

    def pauseProducing(self) -> None:  # noqa: N802
        """Pause reading."""
        self._paused = True

    def resumeProducing(self) -> None:  # noqa: N802
        """Resume reading."""
        self._paused = False
        self._may_read.set()

    # Reading

    def _read_all(self) -> None:
        data = b"-"
        while data:
            try:
                data = os.read(self._stdin, 1 << 16)
            except OSError:
                data = b""  # a terminal that was closed
            self._may_read.clear()
            self._reactor.callFromThread(self._received, data)
            self._may_read.wait()
        self._await_hang_up()

    def _await_hang_up(self) -> None:
        """Wait until the output has no reader left, which otherwise only a write would show.

        Called only after the end of the input: then the peer cannot stop a running work any more,
        and a work for a dead peer would run without end.
        """
        if not hasattr(select, "poll"):
            return
        poll = select.poll()
        poll.register(self._stdout, 0)  # errors are always reported
        for _, event in poll.poll():
            if event & (select.POLLERR | select.POLLHUP):
                self._lose(BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)))

    def _received(self, data: bytes) -> None:
        try:
            if data:
                self._protocol.dataReceived(data)
            else:
                self._protocol.readConnectionLost()
        finally:
            # Read on after any failure, at least to the end of the input.
            if not self._paused:
                self._may_read.set()

    # Writing

    def _write_now(self, data: bytes) -> int:
        """Write a short reply without waking the thread, where it is sure not to block.

        Returns the number of bytes written.
        """
        if self._poll is None or self._writing or self._unwritten or len(data) > select.PIPE_BUF:
            return 0
        if not any(event & select.POLLOUT for _, event in self._poll.poll(0)):
            return 0
        try:
            return os.write(self._stdout, data)
        except OSError:
            return 0  # the thread will meet the same error and report it

    def _write_all(self) -> None:
        while True:
            with self._changed:
                self._writing = False
                if self._full and not self._unwritten:
                    self._full = False
                    self._reactor.callFromThread(self._drained)
                while not (self._unwritten or self._ending or self._lost):
                    self._changed.wait()
                if not self._unwritten:
                    break
                data = b"".join(self._unwritten)
                self._unwritten.clear()
                self._writing = True
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(self._stdout, view) :]
            except OSError as error:
                self._lose(error)
                return
        self._lose(None)

    def _watch(self) -> None:
        """Wait until the output has no reader, where the system reports it without a write."""
        if self._poll is None:
            return
        poll = select.poll()
        poll.register(self._stdout, 0)  # for errors alone
        if any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll()):
            self._lose(BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)))

    def _lose(self, error: OSError | None) -> None:
        with self._changed:
            if self._lost:
                return
            self._lost = True
            self._unwritten.clear()
            self._changed.notify()
        self._reactor.callFromThread(self._protocol.connectionLost, error)

    def _drained(self) -> None:
        if self._producer is not None:
            self._producer.resumeProducing()
