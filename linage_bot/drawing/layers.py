"""The layers on the board of a picture, a function for each; all yield SVG elements."""

import html
import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

from linage_bot.drawing.layout import RADIUS, STEP, BoardLayout, margins, number
from linage_bot.drawing.palette import (
    ACCENT_ON,
    INK_ON,
    OWNER_INKS,
    STRONG_INKS,
    Ink,
    paint,
    stone_ink,
)
from linage_bot.rules.boards import HexBoard, Point, bits
from linage_bot.rules.game import PASS, Area, Move, Player, Position

Mark = Literal["circle", "cross", "square", "triangle"]
MARKS: Final[tuple[Mark, ...]] = ("circle", "cross", "square", "triangle")

WIDEST_LABEL: Final = 8
"""The width of a label that can still be read when it fits on a point."""

_ASIDE: Final = 5  # from a point to a dot of one player
_WIDTHS: Final = {"W": 2, "F": 2}  # of East Asian letters, in letters of ours
_LETTER: Final = 0.63  # the width of a bold one, in its size
_BORDER: Final = {"miter": 1.0, "round": 1.16}  # steps, half of them outside the outermost lines
_OUTLINES: Final[Mapping[Mark, str]] = {
    "circle": "M-7,0a7,7 0 1,0 14,0a7,7 0 1,0 -14,0Z",
    "cross": "M-6,-6L6,6M-6,6L6,-6",
    "square": "M-6,-6h12v12h-12Z",
    "triangle": "M0,-8L7,5H-7Z",
}


def board(plan: BoardLayout) -> Iterator[str]:
    """Yield the wood: the part of the board that no area covers."""
    join = "round" if isinstance(plan.board, HexBoard) else "miter"
    width = number(STEP * _BORDER[join])
    yield (
        f'<path d="{plan.outline()}" {paint("free", "free")} stroke-width="{width}"'
        f' stroke-linejoin="{join}"/>'
    )


def areas(plan: BoardLayout, position: Position, found: Iterable[Area]) -> Iterator[str]:
    """Yield the areas, without dots; those with an owner last, so that they stay visible."""
    coloured = (area for area in found if area.shown != "dots")
    for area in sorted(coloured, key=lambda area: area.owner is not None):
        ink = OWNER_INKS[area.owner]
        # The thin stroke closes the hairlines that anti-aliasing leaves between cells.
        yield (
            f'<path d="{plan.cells(area.points)}" {paint(ink, ink)} stroke-width="0.6">'
            f"<title>{_describe(position, area)}</title></path>"
        )


def dots(plan: BoardLayout, position: Position, found: Iterable[Area]) -> Iterator[str]:
    """Yield the dots of areas shown as such: First's left of a point, Second's right."""
    for area in found:
        if area.shown == "dots" and area.owner is not None:
            yield f"<g {paint(STRONG_INKS[area.owner])}><title>{_describe(position, area)}</title>"
            aside = _ASIDE if area.owner else -_ASIDE
            for x, y in map(plan.of_point, bits(area.points)):
                yield f'<circle cx="{number(x + aside)}" cy="{number(y)}" r="2.6"/>'
            yield "</g>"


def _describe(position: Position, area: Area) -> str:
    count = area.points.bit_count()
    owner = "no owner" if area.owner is None else f"owned by {position.game.players[area.owner]}"
    return f"{area.kind}, {owner}, {count} point{'' if count == 1 else 's'}"


def weights(plan: BoardLayout, shares: Mapping[Point, float]) -> Iterator[str]:
    """Yield cells in one colour, stronger for larger numbers, in proportion to the largest."""
    most = max(shares.values(), default=0.0)
    for point, share in sorted(shares.items()):
        if share > 0:
            opacity = number(0.08 + 0.62 * math.sqrt(share / most))
            yield f'<path d="{plan.cells(1 << point)}" {paint("accent")} opacity="{opacity}"/>'


def grid(plan: BoardLayout) -> Iterator[str]:
    """Yield the lines."""
    yield f'<path d="{plan.grid()}" {paint(None, "grid")} stroke-linecap="round"/>'


def coordinates(plan: BoardLayout) -> Iterator[str]:
    """Yield the names of columns and rows."""
    yield f'<g text-anchor="middle" font-size="12" {paint("grid")}>'
    for text, column, row in margins(plan.board):
        x, y = plan.at(column, row)
        yield f'<text x="{number(x)}" y="{number(y + 4.3)}">{text}</text>'
    yield "</g>"


def stones(plan: BoardLayout, position: Position) -> Iterator[str]:
    """Yield the stones on the board."""
    for player, points in ((Player.FIRST, position.first), (Player.SECOND, position.second)):
        if points:
            yield f'<g {paint(stone_ink(position, player), "rim")} stroke-width="1.2">'
            yield from (_disc(plan, point) for point in bits(points))
            yield "</g>"


def _disc(plan: BoardLayout, point: Point, radius: float = RADIUS, attributes: str = "") -> str:
    x, y = plan.of_point(point)
    more = f" {attributes}" if attributes else ""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"{more}/>'


def _stone_at(position: Position, point: Point) -> Ink | None:
    if not position.stones >> point & 1:
        return None
    return stone_ink(position, Player(position.second >> point & 1))


def _contrast(position: Position, point: Point) -> Ink:
    """Return a colour that is visible on the point's stone or cell."""
    stone = _stone_at(position, point)
    return "ink" if stone is None else INK_ON[stone]


def heat(plan: BoardLayout, values: Mapping[Point, float]) -> Iterator[str]:
    """Yield squares, larger for stronger values, in the colour of the player whom they favour."""
    for point, value in sorted(values.items()):
        side = 18 * math.sqrt(min(1.0, abs(value)))
        if side < 1:
            continue
        x, y = plan.of_point(point)
        ink = STRONG_INKS[Player.FIRST if value > 0 else Player.SECOND]
        yield (
            f'<rect x="{number(x - side / 2)}" y="{number(y - side / 2)}" width="{number(side)}"'
            f' height="{number(side)}" {paint(ink, "paper")}/>'
        )


def last_move(plan: BoardLayout, position: Position, move: Move | None) -> Iterator[str]:
    """Yield a dot on the last stone; nothing for a pass."""
    if move is not None and move != PASS:
        yield _disc(plan, move, 4.5, paint(_contrast(position, move)))


def line(plan: BoardLayout, position: Position, moves: Sequence[Move]) -> Iterator[str]:
    """Yield the stones of future moves, numbered; of several moves on one point the first."""
    seen = set()
    for count, move in enumerate(moves):
        if move == PASS or move in seen:
            continue
        seen.add(move)
        player = Player((position.to_move + count) % 2)
        # In a line the mover matters, even where all stones are alike.
        fill = STRONG_INKS[player] if position.game.one_colour else stone_ink(position, player)
        dashes = 'stroke-width="1.2" stroke-dasharray="3 2"'
        yield _disc(plan, move, RADIUS - 1, f"{paint(fill, 'rim')} {dashes}")
        yield _text(plan, move, str(count + 1), INK_ON[fill])


def arrows(plan: BoardLayout, pairs: Iterable[tuple[Point, Point]]) -> Iterator[str]:
    """Yield arrows from point to point, ending beside the stones there."""
    for start, end in pairs:
        (x, y), (to_x, to_y) = plan.of_point(start), plan.of_point(end)
        length = math.hypot(to_x - x, to_y - y)
        if not length:
            continue
        across, down = (to_x - x) / length, (to_y - y) / length
        x, y = x + across * 8, y + down * 8
        to_x, to_y = to_x - across * 8, to_y - down * 8
        head = "".join(
            f"L{number(to_x - 9 * across + side * down)},{number(to_y - 9 * down - side * across)}"
            f"M{number(to_x)},{number(to_y)}"
            for side in (5, -5)
        )
        yield (
            f'<path d="M{number(x)},{number(y)}L{number(to_x)},{number(to_y)}{head}"'
            f' {paint(None, "accent")} stroke-width="2.8" stroke-linecap="round"/>'
        )


def marks(plan: BoardLayout, position: Position, found: Mapping[Point, Mark]) -> Iterator[str]:
    """Yield outlines on points."""
    for point, mark in sorted(found.items()):
        x, y = plan.of_point(point)
        stone = _stone_at(position, point)
        ink = "accent" if stone is None else ACCENT_ON[stone]
        yield (
            f'<path d="{_OUTLINES[mark]}" transform="translate({number(x)} {number(y)})"'
            f' {paint(None, ink)} stroke-width="2.4" stroke-linejoin="round"/>'
        )


def labels(plan: BoardLayout, position: Position, found: Mapping[Point, str]) -> Iterator[str]:
    """Yield a few characters on points; on empty ones they hide the crossing lines.

    They shrink where they would not fit; see `WIDEST_LABEL`.
    """
    for point, label in sorted(found.items()):
        if _stone_at(position, point) is None:
            yield _disc(plan, point, 11, paint("free"))
        yield _text(plan, point, label, _contrast(position, point))


def _text(plan: BoardLayout, point: Point, text: str, ink: Ink) -> str:
    x, y = plan.of_point(point)
    size = 14.0 if len(text) < 3 else 10.0
    size = min(size, (STEP - 2) / _LETTER / max(1, text_width(text)))
    return (
        f'<text x="{number(x)}" y="{number(y + size * 0.36)}" text-anchor="middle"'
        f' font-size="{number(size)}" font-weight="600" {paint(ink)}>{escaped(text)}</text>'
    )


def text_width(text: str) -> int:
    """Return the width of a text, in letters of usual width."""
    return sum(_WIDTHS.get(unicodedata.east_asian_width(letter), 1) for letter in text)


def caption(plan: BoardLayout, text: str) -> Iterator[str]:
    """Yield a line below everything; it shrinks where it would not fit."""
    size = min(14.0, 1.75 * plan.width / text_width(text))
    yield (
        f'<text x="{number(plan.width / 2)}" y="{number(plan.height - 14)}" text-anchor="middle"'
        f' font-size="{number(size)}" {paint("ink")}>{escaped(text)}</text>'
    )


def escaped(text: str) -> str:
    """Return text in a form that XML can hold."""
    return html.escape("".join(letter if letter.isprintable() else " " for letter in text))
