"""What GoGui draws and lists, as text: a GUI that shows our games with what an engine tells it.

Everything here is a pure function over vertices as words (`D4`) and numbers.  Grids are given from
the top row down, each row from the left, as GoGui reads them.
"""

import enum
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

import attrs

_RGB: Final = re.compile("#[0-9a-fA-F]{6}")
_MAX_SIZE: Final = 25

_Value = TypeVar("_Value")


class AnalyzeType(enum.Enum):
    """How GoGui shows the answer to a command of its Analyze menu."""

    NONE = "none"
    DBOARD = "dboard"
    CBOARD = "cboard"
    SBOARD = "sboard"
    BWBOARD = "bwboard"
    GFX = "gfx"
    VAR = "var"
    STRING = "string"
    HSTRING = "hstring"
    PARAM = "param"
    PLIST = "plist"


@attrs.frozen
class AnalyzeCommand:
    """One row of the Analyze menu; `command` may hold `%p` for a point or `%c` for a colour."""

    type: AnalyzeType
    label: str = attrs.field()
    command: str = attrs.field()

    @label.validator
    @command.validator
    def _check(self, attribute: "attrs.Attribute[str]", value: str) -> None:
        if "\n" in value or ("/" in value and attribute.name == "label"):
            raise ValueError(f"GoGui cannot read the {attribute.name} {value!r}")


def analyze_commands(rows: Iterable[AnalyzeCommand]) -> str:
    """Return the answer to `gogui-analyze_commands`: `type/label/command`, one a line."""
    return "\n".join(f"{row.type.value}/{row.label}/{row.command}" for row in rows)


def board_size(columns: int, rows: int, hexagonal: bool = False) -> str:
    """Return the answer to `gogui-rules_board_size`: `15`, `17 hex` or `9 13`.

    Raises `ValueError` for a size GoGui cannot show.
    """
    if not (1 <= columns <= _MAX_SIZE and 1 <= rows <= _MAX_SIZE):
        raise ValueError(f"GoGui shows no board of {columns} x {rows}")
    if hexagonal:
        if columns != rows or columns % 2 == 0:
            raise ValueError(f"a hexagon has no array of {columns} x {rows}")
        return f"{columns} hex"
    return str(columns) if columns == rows else f"{columns} {rows}"


# Boards of values


def dboard(grid: Sequence[Sequence[float | None]]) -> str:
    """Return numbers for all points, `""` where there is none; GoGui colours -1..1."""
    return _board(grid, lambda value: '""' if value is None else _decimal(value))


def cboard(grid: Sequence[Sequence[str | None]]) -> str:
    """Return colours (`#rrggbb` or a name) for all points, `""` where there is none."""
    return _board(grid, lambda value: value or '""')


def sboard(grid: Sequence[Sequence[str | None]]) -> str:
    """Return short texts for all points; spaces in them become underscores."""
    return _board(grid, lambda value: "_".join(value.split()) if value and value.split() else '""')


def bwboard(grid: Sequence[Sequence[str | None]]) -> str:
    """Return `B`, `W` or nothing for all points."""
    return cboard(grid)


def _board(grid: Sequence[Sequence[_Value]], word: Callable[[_Value], str]) -> str:
    return "\n".join(" ".join(word(value) for value in row) for row in grid)


def _decimal(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


# Graphics, one line each


def gfx_color(rgb: str, points: Iterable[str]) -> str:
    """Colour points, `rgb` being `#rrggbb`; a point that does not exist crashes GoGui."""
    if not _RGB.fullmatch(rgb):
        raise ValueError(f"not a colour like #a0b1c2: {rgb!r}")
    return _gfx(f"COLOR {rgb}", points)


def gfx_label(labels: Iterable[tuple[str, str]]) -> str:
    """Write a short text on points: pairs of point and text."""
    return _gfx("LABEL", (f"{point} {'_'.join(text.split()) or '_'}" for point, text in labels))


def gfx_influence(values: Iterable[tuple[str, float]]) -> str:
    """Show a size from -1 (white) to 1 (black) on points."""
    return _gfx("INFLUENCE", (f"{point} {_decimal(value)}" for point, value in values))


def gfx_territory(colour: str, points: Iterable[str]) -> str:
    """Mark points as the territory of `black` or `white`."""
    if colour not in ("black", "white"):
        raise ValueError(f"neither black nor white: {colour!r}")
    return _gfx(colour.upper(), points)


def gfx_variation(moves: Iterable[tuple[str, str]]) -> str:
    """Show a sequence of moves: pairs of colour (`b`, `w`) and vertex."""
    return _gfx("VAR", (f"{colour} {vertex}" for colour, vertex in moves))


def gfx_mark(shape: str, points: Iterable[str]) -> str:
    """Put a `MARK`, `CIRCLE`, `SQUARE` or `TRIANGLE` on points."""
    if shape not in ("MARK", "CIRCLE", "SQUARE", "TRIANGLE"):
        raise ValueError(f"GoGui knows no mark {shape!r}")
    return _gfx(shape, points)


def gfx_text(text: str) -> str:
    """Write a text in the status bar."""
    return _gfx("TEXT", text.split())


def gfx(lines: Iterable[str]) -> str:
    """Return several graphics as one answer, without the empty ones."""
    return "\n".join(line for line in lines if line)


def live_gfx(lines: Iterable[str]) -> str:
    """Return graphics to be shown while a command runs, to be written on stderr at once."""
    return f"gogui-gfx:\n{gfx(lines)}\n\n"


def _gfx(head: str, words: Iterable[str]) -> str:
    """Return a line, or nothing when there is nothing to show."""
    rest = " ".join(words)
    return f"{head} {rest}" if rest else ""
