"""The elements of all CGOS lines, without I/O: the line decoder, messages and their fields.

CGOS is the line protocol of the rating servers for computer Go: a message is a line of words in
UTF-8.  Pass received bytes to a `LineDecoder`; `encode` returns the bytes to send.

A line over `MAX_LINE_BYTES`, one that is not UTF-8 and one that holds control characters arrive as
a `RemoteProtocolError`: a value among the lines, not raised, so that the lines before it are not
lost.  The decoder then continues with the next line; the caller decides whether to close the
connection.  Blank lines are skipped.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, ClassVar, Final, Self, get_args

import attrs

from protocol.session.arguments import Colour, parse_colour, parse_count, parse_float, parse_int
from protocol.session.errors import CommandFailed, LocalProtocolError, RemoteProtocolError
from protocol.session.lines import LineSplitter, Overlong

MAX_LINE_BYTES: Final = 64 << 10
ANALYZE: Final = "genmove_analyze"
"""The only feature that a server and a player can negotiate: moves with an analysis."""

_SHOWN_CHARACTERS: Final = 80
_ENDINGS: Final = {"RESIGN": "R", "TIME": "T", "ILLEGAL": "F", "FORFEIT": "F"}
_SGF_ENDINGS: Final = {"R": "Resign", "T": "Time", "F": "Illegal"}


class LineDecoder:
    """A decoder from bytes to lines."""

    def __init__(self, max_line_bytes: int = MAX_LINE_BYTES) -> None:
        self._lines = LineSplitter(max_line_bytes)

    def receive_data(self, data: bytes) -> list[str | RemoteProtocolError]:
        """Return the lines that `data` completes, with an error in place of each invalid line."""
        lines = (_decode(line) for line in self._lines.receive_data(data))
        return [line for line in lines if line != ""]


def _decode(line: bytes | Overlong) -> str | RemoteProtocolError:
    if isinstance(line, Overlong):
        return RemoteProtocolError("line too long", _start(line.start.decode(errors="replace")))
    try:
        text = line.decode().replace("\t", " ").strip(" \r")
    except UnicodeDecodeError:
        return RemoteProtocolError("not UTF-8", _start(line.decode(errors="replace")))
    if _has_control(text):
        return RemoteProtocolError("control character", _start(text))
    return text


def _has_control(text: str) -> bool:
    # isprintable is quick but too strict: it refuses some spaces.
    return not text.isprintable() and any(c < " " or "\x7f" <= c <= "\x9f" for c in text)


def _start(text: str) -> str:
    return text[:_SHOWN_CHARACTERS]


def encode(message: "Message") -> bytes:
    """Return the bytes that send a message.

    Raises `LocalProtocolError` for a line with control characters or beyond the limit.
    """
    line = message.line
    if _has_control(line):
        raise LocalProtocolError(f"control character in {_start(line)!r}")
    data = line.encode(errors="replace")
    if len(data) > MAX_LINE_BYTES:
        raise LocalProtocolError(f"line of {len(data)} bytes: {_start(line)!r}")
    return data + b"\n"


@attrs.frozen
class Rated:
    """A player as named in `setup` and `match`; `rating` is a word such as `1850` or `1800?`."""

    name: str
    rating: str = ""

    @property
    def word(self) -> str:
        """The player's name as written in a line: `name(1800?)`."""
        return word(f"{self.name}({self.rating})" if self.rating else self.name)


@attrs.frozen
class TimedMove:
    """A move, and its player's remaining milliseconds after it."""

    move: str
    ms_left: int


def word(text: str) -> str:
    """Return the text if it is one word, else raise `LocalProtocolError`."""
    if len(text.split()) != 1 or text.strip() != text:
        raise LocalProtocolError(f"{_start(text)!r} is not one word")
    return text


def number(value: float) -> str:
    """Return a number without a needless `.0`."""
    return repr(value).removesuffix(".0")


def cgos_result(result: str) -> str:
    """Convert an SGF result to CGOS notation: `B+3.5`, `Draw`, `W+Resign`, `W+Time`, `W+Illegal`.

    In games without points `B+` alone names the winner.
    """
    winner, plus, how = result.partition("+")
    return f"{winner}+{_SGF_ENDINGS.get(how, how)}" if plus else "Draw"


def sgf_result(result: str) -> str:
    """Convert a CGOS result to SGF: `B+R`, `W+3.5`, `0`, `Void` without a winner, "" if empty."""
    winner, plus, how = result.upper().partition("+")
    if winner in ("B", "W") and plus:
        return f"{winner}+{_ENDINGS.get(how, how)}"
    if winner in ("DRAW", "0", "JIGO"):
        return "0"
    return "Void" if result else ""


@contextlib.contextmanager
def reading(line: str) -> Iterator[None]:
    """Turn `CommandFailed` raised inside into a `RemoteProtocolError` that quotes the line."""
    try:
        yield
    except CommandFailed as error:
        raise RemoteProtocolError(error.message, _start(line)) from None


# Messages


@attrs.frozen
class Kind:
    """The text format of a message's field: its number of words, or None for all remaining words.

    `write` raises `LocalProtocolError`, `read` raises `CommandFailed`.
    """

    read: Callable[[list[str]], Any]
    write: Callable[[Any], list[str]]
    words: int | None = 1


class Message:
    """A message that can be sent: by default a head, if any, and the fields, each by its `Kind`."""

    __slots__ = ()
    head: ClassVar[str] = ""

    @property
    def line(self) -> str:
        """The line without its newline; raises `LocalProtocolError` if it cannot be expressed."""
        words = [self.head] if self.head else []
        for name, kind in _kinds(type(self)):
            words += kind.write(getattr(self, name))
        return " ".join(words)

    @classmethod
    def read(cls, words: list[str]) -> Self:
        """Return the message for the words after the head; raises `CommandFailed`."""
        fields = {}
        for name, kind in _kinds(cls):
            count = len(words) if kind.words is None else kind.words
            if len(words) < count:
                raise CommandFailed("wrong number of words")
            fields[name] = kind.read(words[:count])
            words = words[count:]
        if words:
            raise CommandFailed("wrong number of words")
        return cls(**fields)


def _kinds(message: type) -> list[tuple[str, Kind]]:
    """Return the names and kinds of the fields that have a kind."""
    fields = [(field.name, get_args(field.type)) for field in attrs.fields(message)]
    return [(name, kinds[1]) for name, kinds in fields if len(kinds) > 1]


def _single_word(read: Callable[[str], Any], write: Callable[[Any], str] = str) -> Kind:
    return Kind(lambda words: read(words[0]), lambda value: [write(value)])


def _parse_size(text: str) -> int:
    value = parse_count(text)
    if value == 0:
        raise CommandFailed("syntax error: not a size")
    return value


def _parse_rated(text: str) -> Rated:
    """Read `name(1800?)`, or a name alone."""
    name, bracket, rest = text.partition("(")
    if not name or (bracket and not rest.endswith(")")):
        raise CommandFailed("syntax error: not a player")
    return Rated(name, rest.removesuffix(")"))


def _parse_moves(words: list[str]) -> tuple[TimedMove, ...]:
    if len(words) % 2:
        raise CommandFailed("syntax error: a move without a time")
    return tuple(map(TimedMove, words[::2], map(parse_int, words[1::2])))


def _write_moves(moves: Sequence[TimedMove]) -> list[str]:
    return [text for each in moves for text in (word(each.move), str(each.ms_left))]


Count = Annotated[int, _single_word(parse_count)]
Milliseconds = Annotated[int, _single_word(parse_int)]
"""A time that may be negative, when a server checks its clocks rarely."""
Size = Annotated[int, _single_word(_parse_size)]
Komi = Annotated[float, _single_word(parse_float, number)]
Side = Annotated[Colour, _single_word(parse_colour, lambda colour: colour.value)]
Word = Annotated[str, _single_word(str, word)]
Player = Annotated[Rated, _single_word(_parse_rated, lambda player: player.word)]
Moves = Annotated[tuple[TimedMove, ...], Kind(_parse_moves, _write_moves, None)]
Text = Annotated[str, Kind(" ".join, lambda text: [text] if text else [], None)]
