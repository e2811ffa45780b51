"""A value over the moves of a game as an SVG graph, above and below the line where all is even."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs

from linage_bot.pictures import Ink, clean, paint
from linage_bot.pictures import number as n

_WIDTH, _HEIGHT = 640.0, 300.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 12.0, 34.0, 38.0
_MOST_NUMBERS: Final = 8  # below the graph

STYLE: Final = """
.graph { width: 100%; height: auto; display: block; }
.graph text { font-size: 17px; }
.graph a:hover rect { opacity: .18; }
@media (max-width: 40rem) { .graph text { font-size: 23px; } }
"""


@attrs.frozen
class Curve:
    """The values at the start and after each move, and how to show them.

    `values` lie from `-most` to `most`. `ticks` are heights with what is written beside them.
    `hints` say for each value what a reader who points at it is told. `phases` hold the index at
    which each begins; from index `exact_from` on values are proven. `marked` are indices of
    mistakes.
    """

    name: str
    values: Sequence[float]
    most: float
    ticks: Sequence[tuple[float, str]]
    hints: Sequence[str]
    phases: Mapping[str, int]
    marked: Sequence[int]
    exact_from: int | None

    @property
    def last(self) -> int:
        """The last index."""
        return len(self.values) - 1

    def x(self, index: float) -> float:
        """Where an index is."""
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * index / max(1, self.last)

    def y(self, value: float) -> float:
        """Where a value is."""
        middle = (_TOP + _HEIGHT - _BOTTOM) / 2
        return middle - (middle - _TOP) * max(-1.0, min(1.0, value / self.most))


def graph(curve: Curve) -> str:
    """The graph; points at `#move-N` for each move and `#mistake-N` for each one marked."""
    name = clean(curve.name)
    parts = [
        f'<svg class="graph" viewBox="0 0 {n(_WIDTH)} {n(_HEIGHT)}" role="group"'
        f' aria-label="{name}">',
        f'<rect width="{n(_WIDTH)}" height="{n(_HEIGHT)}" rx="8" {paint("paper")}/>',
        _half(curve, "first", 1),
        _half(curve, "second", -1),
        *_grid(curve),
        *_phases(curve),
        f'<polyline points="{_points(curve)}" {paint(None, "ink")} stroke-width="2"/>',
        *_exact(curve),
        *_hints(curve),
        *_mistakes(curve),
        "</svg>",
    ]
    return "\n".join(parts)


def _points(curve: Curve) -> str:
    return " ".join(f"{n(curve.x(i))},{n(curve.y(v))}" for i, v in enumerate(curve.values))


def _half(curve: Curve, ink: Ink, sign: int) -> str:
    """What lies between the curve and the middle, on one side of it."""
    corners = [(0.0, 0.0)]
    for index, value in enumerate(curve.values):
        if index:
            before = curve.values[index - 1]
            if before * value < 0:  # the curve crosses the middle
                corners.append((index - 1 + before / (before - value), 0.0))
        corners.append((index, value if value * sign > 0 else 0.0))
    corners.append((curve.last, 0.0))
    path = " ".join(f"{n(curve.x(x))},{n(curve.y(y))}" for x, y in corners)
    return f'<polygon points="{path}" {paint(ink)}/>'


def _grid(curve: Curve) -> Iterator[str]:
    end = n(_WIDTH - _RIGHT)
    for value, text in curve.ticks:
        y = curve.y(value)
        weight = "1.2" if value == 0 else "0.5"
        yield (
            f'<path d="M{n(_LEFT)},{n(y)}H{end}" {paint(None, "grid")} stroke-width="{weight}"/>'
            f'<text x="{n(_LEFT - 8)}" y="{n(y + 6)}" text-anchor="end" {paint("ink")}>'
            f"{text}</text>"
        )
    step = int(round_up(curve.last / _MOST_NUMBERS))
    for index in range(0, curve.last + 1, step):
        minor = ' class="minor"' if index // step % 2 else ""
        yield (
            f'<g{minor}><text x="{n(curve.x(index))}" y="{n(_HEIGHT - 10)}" text-anchor="middle"'
            f" {paint('ink')}>{index}</text></g>"
        )


def _phases(curve: Curve) -> Iterator[str]:
    starts = [*curve.phases.values(), curve.last]
    for (name, index), end in zip(curve.phases.items(), starts[1:], strict=True):
        x = n(curve.x(index))
        if index:
            yield (
                f'<path d="M{x},{n(_TOP - 18)}V{n(_HEIGHT - _BOTTOM)}" {paint(None, "grid")}'
                ' stroke-dasharray="4 4"/>'
            )
        if end - index > curve.last / 6:  # or there is no room for the word
            yield (
                f'<text x="{n(curve.x(index) + 6)}" y="{n(_TOP - 9)}" {paint("grid")}>{name}</text>'
            )


def _exact(curve: Curve) -> Iterator[str]:
    """A thick line below what is proven."""
    if curve.exact_from is None or curve.exact_from >= curve.last:
        return
    y = n(_HEIGHT - _BOTTOM + 3)
    yield (
        f'<path d="M{n(curve.x(curve.exact_from))},{y}H{n(_WIDTH - _RIGHT)}"'
        f' {paint(None, "ink")} stroke-width="5"><title>proven values</title></path>'
    )


def _hints(curve: Curve) -> Iterator[str]:
    """Over each value a strip that tells it; it leads to its move."""
    width = (_WIDTH - _LEFT - _RIGHT) / max(1, curve.last)
    top, height = n(_TOP), n(_HEIGHT - _TOP - _BOTTOM)
    for index, hint in enumerate(curve.hints):
        yield (
            f'<a href="#move-{index}" tabindex="-1"><title>{clean(hint)}</title>'
            f'<rect x="{n(curve.x(index) - width / 2)}" y="{top}" width="{n(width)}"'
            f' height="{height}" {paint("ink")} opacity="0"/></a>'
        )


def _mistakes(curve: Curve) -> Iterator[str]:
    for index in sorted(curve.marked):
        x, y = curve.x(index), curve.y(curve.values[index])
        yield (
            f'<a href="#mistake-{index}"><title>{clean(curve.hints[index])}</title>'
            f'<circle cx="{n(x)}" cy="{n(y)}" r="6" {paint("accent", "paper")}'
            ' stroke-width="1.5"/></a>'
        )


def round_up(value: float) -> float:
    """A round number that is no smaller, at least 5: where an axis may end."""
    power = 1.0
    while True:
        for most in (5.0, 10.0, 15.0, 20.0, 30.0, 40.0):
            if most * power >= value:
                return most * power
        power *= 10
