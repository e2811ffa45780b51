"""A graph of a value over the moves of a game, above and below the line of an even game.

Imports matplotlib, which takes long, so nothing but reports imports this.
"""

import itertools
from collections.abc import Mapping, Sequence

import attrs
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from linage_bot.drawing.graphs import COLOURS, add_link_strips
from linage_bot.drawing.graphs import graph as drawn


@attrs.frozen
class ValueGraph:
    """The values at the start and after each move, and how to show them.

    `values` lie from `-most` to `most`. `ticks` are heights with their labels. `hints` are the
    tooltips of the values. `phases` hold the index at which each begins; from index `exact_from` on
    values are proven. `marked` are indices of mistakes.
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

    def draw(self, axes: Axes) -> None:
        """Draw everything on a graph."""
        axes.set_xlim(-0.5, self.last + 0.5)
        axes.set_ylim(-1.05 * self.most, 1.05 * self.most)
        axes.xaxis.set_major_locator(MaxNLocator(7, integer=True))
        axes.set_yticks([height for height, _ in self.ticks], [text for _, text in self.ticks])
        axes.grid(axis="y", color=COLOURS["grid"], linewidth=0.4)
        axes.axhline(0, color=COLOURS["grid"], linewidth=1.2)
        places = list(range(self.last + 1))
        for owner, colour, ahead in (
            ("first", COLOURS["first"], [value >= 0 for value in self.values]),
            ("second", COLOURS["second"], [value <= 0 for value in self.values]),
        ):
            axes.fill_between(
                places, self.values, where=ahead, interpolate=True, color=colour, gid=owner
            )
        self._phases(axes)
        axes.plot(places, self.values, color=COLOURS["ink"], linewidth=1.4, gid="values")
        if self.exact_from is not None and self.exact_from < self.last:
            proven = [self.exact_from, self.last]
            axes.plot(
                proven,
                [-1.05 * self.most] * 2,
                color=COLOURS["ink"],
                linewidth=4,
                zorder=3,
                gid="proven",
            )
        self._links(axes)

    def _phases(self, axes: Axes) -> None:
        """Draw a line at the start of each phase, and its name where there is room."""
        ends = [*list(self.phases.values())[1:], self.last]
        for (name, start), end in zip(self.phases.items(), ends, strict=True):
            if start:
                axes.axvline(start, color=COLOURS["grid"], linestyle="--", linewidth=0.8)
            if end - start > self.last / 5:
                axes.annotate(
                    name,
                    (start, 1),
                    (3, 2),
                    ("data", "axes fraction"),
                    "offset points",
                    color=COLOURS["ink"],
                )

    def _links(self, axes: Axes) -> None:
        """Draw a strip over each value that links to its move, and a dot on each mistake."""
        places = range(self.last + 1)
        add_link_strips(axes, places, [f"#move-{index}" for index in places])
        marked = sorted(self.marked)
        axes.scatter(
            marked,
            [self.values[index] for index in marked],
            s=55,
            color=COLOURS["accent"],
            edgecolors=COLOURS["paper"],
            gid="mistakes",
            urls=[f"#mistake-{index}" for index in marked],
            zorder=3,
        )


def graph(curve: ValueGraph) -> Markup:
    """Return the graph; it links to `#move-N` for each move and `#mistake-N` for each mistake."""
    hints = {f"#move-{index}": hint for index, hint in enumerate(curve.hints)}
    hints |= {f"#mistake-{index}": curve.hints[index] for index in curve.marked}
    hints["proven"] = "proven values"
    return drawn(curve.name, curve.draw, size=(5.2, 2.6), hints=hints)


def round_up(value: float) -> float:
    """Return a round number that is no smaller, at least 5: where an axis may end."""
    ends = (most * 10.0**power for power in itertools.count() for most in (5, 10, 15, 20, 30, 40))
    return next(end for end in ends if end >= value)
