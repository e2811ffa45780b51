"""The plots of a report; None where there is nothing to plot.

Imports matplotlib, which takes long, so nothing but reports imports this.
"""

import math
from collections.abc import Mapping, Sequence

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from linage_bot.arena.rating_information import RatingInformation
from linage_bot.arena.ratings import RatingList
from linage_bot.arena.statistics import Estimate
from linage_bot.drawing.graphs import COLOURS, add_link_strips, graph

_COLOUR = COLOURS["first-strong"]
_ARROW = 60.0  # Elo, the drawn length


def ratings(table: RatingList) -> Markup | None:
    """Plot each engine's rating with its 95 % error, and an arrow away from a bound."""
    rows = [
        row for row in reversed(table.ratings) if row.knowledge is not RatingInformation.UNKNOWN
    ]
    if not rows:
        return None

    def draw(axes: Axes) -> None:
        for place, row in enumerate(rows):
            measured = row.knowledge is RatingInformation.MEASURED
            error = row.error if math.isfinite(row.error) else 0.0
            axes.errorbar(
                row.elo,
                place,
                xerr=error if measured else _ARROW,
                xlolims=row.knowledge is RatingInformation.AT_LEAST,
                xuplims=row.knowledge is RatingInformation.AT_MOST,
                fmt="o",
                capsize=3,
                color=_COLOUR,
            )
        axes.set_yticks(range(len(rows)), [row.name for row in rows])

    return graph("Ratings with 95 % errors", draw, "Elo", size=(6.4, 1.0 + 0.35 * len(rows)))


def over_pairs(
    name: str,
    y_label: str,
    values: Sequence[Estimate],
    games: Sequence[int],
    bounds: Sequence[float] = (),
) -> Markup | None:
    """Plot a value with its interval, if it has one, after each pair; `bounds` are dashed.

    `games` are the numbers of the games that completed the pairs; the plot links to them.
    """
    known = {n: v for n, v in enumerate(values, 1) if math.isfinite(v.value + v.error)}
    if len(known) < 2:
        return None
    hints = {}
    for n, v in known.items():
        words = f"{v.value:z.1f} ± {v.error:.1f}" if v.error else f"{v.value:z.2f}"
        hints[f"#game-{games[n - 1]}"] = f"after {n} pairs: {words}"

    def draw(axes: Axes) -> None:
        numbers = list(known)
        axes.plot(numbers, [v.value for v in known.values()], color=_COLOUR)
        low, high = [v.low for v in known.values()], [v.high for v in known.values()]
        axes.fill_between(numbers, low, high, color=_COLOUR, alpha=0.2, linewidth=0)
        axes.axhline(0, color=COLOURS["grid"], linewidth=0.8)
        for bound in bounds:
            axes.axhline(bound, color=COLOURS["second-strong"], linestyle="--", linewidth=1)
        _whole_numbers(axes)
        add_link_strips(axes, numbers, list(hints))

    return graph(name, draw, "pairs of games", y_label, hints=hints)


def lengths(values: Sequence[int]) -> Markup | None:
    """Plot the distribution of the games' lengths."""
    if len(set(values)) < 2:
        return None

    def draw(axes: Axes) -> None:
        least, most = min(values), max(values)
        width = 1 + (most - least) // 30
        bins = [number - 0.5 for number in range(least, most + width + 1, width)]
        axes.hist(values, bins=bins, rwidth=0.9, color=_COLOUR)
        _whole_numbers(axes)
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))

    return graph("Lengths of the games", draw, "moves", "games")


def curves(
    name: str, series: Mapping[str, Sequence[float]], x_label: str, y_label: str
) -> Markup | None:
    """Plot a line for each name that has two values or more; NaN means no value."""
    shown = {each: values for each, values in series.items() if sum(map(math.isfinite, values)) > 1}
    if not shown:
        return None

    def draw(axes: Axes) -> None:
        for each, values in shown.items():
            label = f" {each}" if each.startswith("_") else each  # or matplotlib would hide it
            axes.plot(range(1, len(values) + 1), values, label=label)
        axes.figure.legend(loc="outside right upper")
        _whole_numbers(axes)

    return graph(name, draw, x_label, y_label)


def _whole_numbers(axes: Axes) -> None:
    axes.xaxis.set_major_locator(MaxNLocator(7, integer=True))
