"""Any UGI engine as a player that chooses moves and analyses positions.

    with UgiPlayer("linage-bot ugi") as player:
        move = player.play(history, Limits(visits=100))

The interface is that of `ExternalPlayer`.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Final

from linage_bot.arena.external_search import ReadLines
from linage_bot.arena.player import ExternalPlayer, OptionValue
from linage_bot.arena.reports import analysis_of_infos
from linage_bot.arena.ugi import game_in_options, in_words, options_of, refuses
from linage_bot.engine.analysis import Analysis
from linage_bot.engine.calls import exclusive
from linage_bot.engine.limits import Limits
from linage_bot.records.fen import to_fen
from linage_bot.rules.game import Game, Player, Position
from linage_bot.rules.history import History
from linage_bot.rules.options import format_option
from protocol.session.errors import CommandFailed, LocalProtocolError
from protocol.ugi.controller import UgiControllerSession
from protocol.ugi.info import UgiInfo, read_info

_ANSWERED: Final = ("ugi", "isready", "go", "query")
_ERROR: Final = "info string error: "
_NAME: Final = "id name "


class UgiPlayer(ExternalPlayer):
    """A UGI engine in a process of its own, as `ExternalPlayer` describes it.

    It plays any game that its options can set up; stones set up need an engine that reads our
    `fen`. Its lines of `info` are the analysis.
    """

    def _new_session(self) -> UgiControllerSession:
        return UgiControllerSession()

    def _greet(self) -> None:
        self._known_game: Game | None = None  # the one the engine is set up for; None if unknown
        description = self._ask("ugi")
        names = [line for line in description.splitlines() if line.startswith(_NAME)]
        self._name = names[0].removeprefix(_NAME).strip() if names else ""
        self._options = options_of(description)
        self._values = {option.name: option.default for option in self._options.values()}

    @property
    def name(self) -> str:
        """The engine's own name; empty if it gave none."""
        return self._name

    @property
    def options(self) -> Mapping[str, str]:
        """The values of the engine's options by name: the defaults, or those set by `configure`."""
        return dict(self._values)

    @exclusive
    def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Set options of the engine, by name in any case.

        Raises `LocalProtocolError` for an option or a value that it does not have, and the
        exceptions of `ask`.
        """
        words = {}
        for name, value in options.items():
            option = self._options.get(name.lower())
            if option is None:
                raise LocalProtocolError(f"the engine has no option {name!r}")
            word = str(value) if isinstance(value, float) else format_option(value)
            words[option.name] = in_words(option, word)
            if refuses(option, words[option.name]):
                raise LocalProtocolError(f"the option {option.name} does not accept {word!r}")
        self._known_game = None  # it may be an option of the game
        self._send_options(words)

    @exclusive
    def ask(self, name: str, *arguments: str) -> str:
        """Send any request and return the words of its answer; empty for those that have none.

        Raises `CommandFailed` for an error that the engine reports, `EngineTimeout`,
        `ConnectionLost`, `RemoteProtocolError`, and `LocalProtocolError` for a request that UGI
        cannot express.
        """
        self._known_game = None  # it may change the options
        if name in _ANSWERED:
            return self._ask(name, *arguments)
        self._execute((name, *arguments))
        return ""

    def _execute(self, *lines: Sequence[str]) -> None:
        """Send lines that have no answer; raise `CommandFailed` for an error that is reported."""
        self._process.take_lines()
        for words in lines:
            self._process.notify(*words)
        self._ask("isready")
        for line in self._process.take_lines():
            if line.startswith(_ERROR):
                raise CommandFailed(line.removeprefix(_ERROR))

    def _send_options(self, options: Mapping[str, str]) -> None:
        sent = [("setoption", "name", name, "value", value) for name, value in options.items()]
        self._execute(*sent)
        self._values |= options

    def _choose(self, history: History, limits: Limits, stopped: threading.Event) -> str:
        self._set_position(history)
        timeout = self._timeout_after(limits.seconds)
        words = ("go", *_go_words(limits))
        return self._process.ask(*words, timeout_seconds=timeout, stopped=stopped)

    def _played(self, history: History) -> None:
        """Do nothing: the whole game is sent before each move."""

    def _set_position(self, history: History) -> None:
        if history.game != self._known_game:
            self._known_game = None
            self._send_options(dict(game_in_options(history.game, self._options)))
            self._execute(("uginewgame",))
            self._known_game = history.game
        start: tuple[str, ...] = ("startpos",)
        if history.setup or history.begins is not Player.FIRST:
            start = ("fen", to_fen(history.positions[0]))
        moves = [history.game.name_of(move) for move in history.moves]
        self._execute(("position", *start, *(("moves", *moves) if moves else ())))

    def _search_words(
        self, history: History, limits: Limits, interval_seconds: float
    ) -> Sequence[str]:
        del history, interval_seconds  # the engine reports when it wants to
        return ("go", *(_go_words(limits) or ("infinite",)))

    def _reader(self, position: Position) -> ReadLines:
        infos: dict[int, UgiInfo] = {}

        def read(lines: Sequence[str]) -> Analysis | None:
            found = [info for info in map(read_info, lines) if info is not None]
            infos.update((info.multipv, info) for info in found)
            return analysis_of_infos(position, infos) if found else None

        return read


def _go_words(limits: Limits) -> tuple[str, ...]:
    """Return the words after `go` for limits; none if there are no limits."""
    visits = () if limits.visits is None else ("nodes", str(limits.visits))
    if limits.seconds is None:
        return visits
    return (*visits, "movetime", str(max(1, int(1000 * limits.seconds))))
