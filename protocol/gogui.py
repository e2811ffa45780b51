"""What GoGui draws, as text: a GUI that shows our games with what an engine tells it.

Everything here is a pure function over vertices as words (`D4`) and numbers.
"""

from collections.abc import Iterable, Sequence


def board_size(columns: int, rows: int, hexagonal: bool = False) -> str:
    """Return the answer to `gogui-rules_board_size`: `15`, `17 hex` or `9 13`."""
    if hexagonal:
        return f"{columns} hex"
    return str(columns) if columns == rows else f"{columns} {rows}"


def sboard(grid: Sequence[Sequence[str | None]]) -> str:
    """Return short texts for all points, rows from the top, `""` where there is none.

    Spaces in them become underscores.
    """
    rows = (("_".join((text or "").split()) or '""' for text in row) for row in grid)
    return "\n".join(map(" ".join, rows))


# Graphics, one line each


def _decimal(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def gfx_color(rgb: str, points: Iterable[str]) -> str:
    """Colour points, `rgb` being `#rrggbb`; a point that does not exist crashes GoGui."""
    return _gfx(f"COLOR {rgb}", points)


def gfx_label(labels: Iterable[tuple[str, str]]) -> str:
    """Write a short text on points: pairs of point and text."""
    return _gfx("LABEL", (f"{point} {'_'.join(text.split()) or '_'}" for point, text in labels))


def gfx_influence(values: Iterable[tuple[str, float]]) -> str:
    """Show a size from -1 (white) to 1 (black) on points."""
    return _gfx("INFLUENCE", (f"{point} {_decimal(value)}" for point, value in values))


def gfx_variation(moves: Iterable[tuple[str, str]]) -> str:
    """Show a sequence of moves: pairs of colour (`b`, `w`) and vertex."""
    return _gfx("VAR", (f"{colour} {vertex}" for colour, vertex in moves))


def gfx_mark(shape: str, points: Iterable[str]) -> str:
    """Put a `MARK`, `CIRCLE`, `SQUARE` or `TRIANGLE` on points."""
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
