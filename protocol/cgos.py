"""What a CGOS server says to its players, both sides, without I/O.

Every message is a frozen class with the `line` that says it; `parse_server_line` reads them.

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

The game behind `genmove_analyze`, with options as `linage-game` of GTP takes them, is ours: clients
that know nothing of it look for `genmove_analyze` and ignore the rest.  `setup`'s size is the one
GTP's `boardsize` takes.  What players say is in `cgos_player`, what viewers hear in `cgos_viewer`.
"""

from collections.abc import Callable
from typing import Final

import attrs

from protocol.arguments import Colour, parse_colour, parse_int
from protocol.cgos_words import (
    ANALYZE,
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


@attrs.frozen
class ProtocolQuery:
    """The first line of all; `game` and its options are empty on servers that play only Go."""

    analyze: bool = False
    game: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def line(self) -> str:
        options = [word(f"{name}={value}") for name, value in self.options]
        game = [word(self.game)] if self.game else []
        return " ".join(["protocol", *([ANALYZE] if self.analyze else []), *game, *options])


@attrs.frozen
class UsernameQuery:
    """Asks who the player is; some servers ask at any time to see whether it still listens."""

    line = "username"


@attrs.frozen
class PasswordQuery:
    """Asks for the password."""

    line = "password"


@attrs.frozen
class Info:
    """News for people."""

    text: str

    @property
    def line(self) -> str:
        return f"info {self.text}".rstrip()


@attrs.frozen
class Setup:
    """A game begins, or goes on after `moves`, black's first."""

    number: int
    size: int
    komi: float
    level_ms: int
    white: Rated
    black: Rated
    moves: tuple[TimedMove, ...] = ()

    @property
    def line(self) -> str:
        numbers = [str(self.number), str(self.size), number(self.komi), str(self.level_ms)]
        players = [self.white.word, self.black.word]
        return " ".join(["setup", *numbers, *players, *pairs(self.moves)])


@attrs.frozen
class GenMove:
    """Asks for a move; `ms_left` may be negative, when a server looks at its clocks rarely."""

    colour: Colour
    ms_left: int

    @property
    def line(self) -> str:
        return f"genmove {self.colour.value} {self.ms_left}"


@attrs.frozen
class Play:
    """Tells the opponent's move; `ms_left` is the opponent's."""

    colour: Colour
    move: str
    ms_left: int

    @property
    def line(self) -> str:
        return f"play {self.colour.value} {word(self.move)} {self.ms_left}"


@attrs.frozen
class GameOver:
    """The game has ended; `result` is `B+3.5`, `Draw`, `W+Resign`, `W+Time`, `W+Illegal`."""

    date: str
    result: str
    text: str = ""

    @property
    def line(self) -> str:
        return f"gameover {word(self.date)} {word(self.result)} {self.text}".rstrip()


@attrs.frozen
class ServerError:
    """Why the server closes the connection now."""

    text: str

    @property
    def line(self) -> str:
        return f"Error: {self.text}".rstrip()


@attrs.frozen
class PlainLine:
    """Words without a form: what an administrator says and hears, and what we do not know."""

    text: str

    @property
    def line(self) -> str:
        return self.text


ServerMessage = (
    ProtocolQuery
    | UsernameQuery
    | PasswordQuery
    | Info
    | Setup
    | GenMove
    | Play
    | GameOver
    | ServerError
    | PlainLine
)


def parse_server_line(line: str) -> ServerMessage:
    """Read what a server says to a player; what begins with no word of CGOS is a `PlainLine`.

    Raises `RemoteProtocolError` for a known word with arguments that are not its own.
    """
    head, _, rest = line.partition(" ")
    read = _READERS.get(head)
    if read is None:
        return PlainLine(line)
    with reading(line):
        return read(rest.strip(), line)


def _protocol_query(rest: str, _line: str) -> ProtocolQuery:
    words = rest.split()
    names = [each for each in words if each != ANALYZE and "=" not in each]
    options = [each.partition("=") for each in words if "=" in each]
    return ProtocolQuery(
        ANALYZE in words,
        names[0] if names else "",
        tuple((name, value) for name, _, value in options) if names else (),
    )


def _setup(rest: str, line: str) -> Setup:
    words = rest.split()
    check_count(words, 6, None, line)
    return Setup(
        parse_count(words[0]),
        parse_size(words[1]),
        parse_komi(words[2]),
        parse_count(words[3]),
        parse_rated(words[4]),
        parse_rated(words[5]),
        parse_pairs(words[6:]),
    )


def _genmove(rest: str, line: str) -> GenMove:
    words = rest.split()
    check_count(words, 2, 2, line)
    return GenMove(parse_colour(words[0]), parse_int(words[1]))


def _play(rest: str, line: str) -> Play:
    words = rest.split()
    check_count(words, 3, 3, line)
    return Play(parse_colour(words[0]), words[1], parse_int(words[2]))


def _game_over(rest: str, line: str) -> GameOver:
    words = rest.split(maxsplit=2)
    check_count(words, 2, 3, line)
    return GameOver(words[0], words[1], words[2] if len(words) > 2 else "")


_READERS: Final[dict[str, Callable[[str, str], ServerMessage]]] = {
    "protocol": _protocol_query,
    "username": lambda _rest, _line: UsernameQuery(),
    "password": lambda _rest, _line: PasswordQuery(),
    "info": lambda rest, _line: Info(rest),
    "setup": _setup,
    "genmove": _genmove,
    "play": _play,
    "gameover": _game_over,
    "Error:": lambda rest, _line: ServerError(rest),
}
