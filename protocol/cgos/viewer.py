"""The messages between a CGOS server and its viewers, without I/O.

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
`setup <number> ?` means that the game does not exist.  `gameover` is sent to every viewer, with the
time that each player used; `update` only for a game that is observed.
"""

from typing import Annotated

import attrs

from protocol.cgos.server import PlainLine
from protocol.cgos.words import (
    Count,
    Kind,
    Komi,
    Message,
    Milliseconds,
    Moves,
    Player,
    Size,
    Text,
    Word,
    reading,
    word,
)

_When = Annotated[str, Kind(" ".join, lambda when: (when or "- -").split(), words=2)]
_Result = Annotated[str, Kind(" ".join, lambda result: [word(result or "-")])]


@attrs.frozen(kw_only=True)
class _Listed(Message):
    """A game in a list; `when` is like `2026-01-31 09:30`, or empty while the game is played."""

    number: Count
    when: _When = ""
    size: Size
    komi: Komi
    white: Player
    black: Player


@attrs.frozen(kw_only=True)
class Match(_Listed):
    """A game that is in progress or finished; `result` is empty while it is in progress."""

    head = "match"
    result: _Result = ""


@attrs.frozen(kw_only=True)
class Observed(_Listed):
    """A game with its moves so far; `result` is empty while it is in progress."""

    head = "setup"
    level_ms: Count
    moves: Moves = ()
    result: Text = ""


@attrs.frozen
class UnknownGame(Message):
    """The answer that no game has this number."""

    head = "setup"
    number: Count

    @property
    def line(self) -> str:
        return f"{super().line} ?"


@attrs.frozen
class MoveUpdate(Message):
    """A move in an observed game, and its player's remaining time."""

    head = "update"
    number: Count
    move: Word
    ms_left: Milliseconds


@attrs.frozen
class ResultUpdate(Message):
    """The end of an observed game."""

    head = "update"
    number: Count
    result: Word


@attrs.frozen
class GameEnded(Message):
    """The end of any game, and the milliseconds that each player used."""

    head = "gameover"
    number: Count
    result: Word
    white_ms: Milliseconds
    black_ms: Milliseconds


@attrs.frozen
class Observe(Message):
    """A viewer's request to observe a game."""

    head = "observe"
    number: Count


def parse_viewer_request(line: str) -> Observe | PlainLine:
    """Read a viewer's line; raise `RemoteProtocolError` for `observe` without a valid number."""
    words = line.split()
    if words[:1] != [Observe.head]:
        return PlainLine(line)
    with reading(line):
        return Observe.read(words[1:])
