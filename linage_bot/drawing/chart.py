"""A chart of a changing value, as SVG for the pages of a server: matplotlib is too slow there."""

import html
import math
from collections.abc import Iterator, Sequence
from typing import Final

import attrs
from markupsafe import Markup

from linage_bot.drawing.layout import number
from linage_bot.drawing.palette import Ink, paint

_WIDTH, _HEIGHT = 460.0, 190.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 6.0, 10.0, 24.0
_MOST_LINKS: Final = 160  # narrower strips are too hard to hit


@attrs.frozen
class GraphPoint:
    """A value with its tooltip and its link."""

    value: float
    hint: str
    link: str
    sure: bool = True  # the line is dashed before the first sure value


def chart(name: str, moments: Sequence[GraphPoint], begin: str, end: str) -> Markup:
    """Return a chart of two values or more from left to right, `begin` and `end` below them.

    `name` is the description for screen readers.
    """
    values = [moment.value for moment in moments]
    ticks = _ticks(min(values), max(values))
    across = (_WIDTH - _LEFT - _RIGHT) / (len(values) - 1)
    up = (_HEIGHT - _TOP - _BOTTOM) / (ticks[-1] - ticks[0])

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - (value - ticks[0]) * up

    def draw() -> Iterator[str]:
        yield f'<svg class="graph" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="group"'
        yield f' aria-label="{html.escape(name)}" font-size="11">'
        for tick in ticks:
            level = number(y(tick))
            yield f'<path d="M{_LEFT:g},{level}H{_WIDTH - _RIGHT:g}" {paint(None, "grid")}'
            yield ' stroke-width="0.5"/>'
            yield _text(_LEFT - 6, y(tick) + 4.5, "end", f"{tick:g}")
        yield _text(_LEFT, _HEIGHT - 6, "start", begin)
        yield _text(_WIDTH - _RIGHT, _HEIGHT - 6, "end", end)
        places = [(_LEFT + place * across, y(value)) for place, value in enumerate(values)]
        sure = next((i for i, moment in enumerate(moments) if moment.sure), len(moments))
        yield _line(places[: sure + 1], "grid", ' stroke-dasharray="3 3"')
        yield _line(places[sure:], "first-strong")
        yield '<g class="strips">'
        step = math.ceil(len(moments) / _MOST_LINKS)
        for place in range(len(moments) - 1, -1, -step):
            x, moment = _LEFT + (place - step / 2) * across, moments[place]
            yield f'<a href="{html.escape(moment.link)}" tabindex="-1">'
            yield f"<title>{html.escape(moment.hint)}</title>"
            yield f'<path d="M{number(x)},{_TOP:g}h{number(step * across)}'
            yield f'V{_HEIGHT - _BOTTOM:g}h{number(-step * across)}Z" opacity="0"/></a>'
        yield "</g></svg>"

    return Markup("".join(draw()))


def _ticks(low: float, high: float) -> list[float]:
    """Return three to seven round numbers from below the lowest to above the highest value."""
    spread = max(high - low, 1.0)
    power = 10.0 ** math.floor(math.log10(spread / 3))
    step = next(power * each for each in (1, 2, 5, 10) if spread / (power * each) <= 5)
    first, last = math.floor(low / step), max(math.ceil(high / step), math.floor(low / step) + 1)
    return [step * place for place in range(first, last + 1)]


def _text(x: float, y: float, anchor: str, text: str) -> str:
    return (
        f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" {paint("ink")}>'
        f"{html.escape(text)}</text>"
    )


def _line(places: Sequence[tuple[float, float]], ink: Ink, dashes: str = "") -> str:
    if len(places) < 2:
        return ""
    d = "L".join(f"{number(x)},{number(y)}" for x, y in places)
    return f'<path d="M{d}" {paint(None, ink)} stroke-width="1.5" stroke-linejoin="round"{dashes}/>'
