"""One engine of an event: a child process that is prepared for each game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from linage_bot.arena.child import EngineFault, GtpChild
from linage_bot.arena.clocks import Words, time_settings
from linage_bot.rules.boards import HexBoard
from linage_bot.rules.game import Game, format_option
from linage_bot.settings.match import EngineSettings, MatchSettings


class Contestant(GtpChild):
    """An engine of the event; its process lives from the first game until a fault or the end."""

    def __init__(self, reactor: Any, settings: MatchSettings, index: int) -> None:
        self.index = index
        self.name = settings.names[index]
        self.engine: EngineSettings = settings.engines[index]
        self.clock = settings.clock_of(index)
        super().__init__(
            reactor,
            self.engine.argv,
            self.engine.cwd,
            self.engine.env,
            self.engine.start_commands,
            settings.patience_seconds,
        )

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
