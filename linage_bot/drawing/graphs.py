"""Graphs by matplotlib, as SVG that takes on the colours of its page, light or dark.

Colours are the inks of `palette`; each colour that matplotlib writes becomes the page's variable of
that name. Nothing in the image has an id or refers to one, so that a page may hold many.

Imports matplotlib, which takes long, so nothing but reports imports this.
"""

import io
import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import matplotlib
from cycler import cycler
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from linage_bot.drawing.palette import INKS, Ink

Hints = Mapping[str, str]
"""The tooltips of links, by target, and of artists, by `gid`.

A `gid` of letters becomes a class of the artist's group.
"""

COLOURS: Final[dict[Ink, str]] = {ink: shades.light for ink, shades in INKS.items()}
"""The colours to draw with."""

_NAMES: Final = {colour: ink for ink, colour in reversed(COLOURS.items())}  # the first of each
_STYLE: Final[Any] = {
    "svg.fonttype": "none",  # letters stay letters, in the page's own font
    "text.parse_math": False,  # a name may hold dollars
    "font.size": 11,
    "text.color": COLOURS["ink"],
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.labelcolor": COLOURS["ink"],
    "axes.edgecolor": COLOURS["grid"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": cycler(linestyle=["-", "--", ":", "-."])
    * cycler(color=[COLOURS[ink] for ink in ("first-strong", "second-strong", "accent", "ink")]),
    "xtick.color": COLOURS["grid"],
    "ytick.color": COLOURS["grid"],
    "xtick.labelcolor": COLOURS["ink"],
    "ytick.labelcolor": COLOURS["ink"],
    "legend.frameon": False,
}
_LINK: Final = "{http://www.w3.org/1999/xlink}href"
_KEPT: Final[Sequence[str]] = ("d", "style", "transform", "x", "y")


def graph(
    name: str,
    draw: Callable[[Axes], None],
    x_label: str = "",
    y_label: str = "",
    *,
    size: tuple[float, float] = (6.4, 3.0),
    hints: Hints | None = None,
) -> Markup:
    """Return a graph drawn by `draw`; `name` is the description for screen readers.

    It is as wide as the page lets it; `size` sets its shape and, in inches, the scale for its
    letters, which are 11 points high.
    """
    with matplotlib.rc_context(_STYLE), warnings.catch_warnings():
        # A letter that matplotlib's font lacks: the page's fonts may have it.
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        figure = Figure(figsize=size, layout="constrained")
        figure.patch.set_visible(False)
        axes = figure.subplots()
        axes.patch.set_visible(False)
        axes.set_xlabel(x_label)
        axes.set_title(y_label)
        draw(axes)
        drawn = io.BytesIO()
        figure.savefig(drawn, format="svg")
    root = ET.fromstring(drawn.getvalue())
    markers = {path.get("id"): path for path in root.iter("{http://www.w3.org/2000/svg}path")}
    found = ET.Element(
        "svg",
        {
            "class": "graph",
            "viewBox": root.get("viewBox", ""),
            "role": "group",
            "aria-label": name,
            "stroke-linejoin": "round",
        },
    )
    for child in root:
        _copy(child, found, markers, hints or {})
    return Markup(ET.tostring(found, encoding="unicode"))


def add_link_strips(axes: Axes, places: Sequence[float], urls: Sequence[str]) -> None:
    """Add an invisible link strip over each place on the lower axis, 1 apart."""
    low, high = axes.get_ylim()
    corners = [[(x - 0.5, low), (x + 0.5, low), (x + 0.5, high), (x - 0.5, high)] for x in places]
    axes.add_collection(PolyCollection(corners, urls=urls, alpha=0, gid="strips"), autolim=False)


def _copy(
    element: ET.Element,
    parent: ET.Element,
    markers: Mapping[str | None, ET.Element],
    hints: Hints,
) -> None:
    """Copy an element into `parent` with named colours, links with tooltips, and drawn markers."""
    tag = element.tag.rpartition("}")[2]
    if tag in ("defs", "metadata"):
        return
    attributes = {name: element.attrib[name] for name in _KEPT if name in element.attrib}
    link = element.get(_LINK, "")
    if tag == "use":
        tag = "path"
        marker = markers[link.removeprefix("#")]
        x, y = attributes.pop("x", "0"), attributes.pop("y", "0")
        attributes = {"d": marker.get("d", ""), "transform": f"translate({x} {y})", **attributes}
    elif tag == "g" and element.get("id", "").isalpha():  # a `gid`, not a generated id
        attributes = {"class": element.get("id", "")}
    elif tag == "a":
        attributes = {"href": link, "tabindex": "-1"}
    if "d" in attributes:
        attributes["d"] = " ".join(attributes["d"].split())
    if "style" in attributes:
        attributes["style"] = _with_theme(attributes["style"])
    copy = ET.Element(tag, attributes)
    copy.text = (element.text or "").strip() or None
    hint = hints.get(link) or hints.get(element.get("id", ""))
    if hint is not None:
        ET.SubElement(copy, "title").text = hint
    for child in element:
        _copy(child, copy, markers, hints)
    if len(copy) or tag in ("path", "text"):
        parent.append(copy)


def _with_theme(style: str) -> str:
    """Return a style with the page's font and its variables for our colours."""
    style = re.sub(r"font-family: [^;]*;? ?", "", style)
    return re.sub("#[0-9a-f]{6}", lambda found: f"var(--{_NAMES.get(found[0], 'ink')})", style)
