"""Positions as SVG."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

import attrs

from linage_bot.drawing import layers
from linage_bot.drawing.layout import BoardLayout, number
from linage_bot.drawing.palette import STYLE, paint
from linage_bot.rules.boards import Point, bits
from linage_bot.rules.game import Area, Move, Position
from linage_bot.rules.history import position_of

_FONTS = "system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif"


# `Picture.__attrs_post_init__` reads vertices, for which it needs the position's board.


def _given_move(move: Move | str | None) -> Move | None:
    return cast(Move | None, move)


def _given_line(line: str | Iterable[Move | str]) -> tuple[Move, ...]:
    return cast(tuple[Move, ...], line)


# With `Any`, as type checkers infer no type for a literal where a union of mappings is wanted.
def _given_marks(marks: Mapping[Any, layers.Mark]) -> Mapping[Point, layers.Mark]:
    return marks


def _given_labels(labels: Mapping[Any, str]) -> Mapping[Point, str]:
    return labels


def _given_numbers(numbers: Mapping[Any, float]) -> Mapping[Point, float]:
    return numbers


def _given_arrows(
    arrows: Iterable[tuple[Point | str, Point | str]],
) -> tuple[tuple[Point, Point], ...]:
    return cast(tuple[tuple[Point, Point], ...], arrows)


@attrs.frozen
class Picture:
    """A position and the additions to its stones in a picture.

    Moves and points are numbers or vertices; raises `NoSuchPoint` for text that names no point.

    `last` gets a dot. `labels` are a few characters each. The `areas`, the position's own if None,
    are coloured by owner; those that the rules count are numbered, unless there are labels or a
    line.

    `heat` draws a square on each point, larger for stronger values and in the colour of the player
    whom it favours: 1 is all First's, -1 Second's. `weights` colours points more strongly the
    larger their numbers are, in proportion to the largest: visits, for instance.

    `line` holds future moves, the player to move first; they are shown as numbered stones. `arrows`
    lead from a point to another.
    """

    position: Position = attrs.field(converter=position_of)
    caption: str | None = None
    last: Move | None = attrs.field(default=None, converter=_given_move)
    marks: Mapping[Point, layers.Mark] = attrs.field(default={}, converter=_given_marks)
    labels: Mapping[Point, str] = attrs.field(default={}, converter=_given_labels)
    areas: tuple[Area, ...] | None = None
    heat: Mapping[Point, float] = attrs.field(default={}, converter=_given_numbers)
    weights: Mapping[Point, float] = attrs.field(default={}, converter=_given_numbers)
    line: tuple[Move, ...] = attrs.field(default=(), converter=_given_line)
    arrows: tuple[tuple[Point, Point], ...] = attrs.field(default=(), converter=_given_arrows)
    coordinates: bool = True

    def __attrs_post_init__(self) -> None:
        game = self.position.game
        values = {
            "last": None if self.last is None else game.move(self.last),
            "marks": {game.move(point): mark for point, mark in self.marks.items()},
            "labels": {game.move(point): label for point, label in self.labels.items()},
            "heat": {game.move(point): value for point, value in self.heat.items()},
            "weights": {game.move(point): value for point, value in self.weights.items()},
            "line": game.parse_moves(self.line),
            "arrows": tuple((game.move(start), game.move(end)) for start, end in self.arrows),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _repr_svg_(self) -> str:
        """Return the image for a notebook."""
        return self.svg()

    def svg(self, *, styled: bool = True) -> str:
        """Return the image, which needs no other file or font; equal pictures give equal text.

        It may be pasted into an HTML page: it has no ids, and its classes begin with `lb-`.
        `styled` images follow the reader's dark mode by a style sheet inside; a page with many
        leaves that out and holds `STYLE` once.
        """
        position, caption = self.position, self.caption
        plan = BoardLayout.of(
            position.game.board, coordinates=self.coordinates, caption=bool(caption)
        )
        width, height = number(plan.width), number(plan.height)
        title = layers.escaped(caption or self._summary())
        areas = position.areas() if self.areas is None else self.areas
        parts = (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{title}"'
            f' width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
            f' font-family="{_FONTS}">',
            f"<title>{title}</title>",
            *([f"<style>{STYLE}</style>"] if styled else []),
            f'<rect width="{width}" height="{height}" rx="8" {paint("paper")}/>',
            *layers.board(plan),
            *layers.areas(plan, position, areas),
            *layers.weights(plan, self.weights),
            *layers.grid(plan),
            *(layers.coordinates(plan) if self.coordinates else ()),
            *layers.dots(plan, position, areas),
            *layers.stones(plan, position),
            *layers.heat(plan, self.heat),
            *layers.last_move(plan, position, self.last),
            *layers.line(plan, position, self.line),
            *layers.arrows(plan, self.arrows),
            *layers.marks(plan, position, self.marks),
            *layers.labels(plan, position, self.labels or self._counted(areas)),
            *(layers.caption(plan, caption) if caption else ()),
            "</svg>",
            "",
        )
        return "\n".join(parts)

    def _summary(self) -> str:
        """Return a description of the picture for screen readers."""
        position = self.position
        game = position.game
        state = "game over" if position.over else f"{game.players[position.to_move]} to move"
        count = position.stones.bit_count()
        return f"{game.name}, size {game.board}: {count} stone{'' if count == 1 else 's'}, {state}"

    def _counted(self, areas: Iterable[Area]) -> dict[Point, str]:
        """Return the numbers of areas, each on the area's first point; none if there is a line."""
        counted = () if self.line else (area for area in areas if area.number is not None)
        return {next(bits(area.points)): str(area.number) for area in counted}
