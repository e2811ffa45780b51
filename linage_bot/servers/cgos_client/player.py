"""The GTP engine of a participant, which gets the games from CGOS and generates the moves.

The engine gets only the commands that it needs. Its board is compared with the server's moves:
after a lost connection it mostly only lacks a move or two, or has a move that the server has not
received yet, which is then sent without another search. Optional commands are skipped where the
engine does not list them, and it may refuse them.
"""

import logging
from typing import Any, Final

from linage_bot.arena.child import EngineFault, EngineRefusal, GtpChild
from linage_bot.rules import GAMES
from linage_bot.servers.cgos_client.live import LiveGame, move_words
from linage_bot.servers.cgos_client.settings import CgosEngineSettings
from protocol.cgos.analysis import cgos_json, compact_cgos_json
from protocol.cgos.player import MoveAnswer
from protocol.cgos.server import GenMove, ProtocolQuery
from protocol.cgos.words import number
from protocol.gtp.analysis import parse_analysis
from protocol.session.arguments import Colour, parse_vertex
from protocol.session.errors import CommandFailed, RemoteProtocolError

_log = logging.getLogger(__name__)

_LEAST_PATIENCE_SECONDS: Final = 5.0
_INTERRUPT_SECONDS: Final = 3.0
_COMPILING_SECONDS: Final = 600.0  # at most, before there is any game
_RESIGN: Final = "resign"
_ANALYSING: Final[dict[str, tuple[str, ...]]] = {
    "cgos-genmove_analyze": (),
    "kata-genmove_analyze": (),
    "lz-genmove_analyze": ("100",),  # it reports nothing without an interval
}


class WrongGame(Exception):
    """A fault of the settings: the engine and the server do not play the same game."""


def _options(rules: ProtocolQuery) -> tuple[str, ...]:
    """Return the options of the rules as arguments of our engine's `linage-game`."""
    return tuple(f"{name}={value}" for name, value in rules.options)


class EnginePlayer(GtpChild):
    """The engine of one participant. Methods may raise `EngineFault`, and only one runs at once.

    After `retire` it plays no more.
    """

    def __init__(self, reactor: Any, name: str, settings: CgosEngineSettings) -> None:
        super().__init__(
            reactor,
            argv=settings.argv,
            cwd=settings.cwd,
            env=settings.env,
            start_commands=settings.start_commands,
            patience_seconds=settings.patience_seconds,
        )
        self._name = name
        self._settings = settings
        self._game: LiveGame | None = None  # that the process has set up
        self._moves: list[str] = []  # on its board
        self._generated: MoveAnswer | None = None  # the last of them, if it chose it
        self._asked: object | None = None  # a new object for each requested move

    async def prepare(self, rules: ProtocolQuery) -> None:
        """Start the engine; raise `WrongGame` if it cannot play by these rules."""
        await self.start()
        if "linage-game" in self.commands:
            if not rules.game:
                raise WrongGame("the server does not name its game; set `game` in the file")
        elif "gogui-rules_game_id" in self.commands and rules.game in GAMES:
            wanted = "".join(filter(str.isalpha, GAMES[rules.game].name))
            plays = await self.ask("gogui-rules_game_id")
            if plays.strip().lower() != wanted.lower():
                raise WrongGame(f"the server plays {rules.game}, the engine {plays.strip()!r}")

    async def compile(self, rules: ProtocolQuery) -> None:
        """Let an engine of ours compile its code for a coming game, while no clock runs."""
        if self._game is None and {"linage-game", "linage-compile"} <= self.commands:
            try:
                await self.ask("clear_board")
                await self.ask("linage-game", rules.game, *_options(rules))
                await self.ask("linage-compile", seconds=_COMPILING_SECONDS)
            except EngineRefusal as refusal:  # in the game this is handled
                _log.info("%s: the engine refused: %s", self._name, refusal)

    async def set_up(self, game: LiveGame) -> None:
        """Set the engine to the current position of the game; raise `WrongGame`."""
        moves = move_words(game.moves)
        if self._game is game and self._generated is not None and self._moves[:-1] == moves:
            return  # the server has not received our last move; it will request it
        if self._game is not game or self._moves != moves[: len(self._moves)]:
            self._game = None
            await self.prepare(game.rules)
            await self._begin(game)
            self._game, self._moves, self._generated = game, [], None
        for move in moves[len(self._moves) :]:
            colour = Colour.WHITE if len(self._moves) % 2 else Colour.BLACK
            await self.ask("play", colour.value, "pass" if move == "PASS" else move)
            self._moves.append(move)
            self._generated = None

    async def _begin(self, game: LiveGame) -> None:
        setup, rules = game.setup, game.rules
        if "linage-game" in self.commands:
            await self.ask("clear_board")
            await self.ask("linage-game", rules.game, *_options(rules))
        await self.ask("boardsize", str(setup.size))
        await self._send_optional("komi", number(setup.komi))
        if "time_left" in self.commands:
            seconds = max(1, setup.level_ms // 1000)  # engines take 0 for no limit
            await self._send_optional("time_settings", str(seconds), "0", "0")
        await self._send_optional("cgos-opponent_name", game.opponent.name)
        if game.opponent.rating:
            await self._send_optional("cgos-opponent_rating", game.opponent.rating)
        await self.ask("clear_board")

    async def choose(self, game: LiveGame, genmove: GenMove, analyze: bool) -> MoveAnswer:
        """Return the engine's move, or its last one if the server has not received that."""
        await self.set_up(game)
        if self._generated is not None:
            return self._generated
        colour = genmove.colour.value
        seconds = max(0, genmove.ms_left) / 1000
        if "time_settings" in self.commands:
            await self._send_optional("time_left", colour, str(int(seconds)), "0")
        analysing = _ANALYSING if analyze and self._settings.analysis else {}
        command = next((name for name in analysing if name in self.commands), "genmove")
        words = command, colour, *analysing.get(command, ())
        patience = seconds + max(_LEAST_PATIENCE_SECONDS, self._settings.patience_seconds)
        self._asked = object()
        try:
            reply = await self.ask(*words, seconds=patience)
        finally:
            self._asked = None
        answer = self._read(words, reply)
        if answer.move != _RESIGN:
            self._moves.append(answer.move.upper())
            self._generated = answer
        return answer

    def _read(self, words: tuple[str, ...], reply: str) -> MoveAnswer:
        """Return the move and the analysis in an engine's reply; raise `EngineFault`."""
        lines = [line.strip() for line in reply.splitlines() if line.strip()]
        analysis = ""
        if words[0] == "genmove":
            word = lines[0] if len(lines) == 1 else ""
        else:
            last = lines[-1].split() if lines else []
            word = last[1] if len(last) == 2 and last[0] == "play" else ""
            if len(lines) > 1:
                analysis = _analysis(lines[-2])
        try:
            return MoveAnswer(parse_vertex(word), analysis)
        except CommandFailed:
            raise EngineFault(
                self, f"answered {words[0]} with {reply[-80:]!r}, which is not a move"
            ) from None

    async def end(self, result: str) -> None:
        """Send the engine the result of the game."""
        if self._game is not None:
            self._game = None
            await self._send_optional("cgos-gameover", result)

    async def _send_optional(self, *words: str) -> None:
        """Send a command that the engine need not have, and may refuse."""
        if words[0] not in self.commands:
            return
        try:
            await self.ask(*words)
        except EngineRefusal as refusal:
            _log.info("%s: the engine %s", self._name, refusal)

    def interrupt(self) -> None:
        """Interrupt a search that is no longer needed; kill the engine if it runs 3 s more."""
        process, asked = self.process, self._asked
        if process is None or asked is None:
            return

        def kill() -> None:
            if self._asked is asked:  # else it has replied, and may be searching for the next one
                process.kill()

        process.interrupt()
        self._reactor.callLater(_INTERRUPT_SECONDS, kill)

    async def stop(self, at_once: bool = False) -> None:
        """Stop the process; it is started again when it is needed."""
        self._game = None
        await super().stop(at_once)


def _analysis(line: str) -> str:
    """Return an analysis in CGOS's format; empty if the engine's line is none."""
    try:
        if line.startswith("{"):
            return compact_cgos_json(line)
        return cgos_json(parse_analysis(line).candidates)
    except RemoteProtocolError:
        return ""
