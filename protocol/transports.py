"""Twisted transports for the sessions: standard input and output, sockets, child processes.

The only module here that knows Twisted, and it decides nothing about GTP: bytes go to a session,
what the session returns is written, works are started and their updates brought to the reactor's
thread.  While the peer does not read, nothing more is answered or read, and progress lines, which
the next ones replace, are dropped; so memory stays bounded.  Who sends much at once is answered in
slices, in turn with the others (`rounds.py`).
"""

import contextlib
import copy
import logging
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IHalfCloseableProtocol, IPushProducer
from twisted.internet.protocol import ProcessProtocol, Protocol
from twisted.python.failure import Failure
from zope.interface import implementer

from protocol.codec import Reply, ReplyLine
from protocol.commands import Failed, Progress, Update, Work
from protocol.controller import Answer, ControllerSession
from protocol.engine import EngineSession
from protocol.errors import (
    CannotStart,
    CommandFailed,
    ConnectionLost,
    EngineTimeout,
    RemoteProtocolError,
)
from protocol.rounds import Round
from protocol.stdio import MAX_OUTPUT_BYTES, DescriptorTransport

_STDERR_BYTES: Final = 1 << 13
_GRACE_SECONDS: Final = 1.0
"""How long a dying process may take to close its pipes before its end is declared."""

_log = logging.getLogger(__name__)


# The engine's side


@implementer(IHalfCloseableProtocol, IPushProducer)
class _EngineProtocol(Protocol):
    """Joins one engine session to a transport; `over` fires when the connection is gone."""

    transport: Any

    def __init__(self, reactor: Any, round_: Round, session: EngineSession[Any]) -> None:
        self._reactor = reactor
        self._round = round_
        self._session = session
        session.max_output_bytes = MAX_OUTPUT_BYTES
        session.enough = round_.enough
        self._stalled = False  # the peer does not read
        self._reading = True
        self._input_ended = False
        self._closing = False
        self.over: Deferred[None] = Deferred()

    def connectionMade(self) -> None:  # noqa: N802
        if hasattr(self.transport, "setTcpNoDelay"):
            self.transport.setTcpNoDelay(True)
            self.transport.setTcpKeepAlive(True)  # a peer that lost its power says no farewell
        self.transport.registerProducer(self, True)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        self._round.begin_slice()
        self._go_on(self._session.receive_data(data))

    def readConnectionLost(self) -> None:  # noqa: N802
        self._input_ended = True
        self._round.begin_slice()
        self._go_on(self._session.receive_end())

    def writeConnectionLost(self) -> None:  # noqa: N802
        self._session.abandon()

    def connectionLost(self, reason: Failure | None = None) -> None:  # noqa: ARG002, N802
        self._closing = True
        self._session.abandon()
        self.over.callback(None)

    def pauseProducing(self) -> None:  # noqa: N802
        self._stalled = True

    def resumeProducing(self) -> None:  # noqa: N802
        self._stalled = False
        if not self._closing:
            self._round.join(self._work_on)

    def stopProducing(self) -> None:  # noqa: N802
        self._session.abandon()

    def _work_on(self) -> None:
        """Do a slice of what is left, now that it is our turn."""
        if not self._closing and not self._stalled:
            self._round.begin_slice()
            self._go_on(self._session.receive_data(b""))

    def _go_on(self, reply: bytes) -> None:
        """Write, start what is to be started, and see to it that what is left has its turn."""
        session = self._session
        if reply:
            self.transport.write(reply)
        while (work := session.started()) is not None:
            self._start(work)
        if session.closed:
            if not self._closing:
                self._closing = True
                self.transport.unregisterProducer()
                self.transport.loseConnection()
            return
        if session.has_more and not self._stalled:
            self._round.join(self._work_on)
        if not self._input_ended:
            self._read(session.wants_data and not self._stalled)

    def _read(self, wanted: bool) -> None:
        if wanted and not self._reading:
            self.transport.resumeProducing()
        elif self._reading and not wanted:
            self.transport.pauseProducing()
        self._reading = wanted

    def _start(self, work: Work) -> None:
        def report(update: Update) -> None:
            self._reactor.callFromThread(self._updated, work, update)

        try:
            work.start(report)
        except Exception as error:
            _log.exception("a work failed to start")
            report(Failed(f"internal error: {error!r}"))

    def _updated(self, work: Work, update: Update) -> None:
        if self._closing or (self._stalled and isinstance(update, Progress)):
            return
        self._round.begin_slice()
        self._go_on(self._session.update(work, update))


MakeSession = Callable[[], EngineSession[Any]]

_LOOPBACKS: Final = {"tcp": "127.0.0.1", "tcp6": r"\:\:1", "ssl": "127.0.0.1"}
_BACKLOG: Final = 500
"""Connections that may wait to be accepted; beyond it clients try again, a second later."""


def serve_endpoint(reactor: Any, description: str, make_session: MakeSession) -> Deferred[Any]:
    """Listen on a Twisted endpoint string, one session per connection.

    An address of `tcp`, `tcp6` or `ssl` that names no interface means loopback; `interface=0.0.0.0`
    opens it to the network.  Returns a Deferred of the `IListeningPort`; it fails with
    `CannotListenError`.  Raises `ValueError` for a description that Twisted cannot read.
    """
    # Not above: these take 0.1 s to import, which `linage-bot gtp` on stdin would pay in vain.
    from twisted.internet.endpoints import serverFromString
    from twisted.internet.protocol import Factory

    round_ = Round(reactor)
    factory = Factory.forProtocol(lambda: _EngineProtocol(reactor, round_, make_session()))
    factory.noisy = False
    return serverFromString(reactor, _completed(description)).listen(factory)  # type: ignore[no-any-return, no-untyped-call]  # Twisted gives no types here


def _completed(description: str) -> str:
    """Return an endpoint string with what it leaves open, if it is one of TCP."""
    interface = _LOOPBACKS.get(description.partition(":")[0])
    if interface is not None:
        if ":interface=" not in description:
            description += f":interface={interface}"
        if ":backlog=" not in description:
            description += f":backlog={_BACKLOG}"
    return description


def serve_stdio(
    reactor: Any, make_session: MakeSession, stdin: int = 0, stdout: int = 1
) -> Deferred[None]:
    """Run one session on two file descriptors: pipes, files, a terminal, `/dev/null`.

    The Deferred fires when the session is over and all its answers are written, or when nobody
    reads them any more; the caller then stops the reactor.
    """
    protocol = _EngineProtocol(reactor, Round(reactor), make_session())
    transport = DescriptorTransport(reactor, protocol, stdin, stdout)
    protocol.makeConnection(transport)  # type: ignore[no-untyped-call]  # nor here
    transport.start()
    return protocol.over


def use_monotonic_time(reactor: Any) -> None:
    """Make a reactor's timers independent of the system's clock being set.

    Twisted keeps them by wall time: set back by an hour, every time-out would be an hour late. To
    be called before anything is timed.
    """
    reactor.seconds = time.monotonic


# The controller's side

_TRAMPOLINE: Final = Path(__file__).with_name("trampoline.py")


@attrs.define(eq=False)
class _Question:
    """One command on its way; `answer` gets its `Reply` or the exception to raise."""

    answer: Deferred[Reply | Exception]
    on_line: Callable[[str], None] | None
    name: str
    seconds: float | None
    deadline: float


class EngineProcess(ProcessProtocol):
    """A GTP engine running as a child process; made by `start`."""

    transport: Any

    def __init__(self, reactor: Any, program: str) -> None:
        self._reactor = reactor
        self._program = program
        self._session = ControllerSession()
        self._questions: deque[_Question] = deque()
        self._timer: Any = None
        self._timer_at = 0.0
        self._graces: list[Any] = []
        self._stdin: int | None = None
        self._stderr = b""
        self._exec_error = b""
        self._exited = False
        self._running: Deferred[None] | None = Deferred()
        self._ended = False
        self._awaiting_end: list[Deferred[None]] = []
        self.pid = 0
        self.exit_reason = ""
        """How the process ended, in words; empty while it lives."""

    @classmethod
    async def start(
        cls,
        reactor: Any,
        argv: Sequence[str],
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> "EngineProcess":
        """Start the program `argv[0]` and return when it runs; raises `CannotStart`.

        `env` replaces the whole environment; left out, the engine inherits ours.
        """
        if not argv:
            raise CannotStart("", "no command line")
        if cwd is not None and not os.path.isdir(cwd):  # noqa: PTH112
            raise CannotStart(argv[0], f"no directory {cwd!r}")
        engine = cls(reactor, argv[0])
        environment = dict(os.environ if env is None else env)
        started = engine._running
        try:
            if sys.platform == "win32":
                reactor.spawnProcess(engine, argv[0], list(argv), environment, cwd)
            else:
                line = [sys.executable, "-I", "-S", str(_TRAMPOLINE), str(os.getpid()), *argv]
                descriptors = {0: "w", 1: "r", 2: "r", 3: "r"}
                reactor.spawnProcess(
                    engine, sys.executable, line, environment, cwd, childFDs=descriptors
                )
        except (OSError, ValueError) as error:
            raise CannotStart(argv[0], str(error)) from None
        assert started is not None
        await started
        if engine._exec_error:
            raise CannotStart(argv[0], engine._exec_error.decode(errors="replace"))
        return engine

    @property
    def transcript(self) -> tuple[str, ...]:
        """The last lines of the conversation, oldest first."""
        return self._session.transcript

    @property
    def stderr_tail(self) -> tuple[str, ...]:
        """The last lines the engine wrote on its standard error."""
        return tuple(self._stderr.decode(errors="replace").splitlines())

    @property
    def alive(self) -> bool:
        """True until the process has exited."""
        return not self._exited

    async def ask(
        self,
        name: str,
        *arguments: str,
        timeout: float | None = None,
        on_line: Callable[[str], None] | None = None,
    ) -> str:
        """Ask a command and return the text of its reply.

        With `on_line` the reply is a stream: each line is handed over as it arrives and the last
        one is returned; `end_stream` ends it.  Raises `CommandFailed` when the engine refuses,
        `RemoteProtocolError` when it does not speak GTP, `ConnectionLost` when it is gone,
        `EngineTimeout` after `timeout` seconds (a later answer is thrown away), and
        `LocalProtocolError` for a command that GTP cannot say.
        """
        data = self._session.send(name, *arguments, stream=on_line is not None)
        answer: Deferred[Reply | Exception] = Deferred()
        question = _Question(answer, on_line, name, timeout, 0.0)
        if timeout is not None:
            question.deadline = time.monotonic() + timeout
            self._wake_at(question.deadline)
        self._questions.append(question)
        self._write(data)
        outcome = await answer
        if isinstance(outcome, Reply):
            if outcome.ok:
                return outcome.text
            raise CommandFailed(outcome.text)
        raise outcome

    def end_stream(self) -> None:
        """End a running analysis by a blank line, which asks nothing."""
        self._write(self._session.blank_line())

    def interrupt(self) -> None:
        """Ask the engine to answer now, by `# interrupt`; many engines ignore it."""
        self._write(self._session.interrupt())

    async def close(self, patience_seconds: float = 2.0) -> None:
        """Say `quit`, and kill the engine if it has not exited after that many seconds."""
        if not self._ended:
            timer = self._reactor.callLater(patience_seconds, self.kill)
            with contextlib.suppress(CommandFailed, ConnectionLost, RemoteProtocolError):
                await self.ask("quit")
            if not self._ended:
                self._stdin = None
                self.transport.closeStdin()
                ended: Deferred[None] = Deferred()
                self._awaiting_end.append(ended)
                await ended
            if timer.active():
                timer.cancel()

    def kill(self) -> None:
        """Kill the engine and all processes of its group at once; harmless when it is gone."""
        if self._ended or not self.pid:
            return
        if sys.platform == "win32":
            if not self._exited:
                self.transport.signalProcess("KILL")
            return
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            if not self._exited:  # it does not lead its group yet
                os.kill(self.pid, signal.SIGKILL)
        except PermissionError:
            pass  # macOS says so of a group of zombies

    # Asking

    def _write(self, data: bytes) -> None:
        """Write straight into the pipe while it has room.

        That spares an ask its way through the reactor, which doubles what it costs.
        """
        if self._stdin is not None:
            try:
                data = data[os.write(self._stdin, data) :]
            except BlockingIOError:
                pass
            except OSError:
                self._stdin = None
                self._lose_soon("it closed its input")
                return
            if not data:
                return
            self._stdin = None  # full: from now on Twisted keeps the order
        self.transport.write(data)

    def _wake_at(self, deadline: float) -> None:
        """Let the one timer ring no later than `deadline`; it is renewed only when it rings."""
        if self._timer is None or deadline < self._timer_at:
            if self._timer is not None:
                self._timer.cancel()
            delay = max(0.0, deadline - time.monotonic())
            self._timer = self._reactor.callLater(delay, self._look_at_clock)
            self._timer_at = deadline

    def _look_at_clock(self) -> None:
        self._timer = None
        now = time.monotonic()
        deadlines = []
        for question in list(self._questions):
            if question.seconds is None or question.answer.called:
                continue
            if question.deadline <= now:
                question.answer.callback(EngineTimeout(question.name, question.seconds))
            else:
                deadlines.append(question.deadline)
        if deadlines:
            self._wake_at(min(deadlines))

    def _deliver(self, events: Sequence[Answer | ReplyLine]) -> None:
        for event in events:
            if isinstance(event, ReplyLine):
                on_line = self._questions[0].on_line
                if on_line is not None and not self._questions[0].answer.called:
                    on_line(event.text)
            else:
                answer = self._questions.popleft().answer
                if not answer.called:
                    outcome = event.outcome
                    # A failure answers many questions, and each raise leaves its traceback in it.
                    answer.callback(outcome if isinstance(outcome, Reply) else copy.copy(outcome))

    def _lose(self, reason: str) -> None:
        lines = [*self.transcript[-10:], *(f"! {line}" for line in self.stderr_tail[-10:])]
        self._deliver(self._session.connection_lost(f"{self._program}: {reason}", lines))

    def _lose_soon(self, reason: str) -> None:
        """Give up the engine unless its process ends meanwhile, which would say more."""
        self._graces.append(self._reactor.callLater(_GRACE_SECONDS, self._lose, reason))

    # Called by Twisted

    def connectionMade(self) -> None:  # noqa: N802
        """Take the process that Twisted started."""
        self.pid = self.transport.pid
        if sys.platform == "win32":
            self._say_running()
        else:
            self._stdin = self.transport.pipes[0].fileno()

    def childDataReceived(self, childFD: int, data: bytes) -> None:  # noqa: N802, N803
        """Hear the engine: answers, its log, or why it could not be run."""
        if childFD == 1:
            self._deliver(self._session.receive_data(data))
            if isinstance(self._session.failure, RemoteProtocolError):
                self.kill()
        elif childFD == 2:
            self._stderr = (self._stderr + data)[-_STDERR_BYTES:]
        else:
            self._exec_error += data

    def childConnectionLost(self, childFD: int) -> None:  # noqa: N802, N803
        """Note that a pipe was closed; the end of the process usually follows and says more."""
        if childFD == 3:
            self._say_running()
        elif childFD == 0:
            self._stdin = None
            self._lose_soon("it closed its input")
        elif childFD == 1:
            self._lose_soon("it closed its output")

    def processExited(self, reason: Failure) -> None:  # noqa: N802
        """Clean up what the engine started and left behind."""
        self.exit_reason = _exit_reason(reason)
        self._exited = True
        self.kill()  # what it started and left behind
        self._stdin = None
        # A process that left the group may hold our pipes open; wait for the last answers only.
        grace = self._reactor.callLater(_GRACE_SECONDS, self.transport.loseConnection)
        self._graces.append(grace)

    def processEnded(self, reason: Failure) -> None:  # noqa: N802
        """Tell all who wait: the process is gone and everything it said was read."""
        self._exited = self._ended = True
        self.exit_reason = _exit_reason(reason)
        self._lose(self.exit_reason)
        for call in (self._timer, *self._graces):
            if call is not None and call.active():
                call.cancel()
        self._timer = None
        self._graces.clear()
        self._say_running()
        waiting, self._awaiting_end = self._awaiting_end, []
        for ended in waiting:
            ended.callback(None)

    def _say_running(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.callback(None)


def _exit_reason(reason: Failure) -> str:
    """Return how a process ended: `exited with status 3`, `killed by SIGSEGV`."""
    number = getattr(reason.value, "signal", None)
    if number:
        known = number in set(signal.Signals)
        return f"killed by {signal.Signals(number).name if known else f'signal {number}'}"
    return f"exited with status {getattr(reason.value, 'exitCode', 0)}"
