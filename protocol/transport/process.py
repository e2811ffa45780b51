"""An engine as a child process of Twisted's reactor: start, commands, end."""

import contextlib
import copy
import math
import os
import shutil
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.protocol import ProcessProtocol
from twisted.python.failure import Failure

from protocol.session.asking import AskingSession, Outcome
from protocol.session.errors import (
    CannotStart,
    CommandFailed,
    ConnectionLost,
    EngineTimeout,
    RemoteProtocolError,
)
from protocol.session.work import Reply
from protocol.transport.installing import missing_package
from protocol.transport.spawning import exit_reason, kill_group, through_trampoline

_ERROR_FD: Final = 3
_STDERR_BYTES: Final = 1 << 13
_GRACE_SECONDS: Final = 1.0
"""The time a dying process has to close its pipes before it is declared ended."""


@attrs.define(eq=False)
class _Question:
    """One command that was sent; `answer` gets its `Reply` or the exception to raise.

    Once its answer has begun, no more than `silence` seconds may pass without more of it.
    """

    answer: Deferred[Reply | Exception]
    name: str
    deadline: float
    timeout: float | None
    silence: float | None
    received_at: float = math.inf  # when the answer's last part arrived

    @property
    def silent_from(self) -> float:
        """The moment at which the answer has been silent for too long."""
        return math.inf if self.silence is None else self.received_at + self.silence

    @property
    def limit(self) -> float:
        """The moment at which the command times out."""
        return min(self.deadline, self.silent_from)

    def expired(self, unfinished: str) -> EngineTimeout:
        """Return the timeout error; `unfinished` describes the received part of the answer."""
        allowed = self.silence if self.silent_from < self.deadline else self.timeout
        return EngineTimeout(self.name, allowed or 0.0, unfinished)


class EngineProcess(ProcessProtocol):
    """An engine running as a child process, for GTP or another protocol; created by `start`."""

    transport: Any

    def __init__(self, reactor: Any, program: str, session: AskingSession) -> None:
        self._reactor = reactor
        self._program = program
        self._session = session
        self._questions: deque[_Question] = deque()
        self._timer: Any = None
        self._timer_at = 0.0
        self._grace_timers: list[Any] = []
        self._stdin: int | None = None
        self._stderr = b""
        self._exec_error = b""
        self._running: Deferred[None] | None = Deferred()
        self._ended = False
        self._awaiting_end: list[Deferred[None]] = []
        self.pid = 0
        self.exit_reason = ""
        """How the process ended, in words; empty while it runs."""

    @classmethod
    async def start(
        cls,
        reactor: Any,
        argv: Sequence[str],
        session: AskingSession,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> "EngineProcess":
        """Start the program `argv[0]` and return when it runs; raises `CannotStart`.

        `session` implements the engine's protocol. `env` replaces the whole environment; by default
        the engine inherits ours.
        """
        if not argv:
            raise CannotStart("", "the command line is empty")
        if cwd is not None and not os.path.isdir(cwd):  # noqa: PTH112
            raise CannotStart(argv[0], f"there is no folder {cwd!r}")
        engine = cls(reactor, argv[0], session)
        environment = dict(os.environ if env is None else env)
        started = engine._running
        try:
            if sys.platform == "win32":
                # Windows needs the full path, with the folder and `.exe`.
                program = shutil.which(argv[0], path=environment.get("PATH")) or argv[0]
                reactor.spawnProcess(engine, program, list(argv), environment, cwd)
            else:
                line = through_trampoline(argv, _ERROR_FD)
                descriptors = {0: "w", 1: "r", 2: "r", _ERROR_FD: "r"}
                reactor.spawnProcess(engine, line[0], line, environment, cwd, childFDs=descriptors)
        except (OSError, ValueError) as error:
            raise CannotStart(argv[0], str(error)) from None
        except NotImplementedError:  # raised by Twisted
            reason = missing_package("on Windows this", "pywin32", "pywin32")
            raise CannotStart(argv[0], reason) from None
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
        """Whether the process has not exited."""
        return not self.exit_reason

    async def ask(
        self,
        name: str,
        *arguments: str,
        timeout: float | None = None,
        silence: float | None = None,
    ) -> str:
        """Send a command and return the text of its reply.

        Raises `CommandFailed` when the engine refuses, `RemoteProtocolError` when it violates the
        protocol, `ConnectionLost` when it is gone, `EngineTimeout` after `timeout` seconds (a later
        answer is discarded), or after `silence` seconds without more of an answer that has begun,
        and `LocalProtocolError` if the protocol cannot express the command.
        """
        data = self._session.send(name, *arguments)
        answer: Deferred[Reply | Exception] = Deferred()
        deadline = math.inf if timeout is None else time.monotonic() + timeout
        question = _Question(answer, name, deadline, timeout, silence)
        if timeout is not None:
            self._wake_at(deadline)
        self._questions.append(question)
        if len(self._questions) == 1:
            self._note_silence()  # an engine may begin an answer before the command
        self._write(data)
        outcome = await answer
        if isinstance(outcome, Reply):
            if outcome.ok:
                return outcome.text
            raise CommandFailed(outcome.text)
        raise outcome

    def notify(self, *words: str) -> None:
        """Send a line that has no answer; in GTP every command has one.

        Raises `LocalProtocolError` if the protocol cannot express it, and the session's `failure`
        if the conversation has ended.
        """
        self._write(self._session.notify(*words))

    def interrupt(self) -> None:
        """Make the engine answer now; many GTP engines ignore it."""
        self._write(self._session.interrupt())

    async def close(self, patience_seconds: float = 2.0) -> None:
        """Send `quit`, and kill the engine if it has not exited after that many seconds."""
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
            if self.alive:
                self.transport.signalProcess("KILL")
        else:
            kill_group(self.pid, not self.alive)

    # Sending and timing

    def _write(self, data: bytes) -> None:
        """Write straight into the pipe while it has room.

        That avoids the reactor, which would double the cost of a command.
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
        """Make the one timer fire no later than `deadline`; a later deadline has no effect."""
        if self._timer is None or deadline < self._timer_at:
            if self._timer is not None:
                self._timer.cancel()
            delay = max(0.0, deadline - time.monotonic())
            self._timer = self._reactor.callLater(delay, self._look_at_clock)
            self._timer_at = deadline

    def _look_at_clock(self) -> None:
        self._timer = None
        now = time.monotonic()
        limits = []
        for question in list(self._questions):
            if question.answer.called:
                continue
            if question.limit > now:
                limits.append(question.limit)
                continue
            first = question is self._questions[0]
            question.answer.callback(question.expired(self._session.unfinished if first else ""))
        if limits and min(limits) < math.inf:
            self._wake_at(min(limits))

    def _note_silence(self) -> None:
        """Start the time limit for more of an answer that has begun."""
        question = self._questions[0] if self._questions else None
        if question is None or question.silence is None or not self._session.unfinished:
            return
        question.received_at = time.monotonic()
        self._wake_at(question.limit)

    def _deliver(self, outcomes: Sequence[Outcome]) -> None:
        for outcome in outcomes:
            answer = self._questions.popleft().answer
            if not answer.called:
                # A failure answers many questions, and each raise leaves its traceback in it.
                answer.callback(outcome if isinstance(outcome, Reply) else copy.copy(outcome))

    def _lose(self, reason: str) -> None:
        reason = f"{self._program}: {reason}"
        self._deliver(self._session.connection_lost(reason, self.stderr_tail))

    def _lose_soon(self, reason: str) -> None:
        """End the conversation after a delay, unless the process ends first and explains more."""
        self._grace_timers.append(self._reactor.callLater(_GRACE_SECONDS, self._lose, reason))

    # Called by Twisted

    def connectionMade(self) -> None:  # noqa: N802
        """Record the process that Twisted started."""
        self.pid = self.transport.pid
        if sys.platform == "win32":
            self._report_running()
        else:
            self._stdin = self.transport.pipes[0].fileno()

    def childDataReceived(self, childFD: int, data: bytes) -> None:  # noqa: N802, N803
        """Process the engine's output: answers, its log, or why it could not be run."""
        if childFD == 1:
            self._deliver(self._session.receive_data(data))
            self._note_silence()
            if isinstance(self._session.failure, RemoteProtocolError):
                self.kill()
        elif childFD == 2:
            self._stderr = (self._stderr + data)[-_STDERR_BYTES:]
        else:
            self._exec_error += data

    def childConnectionLost(self, childFD: int) -> None:  # noqa: N802, N803
        """Note that a pipe was closed; the end of the process usually follows and explains more."""
        if childFD == _ERROR_FD:
            self._report_running()
        elif childFD == 0:
            self._stdin = None
            self._lose_soon("it closed its input")
        elif childFD == 1:
            self._lose_soon("it closed its output")

    def processExited(self, reason: Failure) -> None:  # noqa: N802
        """Kill the processes that the engine started and left behind."""
        self.exit_reason = _in_words(reason)
        self.kill()  # its remaining child processes
        self._stdin = None
        # A process that left the group may hold our pipes open; wait for the last answers only.
        grace = self._reactor.callLater(_GRACE_SECONDS, self.transport.loseConnection)
        self._grace_timers.append(grace)

    def processEnded(self, reason: Failure) -> None:  # noqa: N802
        """Complete all waiting calls: the process is gone and all its output was read."""
        self._ended = True
        self.exit_reason = _in_words(reason)
        self._lose(self.exit_reason)
        for call in (self._timer, *self._grace_timers):
            if call is not None and call.active():
                call.cancel()
        self._timer = None
        self._grace_timers.clear()
        self._report_running()
        waiting, self._awaiting_end = self._awaiting_end, []
        for ended in waiting:
            ended.callback(None)

    def _report_running(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.callback(None)


def _in_words(reason: Failure) -> str:
    number = getattr(reason.value, "signal", None)
    return exit_reason(-number if number else getattr(reason.value, "exitCode", 0))
