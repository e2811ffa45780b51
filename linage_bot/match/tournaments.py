"""Who meets whom: matches, gauntlets, round robins and Swiss tournaments as lists of pairings.

A pairing is two indices in the file's order of engines, the lower one first.
"""

from collections.abc import Collection, Iterator, Sequence

Pairing = tuple[int, int]


def round_robin(engines: int) -> list[Pairing]:
    """Everyone against everyone."""
    return [(one, two) for one in range(engines) for two in range(one + 1, engines)]


def gauntlet(engines: int) -> list[Pairing]:
    """The first against each of the others."""
    return [(0, other) for other in range(1, engines)]


def swiss(
    points: Sequence[float],
    met: Collection[Pairing],
    rested: Collection[int],
    absent: Collection[int],
) -> tuple[list[Pairing], int | None]:
    """The pairings of a round and who rests in it, if the number is odd.

    Engines meet others with as many points as possible, and no one twice while that can be
    avoided: the first is paired with the nearest below that leaves the rest a pairing, too. In the
    first round, when all are equal, the upper half of the list meets the lower half. Nobody rests
    twice before all have rested.
    """
    standing = sorted(
        (index for index in range(len(points)) if index not in absent),
        key=lambda index: (-points[index], index),
    )
    resting = None
    if len(standing) % 2:
        fresh = [index for index in standing if index not in rested]
        resting = (fresh or standing)[-1]
        standing.remove(resting)
    if len(set(points)) <= 1:
        half = len(standing) // 2
        standing = [
            index for pair in zip(standing[:half], standing[half:], strict=True) for index in pair
        ]
    pairings = next(_without_rematch(standing, met), None)
    if pairings is None:  # everyone left has met
        pairings = [(standing[i], standing[i + 1]) for i in range(0, len(standing), 2)]
    return [_ordered(pairing) for pairing in pairings], resting


def _without_rematch(standing: list[int], met: Collection[Pairing]) -> Iterator[list[Pairing]]:
    if not standing:
        yield []
        return
    first, *others = standing
    for other in others:
        if _ordered((first, other)) not in met:
            rest = [index for index in others if index != other]
            for pairings in _without_rematch(rest, met):
                yield [(first, other), *pairings]


def _ordered(pairing: Pairing) -> Pairing:
    return (min(pairing), max(pairing))
