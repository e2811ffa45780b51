"""An engine's process whose answers the caller waits for, without a reactor.

Threads read the engine's output, since not every system can wait for a pipe with a timeout.
"""

from __future__ import annotations

import contextlib
import math
import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import IO, Final

from linage_bot.arena.piping import chunks, start_piped
from linage_bot.settings.checks import check_limit
from protocol.session.asking import AskingSession, Outcome
from protocol.session.errors import (
    CommandFailed,
    ConnectionLost,
    EngineTimeout,
    RemoteProtocolError,
)
from protocol.session.work import Reply
from protocol.transport.spawning import exit_reason, find_program, kill_group

_STDERR_BYTES: Final = 1 << 13
_KEPT_LINES: Final = 1 << 8  # of an answer; enough for a line about each move
_FAREWELL_SECONDS: Final = 2.0
_GRACE_SECONDS: Final = 1.0  # how long a process may outlive its pipes, and the pipes their process
_STOP_SECONDS: Final = 10.0  # the longest wait for an answer after an interrupt
_POLL_SECONDS: Final = 0.05  # between two looks at an event

_LINES: Final = None
"""The entry in the queue for new lines of an answer."""


class BlockingProcess:
    """An engine's process and the conversation with it, for one thread at a time."""

    def __init__(self, argv: Sequence[str], session: AskingSession) -> None:
        """Start the engine; raises `CannotStart`."""
        argv = find_program(argv, os.environ.get("PATH"))
        self._program = argv[0]
        self._owner = os.getpid()  # a forked child lacks the reader threads
        self._session = session
        self._lock = threading.Lock()  # held by each user of the session
        self._outcomes: queue.SimpleQueue[Outcome | None] = queue.SimpleQueue()
        self._pending = 0  # commands whose outcome has not been taken from the queue
        self._lines: deque[str] = deque(maxlen=_KEPT_LINES)  # those not taken yet
        self._stream: LineStream | None = None  # the running one
        self._received_at = 0.0  # when the engine last sent anything
        self._log = b""
        self._why_killed = ""
        self._process = process = start_piped(argv)
        session.on_line = self._line_received
        assert process.stdin is not None  # these are pipes
        self._stdin = process.stdin
        self._logger = threading.Thread(target=self._read_log, args=(process.stderr,), daemon=True)
        self._listener = threading.Thread(target=self._listen, args=(process.stdout,), daemon=True)
        self._logger.start()
        self._listener.start()

    @property
    def transcript(self) -> tuple[str, ...]:
        """The last lines of the conversation, oldest first."""
        with self._lock:
            return self._session.transcript

    def notify(self, *words: str) -> None:
        """Send a line that has no answer; raises the errors of `AskingSession.notify`."""
        self._end_stream()
        with self._session_of_owner() as session:
            data = session.notify(*words)
        self._write(data)

    def ask(
        self,
        *words: str,
        timeout_seconds: float | None,
        silence_seconds: float = math.inf,
        stopped: threading.Event | None = None,
    ) -> str:
        """Return the answer to a command; discard late answers to earlier ones.

        Once the answer has begun, the engine must not pause for longer than `silence_seconds`. When
        `stopped` is set, the engine is interrupted, and has at most ten seconds left.
        """
        _check(timeout_seconds)
        self._end_stream()
        self._send(words)
        return self._answer(words[0], timeout_seconds, silence_seconds, stopped)

    def stream(self, *words: str, timeout_seconds: float | None) -> LineStream:
        """Send a command that is answered in lines until it is stopped, and return the lines.

        It is sent when earlier commands have been answered; raises `EngineTimeout` if they are not.
        """
        _check(timeout_seconds)
        self._end_stream()
        if self._pending:
            with contextlib.suppress(CommandFailed):  # of the earlier command
                self._answer(words[0], timeout_seconds)
        self.take_lines()
        self._send(words, keeps_lines=False)
        self._stream = LineStream(self, words[0], timeout_seconds)
        return self._stream

    def take_lines(self) -> list[str]:
        """Return the last lines that preceded the end of an answer, each only once."""
        with self._lock:
            lines = list(self._lines)
            self._lines.clear()
        return lines

    def close(self, at_once: bool = False) -> None:
        """End the process and its descendants, after `quit`, or `at_once` while a call runs.

        Does nothing if it is already closed.
        """
        if self._stdin.closed:
            return
        if os.getpid() != self._owner:
            self._stdin.close()
            return
        if not at_once:
            if self._stream is not None:
                self._stream._end()
            with contextlib.suppress(
                CommandFailed, EngineTimeout, ConnectionLost, RemoteProtocolError
            ):
                self._send(("quit",))
                self._answer("quit", _FAREWELL_SECONDS)
            self._stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_GRACE_SECONDS)
        self._kill()
        self._stdin.close()
        self._process.wait()
        self._listener.join(_GRACE_SECONDS)

    def _end_stream(self) -> None:
        if self._stream is not None:
            self._stream.stop()

    @contextlib.contextmanager
    def _session_of_owner(self) -> Iterator[AskingSession]:
        """Lend the session, for a moment; raise `ConnectionLost` in a forked child."""
        if os.getpid() != self._owner:
            raise ConnectionLost(
                "another process started this engine; start a new one after a fork"
            )
        with self._lock:
            yield self._session

    def _send(self, words: Sequence[str], *, keeps_lines: bool = True) -> None:
        with self._session_of_owner() as session:
            data = session.send(*words)
            session.keeps_lines = keeps_lines
        self._pending += 1
        self._write(data)

    def _interrupt(self) -> None:
        """Ask the engine to answer now; do nothing if it is gone, which is the answer."""
        with self._session_of_owner() as session:
            data = b"" if session.failure is not None else session.interrupt()
        self._write(data)

    def _write(self, data: bytes) -> None:
        try:
            self._stdin.write(data)
        except (OSError, ValueError):  # ValueError: another thread has closed it
            self._give_up("it closed its input")

    def _answer(
        self,
        name: str,
        timeout_seconds: float | None,
        silence_seconds: float = math.inf,
        stopped: threading.Event | None = None,
    ) -> str:
        """Return the answer to the last command; its name is for the error."""
        allowed = math.inf if timeout_seconds is None else timeout_seconds
        deadline = time.monotonic() + allowed
        while True:
            if stopped is not None and stopped.is_set():
                stopped = None
                self._interrupt()
                allowed = min(allowed, _STOP_SECONDS)
                deadline = min(deadline, time.monotonic() + _STOP_SECONDS)
            left = min(deadline - time.monotonic(), silence_seconds)
            outcome = self._next(left if stopped is None else min(left, _POLL_SECONDS))
            if outcome is not None:
                return _text_of(outcome)
            now = time.monotonic()
            if now >= deadline:
                raise self._timeout(name, allowed)
            late = self._timeout(name, silence_seconds)
            if late.unfinished and now >= self._received_at + silence_seconds:
                raise late

    def _timeout(self, name: str, seconds: float) -> EngineTimeout:
        with self._lock:
            return EngineTimeout(name, seconds, self._session.unfinished)

    def _next(self, seconds: float) -> Outcome | None:
        """Return the outcome of the last command; None if something else, or nothing, comes."""
        try:
            timeout = None if seconds == math.inf else max(0.0, seconds)
            outcome = self._outcomes.get(timeout=timeout)
        except queue.Empty:
            return None
        if outcome is _LINES:
            return None
        self._pending -= 1
        return None if self._pending else outcome

    def _kill(self) -> None:
        if sys.platform == "win32":
            self._process.kill()
        else:
            kill_group(self._process.pid, exited=self._process.poll() is not None)

    def _give_up(self, reason: str) -> None:
        """Kill the process unless it exits at once, since its own exit status explains more."""
        try:
            self._process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._why_killed = reason
            self._kill()

    # These run on threads of their own.

    def _listen(self, stdout: IO[bytes]) -> None:
        for data in chunks(stdout):
            with self._lock:
                outcomes = self._session.receive_data(data)
                self._received_at = time.monotonic()
            self._put_outcomes(outcomes)
            if self._session.failure is not None:
                self._kill()
        self._give_up("it closed its output")
        reason = exit_reason(self._process.wait())
        self._logger.join(_GRACE_SECONDS)
        with self._lock:
            log = self._log.decode(errors="replace").splitlines()
            reason = f"{self._program}: {self._why_killed or reason}"
            outcomes = self._session.connection_lost(reason, log)
        self._put_outcomes(outcomes)

    def _line_received(self, line: str) -> None:
        if not self._lines:
            self._outcomes.put(_LINES)
        self._lines.append(line)

    def _put_outcomes(self, outcomes: Sequence[Outcome]) -> None:
        for outcome in outcomes:
            self._outcomes.put(outcome)

    def _read_log(self, stderr: IO[bytes]) -> None:
        for data in chunks(stderr):
            self._log = (self._log + data)[-_STDERR_BYTES:]


class LineStream:
    """The lines of an answer that ends when it is stopped, or by itself; from `stream`."""

    def __init__(self, process: BlockingProcess, name: str, timeout_seconds: float | None) -> None:
        self.ended = False
        """Whether no more lines will come."""
        self._process = process
        self._name = name
        self._timeout_seconds = timeout_seconds
        self._heard_at = time.monotonic()

    @property
    def silent(self) -> bool:
        """Whether no line has come for longer than the timeout."""
        if self._timeout_seconds is None:
            return False
        return time.monotonic() >= self._heard_at + self._timeout_seconds

    def read(self, seconds: float) -> list[str]:
        """Wait at most this long for new lines and return them.

        Raises `CommandFailed` if the engine refuses the command, and `ConnectionLost` or
        `RemoteProtocolError` if the conversation has ended.
        """
        if self.ended:
            return []
        outcome = self._process._next(seconds)
        lines = self._process.take_lines()
        if lines:
            self._heard_at = time.monotonic()
        if outcome is not None:
            self._end()
            _text_of(outcome)
        return lines

    def timeout(self) -> EngineTimeout:
        """Return the error of an engine that is `silent`."""
        return self._process._timeout(self._name, self._timeout_seconds or 0.0)

    def stop(self) -> list[str]:
        """Stop the answer, wait for its end, at most ten seconds, and return its last lines.

        Returns none if it has already ended. Raises `EngineTimeout` if the engine does not stop,
        and the errors of `read`.
        """
        if self.ended:
            return []
        self._end()
        self._process._interrupt()
        allowed = min(_STOP_SECONDS, self._timeout_seconds or _STOP_SECONDS)
        self._process._answer(self._name, allowed)
        return self._process.take_lines()

    def _end(self) -> None:
        self.ended, self._process._stream = True, None


def _check(timeout_seconds: float | None) -> None:
    """Raise `ValueError` unless a timeout is None or a finite number from 0 up."""
    if timeout_seconds is not None:
        check_limit("timeout_seconds", timeout_seconds)


def _text_of(outcome: Outcome) -> str:
    """Return the text of a successful reply, or raise the error."""
    if not isinstance(outcome, Reply):
        raise outcome
    if not outcome.ok:
        raise CommandFailed(outcome.text)
    return outcome.text
