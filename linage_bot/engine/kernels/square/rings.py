"""Whether the eight points around a point, as one number, keep its neighbours together."""

from __future__ import annotations

import numpy as np

_AROUND = (0, 1, 2, 4, 7, 6, 5, 3)  # once round, by bit
_NEIGHBOURS = (1, 3, 4, 6)


def _keeps_together(ring: int) -> bool:
    """Whether the neighbours among the points of a ring are connected within it."""
    present = [bool(ring >> bit & 1) for bit in _AROUND]
    if all(present):
        return True
    start = present.index(False)
    parts, inside, counted = 0, False, False
    for step in range(1, 9):
        at = (start + step) % 8
        if not present[at]:
            inside = counted = False
        else:
            inside = True
        if inside and not counted and _AROUND[at] in _NEIGHBOURS:
            parts, counted = parts + 1, True
    return parts <= 1


# By ring: bits 0 1 2 are the row below the point, 3 and 4 lie beside it, 5 6 7 above.
TOGETHER = np.array([_keeps_together(ring) for ring in range(256)])
