"""The messages from a CGOS server to its players, for both sides, without I/O.

Every message is a frozen class whose `line` is its text; `parse_server_line` reads them.

    server  protocol genmove_analyze [<game> [<option>=<value>]…]
    player  e1 <client> [genmove_analyze]
    server  username                                        player  <name>
    server  password                                        player  <password>
    server  info <text>
    server  setup <number> <size> <komi> <ms> <white> <black> [<move> <ms>]…
    server  genmove b|w <ms>                                player  <move> [<analysis>]
    server  play b|w <move> <ms>
    server  gameover <date> <result> [<text>]               player  ready
    server  Error: <text>                                   and closes

The game after `genmove_analyze`, with options as in GTP's `linage-game`, is our extension: clients
that do not know it look for `genmove_analyze` and ignore the rest.  `setup`'s size is the one that
GTP's `boardsize` takes.  The players' messages are in `player`, those to viewers in `viewer`.
"""

import re
from typing import Final, get_args

import attrs

from protocol.cgos.words import (
    ANALYZE,
    Count,
    Komi,
    Message,
    Milliseconds,
    Moves,
    Player,
    Side,
    Size,
    Text,
    Word,
    reading,
    word,
)


@attrs.frozen
class ProtocolQuery(Message):
    """The first line; `game` and `options` are empty on servers that play only Go."""

    head = "protocol"
    analyze: bool = False
    game: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def line(self) -> str:
        options = [word(f"{name}={value}") for name, value in self.options]
        game = [word(self.game)] if self.game else []
        return " ".join([self.head, *([ANALYZE] if self.analyze else []), *game, *options])

    @classmethod
    def read(cls, words: list[str]) -> "ProtocolQuery":
        names = [each for each in words if each != ANALYZE and "=" not in each]
        options = [each.partition("=") for each in words if "=" in each]
        return cls(
            ANALYZE in words,
            names[0] if names else "",
            tuple((name, value) for name, _, value in options) if names else (),
        )


@attrs.frozen
class UsernameQuery(Message):
    """The request for the player's name, which some servers repeat to check the connection."""

    head = "username"


@attrs.frozen
class PasswordQuery(Message):
    """The request for the password."""

    head = "password"


@attrs.frozen
class Info(Message):
    """A notice for human readers."""

    head = "info"
    text: Text


@attrs.frozen(kw_only=True)
class Setup(Message):
    """The start of a game, or its resumption after `moves`, of which Black's is first."""

    head = "setup"
    number: Count
    size: Size
    komi: Komi
    level_ms: Count
    white: Player
    black: Player
    moves: Moves = ()


@attrs.frozen
class GenMove(Message):
    """The request for a move."""

    head = "genmove"
    colour: Side
    ms_left: Milliseconds


@attrs.frozen
class Play(Message):
    """The opponent's move; `ms_left` is the opponent's remaining time."""

    head = "play"
    colour: Side
    move: Word
    ms_left: Milliseconds


@attrs.frozen
class GameOver(Message):
    """The end of a game; `result` is `B+3.5`, `Draw`, `W+Resign`, `W+Time` or `W+Illegal`."""

    head = "gameover"
    date: Word
    result: Word
    text: Text = ""


_TO_MEND: Final = re.compile(
    r"passw(or)?d|credential|\bnames?\b|user|account|taken|banned|denied|not allowed|invalid",
    re.IGNORECASE,
)
_PASSING: Final = re.compile(
    r"already (logged|connected|playing|online|in)|in use|too many|\bfull\b|busy|moment|later"
    r"|again in|temporar|maintenance|restart|going down",
    re.IGNORECASE,
)


@attrs.frozen
class ServerError(Message):
    """The reason why the server closes the connection now."""

    head = "Error:"
    text: Text

    @property
    def for_good(self) -> bool:
        """Whether the next login would be refused as well, such as for a wrong password.

        Servers have no codes for that, so their words decide. An unknown reason counts as
        temporary.
        """
        return bool(_TO_MEND.search(self.text)) and not _PASSING.search(self.text)


@attrs.frozen
class PlainLine(Message):
    """A line without a known form: an administrator's, the reply to one, or an unknown message."""

    text: Text


_Formed = (
    ProtocolQuery
    | UsernameQuery
    | PasswordQuery
    | Info
    | Setup
    | GenMove
    | Play
    | GameOver
    | ServerError
)
ServerMessage = _Formed | PlainLine
_FORMS: Final[dict[str, type[_Formed]]] = {form.head: form for form in get_args(_Formed)}


def parse_server_line(line: str) -> ServerMessage:
    """Read a line from a server to a player; return `PlainLine` if it begins with no CGOS command.

    Raises `RemoteProtocolError` for a known command with invalid arguments.
    """
    head, _, rest = line.partition(" ")
    form = _FORMS.get(head)
    if form is None:
        return PlainLine(line)
    if form in (UsernameQuery, PasswordQuery):
        return form()  # further words are ignored
    with reading(line):
        return form.read(rest.split())
