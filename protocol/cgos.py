"""CGOS between a server and its players, both sides, without I/O.

Every message is a frozen class with the `line` that says it; `parse_server_line` reads what a
server says to a player.  What a player says has no names of its own: its meaning depends on what
was asked, so the server calls `parse_hello`, `why_no_name`, `parse_credentials` or `parse_answer`
for a line according to the state of the conversation.  All of them raise `RemoteProtocolError`.

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
GTP's `boardsize` takes.  Lines of `cgos_words` and `cgos_viewer` complete the protocol.
"""

import re
from collections.abc import Callable
from typing import Final

import attrs

from protocol.arguments import Colour, parse_colour, parse_int
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
from protocol.errors import RemoteProtocolError

ANALYZE: Final = "genmove_analyze"
"""The one feature: moves may come with an analysis."""

_NAME: Final = re.compile(r"[A-Za-z_.-][A-Za-z0-9_.-]{2,17}")
MIN_PASSWORD: Final = 3
MAX_PASSWORD: Final = 64
_PLAYER, _VIEWER = "e1", "v1"


# What the server says


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


# What the player says


@attrs.frozen
class Hello:
    """The answer to `protocol`: who is there, a player or a viewer."""

    client: str
    analyze: bool = False
    viewer: bool = False

    @property
    def line(self) -> str:
        kind = _VIEWER if self.viewer else _PLAYER
        return " ".join([kind, *self.client.split(), *([ANALYZE] if self.analyze else [])])


@attrs.frozen
class Credentials:
    """The answer to `password`: it, and a new one if it is to be changed."""

    password: str = attrs.field(repr=False)
    new_password: str = attrs.field(default="", repr=False)

    @property
    def line(self) -> str:
        return f"{self.password} {self.new_password}".rstrip()


@attrs.frozen
class Answer:
    """The answer to `genmove`: a vertex, `pass` or `resign`, and JSON on one line, or nothing."""

    move: str
    analysis: str = ""

    @property
    def line(self) -> str:
        return f"{word(self.move)} {self.analysis}".rstrip()


@attrs.frozen
class Ready:
    """The answer to `gameover`: another game, please."""

    line = "ready"


def parse_hello(line: str) -> Hello:
    """Read the first line of a player or viewer."""
    kind, *words = line.split() or [""]
    if kind not in (_PLAYER, _VIEWER):
        raise RemoteProtocolError("neither e1 nor v1", line[:80])
    client = " ".join(each for each in words if each != ANALYZE)
    return Hello(client, ANALYZE in words, kind == _VIEWER)


def why_no_name(text: str) -> str | None:
    """Return why a text cannot be a player's name; None if it can."""
    if _NAME.fullmatch(text):
        return None
    if text[:1].isdigit():
        return "a name does not begin with a digit"
    return "a name has 3 to 18 of A-Z a-z 0-9 _ . -"


def parse_credentials(line: str) -> Credentials:
    """Read `PASSWORD` or `OLD NEW`; the error does not tell what was said."""
    words = line.split()
    if not 1 <= len(words) <= 2:
        raise RemoteProtocolError("a password is one word, a changed one two")
    if not all(MIN_PASSWORD <= len(each) <= MAX_PASSWORD for each in words):
        raise RemoteProtocolError(f"a password has {MIN_PASSWORD} to {MAX_PASSWORD} characters")
    return Credentials(*words)


def parse_answer(line: str) -> Answer:
    """Read a move with what may follow it; neither the move nor the analysis is judged."""
    words = line.split(maxsplit=1)
    check_count(words, 1, 2, line)
    return Answer(*words)
