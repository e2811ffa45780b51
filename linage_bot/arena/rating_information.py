"""The information that the games of an event hold about ratings.

A rating list always has numbers, because a weak prior fills in where the games hold no information.
The games compare two engines only where each has scored against the other, directly or through
others: L. Ford, American Mathematical Monthly 64, 1957. The largest group of such engines has
measured ratings. An engine outside it that has won or lost all its games against the group has only
a bound.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from linage_bot.arena.records import ScoredGames
from linage_bot.arena.statistics import score_of_elo

_FARTHEST: Final = 20_000.0  # Elo from the opponents, beyond any bound
_HALVINGS: Final = 64


class RatingInformation(enum.Enum):
    """The kind of information that the games hold about a rating."""

    MEASURED = "measured"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    UNKNOWN = "not known"


def comparable(
    names: Sequence[str], results: Sequence[ScoredGames], anchors: Collection[str]
) -> tuple[str, ...]:
    """Return the largest group in which all have scored against all, directly or through others.

    Anchors can be compared without games; where there are any, theirs is the group. The group is
    empty if it would be one engine alone.
    """
    index = {name: place for place, name in enumerate(names)}
    above = [1 << place for place in range(len(names))]  # bit sets: the engines that scored
    for name in anchors:
        above[index[name]] |= sum(1 << index[other] for other in anchors)
    for result in results:
        first, second = index[result.first], index[result.second]
        if result.score > 0:
            above[second] |= 1 << first
        if result.score < 1:
            above[first] |= 1 << second
    for middle, theirs in enumerate(above):  # Warshall's closure
        for place, mine in enumerate(above):
            if mine >> middle & 1:
                above[place] |= theirs

    def group(name: str) -> tuple[str, ...]:
        own = index[name]
        return tuple(
            each for each in names if above[own] >> index[each] & above[index[each]] >> own & 1
        )

    largest = max(map(group, anchors or names), key=len)
    return largest if len(largest) > 1 or anchors else ()


def bound(
    name: str,
    results: Sequence[ScoredGames],
    elos: Mapping[str, float],
    advantage: float,
    group: Collection[str],
) -> tuple[float, RatingInformation]:
    """Return a lower rating bound if the engine beat a group in all games, else an upper one.

    Where n pairs ended alike, the mean score lies beyond 0.025^(1/n) but for a chance of 2.5 %: the
    bound is the rating at which that score is expected. An engine without such games keeps its
    rating as `UNKNOWN`.
    """
    others = set(group)
    games = [r for r in results if name in (r.first, r.second) and {r.first, r.second} & others]
    if not games:
        return elos[name], RatingInformation.UNKNOWN
    won = games[0].score == (games[0].first == name)
    alike = 0.025 ** (1 / len({game.cluster for game in games}))
    wanted = len(games) * (alike if won else 1 - alike)
    differences = [
        advantage - elos[game.second] if game.first == name else -advantage - elos[game.first]
        for game in games
    ]
    low, high = -max(differences) - _FARTHEST, -min(differences) + _FARTHEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if sum(score_of_elo(middle + each) for each in differences) < wanted:
            low = middle
        else:
            high = middle
    return low, RatingInformation.AT_LEAST if won else RatingInformation.AT_MOST


def advantage_is_known(names: Sequence[str], results: Sequence[ScoredGames]) -> bool:
    """Return whether the games bound the advantage of moving first on both sides.

    They do not where it could grow for ever, with ratings that grow beside it, and make no result
    less likely. Then there are numbers b for the engines, so that b(First) - b(Second) + 1 is at
    least 0 where First scored and at most 0 where Second did (or -1 in place of 1, where it could
    fall): differences that are bounded, which is possible unless a cycle of bounds is negative.
    """

    def unbounded(sign: int) -> bool:
        bounds = set()
        for result in results:
            if result.score > 0:
                bounds.add((result.first, result.second, sign))
            if result.score < 1:
                bounds.add((result.second, result.first, -sign))
        least = dict.fromkeys(names, 0)
        for _ in names:  # Bellman and Ford's rounds
            before = dict(least)
            for start, end, length in bounds:
                least[end] = min(least[end], least[start] + length)
            if least == before:
                return True
        return False

    return not unbounded(1) and not unbounded(-1)
