"""The engines of an event, of GTP or UGI, as a game knows them: told moves, and asked for them."""

from __future__ import annotations

import abc
import contextlib
from collections.abc import Iterable
from typing import Any, Final

from twisted.internet.defer import Deferred

from linage_bot.arena.child import EngineChild, EngineFault, EngineRefusal, GtpChild, UgiChild
from linage_bot.arena.clocks import PlayerClock, Words, time_settings
from linage_bot.arena.preparation import preparation
from linage_bot.arena.ugi import game_in_options, go_words, score_of
from linage_bot.rules.game import Game, Player
from linage_bot.settings.match import EngineSettings, MatchSettings
from protocol.transport.process import EngineProcess

_KOMI = "komi="
_COMPILE: Final = "linage-compile"
_COMPILING_SECONDS: Final = 600.0  # at most, before a game


class Contestant(EngineChild):
    """An engine of the event; its process lives from the first game until a fault or the end.

    Whatever it is asked may raise `EngineFault`.
    """

    def __init__(self, reactor: Any, settings: MatchSettings, index: int) -> None:
        self.index = index
        self.name = settings.names[index]
        self.engine: EngineSettings = settings.engines[index]
        self.clock = self.engine.clock or settings.clock
        super().__init__(
            reactor,
            self.engine.argv,
            self.engine.cwd,
            self.engine.env,
            self.engine.start_commands,
            settings.patience_seconds,
        )
        self._rested: EngineProcess | None = None

    def rest(self) -> None:
        """Note that a game is over: if its process fails from now on, it is only restarted."""
        self._rested = self.process

    async def _begin(self, first: str) -> None:
        """Start the engine if need be, and anew if it has failed since its last game.

        `first` is what it is asked to find out; raises `EngineFault` if it refuses or is too slow.
        """
        await self.start()
        rested, self._rested = self._rested, None
        if rested is None or rested is not self.process:
            return
        try:
            await self.ask(first)
        except EngineFault as fault:
            if fault.timed_out or isinstance(fault, EngineRefusal):
                raise
            await self.stop(at_once=True)
            await self.start()

    @abc.abstractmethod
    async def prepare(self, game: Game) -> None:
        """Start the engine if need be and set up a new game."""

    @abc.abstractmethod
    async def compile(self) -> None:
        """Wait until it has compiled the game that was prepared, lest its clock run meanwhile."""

    @abc.abstractmethod
    def check_pie(self) -> None:
        """Raise `EngineFault` unless the engine can play the pie."""

    @abc.abstractmethod
    async def offer(self) -> str:
        """What it offers in the pie of a game that was prepared: a komi or a vertex."""

    @abc.abstractmethod
    async def choose(self, offer: str) -> str:
        """The side it takes of an offer: `black` or `white`."""

    @abc.abstractmethod
    async def play(self, player: Player, move: str) -> None:
        """Tell it a move that it did not choose."""

    @abc.abstractmethod
    async def choose_move(
        self, player: Player, clock: PlayerClock | None, other: PlayerClock | None
    ) -> str:
        """Its answer when asked for a move of `player`, whose clock comes before the other's."""

    @abc.abstractmethod
    async def score(self) -> str:
        """What it says of the position, in the form of a result; empty if nothing."""


class GtpContestant(Contestant, GtpChild):
    """An engine of GTP."""

    async def prepare(self, game: Game) -> None:
        """Start the engine if need be and set up a new game; raises `EngineFault`."""
        await self._begin("clear_board")
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

    async def compile(self) -> None:
        """Ask an engine of ours to answer when it has compiled the game; others load as they do."""
        if _COMPILE in self.commands:
            with contextlib.suppress(EngineRefusal):
                await self.ask(_COMPILE, seconds=max(self._patience_seconds, _COMPILING_SECONDS))

    def check_pie(self) -> None:
        """Raise `EngineFault` unless the engine has the commands of the pie."""
        self.require("pie_offer", "pie_choose")

    async def offer(self) -> str:
        """The answer to `pie_offer`."""
        return await self.ask("pie_offer")

    async def choose(self, offer: str) -> str:
        """The answer to `pie_choose`."""
        return await self.ask("pie_choose", offer)

    async def play(self, player: Player, move: str) -> None:
        """Tell it a move."""
        await self.ask("play", player.letter, move)

    async def choose_move(
        self, player: Player, clock: PlayerClock | None, _other: PlayerClock | None
    ) -> str:
        """The answer to `genmove`; it was told what is left of its time, if it wants to know."""
        limit = None
        if clock is not None:
            limit = clock.limit_seconds
            if "time_left" in self.commands:
                # Who has this command reads fractions, says KataGo, who made it.
                words = clock.time_left(player, "kata-time_settings" in self.commands)
                told = Deferred.fromCoroutine(self.ask(*words))
                told.addErrback(lambda _refused: None)
        return await self.ask("genmove", player.letter, seconds=limit)

    async def score(self) -> str:
        """The answer to `final_score`."""
        return await self.ask("final_score") if "final_score" in self.commands else ""


class UgiContestant(Contestant, UgiChild):
    """An engine of UGI: told the whole game before each move."""

    def __init__(self, reactor: Any, settings: MatchSettings, index: int) -> None:
        super().__init__(reactor, settings, index)
        self._moves: list[str] = []
        self._game: Game | None = None

    async def prepare(self, game: Game) -> None:
        """Start the engine if need be and set up a new game; raises `EngineFault`."""
        await self._begin("isready")
        own = {name.lower(): name for name in self.engine.options}
        for name in own:
            if name in self.options:
                continue
            raise EngineFault(self, f"it has no option {own[name]}", setting="options")
        for name, value in game_in_options(game, self.options, self.engine.options):
            setting = "options" if name.lower() in own else "command"
            self.set_option(name, value, setting)
        self.tell("uginewgame")
        await self.ask("isready")
        self._moves, self._game = [], game

    async def compile(self) -> None:
        """Return at once: it has compiled what it needs before it answered `isready`."""

    def check_pie(self) -> None:
        """Raise `EngineFault` unless the engine has the option of the pie."""
        if "pie" not in self.options:
            raise EngineFault(self, "does not have the option pie")

    async def offer(self) -> str:
        """Its first move with the pie, without the word before a komi."""
        return (await self._with_pie(())).removeprefix(_KOMI)

    async def choose(self, offer: str) -> str:
        """Its first move when the offer has been made."""
        assert self._game is not None  # it was prepared
        word = f"{_KOMI}{offer}" if self._game.pie == "komi" else offer
        return await self._with_pie((word,))

    async def _with_pie(self, moves: Iterable[str]) -> str:
        self.set_option("pie", "true")
        clock = None if self.clock is None else PlayerClock.full(self.clock)
        answer = await self._go(moves, go_words(Player.FIRST, clock, clock, self._alone))
        self.set_option("pie", "false")
        return answer

    @property
    def _alone(self) -> Words:
        """The words behind `go` where no clock runs."""
        return tuple(self.engine.go.split())

    async def _go(self, moves: Iterable[str], words: Words, seconds: float | None = None) -> str:
        self._tell_position(moves)
        return await self.ask("go", *words, seconds=seconds)

    def _tell_position(self, moves: Iterable[str]) -> None:
        moves = tuple(moves)
        self.tell("position", "startpos", *(("moves", *moves) if moves else ()))

    async def play(self, _player: Player, move: str) -> None:
        """Remember a move, to be told with the next question."""
        self._moves.append(move)

    async def choose_move(
        self, player: Player, clock: PlayerClock | None, other: PlayerClock | None
    ) -> str:
        """Its `bestmove`."""
        limit = None if clock is None else clock.limit_seconds
        answer = await self._go(self._moves, go_words(player, clock, other, self._alone), limit)
        self._moves.append(answer)
        return answer

    async def score(self) -> str:
        """Who has won, as it says."""
        self._tell_position(self._moves)
        return score_of(await self.ask("query", "result"))


def contestant(reactor: Any, settings: MatchSettings, index: int) -> Contestant:
    """The engine of this place in the settings."""
    kinds = {"gtp": GtpContestant, "ugi": UgiContestant}
    return kinds[settings.engines[index].protocol](reactor, settings, index)
