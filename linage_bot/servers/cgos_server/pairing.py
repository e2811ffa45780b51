"""The choice of the next pairings: a pure function of the waiting players.

A slow game delays no other player. A pair has a price: how far apart the ratings are, and how often
and how lately the two have met. The cheapest pairs play. A waiting player accepts a dearer opponent
every second, and any opponent after `patience_seconds`. So strong and weak players, and two that
have just met, play when no other player comes, but not before.
"""

import zlib
from collections.abc import Callable, Sequence
from typing import Final

import attrs

_NEIGHBOURS: Final = 24
"""The number of next players in the list of ratings that are considered for each."""
_FAIR_ELO: Final = 150.0
"""The price that every player accepts at once."""
_DEAREST_ELO: Final = 1500.0
"""The highest price of a pair, so that every wait ends."""
_MET_ELO: Final = 400.0
"""The price of having met in the last game; half of it for the last but one, and so on."""
_OFTEN_ELO: Final = 400.0
"""The price of two players who have only met each other; less the more others they have met."""
_ANCHORS_ELO: Final = 800.0
"""The price of two players with fixed ratings, whose game gives no information."""


@attrs.frozen
class Waiting:
    """A player without a game.

    `games` is the number of its games, `surplus` how many more of them it began with the first move
    than without; `recent` are the last opponents, the latest first.
    """

    name: str
    rating: float
    since: float  # seconds
    recent: tuple[str, ...] = ()
    games: int = 0
    surplus: int = 0
    anchor: bool = False


Meetings = Callable[[str, str], int]
"""Returns the number of games of two players in which the first of them moved first."""


def pair(
    waiting: Sequence[Waiting], meetings: Meetings, now: float, patience_seconds: float
) -> list[tuple[str, str]]:
    """Return the games to begin now, each with the first mover's name first."""
    ordered = sorted(waiting, key=lambda player: (player.rating, player.name))
    priced = sorted(
        (_cost(one, other, meetings), one.name, other.name, one, other)
        for place, one in enumerate(ordered)
        for other in ordered[place + 1 : place + 1 + _NEIGHBOURS]
    )
    games: list[tuple[str, str]] = []
    taken: set[str] = set()
    for price, _, _, one, other in priced:
        if taken.isdisjoint((one.name, other.name)):
            # The shorter wait counts too: half as much.
            waits = sorted((now - one.since, now - other.since))
            if price <= _acceptable_cost(waits[1] + waits[0] / 2, patience_seconds):
                taken |= {one.name, other.name}
                games.append(_sides(one, other, meetings))
    return games


def _cost(one: Waiting, other: Waiting, meetings: Meetings) -> float:
    price = abs(one.rating - other.rating)
    met = meetings(one.name, other.name) + meetings(other.name, one.name)
    for own, opponent in ((one, other), (other, one)):
        price += _OFTEN_ELO * met / max(1, own.games) / 2
        price += sum(
            _MET_ELO / 2**ago / 2 for ago, name in enumerate(own.recent) if name == opponent.name
        )
    if one.anchor and other.anchor:
        price += _ANCHORS_ELO
    return min(price, _DEAREST_ELO)


def _acceptable_cost(waited_seconds: float, patience_seconds: float) -> float:
    share = 1.0 if patience_seconds <= 0 else min(1.0, waited_seconds / patience_seconds)
    return _FAIR_ELO + (_DEAREST_ELO - _FAIR_ELO) * share


def _sides(one: Waiting, other: Waiting, meetings: Meetings) -> tuple[str, str]:
    """Return the first mover and the other; fewer first moves decide, here or else in all games."""
    straight, crossed = (one.name, other.name), (other.name, one.name)
    lead = meetings(*straight) - meetings(*crossed) or one.surplus - other.surplus
    if lead:
        return crossed if lead > 0 else straight
    # Equal: any rule will do that does not always favour the lower rated player.
    return straight if zlib.crc32(" ".join(straight).encode()) % 2 else crossed
