"""A table of the rings that keep the neighbours of a point connected.

A *ring* is a set of the eight points around a point, as a number with a bit for each.
"""

import numpy as np

# Bits in circular order: bits 0 1 2 are the row below the point, 3 and 4 beside it, 5 6 7 above.
_NEIGHBOURS = (1, 4, 6, 3)
_CORNERS = (2, 7, 5, 0)  # each follows its neighbour in that order


def _keeps_together(ring: int) -> bool:
    """Return whether the neighbours among the points of a ring are connected within it."""
    neighbours = [ring >> bit & 1 for bit in _NEIGHBOURS]
    followers = neighbours[1:] + neighbours[:1]
    corners = [ring >> bit & 1 for bit in _CORNERS]
    joined = sum(map(min, neighbours, corners, followers))
    return sum(neighbours) - joined <= 1


TOGETHER = np.array([_keeps_together(ring) for ring in range(256)])  # by ring
