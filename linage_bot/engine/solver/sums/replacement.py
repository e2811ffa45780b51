"""The worth of keeping an entry of the store, which decides which entry a full store replaces.

The worth is the work that an entry saves at each use, times the expected number of uses. A position
that a move answers costs nothing but that move as long as the position after the move is stored,
too. So the nodes spent below that move count for the other entry. The numbers of uses were counted
in a search of 4x8 with ample memory. An entry of 13 points was used five to ten times, and entries
of two points more half as often. Entries of 18 points or more were used once or twice if they took
more than a node; of the others, one in five to one in ten was used. Among regions of as many
points, the compact ones were used more often: three to five times as often if the outline was ten
edges shorter. Three in four entries are never found again.

Each use increases the worth of an entry. When an entry is replaced, the others in its bucket lose
its worth, so that no entry stays for ever (GreedyDual-Size, Cao and Irani 1997, a rule for caches
of files of different cost).

Worths are logarithms, in eighths of a doubling, from 0 to `MOST_WORTH`.
"""

import math

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word

MOST_WORTH = 255
DOUBLING = 8
# Added to the worth of an entry that is found, by how much it helped
NO_USE, SOME_USE, ANSWER = 0, 5, 11

_LEAST = 16.0  # the logarithm is 0 if uses times nodes is 1 divided by this
_SELDOM = 17  # regions of at least this many points get at most one use for their small size
_RARER = 0.7  # halvings of these added uses with each point more
_EDGE = 0.15  # halvings of all uses with each edge more
_CHANCES = 256
_U = np.uint64


def _losses() -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Return the losses of entries when another entry is replaced, in 256ths of a unit.

    The index is how much more the entry is worth than the replaced one.
    """
    steps = np.arange(1, MOST_WORTH + 1) / DOUBLING
    losses = -DOUBLING * np.log2(1 - 2.0**-steps)
    return np.array([MOST_WORTH * _CHANCES, *np.rint(_CHANCES * losses)], np.int64)


_LOSSES = _losses()


@compiled(types.int64(types.int64, types.int64, types.int64))
def worth(nodes: int, points: int, edges: int) -> int:
    """Return the worth of an entry that took `nodes` nodes, without those below an answering move.

    `points` and `edges` are those of a region and its outline; both are 0 for a sum.
    """
    uses = 1.0
    if points:
        uses = (1.2 if nodes > 1 else 0.3) + 2.0 ** (_RARER * (_SELDOM - points))
        usual = 1.5 * points + 6.5  # edges
        uses *= 2.0 ** (_EDGE * (usual - edges))
    logarithm = math.log2(_LEAST * uses * max(nodes, 1))
    return min(max(int(DOUBLING * logarithm + 0.5), 0), MOST_WORTH)


@compiled(types.int64(types.int64, types.int64, types.uint64))
def reduced_worth(before: int, least: int, chance: Word) -> int:
    """Return the worth of an entry after the replacement of another one, which was worth `least`.

    Fractions are rounded up or down by `chance`.
    """
    return int(
        max(before - ((_LOSSES[before - least] + np.int64(chance & _U(_CHANCES - 1))) >> 8), 0)
    )
