"""Any GTP engine as a player that chooses moves and analyses positions.

    with GtpPlayer("linage-bot gtp --size 7 --visits 100") as player:
        move = player.play(history)

The interface is that of `ExternalPlayer`.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping, Sequence

from linage_bot.arena.external_search import ReadLines
from linage_bot.arena.player import ExternalPlayer, OptionValue
from linage_bot.arena.preparation import preparation
from linage_bot.arena.reports import analysis_of_line
from linage_bot.engine.analysis import Analysis
from linage_bot.engine.calls import exclusive
from linage_bot.engine.limits import Limits
from linage_bot.rules.game import Player, Position
from linage_bot.rules.history import History
from protocol.gtp.analysis import parse_analysis
from protocol.gtp.controller import ControllerSession
from protocol.session.asking import SILENCE_SECONDS
from protocol.session.errors import LocalProtocolError


class GtpPlayer(ExternalPlayer):
    """A GTP engine in a process of its own, as `ExternalPlayer` describes it.

    It plays any game that its `boardsize` or our `linage-game` can set up, analyses with
    `kata-analyze` or `lz-analyze`, and has options if it knows KataGo's `kata-set-param`.
    """

    def _new_session(self) -> ControllerSession:
        return ControllerSession()

    def _greet(self) -> None:
        self._known_game: History | None = None  # the game on the engine's board; None if unknown
        self._clock_runs = False
        answer = self._process.ask(
            "list_commands", timeout_seconds=self.timeout_seconds, silence_seconds=SILENCE_SECONDS
        )
        self.commands = frozenset(answer.split())

    @property
    @exclusive
    def name(self) -> str:
        """The engine's own name; raises the exceptions of `ask`."""
        return self._ask("name")

    @property
    @exclusive
    def options(self) -> Mapping[str, str]:
        """The values of the engine's parameters by name; none if it cannot list them."""
        if not {"kata-list-params", "kata-get-param"} <= self.commands:
            return {}
        names = self._ask("kata-list-params").split()
        return {name: self._ask("kata-get-param", name) for name in names}

    @exclusive
    def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Set parameters of the engine, by name, with `kata-set-param`.

        Raises `LocalProtocolError` if it lacks that command, and the exceptions of `ask`.
        """
        if "kata-set-param" not in self.commands:
            raise LocalProtocolError("the engine has no command kata-set-param for options")
        for name, value in options.items():
            word = str(value).lower() if isinstance(value, bool) else str(value)
            self._ask("kata-set-param", name, word)

    @exclusive
    def ask(self, name: str, *arguments: str) -> str:
        """Send any command and return the text of its answer.

        Raises `CommandFailed`, `EngineTimeout`, `ConnectionLost`, `RemoteProtocolError`, and
        `LocalProtocolError` for a command that GTP cannot express.
        """
        self._known_game = None  # it may change the board
        return self._ask(name, *arguments)

    def _choose(self, history: History, limits: Limits, stopped: threading.Event) -> str:
        if limits.visits is not None:
            raise LocalProtocolError(
                "GTP has no limit on the visits of a move; set an option of the engine"
            )
        self._set_position(history)
        if limits.seconds is not None:
            self._clock_runs = True
            self._ask("time_settings", "0", f"{limits.seconds:g}", "1")
        elif self._clock_runs:
            self._ask("time_settings", "0", "1", "0")  # GTP's words for no limit
            self._clock_runs = False
        self._known_game = None
        words = ("genmove", history.position.to_move.letter)
        timeout = self._timeout_after(limits.seconds)
        return self._process.ask(*words, timeout_seconds=timeout, stopped=stopped)

    def _played(self, history: History) -> None:
        self._known_game = history

    def _set_position(self, history: History) -> None:
        """Send the moves that the engine does not know yet, or the whole game."""
        known_game, self._known_game = self._known_game, None
        known = None if known_game is None else _common_moves(known_game, history)
        undone = () if known_game is None else known_game.moves[known:]
        if known is None or (undone and "undo" not in self.commands):
            self._begin(history)
            known, undone = 0, ()
        for _ in undone:
            self._ask("undo")
        for position, move in zip(history.positions[known:], history.moves[known:], strict=False):
            self._ask("play", position.to_move.letter, position.name_of(move))
        self._known_game = history

    def _begin(self, history: History) -> None:
        for words in preparation(history.game, self.commands):
            self._ask(*words)
        if history.setup or history.begins is not Player.FIRST:
            if not {"gogui-setup", "gogui-setup_player"} <= self.commands:
                raise LocalProtocolError("the engine has no commands to set up a position")
            start = history.positions[0]
            stones = ((player.letter, start.name_of(point)) for player, point in history.setup)
            self._ask("gogui-setup", *itertools.chain.from_iterable(stones))
            self._ask("gogui-setup_player", history.begins.letter)

    def _search_words(
        self, history: History, limits: Limits, interval_seconds: float
    ) -> Sequence[str]:
        del limits  # GTP has none for an analysis, which ends when it is interrupted
        for command in ("kata-analyze", "lz-analyze"):
            if command in self.commands:
                centiseconds = max(1, round(100 * interval_seconds))
                return (command, history.position.to_move.letter, str(centiseconds))
        raise LocalProtocolError("the engine has no command to analyse: kata-analyze or lz-analyze")

    def _reader(self, position: Position) -> ReadLines:
        def read(lines: Sequence[str]) -> Analysis | None:
            reports = [line for line in lines if line.startswith("info ")]
            return analysis_of_line(position, parse_analysis(reports[-1])) if reports else None

        return read


def _common_moves(one: History, other: History) -> int | None:
    """Return the number of moves two games begin with; None if their first positions differ."""
    if (one.game, one.setup, one.begins) != (other.game, other.setup, other.begins):
        return None
    pairs = enumerate(zip(one.moves, other.moves, strict=False))
    shorter = min(len(one.moves), len(other.moves))
    return next((count for count, (move, its) in pairs if move != its), shorter)
