"""Who plays whom next: a pure function of those who wait now, so a slow game holds up nobody.

A pair has a price: how far apart the ratings are, and how often and how lately the two have met.
The cheapest pairs play. Somebody who waits accepts a dearer opponent every second, and anybody
after `patience_seconds`: so strong and weak, and two who have just met, play when nobody else
comes, but not before.
"""

import zlib
from collections.abc import Callable, Sequence
from typing import Final

import attrs

_NEIGHBOURS: Final = 24
"""How many players next in the list of ratings are looked at for each: enough, and quick."""
_FAIR_ELO: Final = 150.0
"""A price that nobody minds."""
_DEAREST_ELO: Final = 1500.0
"""No pair is dearer than that, so patience has an end."""
_MET_ELO: Final = 400.0
"""Having met in the last game; half of it in the last but one, and so on."""
_OFTEN_ELO: Final = 400.0
"""Two who have only ever played each other; less the more others they have played."""
_ANCHORS_ELO: Final = 800.0
"""A game between two players whose ratings are fixed teaches nothing."""


@attrs.frozen
class Waiting:
    """A player without a game.

    `games` is how many it has played, `surplus` how many more with the first move than without;
    `recent` are the last opponents, the latest first.
    """

    name: str
    rating: float
    since: float  # seconds
    recent: tuple[str, ...] = ()
    games: int = 0
    surplus: int = 0
    anchor: bool = False


Meetings = Callable[[str, str], int]
"""Tells how many games two players have played in which the first of them moved first."""


def pair(
    waiting: Sequence[Waiting], meetings: Meetings, now: float, patience_seconds: float
) -> list[tuple[str, str]]:
    """The games to begin now, the one who moves first before the other."""
    ordered = sorted(waiting, key=lambda player: (player.rating, player.name))
    priced = sorted(
        (_price(one, other, meetings), one.name, other.name, one, other)
        for place, one in enumerate(ordered)
        for other in ordered[place + 1 : place + 1 + _NEIGHBOURS]
    )
    games: list[tuple[str, str]] = []
    taken: set[str] = set()
    for price, _, _, one, other in priced:
        if taken.isdisjoint((one.name, other.name)):
            # The one who has waited less has a say, too: half as much.
            waits = sorted((now - one.since, now - other.since))
            if price <= _accepted(waits[1] + waits[0] / 2, patience_seconds):
                taken |= {one.name, other.name}
                games.append(_sides(one, other, meetings))
    return games


def _price(one: Waiting, other: Waiting, meetings: Meetings) -> float:
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


def _accepted(waited_seconds: float, patience_seconds: float) -> float:
    share = 1.0 if patience_seconds <= 0 else min(1.0, waited_seconds / patience_seconds)
    return _FAIR_ELO + (_DEAREST_ELO - _FAIR_ELO) * share


def _sides(one: Waiting, other: Waiting, meetings: Meetings) -> tuple[str, str]:
    """Who has moved first less often moves first: against this opponent, then in all games."""
    straight, crossed = (one.name, other.name), (other.name, one.name)
    lead = meetings(*straight) - meetings(*crossed) or one.surplus - other.surplus
    if lead:
        return crossed if lead > 0 else straight
    # Nobody has had more: any rule will do that does not always favour the lower rated one.
    return straight if zlib.crc32(" ".join(straight).encode()) % 2 else crossed
