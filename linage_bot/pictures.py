"""Positions as text and as SVG.

Both draw a board the same way: a point in column `x`, row `y` stands `x` steps to the right and
`y` rows up, and on a hexagonal board each row also stands half a step further left than the one
below. So its three directions meet at equal angles and its six neighbours are equally far away.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import attrs

from linage_bot.boards import LETTERS, Board, HexBoard, Point, bits
from linage_bot.game import Area, Move, Player, Position

Mark = Literal["circle", "cross", "square", "triangle"]

# Blue and orange differ for every kind of colour vision, and in lightness on a grey print.
OWNER_COLOURS: Mapping[Player | None, str] = {
    Player.FIRST: "#8fbfe6",
    Player.SECOND: "#f7b866",
    None: "#ece5d6",  # free or shared
}
_STRONG = {Player.FIRST: "#12588f", Player.SECOND: "#b35c00"}
_PAPER, _INK, _LINE, _ACCENT = "#faf7f0", "#2b2d33", "#8d8574", "#c2185b"
_STONES = {Player.FIRST: "#2b2d33", Player.SECOND: "#fffefb"}
_SHARED_STONES = "#4a4e57"  # neither player's, in games whose stones are all alike

_STEP = 32.0  # between neighbours
_RADIUS = 14.0  # of a stone
_BORDER = {"miter": 1.0, "round": 1.16}  # steps, half of them outside the outermost lines


def _margins(board: Board) -> Iterator[tuple[str, int, int]]:
    """The coordinates: text, column and row, one step outside the board at the left and below."""
    for row in range(board.rows):
        first = next(column for column in range(board.columns) if board.has(column, row))
        yield str(row + 1), first - 1, row
    for column in range(board.columns):
        lowest = next(row for row in range(board.rows) if board.has(column, row))
        yield LETTERS[column], column, lowest - 1


# ------------------------------------------------------------------------------- text


def as_text(position: Position, last: Move | None = None) -> str:
    """The position as lines of text, coordinates at the left and below, `last` in brackets.

    Empty points are `.`, First's stones `X`, Second's `O`; in games of one colour all are `X`.
    """
    board = position.game.board
    lines = [[" "] * (2 * board.columns + board.rows + 6) for _ in range(board.rows + 1)]

    def put(column: int, row: int, text: str, after: int = 0) -> None:
        """Write text so that it ends where the point is, or some letters after it."""
        end = 5 + 2 * column + after
        if isinstance(board, HexBoard):
            end += (board.rows - 1) // 2 - row
        lines[row + 1][end - len(text) : end] = text

    for text, column, row in _margins(board):
        put(column, row, text)
    for point in bits(board.points):
        row, column = divmod(point, board.columns)
        put(column, row, _letter(position, point))
        if point == last:
            put(column, row, f"({_letter(position, point)})", after=1)
    return "\n".join("".join(line).rstrip() for line in reversed(lines))


def _letter(position: Position, point: Point) -> str:
    if position.empty >> point & 1:
        return "."
    if position.game.one_colour or position.first >> point & 1:
        return "X"
    return "O"


# -------------------------------------------------------------------------------- SVG


@attrs.frozen
class _Plan:
    """Where the points of a board are on the paper."""

    board: Board
    left: float
    top: float
    width: float
    height: float

    @classmethod
    def of(cls, board: Board, coordinates: bool, caption: bool) -> _Plan:
        """The smallest sheet that has room for everything."""
        rise = _rise(board)
        side = 1.45 if coordinates else 0.85
        extra = 0.35 if isinstance(board, HexBoard) and coordinates else 0.0
        below = 1.3 if coordinates else 0.85
        return cls(
            board,
            left=_STEP * (side + extra),
            top=_STEP * 0.85,
            width=_STEP * (board.columns - 1 + side + 0.85 + 2 * extra),
            height=_STEP * ((board.rows - 1) * rise + 0.85 + below + (0.85 if caption else 0.0)),
        )

    def at(self, column: float, row: float) -> tuple[float, float]:
        """The centre of a point, or of a place beside the board."""
        board = self.board
        if isinstance(board, HexBoard):
            column += ((board.rows - 1) / 2 - row) / 2
        across = self.left + column * _STEP
        return across, self.top + (board.rows - 1 - row) * _STEP * _rise(board)

    def of_point(self, point: Point) -> tuple[float, float]:
        """The centre of a point."""
        row, column = divmod(point, self.board.columns)
        return self.at(column, row)

    def cell(self, point: Point) -> str:
        """The path around all places that are nearer to this point than to any other."""
        x, y = self.of_point(point)
        if isinstance(self.board, HexBoard):
            corners = [math.pi * (2 * k + 1) / 6 for k in range(6)]
            reach = _STEP / math.sqrt(3)
        else:
            corners = [math.pi * (2 * k + 1) / 4 for k in range(4)]
            reach = _STEP / math.sqrt(2)
        path = " ".join(
            f"{_n(x + reach * math.cos(a))},{_n(y + reach * math.sin(a))}" for a in corners
        )
        return f"M{path}Z"


def _rise(board: Board) -> float:
    """From one row to the next, in steps."""
    return math.sqrt(3) / 2 if isinstance(board, HexBoard) else 1.0


def as_svg(
    position: Position,
    *,
    coordinates: bool = True,
    last: Move | None = None,
    marks: Mapping[Point, Mark] | None = None,
    labels: Mapping[Point, str] | None = None,
    heat: Mapping[Point, float] | None = None,
    areas: Iterable[Area] | None = None,
    caption: str | None = None,
) -> str:
    """The position as an SVG image that needs no other file, style sheet or font.

    The areas, the position's own unless given, are coloured by owner (`OWNER_COLOURS`). `heat`
    draws a square on each point, larger for stronger values and in the colour of the player it
    favours: 1 is all First's, -1 Second's.
    `labels` are a few characters each. It may be pasted into an HTML page: it has no ids or styles.
    """
    board = position.game.board
    plan = _Plan.of(board, coordinates, bool(caption))
    width, height = _n(plan.width), _n(plan.height)
    title = _clean(caption or _summary(position))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{title}"'
        f' width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{_PAPER}"/>',
        *_areas(plan, position, position.areas() if areas is None else areas),
        f'<path d="{_grid(plan)}" fill="none" stroke="{_LINE}" stroke-linecap="round"/>',
        *(_coordinates(plan) if coordinates else ()),
        *_stones(plan, position),
        *_heat(plan, heat or {}),
        *_marks(plan, position, last, marks or {}),
        *_labels(plan, position, labels or {}),
    ]
    if caption:
        size = min(14.0, 1.75 * plan.width / len(caption))  # shrinks where it would not fit
        parts.append(
            f'<text x="{_n(plan.width / 2)}" y="{_n(plan.height - 14)}" text-anchor="middle"'
            f' font-size="{_n(size)}" fill="{_INK}">{title}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _summary(position: Position) -> str:
    """What the picture shows, for those who cannot see it."""
    game = position.game
    state = "game over" if position.over else f"{game.players[position.to_move]} to move"
    count = position.stones.bit_count()
    return f"{game.name}, size {game.board}: {count} stone{'' if count == 1 else 's'}, {state}"


def _areas(plan: _Plan, position: Position, areas: Iterable[Area]) -> Iterator[str]:
    """The board, then the areas; those with an owner last, so that they stay visible."""
    join = "round" if isinstance(plan.board, HexBoard) else "miter"
    yield (
        f'<path d="{_outline(plan)}" fill="{OWNER_COLOURS[None]}" stroke="{OWNER_COLOURS[None]}"'
        f' stroke-width="{_n(_STEP * _BORDER[join])}" stroke-linejoin="{join}"/>'
    )
    for area in sorted(areas, key=lambda area: area.owner is not None):
        colour, path = OWNER_COLOURS[area.owner], "".join(map(plan.cell, bits(area.points)))
        # The thin stroke closes the hairlines that anti-aliasing leaves between cells.
        yield (
            f'<path d="{path}" fill="{colour}" stroke="{colour}" stroke-width="0.6">'
            f"<title>{_describe(position, area)}</title></path>"
        )


def _describe(position: Position, area: Area) -> str:
    count = area.points.bit_count()
    owner = "no owner" if area.owner is None else f"owned by {position.game.players[area.owner]}"
    return f"{area.kind}, {owner}, {count} point{'' if count == 1 else 's'}"


def _outline(plan: _Plan) -> str:
    """Once around the points on the edge."""
    left, right = [], []
    for row in range(plan.board.rows):
        columns = [column for column in range(plan.board.columns) if plan.board.has(column, row)]
        left.append(plan.at(columns[0], row))
        right.append(plan.at(columns[-1], row))
    return "M" + " ".join(f"{_n(x)},{_n(y)}" for x, y in (*left, *reversed(right))) + "Z"


def _grid(plan: _Plan) -> str:
    """One stroke along every row, column and (on hexagons) diagonal."""
    board = plan.board
    strokes = []
    for across, up in (step for step in board.STEPS if step > (0, 0)):
        for start in bits(board.points & ~board.shift(board.points, across, up)):
            row, column = divmod(start, board.columns)
            length = 0
            while board.at(column + across * (length + 1), row + up * (length + 1)) is not None:
                length += 1
            x, y = plan.at(column, row)
            to_x, to_y = plan.at(column + across * length, row + up * length)
            strokes.append(f"M{_n(x)},{_n(y)}L{_n(to_x)},{_n(to_y)}")
    return "".join(strokes)


def _coordinates(plan: _Plan) -> Iterator[str]:
    yield f'<g text-anchor="middle" font-size="12" fill="{_LINE}">'
    for text, column, row in _margins(plan.board):
        x, y = plan.at(column, row)
        yield f'<text x="{_n(x)}" y="{_n(y + 4.3)}">{text}</text>'
    yield "</g>"


def _stones(plan: _Plan, position: Position) -> Iterator[str]:
    yield f'<g stroke="{_INK}" stroke-width="1.2">'
    for point in bits(position.stones):
        x, y = plan.of_point(point)
        colour = _stone_colour(position, point)
        yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(_RADIUS)}" fill="{colour}"/>'
    yield "</g>"


def _stone_colour(position: Position, point: Point) -> str:
    if position.game.one_colour:
        return _SHARED_STONES
    return _STONES[Player(position.second >> point & 1)]


def _contrast(position: Position, point: Point) -> str:
    """A colour that is seen on what lies on the point."""
    if not position.stones >> point & 1 or _stone_colour(position, point) == _STONES[Player.SECOND]:
        return _INK
    return _PAPER


def _heat(plan: _Plan, heat: Mapping[Point, float]) -> Iterator[str]:
    for point, value in sorted(heat.items()):
        side = 18 * math.sqrt(min(1.0, abs(value)))
        if side < 1:
            continue
        x, y = plan.of_point(point)
        colour = _STRONG[Player.FIRST if value > 0 else Player.SECOND]
        yield (
            f'<rect x="{_n(x - side / 2)}" y="{_n(y - side / 2)}" width="{_n(side)}"'
            f' height="{_n(side)}" fill="{colour}" stroke="{_PAPER}"/>'
        )


def _marks(
    plan: _Plan, position: Position, last: Move | None, marks: Mapping[Point, Mark]
) -> Iterator[str]:
    """The last move is a dot; marks are outlines."""
    if last is not None and last >= 0:
        x, y = plan.of_point(last)
        colour = _contrast(position, last)
        yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="4.5" fill="{colour}"/>'
    for point, mark in sorted(marks.items()):
        x, y = plan.of_point(point)
        yield (
            f'<path d="{_OUTLINES[mark]}" transform="translate({_n(x)} {_n(y)})" fill="none"'
            f' stroke="{_ACCENT}" stroke-width="2.4" stroke-linejoin="round"/>'
        )


_OUTLINES: Mapping[str, str] = {
    "circle": "M-7,0a7,7 0 1,0 14,0a7,7 0 1,0 -14,0Z",
    "cross": "M-6,-6L6,6M-6,6L6,-6",
    "square": "M-6,-6h12v12h-12Z",
    "triangle": "M0,-8L7,5H-7Z",
}


def _labels(plan: _Plan, position: Position, labels: Mapping[Point, str]) -> Iterator[str]:
    for point, label in sorted(labels.items()):
        x, y = plan.of_point(point)
        size = 14 if len(label) < 3 else 10
        if not position.stones >> point & 1:  # hide the crossing lines
            yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="11" fill="{_PAPER}"/>'
        yield (
            f'<text x="{_n(x)}" y="{_n(y + size * 0.36)}" text-anchor="middle" font-size="{size}"'
            f' font-weight="600" fill="{_contrast(position, point)}">{_clean(label)}</text>'
        )


def _clean(text: str) -> str:
    """Text as XML can hold it."""
    return html.escape("".join(letter if letter.isprintable() else " " for letter in text))


def _n(number: float) -> str:
    """A coordinate, no longer than it needs to be."""
    return f"{round(number, 2):g}"
