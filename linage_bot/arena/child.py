"""A GTP engine as a child process: started when it is needed, asked, stopped.

Whatever goes wrong with it becomes an `EngineFault` in words that fit a game record.
"""

import os
from collections.abc import Coroutine, Mapping
from typing import Any, Final

from protocol.errors import (
    CannotStart,
    CommandFailed,
    ConnectionLost,
    EngineTimeout,
    RemoteProtocolError,
)
from protocol.process import EngineProcess
from protocol.spawning import find_program

FAULTS: Final = (CommandFailed, EngineTimeout, RemoteProtocolError, ConnectionLost)
"""What an engine's answer can be instead of an answer; `GtpChild.fault` puts it in words."""
_FAREWELL_SECONDS: Final = 2.0
_STDERR_LINES: Final = 10


class EngineFault(Exception):
    """An engine did what it must not; `reason` says what, `timed_out` whether it was too slow.

    `setting` is the key, in the engine's table, that the user may have to mend.
    """

    def __init__(self, reason: str, timed_out: bool = False, setting: str = "command") -> None:
        super().__init__(reason)
        self.reason = reason
        self.timed_out = timed_out
        self.setting = setting


class GtpChild:
    """An engine whose process lives from `start` until a fault or `stop`."""

    def __init__(
        self,
        reactor: Any,
        argv: tuple[str, ...],
        cwd: str | None,
        env: Mapping[str, str],
        start_commands: tuple[str, ...],
        patience_seconds: float,
    ) -> None:
        """`env` joins our own environment; an answer may take `patience_seconds`."""
        self.commands: frozenset[str] = frozenset()
        self.process: EngineProcess | None = None
        self._reactor = reactor
        self._argv = argv
        self._cwd = cwd
        self._env = env
        self._start_commands = start_commands
        self._patience = patience_seconds
        self._retired = False

    @property
    def log(self) -> tuple[str, ...]:
        """The last lines of the conversation and of the engine's stderr."""
        if self.process is None:
            return ()
        stderr = (f"! {line}" for line in self.process.stderr_tail[-_STDERR_LINES:])
        return (*self.process.transcript, *stderr)

    async def ask(self, *words: str, seconds: float | None = None) -> str:
        """The engine's answer to a command; raises `EngineFault`.

        Without `seconds` it may take the usual patience.
        """
        try:
            return await self.asking(*words, seconds=seconds)
        except FAULTS as error:
            raise self.fault(error, *words) from None

    def asking(self, *words: str, seconds: float | None = None) -> Coroutine[Any, Any, str]:
        """As `ask`, but its faults are the protocol's: for where every microsecond counts."""
        if self.process is None:
            raise EngineFault("it is not running")
        timeout = self._patience if seconds is None else seconds
        return self.process.ask(*words, timeout=timeout)

    def fault(self, error: BaseException, *words: str) -> EngineFault:
        """What the protocol's error, caused by a command, means for a game."""
        if isinstance(error, CommandFailed):
            return EngineFault(f"refused {' '.join(words)!r}: {error.message}")
        if isinstance(error, RemoteProtocolError):
            line = f": {error.line!r}" if error.line else ""
            return EngineFault(f"broke the protocol: {error}{line}")
        if isinstance(error, ConnectionLost) and self.process is not None:
            last = (self.process.stderr_tail or ("",))[-1].strip()
            return EngineFault(f"died: {error.reason}{f' ({last})' if last else ''}")
        return EngineFault(str(error), timed_out=isinstance(error, EngineTimeout))

    async def start(self) -> None:
        """Start the process unless it runs, and send the start commands; raises `EngineFault`."""
        if self.process is not None and self.process.alive:
            return
        if self._retired:
            raise EngineFault("it has been retired")
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
            raise EngineFault(str(error)) from None
        if self._retired:
            self.process.kill()
        self.commands = frozenset((await self.ask("list_commands")).split())
        self.require("play", "genmove", "boardsize", "clear_board")
        for number, line in enumerate(self._start_commands):
            try:
                await self.ask(*line.split())
            except EngineFault as fault:
                setting = f"start_commands[{number}]"
                raise EngineFault(fault.reason, fault.timed_out, setting) from None

    def require(self, *commands: str) -> None:
        """Raise `EngineFault` unless the engine has these commands."""
        for command in commands:
            if command not in self.commands:
                raise EngineFault(f"does not have the command {command}")

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
