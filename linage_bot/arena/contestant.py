"""One engine of an event: a child process that is prepared for each game."""

from typing import Any

from linage_bot.arena.child import EngineFault, GtpChild
from linage_bot.arena.clocks import time_settings
from linage_bot.arena.preparation import preparation
from linage_bot.rules.game import Game
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
            raise EngineFault(
                self, "it has no command linage-game to be told them", setting="options"
            )
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
