"""A GTP or UGI engine as a child process: start, commands and stop.

Every failure becomes an `EngineFault` whose text fits a game record.
"""

from __future__ import annotations

import abc
import os
from collections.abc import Mapping
from typing import Any, Final

import attrs

from linage_bot.arena.ugi import options_of, refuses
from protocol.gtp.controller import ControllerSession
from protocol.session.asking import SILENCE_SECONDS, AskingSession
from protocol.session.errors import (
    CannotStart,
    CommandFailed,
    ConnectionLost,
    EngineTimeout,
    RemoteProtocolError,
)
from protocol.transport.process import EngineProcess
from protocol.transport.spawning import find_program
from protocol.ugi.controller import UgiControllerSession
from protocol.ugi.messages import UgiOption

_FAREWELL_SECONDS: Final = 2.0
_STDERR_LINES: Final = 10


@attrs.define(eq=False)
class EngineFault(Exception):
    """A failure of an engine, with its `reason`; `timed_out` if the engine was too slow.

    `setting` is the key in the engine's table that the user may have to correct.
    """

    engine: EngineChild
    reason: str
    timed_out: bool = False
    setting: str = "command"

    def __str__(self) -> str:
        return self.reason


class EngineRefusal(EngineFault):
    """An engine's refusal of a command; for some commands that is allowed."""


@attrs.define(eq=False)
class EngineChild(abc.ABC):
    """An engine whose process lives from `start` until a fault or `stop`."""

    _reactor: Any
    _argv: tuple[str, ...]
    _cwd: str | None
    _env: Mapping[str, str]  # merged into our own environment
    _start_commands: tuple[str, ...]
    _patience_seconds: float  # the default timeout of an answer
    process: EngineProcess | None = attrs.field(default=None, init=False)
    _retired: bool = attrs.field(default=False, init=False)

    @property
    def log(self) -> tuple[str, ...]:
        """The last lines of the conversation and of the engine's stderr."""
        if self.process is None:
            return ()
        stderr = (f"! {line}" for line in self.process.stderr_tail[-_STDERR_LINES:])
        return (*self.process.transcript, *stderr)

    async def ask(
        self, *words: str, seconds: float | None = None, silence_seconds: float | None = None
    ) -> str:
        """Send a command and return the engine's answer.

        Raises `EngineFault`; `EngineRefusal` if the engine refuses the command. Without `seconds`,
        the default timeout applies. Once the answer has begun, the engine must not pause for longer
        than `silence_seconds`.
        """
        process, timeout = self.process, self._patience_seconds if seconds is None else seconds
        if process is None:
            raise EngineFault(self, "it is not running")
        try:
            return await process.ask(*words, timeout=timeout, silence=silence_seconds)
        except CommandFailed as error:
            raise EngineRefusal(self, f"refused {' '.join(words)!r}: {error.message}") from None
        except RemoteProtocolError as error:
            raise EngineFault(self, f"broke the protocol: {error}") from None
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
            raise EngineFault(self, "it has been stopped")
        await self.stop(at_once=True)
        environment = {**os.environ, **self._env}
        try:
            self.process = await EngineProcess.start(
                self._reactor,
                find_program(self._argv, environment.get("PATH")),
                self._new_session(),
                cwd=self._cwd,
                env=environment,
            )
        except CannotStart as error:
            raise EngineFault(self, str(error)) from None
        if self._retired:
            self.process.kill()
        await self._handshake()
        for number, line in enumerate(self._start_commands):
            try:
                await self._execute(*line.split())
            except EngineFault as fault:
                fault.setting = f"start_commands[{number}]"
                raise

    @abc.abstractmethod
    def _new_session(self) -> AskingSession:
        """Return a new protocol session for a process."""

    @abc.abstractmethod
    async def _handshake(self) -> None:
        """Query the capabilities of a process that was just started; raises `EngineFault`."""

    @abc.abstractmethod
    async def _execute(self, *words: str) -> None:
        """Send a start command and wait until the engine has executed it; raises `EngineFault`."""

    def retire(self) -> None:
        """Kill the process and never start it again; `stop` still waits for its end."""
        self._retired = True
        if self.process is not None:
            self.process.kill()

    async def stop(self, at_once: bool = False) -> None:
        """End the process with `quit`, or kill it if `at_once`; `start` can start it again."""
        process, self.process = self.process, None
        if process is not None:
            if at_once:
                process.kill()
            await process.close(_FAREWELL_SECONDS)


@attrs.define(eq=False)
class GtpChild(EngineChild):
    """A GTP engine."""

    commands: frozenset[str] = attrs.field(default=frozenset(), init=False)

    def _new_session(self) -> ControllerSession:
        return ControllerSession()

    async def _handshake(self) -> None:
        answer = await self.ask("list_commands", silence_seconds=SILENCE_SECONDS)
        self.commands = frozenset(answer.split())
        self.require("play", "genmove", "boardsize", "clear_board")

    async def _execute(self, *words: str) -> None:
        await self.ask(*words)

    def require(self, *commands: str) -> None:
        """Raise `EngineFault` unless the engine has these commands."""
        for command in commands:
            if command not in self.commands:
                raise EngineFault(self, f"does not have the command {command}")


@attrs.define(eq=False)
class UgiChild(EngineChild):
    """A UGI engine; `options` maps lower-case names to the engine's options."""

    options: Mapping[str, UgiOption] = attrs.field(factory=dict, init=False)

    def _new_session(self) -> UgiControllerSession:
        return UgiControllerSession()

    async def _handshake(self) -> None:
        self.options = options_of(await self.ask("ugi"))

    async def _execute(self, *words: str) -> None:
        self.notify(*words)
        await self.ask("isready")  # otherwise a fault would be attributed to a later command

    def notify(self, *words: str) -> None:
        """Send a command that has no answer; raises `EngineFault`."""
        if self.process is None:
            raise EngineFault(self, "it is not running")
        try:
            self.process.notify(*words)
        except RemoteProtocolError as error:
            raise EngineFault(self, f"broke the protocol: {error}") from None
        except ConnectionLost as error:
            raise EngineFault(self, f"died: {error.reason}") from None

    def set_option(self, name: str, value: str, setting: str = "command") -> None:
        """Set an option that the engine has; raises `EngineFault` for an unacceptable value."""
        if refuses(self.options[name.lower()], value):
            raise EngineFault(self, f"its option {name} does not accept {value!r}", setting=setting)
        self.notify("setoption", "name", name, "value", value)
