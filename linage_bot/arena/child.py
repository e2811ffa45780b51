"""A GTP engine as a child process: started when it is needed, asked, stopped.

Whatever goes wrong with it becomes an `EngineFault` in words that fit a game record.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

import attrs

from protocol.errors import (
    CannotStart,
    CommandFailed,
    ConnectionLost,
    EngineTimeout,
    RemoteProtocolError,
)
from protocol.process import EngineProcess
from protocol.spawning import find_program

_FAREWELL_SECONDS: Final = 2.0
_STDERR_LINES: Final = 10


@attrs.define(eq=False)
class EngineFault(Exception):
    """An engine did what it must not; `reason` says what, `timed_out` whether it was too slow.

    `setting` is the key, in the engine's table, that the user may have to mend.
    """

    engine: GtpChild
    reason: str
    timed_out: bool = False
    setting: str = "command"

    def __str__(self) -> str:
        return self.reason


class EngineRefusal(EngineFault):
    """An engine refused a command; some it may refuse."""


@attrs.define(eq=False)
class GtpChild:
    """An engine whose process lives from `start` until a fault or `stop`."""

    _reactor: Any
    _argv: tuple[str, ...]
    _cwd: str | None
    _env: Mapping[str, str]  # joins our own environment
    _start_commands: tuple[str, ...]
    _patience_seconds: float  # that an answer may take
    commands: frozenset[str] = attrs.field(default=frozenset(), init=False)
    process: EngineProcess | None = attrs.field(default=None, init=False)
    _retired: bool = attrs.field(default=False, init=False)

    @property
    def log(self) -> tuple[str, ...]:
        """The last lines of the conversation and of the engine's stderr."""
        if self.process is None:
            return ()
        stderr = (f"! {line}" for line in self.process.stderr_tail[-_STDERR_LINES:])
        return (*self.process.transcript, *stderr)

    async def ask(self, *words: str, seconds: float | None = None) -> str:
        """The engine's answer to a command; raises `EngineFault`, `EngineRefusal` if it refuses.

        Without `seconds` it may take the usual patience.
        """
        process, timeout = self.process, self._patience_seconds if seconds is None else seconds
        if process is None:
            raise EngineFault(self, "it is not running")
        try:
            return await process.ask(*words, timeout=timeout)
        except CommandFailed as error:
            raise EngineRefusal(self, f"refused {' '.join(words)!r}: {error.message}") from None
        except RemoteProtocolError as error:
            line = f": {error.line!r}" if error.line else ""
            raise EngineFault(self, f"broke the protocol: {error}{line}") from None
        except ConnectionLost as error:
            last = (process.stderr_tail or ("",))[-1].strip()
            raise EngineFault(self, f"died: {error.reason}{f' ({last})' if last else ''}") from None
        except EngineTimeout as error:
            raise EngineFault(self, str(error), timed_out=True) from None

    async def start(self) -> None:
        """Start the process unless it runs, and send the start commands; raises `EngineFault`."""
        if self.process is not None and self.process.alive:
            return
        if self._retired:
            raise EngineFault(self, "it has been retired")
        await self.stop(at_once=True)
        environment = {**os.environ, **self._env}
        try:
            self.process = await EngineProcess.start(
                self._reactor,
                find_program(self._argv, environment.get("PATH")),
                cwd=self._cwd,
                env=environment,
            )
        except CannotStart as error:
            raise EngineFault(self, str(error)) from None
        if self._retired:
            self.process.kill()
        self.commands = frozenset((await self.ask("list_commands")).split())
        self.require("play", "genmove", "boardsize", "clear_board")
        for number, line in enumerate(self._start_commands):
            try:
                await self.ask(*line.split())
            except EngineFault as fault:
                fault.setting = f"start_commands[{number}]"
                raise

    def require(self, *commands: str) -> None:
        """Raise `EngineFault` unless the engine has these commands."""
        for command in commands:
            if command not in self.commands:
                raise EngineFault(self, f"does not have the command {command}")

    def retire(self) -> None:
        """Kill the process and never start it again; `stop` still waits for its end."""
        self._retired = True
        if self.process is not None:
            self.process.kill()

    async def stop(self, at_once: bool = False) -> None:
        """End the process, by `quit` or `at_once`; it is started again when it is needed."""
        process, self.process = self.process, None
        if process is not None:
            if at_once:
                process.kill()
            await process.close(_FAREWELL_SECONDS)
