"""The colours of all boards and players, in pictures and on pages, for light and for dark paper.

Every element states its light colours as attributes, which all programs that show SVG understand,
and names them as classes, by which `STYLE` gives them their dark colours in a browser in dark mode.
The names begin with `lb-`, so that a picture may be in any HTML page.
"""

from collections.abc import Mapping
from typing import Final

import attrs

from linage_bot.rules.game import Player, Position

Ink = str  # a name in `INKS`


@attrs.frozen
class ThemedColour:
    """One colour on light and on dark paper."""

    light: str
    dark: str


# Blue and orange differ for every kind of colour vision, and in lightness on a grey print.
INKS: Final[Mapping[Ink, ThemedColour]] = {
    "paper": ThemedColour("#faf7f0", "#1c1e22"),
    "ink": ThemedColour("#2b2d33", "#ece8df"),
    "grid": ThemedColour("#8d8574", "#767980"),
    "free": ThemedColour("#ece5d6", "#33363c"),
    "first": ThemedColour("#8fbfe6", "#1d4f7c"),
    "second": ThemedColour("#f7b866", "#84510f"),
    "first-strong": ThemedColour("#12588f", "#6db6f2"),
    "second-strong": ThemedColour("#b35c00", "#ffae4d"),
    "on-strong": ThemedColour("#ffffff", "#16181b"),
    "first-stone": ThemedColour("#2b2d33", "#08090a"),
    "second-stone": ThemedColour("#fffefb", "#e6e2d8"),
    "shared-stone": ThemedColour("#4a4e57", "#b9bdc6"),
    "rim": ThemedColour("#2b2d33", "#9a9da5"),
    "on-first-stone": ThemedColour("#faf7f0", "#f2efe8"),
    "on-second-stone": ThemedColour("#2b2d33", "#1c1e22"),
    "on-shared-stone": ThemedColour("#faf7f0", "#1c1e22"),
    "accent": ThemedColour("#c2185b", "#ff7eb0"),
    "accent-on-dark": ThemedColour("#ff7eb0", "#ff7eb0"),
    "accent-on-light": ThemedColour("#c2185b", "#c2185b"),
    "accent-on-shared-stone": ThemedColour("#ff7eb0", "#9c0f46"),
}

_PAGE: Final[Mapping[str, ThemedColour]] = {
    "page": ThemedColour("#ffffff", "#131518"),  # around paper
    "soft": ThemedColour("#62656d", "#a7aab1"),
    "rule": ThemedColour("#ddd8cc", "#3a3d44"),
    "bad": ThemedColour("#b3261e", "#ff8a80"),
}

OWNER_INKS: Final[Mapping[Player | None, Ink]] = {
    Player.FIRST: "first",
    Player.SECOND: "second",
    None: "free",  # free or shared
}
STRONG_INKS: Final[Mapping[Player, Ink]] = {
    Player.FIRST: "first-strong",
    Player.SECOND: "second-strong",
}


def paint(fill: Ink | None = None, stroke: Ink | None = None) -> str:
    """Return the attributes that give an element these colours; no fill where none is named."""
    classes = [f"lb-{use}-{ink}" for use, ink in (("f", fill), ("s", stroke)) if ink is not None]
    attributes = [f'class="{" ".join(classes)}"']
    attributes.append('fill="none"' if fill is None else f'fill="{INKS[fill].light}"')
    if stroke is not None:
        attributes.append(f'stroke="{INKS[stroke].light}"')
    return " ".join(attributes)


def stone_ink(position: Position, player: Player) -> Ink:
    """Return the fill colour of a player's stones."""
    if position.game.one_colour:
        return "shared-stone"
    return "second-stone" if player else "first-stone"


INK_ON: Final[Mapping[Ink, Ink]] = {
    "first-stone": "on-first-stone",
    "second-stone": "on-second-stone",
    "shared-stone": "on-shared-stone",
    "first-strong": "on-strong",
    "second-strong": "on-strong",
}
"""The colours that are visible on a stone, or on a strong colour."""

ACCENT_ON: Final[Mapping[Ink, Ink]] = {
    "first-stone": "accent-on-dark",
    "second-stone": "accent-on-light",
    "shared-stone": "accent-on-shared-stone",
}
"""The accent colours that are visible on a stone."""


BOARD_INKS: Final[tuple[Ink, ...]] = (
    *("grid", "free", "first", "second", "first-strong", "second-strong"),
    *("first-stone", "second-stone", "shared-stone", "rim"),
    *("on-first-stone", "on-second-stone", "on-shared-stone"),
)
"""The colours of a board that is drawn by other means than `paint`."""


def board_variables() -> str:
    """Return a style sheet with `BOARD_INKS` as variables, `--first`, for both colour schemes."""
    inks = ((ink, INKS[ink]) for ink in BOARD_INKS)
    colours = (f"  --{ink}: light-dark({each.light}, {each.dark});" for ink, each in inks)
    return "\n".join((":root {", *colours, "}", ""))


def _rules(shade: str) -> str:
    colours = {ink: getattr(shades, shade) for ink, shades in {**INKS, **_PAGE}.items()}
    return "".join(f"--{ink}:{colour};" for ink, colour in colours.items())


_DARK: Final = "".join(
    f".lb-f-{ink}{{fill:{shades.dark}}}.lb-s-{ink}{{stroke:{shades.dark}}}"
    for ink, shades in INKS.items()
)
STYLE: Final = f"@media screen and (prefers-color-scheme:dark){{{_DARK}}}"
"""The style sheet for dark paper; a page with many pictures holds it once."""

VARIABLES: Final = (
    f":root{{color-scheme: light dark;{_rules('light')}}}"
    f"@media screen and (prefers-color-scheme: dark){{:root{{{_rules('dark')}}}}}"
)
"""The colours as variables of a page's style sheet."""
