"""Parsers for the words of a command.

Every parser raises `CommandFailed` with the words that clients match: `syntax error` for numbers,
`invalid color or coordinate` for colours and vertices.  Only ASCII digits count as digits.
Whether a vertex lies on the board is not checked here, only its notation.
"""

import enum
import math
import re
from typing import Final

from protocol.session.errors import CommandFailed

_NUMBER_CHARACTERS: Final = frozenset("0123456789+-.eE")
_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_FALSE: Final = frozenset({"0", "false", "no", "off"})
_MOVE: Final = re.compile("[A-HJ-Z]([1-9]|1[0-9]|2[0-5])|PASS|RESIGN")  # GTP has no column I


class Colour(enum.Enum):
    """One of the two players, as GTP names them."""

    BLACK = "b"
    WHITE = "w"


_COLOURS: Final = {
    "b": Colour.BLACK,
    "black": Colour.BLACK,
    "w": Colour.WHITE,
    "white": Colour.WHITE,
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


def parse_count(word: str) -> int:
    """Return an integer that is not negative."""
    count = parse_int(word)
    if count < 0:
        raise CommandFailed(f"syntax error: negative number: {shown(word)}")
    return count


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
    """Return the truth value of `true`, `yes`, `on`, `1` or their opposites, in any case."""
    lower = word.lower()
    if lower in _TRUE:
        return True
    if lower in _FALSE:
        return False
    raise CommandFailed(f"syntax error: neither true nor false: {shown(word)}")


def parse_colour(word: str) -> Colour:
    """Return the colour named by `b`, `black`, `w` or `white`, in any case."""
    colour = _COLOURS.get(word.lower())
    if colour is None:
        raise CommandFailed(f"invalid color or coordinate: not a color: {shown(word)}")
    return colour


def parse_vertex(word: str) -> str:
    """Return a move in any case as GTP writes it: `D4` (`A1` is lower left), `pass`, `resign`."""
    # Some letters beyond ASCII have ASCII capitals.
    move = word.upper() if word.isascii() else ""
    if not _MOVE.fullmatch(move):
        raise CommandFailed(f"invalid color or coordinate: not a vertex: {shown(word)}")
    return move if len(move) <= 3 else move.lower()
