"""The engines of an event, GTP or UGI, with one interface for playing a game."""

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
_COMPILING_SECONDS: Final = 600.0  # the most before a game


class Contestant(EngineChild):
    """An engine of the event; its process lives from the first game until a fault or the end.

    Every command may raise `EngineFault`.
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
        """Start the engine if need be; restart it if it has failed since its last game.

        `first` is the command that finds this out; raises `EngineFault` if the engine refuses it or
        is too slow.
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
        """Wait until the engine has compiled the prepared game, before its clock starts."""

    @abc.abstractmethod
    def check_pie(self) -> None:
        """Raise `EngineFault` unless the engine supports the pie."""

    @abc.abstractmethod
    async def offer(self) -> str:
        """Return the engine's offer in the pie of the prepared game: a komi or a vertex."""

    @abc.abstractmethod
    async def choose(self, offer: str) -> str:
        """Return the engine's choice of side after an offer: `black` or `white`."""

    @abc.abstractmethod
    async def play(self, player: Player, move: str) -> None:
        """Send the engine a move that it did not choose."""

    @abc.abstractmethod
    async def choose_move(
        self, player: Player, clock: PlayerClock | None, other: PlayerClock | None
    ) -> str:
        """Return the engine's move for `player`; its clock precedes the opponent's."""

    @abc.abstractmethod
    async def score(self) -> str:
        """Return the engine's own score of the position, in the form of a result; or empty."""


class GtpContestant(Contestant, GtpChild):
    """A GTP engine of the event."""

    async def prepare(self, game: Game) -> None:
        """Start the engine if need be and set up a new game; raises `EngineFault`."""
        await self._begin("clear_board")
        if self.engine.options and "linage-game" not in self.commands:
            raise EngineFault(
                self, "cannot receive options: it lacks the command linage-game", setting="options"
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
        """Wait until an engine of ours has compiled the game; others have no such command."""
        if _COMPILE in self.commands:
            with contextlib.suppress(EngineRefusal):
                await self.ask(_COMPILE, seconds=max(self._patience_seconds, _COMPILING_SECONDS))

    def check_pie(self) -> None:
        """Raise `EngineFault` unless the engine has the commands of the pie."""
        self.require("pie_offer", "pie_choose")

    async def offer(self) -> str:
        """Return the answer to `pie_offer`."""
        return await self.ask("pie_offer")

    async def choose(self, offer: str) -> str:
        """Return the answer to `pie_choose`."""
        return await self.ask("pie_choose", offer)

    async def play(self, player: Player, move: str) -> None:
        """Send a move with `play`."""
        await self.ask("play", player.letter, move)

    async def choose_move(
        self, player: Player, clock: PlayerClock | None, _other: PlayerClock | None
    ) -> str:
        """Return the answer to `genmove`; send `time_left` before, if known and a clock runs."""
        limit = None
        if clock is not None:
            limit = clock.limit_seconds
            if "time_left" in self.commands:
                # KataGo, which introduced this command, says that its engines read fractions.
                words = clock.time_left(player, "kata-time_settings" in self.commands)
                sent = Deferred.fromCoroutine(self.ask(*words))
                sent.addErrback(lambda _refused: None)
        return await self.ask("genmove", player.letter, seconds=limit)

    async def score(self) -> str:
        """Return the answer to `final_score`."""
        return await self.ask("final_score") if "final_score" in self.commands else ""


class UgiContestant(Contestant, UgiChild):
    """A UGI engine of the event, which receives the whole game before each move."""

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
            raise EngineFault(self, f"lacks the option {own[name]}", setting="options")
        for name, value in game_in_options(game, self.options, self.engine.options):
            setting = "options" if name.lower() in own else "command"
            self.set_option(name, value, setting)
        self.notify("uginewgame")
        await self.ask("isready")
        self._moves, self._game = [], game

    async def compile(self) -> None:
        """Return at once: the engine has compiled the game before it answered `isready`."""

    def check_pie(self) -> None:
        """Raise `EngineFault` unless the engine has the option of the pie."""
        if "pie" not in self.options:
            raise EngineFault(self, "lacks the option pie, which this event needs")

    async def offer(self) -> str:
        """Return the engine's first move with the pie, without the word before a komi."""
        return (await self._with_pie(())).removeprefix(_KOMI)

    async def choose(self, offer: str) -> str:
        """Return the engine's first move after the offer."""
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
        """The words after `go` where no clock runs."""
        return tuple(self.engine.go.split())

    async def _go(self, moves: Iterable[str], words: Words, seconds: float | None = None) -> str:
        self._send_position(moves)
        return await self.ask("go", *words, seconds=seconds)

    def _send_position(self, moves: Iterable[str]) -> None:
        moves = tuple(moves)
        self.notify("position", "startpos", *(("moves", *moves) if moves else ()))

    async def play(self, _player: Player, move: str) -> None:
        """Store a move; it is sent with the next `position` command."""
        self._moves.append(move)

    async def choose_move(
        self, player: Player, clock: PlayerClock | None, other: PlayerClock | None
    ) -> str:
        """Return the engine's `bestmove`."""
        limit = None if clock is None else clock.limit_seconds
        answer = await self._go(self._moves, go_words(player, clock, other, self._alone), limit)
        self._moves.append(answer)
        return answer

    async def score(self) -> str:
        """Return the winner according to the engine, in the form of a result."""
        self._send_position(self._moves)
        return score_of(await self.ask("query", "result"))


def contestant(reactor: Any, settings: MatchSettings, index: int) -> Contestant:
    """Return the engine at this index in the settings."""
    kinds = {"gtp": GtpContestant, "ugi": UgiContestant}
    return kinds[settings.engines[index].protocol](reactor, settings, index)
