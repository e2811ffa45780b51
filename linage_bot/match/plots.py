"""The plots of a report, as SVG images in data URIs.

Imports matplotlib, which takes long, so nothing but reports imports this.
"""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from matplotlib.figure import Figure

from linage_bot.match.ratings import RatingList
from linage_bot.match.statistics import Estimate

_SIZE: Final = (6.4, 3.2)  # inches
_COLOUR: Final = "#12588f"


def ratings(table: RatingList) -> str:
    """Each engine's rating with its 95 % error."""
    figure, axes = _figure("Elo", "", height=1.0 + 0.35 * len(table.ratings))
    rows = list(reversed(table.ratings))
    errors = [row.error if math.isfinite(row.error) else 0.0 for row in rows]
    axes.errorbar(
        [row.elo for row in rows], range(len(rows)), xerr=errors, fmt="o", capsize=3, color=_COLOUR
    )
    axes.set_yticks(range(len(rows)), [_plain(row.name) for row in rows])
    return _image(figure)


def estimates(values: Sequence[Estimate], label: str) -> str:
    """A value with its interval, after each pair of games."""
    figure, axes = _figure("pairs of games", label)
    known = [(n, v) for n, v in enumerate(values, 1) if math.isfinite(v.value + v.error)]
    if known:
        numbers = [n for n, _ in known]
        axes.plot(numbers, [v.value for _, v in known], color=_COLOUR)
        low, high = [v.low for _, v in known], [v.high for _, v in known]
        axes.fill_between(numbers, low, high, color=_COLOUR, alpha=0.2, linewidth=0)
    axes.axhline(0, color="grey", linewidth=0.8)
    return _image(figure)


def walk(values: Sequence[float], lower: float, upper: float) -> str:
    """A sequential test's LLR after each pair, between its bounds."""
    figure, axes = _figure("pairs of games", "LLR")
    axes.plot(range(1, len(values) + 1), values, color=_COLOUR)
    for bound in (lower, upper):
        axes.axhline(bound, color="#b35c00", linestyle="--", linewidth=1)
    return _image(figure)


def histogram(values: Sequence[float], label: str) -> str:
    """How often which length of a game occurred."""
    figure, axes = _figure(label, "games")
    axes.hist(values, bins=min(30, max(1, len(set(values)))), color=_COLOUR)
    return _image(figure)


def curves(series: Mapping[str, Sequence[float]], x_label: str, y_label: str) -> str:
    """A line for each name."""
    figure, axes = _figure(x_label, y_label)
    for name, values in series.items():
        axes.plot(range(1, len(values) + 1), values, label=_plain(name))
    if series:
        axes.legend(frameon=False)
    return _image(figure)


def _figure(x_label: str, y_label: str, height: float = _SIZE[1]) -> tuple[Figure, Any]:
    figure = Figure(figsize=(_SIZE[0], height), layout="constrained")
    axes = figure.subplots()
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _plain(name: str) -> str:
    """A name without what matplotlib would read as mathematics or hide."""
    name = name.replace("$", r"\$")
    return f" {name}" if name.startswith("_") else name


def _image(figure: Figure) -> str:
    picture = io.BytesIO()
    # Without a date and with paths for letters it looks the same everywhere.
    figure.savefig(picture, format="svg", metadata={"Date": None})
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.getvalue()).decode()}"
