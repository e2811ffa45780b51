"""The messages of the Universal Game Interface, both directions, without I/O.

It is UCI for any two-player game: a line is a command word and its arguments. A controller's lines
become `UgiRequest`s, and an engine's lines are made here. The game is not known here: moves and
positions are words, a move is one of them. The runner that it was made for, and the only page
about it: https://github.com/kz04px/cutegames
"""

from collections.abc import Sequence
from typing import Final

import attrs

from protocol.session.arguments import shown
from protocol.session.lines import LineSplitter, Overlong

MAX_LINE_BYTES: Final = 1 << 20
NO_MOVE: Final = "0000"
"""The word after `bestmove` when there is no move, as in UCI."""

_CONTROL: Final = bytes([*range(32), 127])
_TO_SPACES: Final = bytes.maketrans(b"\t\r", b"  ")
_MOST_DIGITS: Final = 15


@attrs.frozen
class UgiGreeting:
    """The request `ugi` for the engine's name, author and options."""


@attrs.frozen
class AreYouReady:
    """The request `isready`."""


@attrs.frozen
class BeginGame:
    """The request `uginewgame`."""


@attrs.frozen
class SetOption:
    """The request `setoption name NAME value VALUE`."""

    name: str
    value: str


@attrs.frozen
class SetPosition:
    """The request `position startpos` or `position fen FEN`, with `moves` or without."""

    fen: str | None  # None: the position before the first move
    moves: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Go:
    """The request `go` for a move. Times are in milliseconds; a limit that was not given is None.

    `ignored` holds the words that set no limit; a request is the same with and without them.
    """

    p1time: int | None = None
    p2time: int | None = None
    p1inc: int | None = None
    p2inc: int | None = None
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    infinite: bool = False
    ignored: tuple[str, ...] = attrs.field(default=(), eq=False)


@attrs.frozen
class StopThinking:
    """The request `stop`."""


@attrs.frozen
class AskPosition:
    """The request `query QUESTION`, about the position."""

    question: str


@attrs.frozen
class Leave:
    """The request `quit`."""


@attrs.frozen
class NotUgi:
    """A line that is not a valid request; `reason` says why."""

    reason: str


UgiRequest = (
    UgiGreeting
    | AreYouReady
    | BeginGame
    | SetOption
    | SetPosition
    | Go
    | StopThinking
    | AskPosition
    | Leave
    | NotUgi
)

_BARE: Final[dict[str, UgiRequest]] = {
    "ugi": UgiGreeting(),
    "isready": AreYouReady(),
    "uginewgame": BeginGame(),
    "stop": StopThinking(),
    "quit": Leave(),
}
_LIMITS: Final = ("p1time", "p2time", "p1inc", "p2inc", "movetime", "nodes", "depth")
_LARGEST: Final = 10**_MOST_DIGITS - 1


class UgiRequestDecoder:
    """A decoder from bytes to requests, for the engine; blank lines are skipped."""

    def __init__(self) -> None:
        self._lines = LineSplitter(MAX_LINE_BYTES)

    def receive_data(self, data: bytes) -> list[UgiRequest]:
        """Return the request of every line that `data` completes."""
        return _read_all(self._lines.receive_data(data))

    def receive_end(self) -> list[UgiRequest]:
        """End the input; return the request of a last line without newline, if any."""
        return _read_all(self._lines.receive_end())


def _read_all(lines: Sequence[bytes | Overlong]) -> list[UgiRequest]:
    requests = (_decode(line) for line in lines)
    return [request for request in requests if request is not None]


def _decode(line: bytes | Overlong) -> UgiRequest | None:
    start = line.start if isinstance(line, Overlong) else line
    words = start.translate(_TO_SPACES).decode(errors="replace").split()
    fault = _fault(line)
    if fault is None:
        return read_request(words) if words else None
    if words[:1] == ["go"]:  # the runner waits for a move in any case
        return Go(ignored=(fault,))
    return NotUgi(fault)


def _fault(line: bytes | Overlong) -> str | None:
    """Return why a line cannot be read; None if it can."""
    if isinstance(line, Overlong):
        return "line too long"
    try:
        text = line.translate(_TO_SPACES).decode()
    except UnicodeDecodeError:
        return "not UTF-8"
    return None if text.isprintable() else "control character"


def read_request(words: Sequence[str]) -> UgiRequest:
    """Return the request of a line of at least one word; `NotUgi` if it is invalid.

    As in UCI, words after a command that takes none are ignored.
    """
    name, *rest = words
    if name in _BARE:
        return _BARE[name]
    if name == "setoption":
        return _read_option(rest)
    if name == "position":
        return _read_position(rest)
    if name == "go":
        return _read_go(rest)
    if name == "query":
        return AskPosition(rest[0]) if rest else NotUgi("usage: query QUESTION")
    return NotUgi(f"unknown command: {shown(name)}")


def _read_option(words: list[str]) -> UgiRequest:
    at = words.index("value") if "value" in words else len(words)
    name = " ".join(words[1:at])
    if words[:1] != ["name"] or not name:
        return NotUgi("usage: setoption name NAME value VALUE")
    return SetOption(name, " ".join(words[at + 1 :]))


def _read_position(words: list[str]) -> UgiRequest:
    at = words.index("moves") if "moves" in words else len(words)
    start, moves = words[:at], tuple(words[at + 1 :])
    if start == ["startpos"]:
        return SetPosition(None, moves)
    if start[:1] == ["fen"] and len(start) > 1:
        return SetPosition(" ".join(start[1:]), moves)
    return NotUgi("usage: position startpos|fen FEN [moves MOVE ...]")


def _read_go(words: list[str]) -> Go:
    """Read the limits after `go`, which always requests a move: unknown words are ignored."""
    limits: dict[str, int] = {}
    infinite, ignored, rest = False, [], list(words)
    while rest:
        name = rest.pop(0)
        number = _read_number(rest[0]) if name in _LIMITS and rest else None
        if name == "infinite":
            infinite = True
        elif number is None:
            ignored.append(name)
        else:
            limits[name] = number
            rest.pop(0)
    return Go(infinite=infinite, ignored=tuple(ignored), **limits)


def _read_number(word: str) -> int | None:
    """Return a whole number, 0 if it is negative (an expired clock), None if it is invalid."""
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return None
    if word.startswith("-"):
        return 0
    return int(digits) if len(digits) <= _MOST_DIGITS else _LARGEST


# The engine's lines


@attrs.frozen(kw_only=True)
class UgiOption:
    """An option of the engine: a `check` (true or false), `spin`, `combo` or `string`."""

    name: str
    kind: str
    default: str
    least: int | None = None  # of a spin
    most: int | None = None
    choices: tuple[str, ...] = ()  # of a combo

    @property
    def line(self) -> str:
        """The line that describes the option after `ugi`."""
        words = [f"option name {self.name} type {self.kind}"]
        if self.kind == "string" or self.default:
            words.append(f"default {self.default or '<empty>'}")
        if self.least is not None:
            words.append(f"min {self.least} max {self.most}")
        words += (f"var {choice}" for choice in self.choices)
        return " ".join(words)


def read_option(words: Sequence[str]) -> UgiOption | None:
    """Return the option described by a line that begins with `option`; None if it has no name."""
    parts: dict[str, list[str]] = {}
    choices: list[str] = []
    key = ""
    for word in words[1:]:
        if word in ("name", "type", "default", "min", "max", "var"):
            key = word
            parts.setdefault(key, [])
        elif key == "var":
            choices.append(word)
        elif key:
            parts[key].append(word)
    values = {key: " ".join(words) for key, words in parts.items()}
    if not values.get("name"):
        return None
    return UgiOption(
        name=values["name"],
        kind=values.get("type", "string"),
        default=values.get("default", ""),
        least=_read_int(values.get("min", "")),
        most=_read_int(values.get("max", "")),
        choices=tuple(choices),
    )


def _read_int(word: str) -> int | None:
    digits = word.removeprefix("-")
    known = digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS
    return int(word) if known else None


def encode_line(text: str) -> bytes:
    """Return a line to be sent, without control characters that would end it too early."""
    return text.encode(errors="backslashreplace").translate(None, _CONTROL) + b"\n"


def error_line(reason: str) -> str:
    """Return the line that reports an error; UGI has no error line of its own."""
    return f"info string error: {reason}"
