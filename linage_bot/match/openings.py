"""The openings of an event: moves from SGF files or a text list, or random; each for one pair.

Random openings depend on the seed and the opening's number alone. Openings from files are taken in
order and again from the beginning when there are more pairs than openings; lines and files are
checked against every game of the event before anything is played.

Balanced openings come with the package, a list for each board, made by
`benchmarks/balanced_openings.py`.
"""

from __future__ import annotations

import hashlib
import logging
import random
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import attrs

from linage_bot.drawing.description import describe_game
from linage_bot.records.reading import read_sgf
from linage_bot.records.record import BadRecord
from linage_bot.rules.arguments import check_type
from linage_bot.rules.boards import NoSuchPoint
from linage_bot.rules.game import PASS, Game, IllegalMove, Move, Position
from linage_bot.rules.history import History
from linage_bot.settings.checks import SettingFault, file_under
from linage_bot.settings.files import read_file
from linage_bot.settings.match import MatchSettings, OpeningSettings
from protocol.session.text import decode

Line = tuple[str, ...]
"""The moves of an opening, as vertices in lower case and `pass`."""
BALANCED = files("linage_bot.match") / "balanced"
_ATTEMPTS = 1000
_log = logging.getLogger(__name__)
_LONGEST_TEXT = 16 << 20  # bytes


@attrs.frozen
class Book:
    """The games of an event and the openings they begin with."""

    games: tuple[Game, ...]
    settings: OpeningSettings
    lines: tuple[tuple[Line, ...], ...] = ()  # from files, for each game

    @classmethod
    def load(cls, settings: MatchSettings) -> Book:
        """Read the files that the settings name; raises `SettingFault`."""
        games = tuple(game.configure() for game in settings.all_games)
        openings = settings.openings or OpeningSettings()
        lines: list[Line] = []
        if openings.text is not None:
            lines = _read_text(openings.text, games)
        for index, path in enumerate(openings.sgf):
            lines.append(_read_sgf(f"openings.sgf[{index}]", path, games, openings.moves))
        lists = [tuple(lines)] * len(games) if lines else []
        if openings.balanced:
            lists = [balanced(game) for game in games]
        book = cls(games, openings, tuple(lists))
        for index, game in enumerate(games):
            if openings.random_moves and not book._random(game, 0):
                key = "game" if len(games) == 1 else f"game[{index}]"
                raise SettingFault(
                    "openings.random_moves", f"{key} ends before {openings.random_moves} moves"
                )
        return book

    def game(self, opening: int) -> Game:
        """Return the game that an opening pair plays; several games take turns."""
        return self.games[opening % len(self.games)]

    def moves(self, opening: int) -> tuple[Move, ...]:
        """Return the moves of an opening, legal in its game."""
        game = self.game(opening)
        if self.lines:
            lines = self.lines[opening % len(self.games)]
            line = lines[opening // len(self.games) % len(lines)]
            return tuple(game.move(word) for word in line)
        return self._random(game, opening)

    @property
    def digest(self) -> str:
        """A hash of the openings from files; empty without files."""
        return hashlib.sha256(repr(self.lines).encode()).hexdigest() if self.lines else ""

    def _random(self, game: Game, opening: int) -> tuple[Move, ...]:
        """Return random legal placements that do not end the game; empty if none are found."""
        rng = random.Random(f"{self.settings.seed}/{opening}")
        for _ in range(_ATTEMPTS):
            moves: list[Move] = []
            position = game.start()
            while len(moves) < self.settings.random_moves:
                choices = [move for move in position.moves() if move != PASS]
                if not choices:
                    break
                moves.append(rng.choice(choices))
                position = position.after(moves[-1])
            if len(moves) == self.settings.random_moves and not position.over:
                return tuple(moves)
        return ()


def list_name(game: Game) -> str:
    """Return the file name of a board's list of balanced openings."""
    return f"{game.id}-{game.board.size}.txt"


def balanced(game: Game) -> tuple[Line, ...]:
    """Return the openings of a game with default options; raises `SettingFault` if none."""
    lines = _shipped_lines(game)
    if not lines:
        options = " ".join(f"{name}={value}" for name, value in game.settings().items())
        reason = f"no openings are shipped for {describe_game(game)} {options}".rstrip()
        raise SettingFault("openings.balanced", reason)
    return lines


def balanced_openings(game: Game) -> tuple[History, ...]:
    """Return the shipped games of a few moves after which both players have equal chances.

    Empty if there are none: they exist for some boards, with the default komi and options.
    """
    check_type("game", game, Game)
    return tuple(History(game, line) for line in _shipped_lines(game))


def _shipped_lines(game: Game) -> tuple[Line, ...]:
    file = BALANCED / list_name(game)
    if game != type(game).configure(str(game.board.size)) or not file.is_file():
        return ()
    return tuple(_lines(file.read_text("utf-8")).values())


def _check(key: str, where: str, line: Sequence[str], games: Sequence[Game]) -> None:
    """Raise `SettingFault` unless the moves lead to a game in progress."""
    for game in games:
        position: Position = game.start()
        for number, word in enumerate(line, 1):
            try:
                position = position.play(game.move(word))
            except IllegalMove as error:
                reason = f"{where}: move {number} is illegal in {game.name}: {error}"
                raise SettingFault(key, reason) from None
            except NoSuchPoint as error:
                raise SettingFault(key, f"{where}: move {number}: {error}") from None
        if position.over:
            raise SettingFault(key, f"{where}: the game is over after this opening; shorten it")


def _read_text(path: str, games: Sequence[Game]) -> list[Line]:
    """Return the openings of a text file; raises `SettingFault`.

    Each line holds one opening, its moves separated by spaces or commas; `#` begins a comment.
    """
    key = "openings.text"
    with file_under(key, Path(path)):
        text = decode(read_file(Path(path), _LONGEST_TEXT))
    lines = _lines(text)
    for number, line in lines.items():
        _check(key, f"{path}: line {number}", line, games)
    if not lines:
        raise SettingFault(key, f"{path}: has no openings; write one on each line")
    return list(lines.values())


def _lines(text: str) -> dict[int, Line]:
    """Return the openings of a list, by line number."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        if words := line.partition("#")[0].replace(",", " ").lower().split():
            found[number] = tuple(words)
    return found


def _read_sgf(key: str, path: str, games: Sequence[Game], most: int | None) -> Line:
    """Return the first moves of a file's main line; raises `SettingFault`."""

    def warn(line: str) -> None:
        _log.warning("%s: %s: %s", key, path, line)

    try:
        with file_under(key, Path(path)):
            record = read_sgf(Path(path), games[0], warn)
    except BadRecord as error:
        raise SettingFault(key, f"{path}: {error}") from None
    if record.setup or record.to_move is not games[0].start().to_move:
        raise SettingFault(
            key, f"{path}: has stones set up before the first move, which an opening may not have"
        )
    board = record.game.board
    moves = record.moves[:most]
    line = tuple(record.game.name_of(move).lower() for move in moves)
    for game in games:
        if game.board != board:
            reason = f"{path}: its board is {board}, but the event's is {game.board}"
            raise SettingFault(key, reason)
    _check(key, path, line, games)
    return line
