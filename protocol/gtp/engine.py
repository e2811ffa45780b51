"""The engine's side of GTP without I/O: bytes of commands in, bytes of replies out.

Commands are answered strictly in the order they came, see `answering.py`.

A work is stopped by `quit`, `stop`, `gogui-interrupt` or `# interrupt` that arrive while it runs,
and by any line at all if the work is an analysis.  A command that was already queued when a work
began cannot have been meant to cut it short: a script piped in at once (`genmove b`, `quit`) gets
its full search.  There are two exceptions, which can only be meant for the work: any line after an
analysis, and `stop` or `# interrupt` right after any other work.
"""

import logging
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from protocol.gtp.codec import (
    BadLine,
    Command,
    CommandDecoder,
    CommandEvent,
    Interrupt,
    encode_reply,
    encode_reply_end,
    encode_reply_lines,
    encode_reply_start,
)
from protocol.gtp.commands import CommandTable, Outcome
from protocol.session.answering import AnsweringSession, Start
from protocol.session.errors import CommandFailed
from protocol.session.work import Reply, Work

_STOPPING_COMMANDS: Final = frozenset({"quit", "stop", "gogui-interrupt"})

_log = logging.getLogger(__name__)

Target = TypeVar("Target")


class EngineSession(AnsweringSession[CommandEvent], Generic[Target]):
    """One conversation with one controller, about one target."""

    def __init__(
        self,
        table: CommandTable[Target],
        target: Target,
        start: Start,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        taken = sorted(table.keys() & BUILT_INS)
        if taken:
            raise ValueError(f"the session itself answers {', '.join(taken)}")
        super().__init__(CommandDecoder(), start, on_close)
        self.table = table
        self.target = target
        self._quitting = False
        self._work_id: int | None = None
        self._reply_opened = False

    def _enqueue(self, request: CommandEvent) -> bytes:
        """Queue a line, and stop the running work if the line does that."""
        work = self._work
        if work is not None and (work.stopped_by_any_line or _is_stop(request)):
            self._stop(work)
        asks = isinstance(request, Command | BadLine)
        # Another line may stop a work that is still queued; of several equal lines one is enough.
        last = self._waiting[-1] if self._waiting else None
        if asks or (request != last and (last is not None or work is None)):
            self._waiting.append(request)
        return b""

    def _execute(self, request: CommandEvent) -> bytes:
        if isinstance(request, BadLine):
            raise CommandFailed(request.reason)
        if not isinstance(request, Command):
            return b""
        outcome = self._call(request)
        if outcome is not None and not isinstance(outcome, str):
            self._work_id = request.id
            self._reply_opened = False
            return self._begin(outcome)
        reply = encode_reply(Reply(True, outcome or "", request.id))
        if self._quitting:
            self._close()
        return reply

    def _call(self, command: Command) -> Outcome:
        if command.name in BUILT_INS:
            return BUILT_INS.call(self, command)
        return self.table.call(self.target, command)

    def _refusal(self, request: CommandEvent, reason: str) -> bytes:
        id_ = request.id if isinstance(request, Command | BadLine) else None
        return encode_reply(Reply(False, reason, id_))

    def _begin(self, work: Work) -> bytes:
        super()._begin(work)
        first = self._waiting[0] if self._waiting else None
        if first is not None and (
            work.stopped_by_any_line or (_is_stop(first) and not _is_quit(first))
        ):
            self._stop(work)
        elif self._input_ended or any(_is_quit(event) for event in self._waiting):
            work.input_ended()
        return b""

    def _progress(self, text: str) -> bytes:
        start = b"" if self._reply_opened else encode_reply_start(self._work_id)
        self._reply_opened = True
        return start + encode_reply_lines(text)

    def _final_reply(self, reply: Reply) -> bytes:
        text = reply.text
        if not self._reply_opened:
            return encode_reply(Reply(reply.ok, text, self._work_id))
        if not reply.ok:
            # Too late for a `?`: the reply was opened as a success.
            _log.error("a job failed during its reply: %s", text)
            text = f"error: {text}"
        return encode_reply_lines(text) + encode_reply_end()

    def probe(self) -> bytes:
        """Return an empty line, skipped between replies, or no bytes while a reply is open."""
        return b"" if self._work is not None and self._reply_opened else b"\n"

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
    """Return the version of GTP, always 2."""
    return "2"


@BUILT_INS.register
def known_command(session: EngineSession[Any], command: str) -> str:
    """Return `true` if COMMAND is a command, else `false`."""
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
    """Finish the running command with the result so far; the reply is empty, also when idle."""


@BUILT_INS.named("gogui-interrupt")
def gogui_interrupt(_session: EngineSession[Any]) -> None:
    """Show GoGui that `# interrupt` is understood; stop a running command as `stop` does."""
