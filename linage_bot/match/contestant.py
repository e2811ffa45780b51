"""One engine of an event as a running process: started, prepared for each game, asked, stopped.

Whatever goes wrong with it becomes an `EngineFault` in words that fit a game record.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Coroutine, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from linage_bot.boards import HexBoard
from linage_bot.game import Game, format_option
from linage_bot.match.clocks import Words, time_settings
from linage_bot.match.settings import EngineSettings, MatchSettings
from protocol.errors import (
    CannotStart,
    CommandFailed,
    ConnectionLost,
    EngineTimeout,
    RemoteProtocolError,
)
from protocol.transports import EngineProcess

FAULTS: Final = (CommandFailed, EngineTimeout, RemoteProtocolError, ConnectionLost)
"""What an engine's answer can be instead of an answer; `Contestant.fault` puts it in words."""
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


class Contestant:
    """An engine of the event; its process lives from the first game until a fault or the end."""

    def __init__(self, reactor: Any, settings: MatchSettings, index: int) -> None:
        self.index = index
        self.name = settings.names[index]
        self.engine: EngineSettings = settings.engines[index]
        self.clock = settings.clock_of(index)
        self.commands: frozenset[str] = frozenset()
        self.process: EngineProcess | None = None
        self._reactor = reactor
        self._patience = settings.patience_seconds
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

        Without `seconds` it has the event's patience.
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
            raise EngineFault("the event is over")
        await self.stop(at_once=True)
        environment = {**os.environ, **self.engine.env}
        try:
            self.process = await EngineProcess.start(
                self._reactor,
                find_program(self.engine.argv, environment.get("PATH")),
                cwd=self.engine.cwd,
                env=environment,
            )
        except CannotStart as error:
            raise EngineFault(str(error)) from None
        if self._retired:
            self.process.kill()
        self.commands = frozenset((await self.ask("list_commands")).split())
        self.require("play", "genmove", "boardsize", "clear_board")
        for number, line in enumerate(self.engine.start_commands):
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

    async def prepare(self, game: Game) -> None:
        """Start the engine if need be and set up a new game; raises `EngineFault`."""
        await self.start()
        if self.engine.options and "linage-game" not in self.commands:
            raise EngineFault("it has no command linage-game to be told them", setting="options")
        for words in preparation(game, self.commands, self.engine.options):
            try:
                await self.ask(*words)
            except EngineFault as fault:
                if self.engine.options and words[0] == "linage-game":
                    fault.setting = "options"
                raise
        clock = time_settings(self.clock, self.commands)
        if clock is not None and clock[0] in self.commands:
            await self.ask(*clock)

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


def preparation(
    game: Game, commands: frozenset[str], options: Mapping[str, str | int | bool] | None = None
) -> Iterable[Words]:
    """The commands that make an engine begin a game with the right board, komi and options.

    `options` are those that this engine is told in place of the game's own; empty ones are not.
    """
    board = game.board
    yield ("clear_board",)
    if "linage-game" in commands:
        komi = {} if game.komi_step is None else {"komi": f"{game.komi:g}"}
        own = {name: format_option(value) for name, value in (options or {}).items()}
        values = {"size": board.size, **komi, **game.settings(), **own}
        words = (f"{name}={value}" for name, value in values.items() if value)
        yield ("linage-game", game.id, *words)
    columns, rows = str(board.columns), str(board.rows)
    if columns == rows or isinstance(board, HexBoard):
        yield ("boardsize", columns)
    elif "rectangular_boardsize" in commands:
        yield ("rectangular_boardsize", columns, rows)
    else:
        yield ("boardsize", columns, rows)
    yield ("clear_board",)
    if game.komi_step is not None and "komi" in commands:
        yield ("komi", f"{game.komi:g}")


def find_program(argv: Iterable[str], path: str | None) -> list[str]:
    """The command line with its program found on the path, or else beside this Python.

    A virtual environment that is used without being activated has `linage-bot` only there.
    """
    program, *rest = argv
    if os.path.dirname(program) == "" and shutil.which(program, path=path) is None:  # noqa: PTH120
        beside = shutil.which(program, path=str(Path(sys.executable).parent))
        program = beside or program
    return [program, *rest]
