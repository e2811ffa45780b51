"""What a CGOS server says to its viewers, and reads of what they say, without I/O.

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
    """What a list tells of a game; `when` is `2026-01-31 09:30`, empty while it is played."""

    number: Count
    when: _When = ""
    size: Size
    komi: Komi
    white: Player
    black: Player


@attrs.frozen(kw_only=True)
class Match(_Listed):
    """A game there is; `result`, too, is empty while it is played."""

    head = "match"
    result: _Result = ""


@attrs.frozen(kw_only=True)
class Observed(_Listed):
    """A game with its moves so far; `result` is empty while it is played."""

    head = "setup"
    level_ms: Count
    moves: Moves = ()
    result: Text = ""


@attrs.frozen
class UnknownGame(Message):
    """There is no game of this number."""

    head = "setup"
    number: Count

    @property
    def line(self) -> str:
        return f"{super().line} ?"


@attrs.frozen
class MoveUpdate(Message):
    """A move in an observed game, and what its player has left."""

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
    """A viewer wants to see a game."""

    head = "observe"
    number: Count


def parse_viewer_request(line: str) -> Observe | PlainLine:
    """Read what a viewer says; raises `RemoteProtocolError` for `observe` without a game."""
    words = line.split()
    if words[:1] != [Observe.head]:
        return PlainLine(line)
    with reading(line):
        return Observe.read(words[1:])
