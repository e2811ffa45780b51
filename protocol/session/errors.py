"""Errors of a conversation, by the party at fault.

- `LocalProtocolError`: us. The calling code sent something that the protocol cannot express.
- `RemoteProtocolError`: the peer. It sent something that the protocol does not allow.
- `CommandFailed`: no party. A well-formed command was refused with a well-formed answer; a command
  raises it on the engine's side, and the caller receives it on the controller's side.
- `EngineTimeout`: the engine. It runs but has not answered within the time limit.
- `ConnectionLost`: the network or the process. The peer is gone.
- `CannotStart`: the user. The program does not exist or may not be run.
"""

from collections.abc import Sequence


class LocalProtocolError(Exception):
    """An attempt of our own code to send something the protocol forbids; nothing was sent."""


class RemoteProtocolError(Exception):
    """A violation of the protocol by the peer, after which its lines cannot be trusted.

    `reason` describes it in one line.  `line` is the offending line, shortened; empty where no
    single line is to blame.  `remedy` is advice to the user, if any.  The error's text has all
    three, so neither the reason nor a message made from the text repeats the line.
    """

    def __init__(self, reason: str, line: str = "", remedy: str = "") -> None:
        super().__init__(reason, line, remedy)
        self.reason = reason
        self.line = line
        self.remedy = remedy

    def __str__(self) -> str:
        line = f": {self.line!r}" if self.line else ""
        return f"{self.reason}{line}{f'; {self.remedy}' if self.remedy else ''}"


class CommandFailed(Exception):
    """The refusal of a command; `message` is the text after the `?`.

    The message begins with the words clients match (`syntax error`, `illegal move` …), then a colon
    and the detail.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ConnectionLost(Exception):
    """The loss of the peer; `reason` describes it, `last_lines` are the last ones exchanged."""

    def __init__(self, reason: str, last_lines: Sequence[str] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.last_lines = tuple(last_lines)


class EngineTimeout(Exception):
    """A missing answer to `command` within `seconds`; the engine may still be running.

    `unfinished` describes the received part of its answer; empty if there is none.
    """

    def __init__(self, command: str, seconds: float, unfinished: str = "") -> None:
        words = f": {unfinished}" if unfinished else ""
        super().__init__(f"no answer to {command!r} within {seconds:g} s{words}")
        self.command = command
        self.seconds = seconds
        self.unfinished = unfinished


class CannotStart(Exception):
    """A failure to run the engine's program `program`; `reason` describes the error."""

    def __init__(self, program: str, reason: str) -> None:
        super().__init__(f"cannot start {program!r}: {reason}")
        self.program = program
        self.reason = reason
