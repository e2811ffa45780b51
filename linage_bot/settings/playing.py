"""How our engine plays: declared once for Python, settings files, the command line and GTP.

Weak levels look at little and then choose carelessly: at random, a move with n visits with a weight
of n to the power of 1 / carelessness. They never play what the search has not looked at, and never
pass unless passing looks best. Measured distances are in docs/search/notebook.md.
"""

from typing import Any, Final

import attrs

from linage_bot.settings.checks import one_of, within


@attrs.frozen
class Level:
    """How a level plays."""

    visits: int | None  # a move; None: as much as the settings and the clock allow
    carelessness: float = 0.0  # 0: always the best move


LEVELS = (
    Level(30, 0.6),
    Level(40, 0.5),
    Level(52, 0.41),
    Level(70, 0.33),
    Level(95, 0.25),
    Level(130, 0.17),
    Level(190, 0.08),
    Level(280),
    Level(450),
    Level(None),
)
"""From a beginner to full strength."""
MOST_NODES: Final = 3_000_000
"""Of the trees of one search: 216 MB, and twice that to follow a move."""
BOUNDS: Final[dict[str, tuple[float, float]]] = {
    "visits": (1, 10**12),
    "seconds": (0.0, 1e9),
    "threads": (1, 256),
    "seed": (0, 2**63),
    "level": (1, len(LEVELS)),
    "resign_rate": (0.0, 1.0),
    "nodes": (1 << 15, 10**9),
}
"""The least and the most that each number may be."""
SEARCHES: Final = ("rave", "uct")


def _number(name: str, default: Any) -> Any:
    return attrs.field(default=default, validator=within(*BOUNDS[name]))


@attrs.frozen(kw_only=True)
class PlaySettings:
    """How to play; raises `ValueError` for what is out of bounds."""

    visits: int | None = _number("visits", None)  # a move
    seconds: float | None = _number("seconds", None)  # a move
    threads: int = _number("threads", 1)
    nodes: int = _number("nodes", MOST_NODES)  # in memory; beyond, the least visited go
    seed: int | None = _number("seed", None)  # None: another one every time
    resign_rate: float | None = _number("resign_rate", 0.02)  # below which to resign; None: never
    level: int = _number("level", len(LEVELS))  # the highest is full strength
    ponder: bool = False  # think while the opponent does
    search: str = attrs.field(default="rave", validator=one_of(SEARCHES))  # uct: the plain one
    solver: bool = True  # use what is known of regions: promises guide the search, proofs end it

    @property
    def options(self) -> list[str]:
        """The options of `linage-bot gtp` that say the same."""
        changed = attrs.asdict(self, filter=lambda field, value: value != field.default)
        return [_option(name, value) for name, value in changed.items()]


def _option(name: str, value: object) -> str:
    if name == "ponder":
        return "--ponder"
    word = "never" if value is None else "off" if value is False else value
    return f"--{name.removesuffix('_rate')}={word}"
