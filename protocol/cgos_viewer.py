"""CGOS between a server and its viewers, both sides, without I/O.

    server  protocol …                                      viewer  v1 <client>
    server  match <number> <date> <time> <size> <komi> <white> <black> <result>
    viewer  observe <number>
    server  setup <number> <date> <time> <size> <komi> <white> <black> <ms> [<move> <ms>]…
            [<result>]
    server  update <number> <move> <ms>
    server  update <number> <result>
    server  gameover <number> <result> <white's ms> <black's ms>
    server  info <text>

Date, time and result are `-` while a game is being played, and `setup` then has no result at all.
`setup <number> ?` says that there is no such game.  `gameover` comes to every viewer, with the time
that each player used; `update` only for a game that is observed.
"""

from collections.abc import Callable
from typing import Final

import attrs

from protocol.arguments import parse_int
from protocol.cgos import Info, PlainLine, ServerError
from protocol.cgos_words import (
    Rated,
    TimedMove,
    check_count,
    number,
    pairs,
    parse_count,
    parse_komi,
    parse_pairs,
    parse_rated,
    parse_size,
    reading,
    word,
)

_NONE: Final = "-"


@attrs.frozen
class Match:
    """A game there is; `when` is `2026-01-31 09:30`, and like `result` empty while it is played."""

    number: int
    size: int
    komi: float
    white: Rated
    black: Rated
    when: str = ""
    result: str = ""

    @property
    def line(self) -> str:
        head = f"match {self.number} {_when(self.when)} {self.size} {number(self.komi)}"
        return f"{head} {self.white.word} {self.black.word} {word(self.result or _NONE)}"


@attrs.frozen
class Observed:
    """A game with its moves so far; `when` and `result` are empty while it is played."""

    number: int
    size: int
    komi: float
    white: Rated
    black: Rated
    level_ms: int
    moves: tuple[TimedMove, ...] = ()
    when: str = ""
    result: str = ""

    @property
    def line(self) -> str:
        head = f"setup {self.number} {_when(self.when)} {self.size} {number(self.komi)}"
        players = [self.white.word, self.black.word]
        result = [word(self.result)] if self.result else []
        return " ".join([head, *players, str(self.level_ms), *pairs(self.moves), *result])


@attrs.frozen
class UnknownGame:
    """There is no game of this number."""

    number: int

    @property
    def line(self) -> str:
        return f"setup {self.number} ?"


@attrs.frozen
class MoveUpdate:
    """A move in an observed game, and what its player has left."""

    number: int
    move: TimedMove

    @property
    def line(self) -> str:
        return " ".join(["update", str(self.number), *pairs([self.move])])


@attrs.frozen
class ResultUpdate:
    """The end of an observed game."""

    number: int
    result: str

    @property
    def line(self) -> str:
        return f"update {self.number} {word(self.result)}"


@attrs.frozen
class GameEnded:
    """The end of any game, and the milliseconds that each player used."""

    number: int
    result: str
    white_ms: int
    black_ms: int

    @property
    def line(self) -> str:
        return f"gameover {self.number} {word(self.result)} {self.white_ms} {self.black_ms}"


@attrs.frozen
class Observe:
    """A viewer wants to see a game."""

    number: int

    @property
    def line(self) -> str:
        return f"observe {self.number}"


ViewerMessage = (
    Match
    | Observed
    | UnknownGame
    | MoveUpdate
    | ResultUpdate
    | GameEnded
    | Info
    | ServerError
    | PlainLine
)


def parse_viewer_request(line: str) -> Observe | PlainLine:
    """Read what a viewer says; raises `RemoteProtocolError` for `observe` without a game."""
    words = line.split()
    if words[:1] != ["observe"]:
        return PlainLine(line)
    check_count(words, 2, 2, line)
    with reading(line):
        return Observe(parse_count(words[1]))


def parse_viewer_line(line: str) -> ViewerMessage:
    """Read what a server says to a viewer; what begins with no word of CGOS is a `PlainLine`.

    Raises `RemoteProtocolError` for a known word with arguments that are not its own.
    """
    head, _, rest = line.partition(" ")
    if head == "info":
        return Info(rest.strip())
    if head == "Error:":
        return ServerError(rest.strip())
    read = _READERS.get(head)
    if read is None:
        return PlainLine(line)
    with reading(line):
        return read(rest.split(), line)


def _match(words: list[str], line: str) -> Match:
    check_count(words, 8, 8, line)
    return Match(
        number=parse_count(words[0]),
        when=_read_when(words[1:3]),
        size=parse_size(words[3]),
        komi=parse_komi(words[4]),
        white=parse_rated(words[5]),
        black=parse_rated(words[6]),
        result="" if words[7] == _NONE else words[7],
    )


def _observed(words: list[str], line: str) -> Observed | UnknownGame:
    if len(words) == 2 and words[1] == "?":
        return UnknownGame(parse_count(words[0]))
    check_count(words, 8, None, line)
    # Moves come in pairs: what is left over is the result.
    result = words.pop() if len(words) % 2 else ""
    return Observed(
        number=parse_count(words[0]),
        when=_read_when(words[1:3]),
        size=parse_size(words[3]),
        komi=parse_komi(words[4]),
        white=parse_rated(words[5]),
        black=parse_rated(words[6]),
        level_ms=parse_count(words[7]),
        moves=parse_pairs(words[8:]),
        result=result,
    )


def _update(words: list[str], line: str) -> MoveUpdate | ResultUpdate:
    check_count(words, 2, 3, line)
    if len(words) == 2:
        return ResultUpdate(parse_count(words[0]), words[1])
    return MoveUpdate(parse_count(words[0]), parse_pairs(words[1:])[0])


def _game_ended(words: list[str], line: str) -> GameEnded:
    check_count(words, 4, 4, line)
    return GameEnded(parse_count(words[0]), words[1], parse_int(words[2]), parse_int(words[3]))


_READERS: Final[dict[str, Callable[[list[str], str], ViewerMessage]]] = {
    "match": _match,
    "setup": _observed,
    "update": _update,
    "gameover": _game_ended,
}


def _when(when: str) -> str:
    """The two words that say when a game was played."""
    if not when:
        return f"{_NONE} {_NONE}"
    date, _, time = when.partition(" ")
    return f"{word(date)} {word(time)}"


def _read_when(words: list[str]) -> str:
    return "" if words[0] == _NONE else " ".join(words)
