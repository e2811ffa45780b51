"""What it is worth to keep an entry of the store, which decides what gives way where it is full.

That is the work which an entry saves each time that it is of use, times how often that may be. A
position that a move answers costs nothing but that move as long as what it leaves is kept, too: so
the nodes spent below that move are the other entry's. How often an entry is of use was counted in a
search of 4x8 without want of memory: one of 13 points five to ten times, one of two points more
half as often, and of 18 points or more once or twice if it took more than a node, else one in five
to one in ten; and of regions of as many points the compact ones more often, three to five times
where the outline is ten edges shorter. Three in four are never found again.

With each use an entry is worth more. When one gives way, those that might have in its place lose
what that one was worth, so that nothing stays for ever (GreedyDual-Size, Cao and Irani 1997, as
caches of files of unlike cost have it).

Worths are logarithms, in eighths of a doubling, from 0 to `MOST_WORTH`.
"""

import math

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word

MOST_WORTH = 255
DOUBLING = 8
NO_USE, SOME_USE, ANSWER = 0, 5, 11  # what it adds that an entry was found: whether that helped

_LEAST = 16.0  # of what is worth this fraction of a node a visit the logarithm is 0
_SELDOM = 17  # points of a region beyond which small ones' frequency counts for less than one use
_RARER = 0.7  # by how many halvings a point more makes a region rarer below that
_EDGE = 0.15  # and an edge more
_CHANCES = 256
_U = np.uint64


def _losses() -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """What something loses that is worth so much more than what gives way, in 256ths of a unit."""
    steps = np.arange(1, MOST_WORTH + 1) / DOUBLING
    losses = -DOUBLING * np.log2(1 - 2.0**-steps)
    return np.array([MOST_WORTH * _CHANCES, *np.rint(_CHANCES * losses)], np.int64)


_LOSSES = _losses()


@compiled(types.int64(types.int64, types.int64, types.int64))
def worth(nodes: int, points: int, edges: int) -> int:
    """Of what took so many nodes, without those below a move that answered.

    Of a region the points, and the edges of its outline; of a sum 0.
    """
    uses = 1.0
    if points:
        uses = (1.2 if nodes > 1 else 0.3) + 2.0 ** (_RARER * (_SELDOM - points))
        usual = 1.5 * points + 6.5  # edges
        uses *= 2.0 ** (_EDGE * (usual - edges))
    logarithm = math.log2(_LEAST * uses * max(nodes, 1))
    return min(max(int(DOUBLING * logarithm + 0.5), 0), MOST_WORTH)


@compiled(types.int64(types.int64, types.int64, types.uint64))
def faded(before: int, least: int, chance: Word) -> int:
    """What an entry is worth when another one, of the least worth, has given way.

    Fractions are left to chance.
    """
    return int(
        max(before - ((_LOSSES[before - least] + np.int64(chance & _U(_CHANCES - 1))) >> 8), 0)
    )
