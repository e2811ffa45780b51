"""The engine's side of GTP without I/O: bytes of commands in, bytes of replies out.

Commands are answered strictly in the order they came.  A quick command answers at once; a slow one
returns a `Work`, and the commands behind it wait until its last update.  The session is in one of
four states:

    READY     the next command can be taken
    WORKING   a work runs
    STOPPING  that work was told to stop; its last update is still to come
    CLOSED    quit was answered, or the input ended and every answer is out, or the peer vanished

What stops a work: `quit`, `stop`, `gogui-interrupt` or `# interrupt` that arrive while it runs, and
any line at all if the work says so (analysis).  What was already waiting when a work began cannot
have been meant to cut it short: a script piped in one go (`genmove b`, `quit`) gets its full
search.  The two exceptions are what can only be meant for the work: any line behind an analysis,
and `stop` or `# interrupt` right behind any other work.

How to drive a session, see `serving.py`: give it what arrives, and write what it returns.  A work
that begins is given to the `start` that the session was made with.  One call may be bounded, in
bytes and by `enough`: all that has arrived is read before any of it is answered, so where the calls
end changes no answer.
"""

import enum
import logging
from collections import deque
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from protocol.codec import (
    BadLine,
    Command,
    CommandDecoder,
    CommandEvent,
    Interrupt,
    Reply,
    ReplyLine,
    encode_reply,
    encode_reply_end,
    encode_reply_lines,
    encode_reply_start,
)
from protocol.commands import CommandTable, Outcome, Update, Work
from protocol.errors import CommandFailed

MAX_WAITING: Final = 1000
"""A session with more lines than this waiting asks its transport to stop reading."""

_PIECE_BYTES: Final = 1 << 10
"""How much is read before it is asked whether that is enough for this call."""

_STOPPING_COMMANDS: Final = frozenset({"quit", "stop", "gogui-interrupt"})

_log = logging.getLogger(__name__)

Target = TypeVar("Target")

Start = Callable[[Work], None]
"""Has a work started; what it reports comes to `EngineSession.update`, but never at once."""


class State(enum.Enum):
    """Where a session is; the module's docstring says what each state means."""

    READY = enum.auto()
    WORKING = enum.auto()
    STOPPING = enum.auto()
    CLOSED = enum.auto()


_NEXT_STATES: Final = {
    State.READY: {State.WORKING, State.CLOSED},
    State.WORKING: {State.STOPPING, State.READY, State.CLOSED},
    State.STOPPING: {State.READY, State.CLOSED},
    State.CLOSED: {State.CLOSED},
}


class EngineSession(Generic[Target]):
    """One conversation with one controller, about one target.

    Two things bound a call, which does some of its work in any case: `max_output_bytes` what it
    returns (but for its last reply), and `enough`, asked between lines, when it is to end.  The
    rest waits until the next call, which may bring no bytes.  `has_more` says that there is some.
    `start` is called for each work that begins, `on_close` once, when the session becomes CLOSED.
    """

    def __init__(
        self,
        table: CommandTable[Target],
        target: Target,
        start: Start,
        max_output_bytes: int | None = None,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        taken = sorted(table.keys() & BUILT_INS)
        if taken:
            raise ValueError(f"the session itself answers {', '.join(taken)}")
        self.table = table
        self.target = target
        self.state = State.READY
        self.max_output_bytes = max_output_bytes
        self.enough: Callable[[], bool] = lambda: False
        self._start = start
        self._on_close = on_close
        self._decoder = CommandDecoder()
        self._unread: deque[bytes | None] = deque()  # None: the end of the input
        self._waiting: deque[CommandEvent] = deque()
        self._input_ended = False
        self._quitting = False
        self._work: Work | None = None
        self._work_id: int | None = None
        self._reply_opened = False

    @property
    def closed(self) -> bool:
        """True when nothing more will be answered."""
        return self.state is State.CLOSED

    @property
    def wants_data(self) -> bool:
        """False while so much waits that reading more should pause."""
        return not self.closed and not self._unread and len(self._waiting) <= MAX_WAITING

    @property
    def has_more(self) -> bool:
        """True when `receive_data(b"")` would do more, which a bound on the last call held back."""
        return bool(self._unread) or (self.state is State.READY and bool(self._waiting))

    def receive_data(self, data: bytes) -> bytes:
        """Take what arrived and return what to write now."""
        if self.closed or (self._input_ended and data):
            return b""
        starts = range(0, len(data), _PIECE_BYTES)
        self._unread.extend(data[start : start + _PIECE_BYTES] for start in starts)
        return self._go_on(0)

    def receive_end(self) -> bytes:
        """Say that the peer sends no more, and return what to write now."""
        if self.closed or self._input_ended:
            return b""
        self._unread.append(None)
        self._input_ended = True
        # A work that begins from now on hears it at its start.
        if self._work is not None:
            self._work.input_ended()
        return self._go_on(0)

    def update(self, work: Work, update: Update) -> bytes:
        """Take what a work reports and return what to write now; reports after its end are lost."""
        if work is not self._work or self.closed:
            return b""
        if isinstance(update, ReplyLine):
            return self._open_reply() + encode_reply_lines(update.text)
        reply = self._last_words(update)
        self._work = None
        self._go(State.READY)
        return reply + self._go_on(len(reply))

    def abandon(self) -> None:
        """Say that the peer vanished: stop the work and answer nothing more."""
        if self._work is not None:
            self._work.stop()
        self._close()

    # Input

    def _go_on(self, size: int) -> bytes:
        """Read what has arrived, then answer; `size` bytes are to be written already."""
        while self._unread:
            piece = self._unread.popleft()
            decoder = self._decoder
            events = decoder.receive_end() if piece is None else decoder.receive_data(piece)
            for event in events:
                self._note(event)
            if self._unread and self.enough():
                return b""
        return self._answer_waiting(size)

    def _note(self, event: CommandEvent) -> None:
        """Queue a line and let it stop the running work if that is what it does."""
        work = self._work
        if (
            work is not None
            and self.state is State.WORKING
            and (work.stopped_by_any_line or _is_stop(event))
        ):
            self._stop(work)
        asks = isinstance(event, Command | BadLine)
        # Another line may be meant for a work still waiting; of a row of them one will do.
        last = self._waiting[-1] if self._waiting else None
        if asks or (event != last and (last is not None or work is None)):
            self._waiting.append(event)

    # Answers

    def _answer_waiting(self, size: int) -> bytes:
        """Answer until a work runs, nothing waits, or it is enough for one call."""
        output = []
        limit = self.max_output_bytes
        while self._waiting and self.state is State.READY and (limit is None or size < limit):
            reply = self._answer(self._waiting.popleft())
            output.append(reply)
            size += len(reply)
            if self.enough():
                break
        if self._input_ended and self.state is State.READY and not self._waiting:
            self._close()
        return b"".join(output)

    def _answer(self, event: CommandEvent) -> bytes:
        if isinstance(event, BadLine):
            return encode_reply(Reply(False, event.reason, event.id))
        if not isinstance(event, Command):
            return b""
        try:
            outcome = self._call(event)
        except CommandFailed as failure:
            return encode_reply(Reply(False, failure.message, event.id))
        except Exception as error:
            # Whatever it is, the conversation goes on; the traceback is for whoever mends it.
            _log.exception("command %r failed", event.name)
            return encode_reply(Reply(False, f"internal error: {error!r}", event.id))
        if outcome is not None and not isinstance(outcome, str):
            self._begin(outcome, event.id)
            return b""
        reply = encode_reply(Reply(True, outcome or "", event.id))
        if self._quitting:
            self._close()
        return reply

    def _call(self, command: Command) -> Outcome:
        if command.name in BUILT_INS:
            return BUILT_INS.call(self, command)
        return self.table.call(self.target, command)

    # Works

    def _begin(self, work: Work, command_id: int | None) -> None:
        self._go(State.WORKING)
        self._work = work
        self._work_id = command_id
        self._reply_opened = False
        self._start(work)
        first = self._waiting[0] if self._waiting else None
        if first is not None and (
            work.stopped_by_any_line or (_is_stop(first) and not _is_quit(first))
        ):
            self._stop(work)
        elif self._input_ended or any(_is_quit(event) for event in self._waiting):
            work.input_ended()

    def _stop(self, work: Work) -> None:
        self._go(State.STOPPING)
        work.stop()

    def _open_reply(self) -> bytes:
        if self._reply_opened:
            return b""
        self._reply_opened = True
        return encode_reply_start(self._work_id)

    def _last_words(self, reply: Reply) -> bytes:
        text = reply.text
        if not self._reply_opened:
            return encode_reply(Reply(reply.ok, text, self._work_id))
        if not reply.ok:
            # Too late for a `?`: the reply was opened as a success.
            _log.error("work failed amid its reply: %s", text)
            text = f"error: {text}"
        return encode_reply_lines(text) + encode_reply_end()

    # The end

    def _go(self, state: State) -> None:
        assert state in _NEXT_STATES[self.state], f"{self.state} cannot become {state}"
        self.state = state

    def _close(self) -> None:
        self._go(State.CLOSED)
        self._unread.clear()
        self._waiting.clear()
        self._work = None
        on_close, self._on_close = self._on_close, None
        if on_close is not None:
            on_close()

    def quit(self) -> None:
        """Close the session after the reply to the command that runs now."""
        self._quitting = True


def _is_quit(event: CommandEvent) -> bool:
    return isinstance(event, Command) and event.name == "quit"


def _is_stop(event: CommandEvent) -> bool:
    if isinstance(event, Command):
        return event.name in _STOPPING_COMMANDS
    return isinstance(event, Interrupt)


BUILT_INS: Final = CommandTable[EngineSession[Any]]()
"""The commands that need no target; every session answers them."""


@BUILT_INS.register
def protocol_version(_session: EngineSession[Any]) -> str:
    """Tell the version of GTP, always 2."""
    return "2"


@BUILT_INS.register
def known_command(session: EngineSession[Any], command: str) -> str:
    """Tell `true` if COMMAND is a command, else `false`."""
    return "true" if command in BUILT_INS or command in session.table else "false"


@BUILT_INS.register
def list_commands(session: EngineSession[Any]) -> str:
    """List all commands, one a line, in alphabetical order."""
    return "\n".join(sorted({*BUILT_INS, *session.table}))


@BUILT_INS.named("quit")
def quit_(session: EngineSession[Any]) -> None:
    """End the session; a running search ends at once."""
    session.quit()


@BUILT_INS.register
def stop(_session: EngineSession[Any]) -> None:
    """Finish the command that is running with what is known; the reply is empty, also when idle."""


@BUILT_INS.named("gogui-interrupt")
def gogui_interrupt(_session: EngineSession[Any]) -> None:
    """Tell GoGui that `# interrupt` is understood; stops a running command as `stop` does."""
