"""Whose fault it is when a conversation fails.

- `LocalProtocolError`: ours. The calling code asked for something the protocol cannot express.
- `RemoteProtocolError`: theirs. The peer sent what the protocol does not allow.
- `CommandFailed`: nobody's. A well-formed command was refused with a well-formed answer; a command
  raises it on the engine's side and the one who asked receives it on the controller's side.
- `EngineTimeout`: theirs. The engine lives but has not answered in the time it was given.
- `ConnectionLost`: the network's or the process's. The peer is gone.
- `CannotStart`: the user's. There is no such program, or it may not be run.
"""

from collections.abc import Sequence


class LocalProtocolError(Exception):
    """Our own code tried to send something the protocol forbids; nothing was sent."""


class RemoteProtocolError(Exception):
    """The peer sent something the protocol forbids; nothing it says later can be trusted.

    `reason` says what in one line.  `line` is what it sent, shortened; empty where no single line
    is to blame.
    """

    def __init__(self, reason: str, line: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


class CommandFailed(Exception):
    """A command was refused; `message` is the text after the `?`.

    The message begins with the words clients match (`syntax error`, `illegal move` …), then a colon
    and the detail.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ConnectionLost(Exception):
    """The peer is gone; `reason` says how it went, `last_lines` what was said before."""

    def __init__(self, reason: str, last_lines: Sequence[str] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.last_lines = tuple(last_lines)


class EngineTimeout(Exception):
    """The engine did not answer `command` within `seconds`; it may still be running.

    `unfinished` says in words what has come of its answer; empty if nothing has.
    """

    def __init__(self, command: str, seconds: float, unfinished: str = "") -> None:
        words = f": {unfinished}" if unfinished else ""
        super().__init__(f"no answer to {command!r} within {seconds:g} s{words}")
        self.command = command
        self.seconds = seconds
        self.unfinished = unfinished


class CannotStart(Exception):
    """The engine's program could not be run; `program` is what was to be run, `reason` why not."""

    def __init__(self, program: str, reason: str) -> None:
        super().__init__(f"cannot start {program!r}: {reason}")
        self.program = program
        self.reason = reason
