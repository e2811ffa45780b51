"""The words of a command, read as values.

Every reader raises `CommandFailed` with the words clients match: `syntax error` for numbers,
`invalid color or coordinate` for colours and vertices.  Only ASCII digits count as digits.
Whether a vertex lies on the board is the board's matter; here it only has to be written right.
"""

import enum
import math
from typing import Final

import attrs

from protocol.errors import CommandFailed

COLUMN_LETTERS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""GTP has no column I."""

_NUMBER_CHARACTERS: Final = frozenset("0123456789+-.eE")
_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_FALSE: Final = frozenset({"0", "false", "no", "off"})


class Colour(enum.Enum):
    """One of the two players, as GTP names them."""

    BLACK = "b"
    WHITE = "w"

    @property
    def name_(self) -> str:
        """The full word: `black` or `white`."""
        return "black" if self is Colour.BLACK else "white"

    @property
    def other(self) -> "Colour":
        """The opponent."""
        return Colour.WHITE if self is Colour.BLACK else Colour.BLACK


@attrs.frozen
class Vertex:
    """A point, counted from zero: column from the left, row from the bottom."""

    column: int
    row: int


class Special(enum.Enum):
    """The moves that are not on a point."""

    PASS = "pass"
    RESIGN = "resign"


PASS: Final = Special.PASS
RESIGN: Final = Special.RESIGN

Move = Vertex | Special

_COLOURS: Final = {
    "b": Colour.BLACK,
    "black": Colour.BLACK,
    "w": Colour.WHITE,
    "white": Colour.WHITE,
}
_MOVES: Final[dict[str, Move]] = {
    "pass": PASS,
    "resign": RESIGN,
    **{
        f"{letter.lower()}{row + 1}": Vertex(column, row)
        for column, letter in enumerate(COLUMN_LETTERS)
        for row in range(25)
    },
}
_WORDS: Final[dict[Move, str]] = {
    move: word.upper() if isinstance(move, Vertex) else word for word, move in _MOVES.items()
}


def shown(word: str) -> str:
    """Return a user's word as an error message may quote it: printable and short."""
    return repr(word if len(word) <= 60 else word[:57] + "...")


def parse_int(word: str) -> int:
    """Return a decimal integer with optional sign, of at most 18 digits."""
    digits = word[1:] if word[:1] in ("-", "+") else word
    if digits.isascii() and digits.isdigit() and len(digits) <= 18:
        return int(word)
    raise CommandFailed(f"syntax error: not an integer: {shown(word)}")


def parse_float(word: str) -> float:
    """Return a finite number."""
    if word and len(word) <= 400 and _NUMBER_CHARACTERS.issuperset(word):
        try:
            number = float(word)
        except ValueError:
            pass
        else:
            if math.isfinite(number):
                return number
    raise CommandFailed(f"syntax error: not a finite number: {shown(word)}")


def parse_bool(word: str) -> bool:
    """Return what `true`, `yes`, `on`, `1` and their opposites say, in any case."""
    lower = word.lower()
    if lower in _TRUE:
        return True
    if lower in _FALSE:
        return False
    raise CommandFailed(f"syntax error: neither true nor false: {shown(word)}")


def parse_colour(word: str) -> Colour:
    """Return the colour that `b`, `black`, `w` or `white` names, in any case."""
    colour = _COLOURS.get(word.lower())
    if colour is None:
        raise CommandFailed(f"invalid color or coordinate: not a color: {shown(word)}")
    return colour


def parse_vertex(word: str) -> Move:
    """Return a point, `PASS` or `RESIGN`, in any case; `A1` is the lower left corner."""
    # Some letters beyond ASCII have ASCII lower case: the Kelvin sign would be a K.
    move = _MOVES.get(word.lower()) if word.isascii() else None
    if move is None:
        raise CommandFailed(f"invalid color or coordinate: not a vertex: {shown(word)}")
    return move


def parse_point(word: str) -> Vertex:
    """Return a point; `pass` and `resign` are none."""
    move = parse_vertex(word)
    if not isinstance(move, Vertex):
        raise CommandFailed(f"invalid color or coordinate: not a point: {shown(word)}")
    return move


def format_vertex(move: Move) -> str:
    """Return the word for a move: `D4`, `pass` or `resign`.

    Raises `ValueError` for a point beyond 25 columns or rows, which GTP cannot name.
    """
    word = _WORDS.get(move)
    if word is None:
        raise ValueError(f"GTP has no name for {move}")
    return word
