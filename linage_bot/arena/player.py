"""Any GTP engine as a player that chooses moves.

    with GtpPlayer("linage-bot gtp --size 7 --visits 100") as player:
        move = player.play(so_far)

For scripts and notebooks: it waits for each answer and needs no reactor. A thread reads the
engine's output, since not every system can wait for a pipe with a timeout.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import queue
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import IO, Final

from linage_bot.arena.preparation import preparation
from linage_bot.rules.boards import NoSuchPoint
from linage_bot.rules.game import IllegalMove, Player
from linage_bot.rules.history import History
from linage_bot.settings.checks import check_limit
from protocol.gtp.controller import ControllerSession
from protocol.session.asking import SILENCE_SECONDS, Outcome
from protocol.session.errors import (
    CannotStart,
    CommandFailed,
    ConnectionLost,
    EngineTimeout,
    LocalProtocolError,
    RemoteProtocolError,
)
from protocol.session.work import Reply
from protocol.transport.spawning import exit_reason, find_program, kill_group, through_trampoline

_STDERR_BYTES: Final = 1 << 13
_FAREWELL_SECONDS: Final = 2.0
_GRACE_SECONDS: Final = 1.0  # how long a process may outlive its pipes, and the pipes their process


class GtpPlayer:
    """An engine in a process of its own, from the creation of this object until `close`.

    It plays any game that its `boardsize` or our `linage-game` can set up. On Linux it does not
    outlive the thread that created it.

    Failures are the exceptions of `protocol.session.errors`: `CommandFailed` when the engine
    refuses, `EngineTimeout` when it is too slow, `ConnectionLost` when it has died, and
    `RemoteProtocolError` when it does not speak GTP or its answer is not a legal move.
    """

    def __init__(self, command: str | Sequence[str], timeout_seconds: float | None = None) -> None:
        """Start the engine; raises `CannotStart`, and the exceptions of `ask`.

        `timeout_seconds` is how long an answer may take, None: for ever; it may be changed later.
        Raises `ValueError` unless it is a finite number from 0 up.
        """
        try:
            argv = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise CannotStart(str(command), str(error)) from None
        if not argv:
            raise CannotStart("", "the command line is empty")
        self._engine = _Engine(find_program(argv, os.environ.get("PATH")))
        self.timeout_seconds = timeout_seconds
        self._known_game: History | None = None  # the game on the engine's board; None if unknown
        try:
            answer = self._engine.ask(
                "list_commands", timeout_seconds=timeout_seconds, silence_seconds=SILENCE_SECONDS
            )
            self.commands = frozenset(answer.split())
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> GtpPlayer:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """The engine's own name; raises the exceptions of `ask`."""
        return self._ask("name")

    @property
    def transcript(self) -> tuple[str, ...]:
        """The last lines of the conversation, oldest first: `> ` for commands, `< ` for answers."""
        return self._engine.transcript

    def play(self, so_far: History) -> str | None:
        """Return the engine's move in a game: a vertex or `pass`, as `History.play` accepts it.

        None if it resigns. The engine receives only the moves that it does not know yet. Raises the
        exceptions of `ask`, and `LocalProtocolError` if the game is over, or began with stones on
        the board and the engine has no commands for that.
        """
        if so_far.position.over:
            raise LocalProtocolError("the game is over")
        known_game, self._known_game = self._known_game, None
        self._update_board(known_game, so_far)
        answer = self._ask("genmove", so_far.position.to_move.letter).strip()
        if answer.lower() == "resign":
            self._known_game = so_far
            return None
        try:
            self._known_game = so_far.play(answer)
        except NoSuchPoint:
            raise RemoteProtocolError("not a move", answer[:80]) from None
        except IllegalMove as error:
            raise RemoteProtocolError(f"illegal move: {error.reason}", answer[:80]) from None
        return so_far.position.name_of(self._known_game.moves[-1])

    def ask(self, name: str, *arguments: str) -> str:
        """Send any command and return the text of its answer.

        Raises `CommandFailed`, `EngineTimeout`, `ConnectionLost`, `RemoteProtocolError`, and
        `LocalProtocolError` for a command that GTP cannot express.
        """
        self._known_game = None  # it may change the board
        return self._ask(name, *arguments)

    def close(self) -> None:
        """Send `quit`, and kill the rest of the engine two seconds later."""
        self._engine.close()

    def _ask(self, *words: str) -> str:
        return self._engine.ask(*words, timeout_seconds=self.timeout_seconds)

    def _update_board(self, known_game: History | None, so_far: History) -> None:
        """Bring the engine's board from a game, or an unknown state (None), to another game."""
        known = None if known_game is None else _common_moves(known_game, so_far)
        undone = () if known_game is None else known_game.moves[known:]
        if known is None or (undone and "undo" not in self.commands):
            self._begin(so_far)
            known, undone = 0, ()
        for _ in undone:
            self._ask("undo")
        for position, move in zip(so_far.positions[known:], so_far.moves[known:], strict=False):
            self._ask("play", position.to_move.letter, position.name_of(move))

    def _begin(self, so_far: History) -> None:
        for words in preparation(so_far.game, self.commands):
            self._ask(*words)
        if so_far.setup or so_far.begins is not Player.FIRST:
            if not {"gogui-setup", "gogui-setup_player"} <= self.commands:
                raise LocalProtocolError("the engine has no commands to set up a position")
            start = so_far.positions[0]
            stones = ((player.letter, start.name_of(point)) for player, point in so_far.setup)
            self._ask("gogui-setup", *itertools.chain.from_iterable(stones))
            self._ask("gogui-setup_player", so_far.begins.letter)


def _common_moves(one: History, other: History) -> int | None:
    """Return the number of moves two games begin with; None if their first positions differ."""
    if (one.game, one.setup, one.begins) != (other.game, other.setup, other.begins):
        return None
    pairs = enumerate(zip(one.moves, other.moves, strict=False))
    shorter = min(len(one.moves), len(other.moves))
    return next((count for count, (move, its) in pairs if move != its), shorter)


class _Engine:
    """An engine's process and the conversation with it."""

    def __init__(self, argv: list[str]) -> None:
        """Start the engine; raises `CannotStart`."""
        self._program = argv[0]
        self._owner = os.getpid()  # a forked child lacks the reader threads
        self._session = ControllerSession()
        self._lock = threading.Lock()  # held by each user of the session
        self._outcomes: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        self._pending = 0  # commands whose outcome has not been taken from the queue
        self._received_at = 0.0  # when the engine last sent anything
        self._log = b""
        self._why_killed = ""
        self._process = process = _start(argv)
        assert process.stdin is not None  # these are pipes
        self._stdin = process.stdin
        self._logger = threading.Thread(target=self._read_log, args=(process.stderr,), daemon=True)
        self._listener = threading.Thread(target=self._listen, args=(process.stdout,), daemon=True)
        self._logger.start()
        self._listener.start()

    @property
    def transcript(self) -> tuple[str, ...]:
        with self._lock:
            return self._session.transcript

    def ask(
        self, *words: str, timeout_seconds: float | None, silence_seconds: float = math.inf
    ) -> str:
        """Return the answer to a command; discard late answers to earlier ones.

        Once the answer has begun, the engine must not pause for longer than `silence_seconds`.
        """
        if timeout_seconds is not None:
            check_limit("timeout_seconds", timeout_seconds)
        if os.getpid() != self._owner:
            raise ConnectionLost(
                "another process started this engine; start a new one after a fork"
            )
        with self._lock:
            data = self._session.send(*words)
        self._pending += 1
        try:
            self._stdin.write(data)
        except OSError:
            self._give_up("it closed its input")
        deadline = math.inf if timeout_seconds is None else time.monotonic() + timeout_seconds
        while self._pending:
            left = min(deadline - time.monotonic(), silence_seconds)
            try:
                outcome = self._outcomes.get(timeout=None if left == math.inf else max(0.0, left))
            except queue.Empty:
                self._check_time(words[0], deadline, timeout_seconds, silence_seconds)
                continue
            self._pending -= 1
        if not isinstance(outcome, Reply):
            raise outcome
        if not outcome.ok:
            raise CommandFailed(outcome.text)
        return outcome.text

    def _check_time(
        self, name: str, deadline: float, timeout_seconds: float | None, silence_seconds: float
    ) -> None:
        """Raise `EngineTimeout` if a command has waited, or its answer paused, for too long."""
        now = time.monotonic()
        with self._lock:
            unfinished, received_at = self._session.unfinished, self._received_at
        if now >= deadline:
            raise EngineTimeout(name, timeout_seconds or 0.0, unfinished)
        if unfinished and now >= received_at + silence_seconds:
            raise EngineTimeout(name, silence_seconds, unfinished)

    def close(self) -> None:
        """End the process and its descendants; do nothing if it is already closed."""
        if self._stdin.closed:
            return
        if os.getpid() != self._owner:
            self._stdin.close()
            return
        with contextlib.suppress(CommandFailed, EngineTimeout, ConnectionLost, RemoteProtocolError):
            self.ask("quit", timeout_seconds=_FAREWELL_SECONDS)
        self._stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE_SECONDS)
        self._kill()
        self._process.wait()
        self._listener.join(_GRACE_SECONDS)

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
        for data in _chunks(stdout):
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

    def _put_outcomes(self, outcomes: Sequence[Outcome]) -> None:
        for outcome in outcomes:
            self._outcomes.put(outcome)

    def _read_log(self, stderr: IO[bytes]) -> None:
        for data in _chunks(stderr):
            self._log = (self._log + data)[-_STDERR_BYTES:]


def _chunks(pipe: IO[bytes]) -> Iterator[bytes]:
    with pipe:
        while data := pipe.read(1 << 16):
            yield data


def _start(argv: list[str]) -> subprocess.Popen[bytes]:
    """Return the process, its pipes unbuffered; raises `CannotStart`."""
    if sys.platform == "win32":
        return _open(argv[0], argv)
    ours, theirs = os.pipe()
    with open(ours, "rb") as errors:  # noqa: PTH123
        try:
            process = _open(argv[0], through_trampoline(argv, theirs), (theirs,))
        finally:
            os.close(theirs)
        error = errors.read()
    if error:
        process.communicate()
        raise CannotStart(argv[0], error.decode(errors="replace"))
    return process


def _open(program: str, line: list[str], fds: tuple[int, ...] = ()) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, pass_fds=fds)
    except (OSError, ValueError) as error:
        raise CannotStart(program, str(error)) from None
