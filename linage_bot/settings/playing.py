"""Our engine's settings and defaults, declared once for Python, files, the command line and GTP.

A level is a number of visits a move: none at level 0, which plays at random. Those below `KNOWING`
make no use of knowledge about regions. docs/levels.md lists the distances between them.
"""

from typing import Any, Final, Literal, Self, TypedDict, Unpack

import attrs

from linage_bot.rules.arguments import number, whole_number
from linage_bot.settings.checks import IN_FILES, check_switch, check_whole, one_of, within
from linage_bot.settings.network import Network, check_network

LEVELS: Final = (
    *(0, 2, 4, 6, 8, 10, 12, 16, 19, 25, 32, 40, 51, 64, 82, 106, 135, 175, 225, 300, 420),
    *(500, 1000, 2400, 5000, 10_000, 20_000),
    None,
)
"""Visits a move of each level; None: as much as the settings and the clock allow."""
KNOWING: Final = 21
"""The first level that uses priors, learned weights and proofs."""
FULL_STRENGTH: Final = len(LEVELS) - 1
MOST_NODES: Final = 3_000_000
"""The limit on the trees of one search: 216 MB, and twice that to follow a move."""
NODE_BYTES: Final = 72
"""The memory of a node."""
BOUNDS: Final[dict[str, tuple[float, float]]] = {
    "visits": (1, 10**12),
    "seconds": (0.0, 1e9),
    "threads": (1, 256),
    "seed": (0, 2**63),
    "level": (0, FULL_STRENGTH),
    "resign_rate": (0.0, 1.0),
    "nodes": (1 << 15, 10**9),
}
"""The least and the most that each number may be; a whole number if the least is an `int`."""
PARAMETERS: Final = {
    "maxVisits": "visits",
    "maxTime": "seconds",
    "threads": "threads",
    "numSearchThreads": "threads",  # KataGo's name
    "seed": "seed",
    "maxNodes": "nodes",
    "level": "level",
    "resignRate": "resign_rate",
}
"""The fields of `PlaySettings` by their names in GTP and JSON analysis: KataGo's and our own."""
SEARCHES: Final = ("rave", "uct")


def is_whole(field: str) -> bool:
    """Return whether a field with `BOUNDS` is a whole number."""
    return isinstance(BOUNDS[field][0], int)


def _number(name: str, default: Any) -> Any:
    least, most = BOUNDS[name]
    checks = [check_whole] if is_whole(name) else []
    converter = whole_number if is_whole(name) else number
    return attrs.field(
        default=default, converter=converter, validator=[*checks, within(least, most)]
    )


class PlayChanges(TypedDict, total=False):
    """The fields of `PlaySettings` as keyword arguments, for type checkers."""

    visits: int | None
    seconds: float | None
    threads: int
    nodes: int
    seed: int | None
    resign_rate: float | None
    level: int
    ponder: bool
    search: Literal["rave", "uct"]
    solver: bool
    network: Network | None


@attrs.frozen(kw_only=True)
class PlaySettings:
    """The settings of the engine's play; raises `ValueError` for a value out of bounds.

    visits: the limit on the visits of a search for a move, beside the level's; None: no limit.
    seconds: the limit on the time of a search for a move; None: no limit, but 5 seconds for a
        search that has no other limit.
    threads: the number of threads of one search.
    nodes: the limit on the nodes in memory; beyond it the least visited are removed.
    seed: the start of the random numbers; None: another one every time.
    resign_rate: the win rate below which the engine resigns; None: it never does.
    level: the strength, from 0, random play, to 27, full strength; a limit on visits, too.
    ponder: whether to search while the opponent does.
    search: the kind of search, "rave" or "uct", the plain one.
    solver: whether to prove values and use knowledge about regions, if the level does.
    network: a network that helps the search; None: there is none.
    """

    visits: int | None = _number("visits", None)
    seconds: float | None = _number("seconds", None)
    threads: int = _number("threads", 1)
    nodes: int = _number("nodes", MOST_NODES)
    seed: int | None = _number("seed", None)
    resign_rate: float | None = _number("resign_rate", 0.02)
    level: int = _number("level", FULL_STRENGTH)
    ponder: bool = attrs.field(default=False, validator=check_switch)
    search: str = attrs.field(default="rave", validator=one_of(SEARCHES))
    solver: bool = attrs.field(default=True, validator=check_switch)
    network: Network | None = attrs.field(
        default=None, validator=check_network, metadata={IN_FILES: False}
    )

    def changed(self, **changes: Unpack[PlayChanges]) -> Self:
        """Return the settings with these changes.

        Raises `TypeError` for an unknown setting, and `ValueError`, with its name, for one out of
        bounds.
        """
        each: dict[str, Any]
        for name, value in changes.items():
            each = {name: value}
            try:
                attrs.evolve(self, **each)
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None
        return attrs.evolve(self, **changes)

    @property
    def options(self) -> list[str]:
        """The equivalent options of `linage-bot gtp`, but for the network."""
        changed = attrs.asdict(self, filter=lambda field, value: value != field.default)
        changed.pop("network", None)
        return [_option(name, value) for name, value in changed.items()]


def _option(name: str, value: object) -> str:
    if name == "ponder":
        return "--ponder"
    word = "never" if value is None else "off" if value is False else value
    return f"--{name.removesuffix('_rate')}={word}"
