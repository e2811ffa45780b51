"""A game as an animated GIF, a frame for each position.

Little changes from one position to the next, and drawing a whole board takes long. So each look
that a point may have is drawn once, on all points of a board; a frame is the one before it with the
changed points cut out of these sheets. The cost thus hardly grows with the game's length.
"""

from __future__ import annotations

import io
import itertools
import math
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError

import attrs
from PIL import Image, ImageColor, ImageDraw

from linage_bot.drawing import layers
from linage_bot.drawing.layout import STEP, BoardLayout, number
from linage_bot.drawing.palette import INKS, paint
from linage_bot.drawing.raster import png
from linage_bot.drawing.steps import owned
from linage_bot.rules.boards import Point, Points, bits
from linage_bot.rules.game import PASS, Area, Move, Player, Position

MOST_FRAMES = 400
"""The most frames; of longer games every second position is shown, or every third ..."""

FRAME_SECONDS, LAST_SECONDS = 0.6, 3.0
_BREADTH = 560  # pixels, about
_LEAST_STEP, _LARGEST_STEP = 12, 48  # pixels between points


@attrs.frozen
class PointAppearance:
    """The appearance of a point."""

    stone: Player | None = None
    owner: Player | None = None
    number: int | None = None  # of an area that the rules count
    dots: tuple[Player, ...] = ()  # the players whose dots are on the point
    last: bool = False  # the stone was placed last


def gif(
    positions: Sequence[Position],
    moves: Sequence[Move],
    stopped: threading.Event | None = None,
) -> bytes:
    """Return the positions one after the other; a move leads from each to the next.

    The animation repeats for ever. With more than `MOST_FRAMES` positions some are left out, but
    not the last. Raises `CancelledError` soon after `stopped` is set.
    """
    each = math.ceil(len(positions) / MOST_FRAMES)
    shown = sorted({*range(0, len(positions), each), len(positions) - 1})
    sheets = PointImages.of(positions[0])
    each_shown = [(positions[at], moves[at - 1] if at else None) for at in shown]
    frames = _until(stopped, _frames(sheets, each_shown))
    durations = [round(1000 * FRAME_SECONDS)] * (len(shown) - 1) + [round(1000 * LAST_SECONDS)]
    written = io.BytesIO()
    next(frames).save(
        written,
        "GIF",
        save_all=True,
        append_images=frames,
        duration=durations if len(shown) > 1 else durations[0],
        loop=0,
        optimize=False,
    )
    return written.getvalue()


def _until(stopped: threading.Event | None, frames: Iterator[Image.Image]) -> Iterator[Image.Image]:
    for frame in frames:
        if stopped is not None and stopped.is_set():
            raise CancelledError
        yield frame


def _frames(
    sheets: PointImages, shown: Sequence[tuple[Position, Move | None]]
) -> Iterator[Image.Image]:
    frame = sheets.sheet(PointAppearance()).copy()
    before: dict[Point, PointAppearance] = {}
    for position, last in shown:
        now = appearances(position, last)
        for point in before.keys() | now.keys():
            look = now.get(point, PointAppearance())
            if look != before.get(point, PointAppearance()):
                sheets.put(frame, point, look)
        before = now
        yield frame.copy()


def appearances(position: Position, last: Move | None) -> dict[Point, PointAppearance]:
    """Return the points that are not empty, with their looks."""
    found: dict[Point, PointAppearance] = {}
    for player, points in zip(Player, owned(position), strict=True):
        found |= {point: PointAppearance(owner=player) for point in bits(points)}
    for area in position.areas():
        if area.number is not None:
            found[next(bits(area.points))] = PointAppearance(owner=area.owner, number=area.number)
        for point in bits(area.points if area.shown == "dots" else 0):
            look = found.get(point, PointAppearance())
            found[point] = attrs.evolve(look, dots=(*look.dots, Player(area.owner or 0)))
    for player, points in zip(Player, (position.first, position.second), strict=True):
        found |= {point: PointAppearance(stone=player) for point in bits(points)}
    if last is not None and last != PASS and position.stones >> last & 1:
        found[last] = attrs.evolve(found[last], last=True)
    return found


@attrs.define(kw_only=True)
class PointImages:
    """Boards on which all points have the same look, in one palette; drawn when first needed."""

    _empty: Position
    _plan: BoardLayout
    _step: int  # pixels
    _palette: Image.Image
    _drawn: dict[PointAppearance, Image.Image]
    _cells: dict[Point, tuple[tuple[int, int, int, int], Image.Image]]

    @classmethod
    def of(cls, position: Position) -> PointImages:
        """Return sheets for all positions of a game."""
        board = position.game.board
        empty = attrs.evolve(position, first=0, second=0)
        plan = BoardLayout.of(board, coordinates=True, caption=False)
        step = min(_LARGEST_STEP, max(_LEAST_STEP, int(_BREADTH * STEP / plan.width)))
        return cls(empty=empty, plan=plan, step=step, palette=_palette(), drawn={}, cells={})

    def sheet(self, look: PointAppearance) -> Image.Image:
        """Return a board on which all points have this look."""
        if look not in self._drawn:
            drawn = _draw(self._plan, self._empty, self._step, look)
            self._drawn[look] = drawn.quantize(palette=self._palette, dither=Image.Dither.NONE)
        return self._drawn[look]

    def put(self, frame: Image.Image, point: Point, look: PointAppearance) -> None:
        """Give a point of a frame another look."""
        box, cell = self._cell(point)
        frame.paste(self.sheet(look).crop(box), box, cell)

    def _cell(self, point: Point) -> tuple[tuple[int, int, int, int], Image.Image]:
        """Return the box of a point's cell, and a mask of the cell's own pixels."""
        if point not in self._cells:
            scale = self._step / STEP
            corners = [(x * scale, y * scale) for x, y in self._plan.corners(point)]
            left, right = (round(pick(x for x, _ in corners)) for pick in (min, max))
            top, bottom = (round(pick(y for _, y in corners)) for pick in (min, max))
            cell = Image.new("1", (right - left, bottom - top))
            inside = [(x - left, y - top) for x, y in corners]
            ImageDraw.Draw(cell).polygon(inside, fill=1, outline=1)
            self._cells[point] = (left, top, right, bottom), cell
        return self._cells[point]


def _palette() -> Image.Image:
    """Return all colours of a board, and mixtures of two of them for where they meet."""
    inks = {ink for name, ink in INKS.items() if not name.startswith("accent")}
    pure = sorted({ImageColor.getrgb(ink.light) for ink in inks})
    between = [
        round(one + (other - one) * share / 4)
        for first, second in itertools.combinations(pure, 2)
        for share in (1, 2, 3)
        for one, other in zip(first, second, strict=True)
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([*itertools.chain(*pure), *between])
    return palette


def _draw(plan: BoardLayout, empty: Position, step: int, look: PointAppearance) -> Image.Image:
    """Return a board on which all points have this look."""
    board, scale = empty.game.board, step / STEP
    first, second = (board.points if look.stone is player else 0 for player in Player)
    position = attrs.evolve(empty, first=first, second=second)
    areas = [] if look.owner is None else [Area("", board.points, look.owner)]
    areas += [Area("", board.points, player, shown="dots") for player in look.dots]
    width, height = (math.ceil(length * scale) for length in (plan.width, plan.height))
    everywhere: Points = board.points
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" width="{width}"'
        f' height="{height}" viewBox="0 0 {number(width / scale)} {number(height / scale)}">',
        f'<rect width="100%" height="100%" {paint("paper")}/>',
        *layers.board(plan),
        *layers.areas(plan, position, areas),
        *layers.grid(plan),
        *layers.coordinates(plan),
        *layers.dots(plan, position, areas),
        *layers.stones(plan, position),
        *(
            part
            for point in bits(everywhere if look.last else 0)
            for part in layers.last_move(plan, position, point)
        ),
        *(
            layers.labels(plan, position, dict.fromkeys(bits(everywhere), str(look.number)))
            if look.number is not None
            else ()
        ),
        "</svg>",
    )
    return Image.open(io.BytesIO(png("".join(parts), 1.0))).convert("RGB")
