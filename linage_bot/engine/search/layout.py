"""How a search tree lies in memory: a column for each field of `Edges`, records for the rest.

The children of a node stand side by side; those of the root, the moves to consider, from index 1
on. `Edges` holds what is read and written of all children of a node at every visit, so that the
loops over them become vector code; `NODE` holds the rest, under the same index. What was never
written to is zero, a leaf.
"""

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import MOST_MOVES
from linage_bot.engine.search.pages import zeros

FEWEST_NODES = 1 << 15  # for which there has to be memory
LEAF = 0  # no child is the root
OPEN, FIRST_WINS, SECOND_WINS, DRAWN = 0, 1, 2, 3
DEEPEST = 1024
SIDE = MOST_MOVES + 1  # marks of a player: one that is never set, for a pass, then the points'


class Edges(NamedTuple):
    """A column for each field of a child. All values are First's, 0 to 1, whoever is to move."""

    value: Any  # of the visits and the AMAF samples; of a proven node, out of others' reach
    spread: Any  # 1 / sqrt(visits); 0 of a proven node
    mean: Any  # of the visits
    amaf_sum: Any
    amaf_count: Any
    visits: Any
    move: Any
    proven: Any


NODE = np.dtype(
    [
        ("reward", np.float64),  # sums over the visits: of the values,
        ("wins", np.float64),  # of the wins, a draw being a half,
        ("margin", np.float64),  # of the margins, in half points
        ("margin_squares", np.float64),
        ("first", np.int32),  # index of the first child, or LEAF
        ("children", np.int16),
        ("thinned", np.int16),  # children were dropped when visits had so many bits; 0: none were
    ],
    align=True,
)
TREE = np.dtype(
    [
        ("used", np.int64),  # nodes; the root is node 0
        ("to_move", np.int64),  # at the root
        ("exploration", np.float64),
        ("expand_at", np.int64),  # visits at which a leaf gets children; grows with every pruning
        ("pruned", np.int64),  # whether children were dropped for want of room
        ("rave", np.int64),
        ("rave_bias", np.float64),
        ("colour_blind", np.int64),
        ("pass_loss", np.float64),
        ("pass_follows", np.int64),
        ("score_weight", np.float64),
        ("score_scale", np.float64),  # in half points
        ("leaves_idle", np.int64),
        ("prior_visits", np.int64),
        ("prior_slope", np.float64),
        ("only_winner", np.int64),  # whether who wins is all that is asked
        ("begun", np.int64),  # visits, since there was a tree,
        ("ended", np.int64),  # and of these, in the same order, those that were added to it
        ("full", np.int64),  # whether children were wanted for which there was no room
        ("visit", np.int32),  # number of the visit, to mark moves with; it may wrap around
        ("marks", np.int32, 2 * SIDE),  # by player and move: the last visit that played it
    ],
    align=True,
)
_TYPES = (np.float32,) * 4 + (np.int32,) * 4  # of the columns
_COLUMNS = [types.Array(numba.from_dtype(np.dtype(each)), 1, "C") for each in _TYPES]
EDGES = types.NamedTuple(_COLUMNS, Edges)  # type: ignore[no-untyped-call]
NODES = types.Array(numba.from_dtype(NODE), 1, "C")
HEADER = numba.from_dtype(TREE)


def new_arrays(count: int) -> tuple[Edges, np.ndarray]:
    """Return arrays for so many nodes, which take memory only where something is written."""
    *columns, nodes = zeros(count, *_TYPES, NODE)
    return Edges(*columns), nodes


def arrays_for(count: int) -> tuple[Edges, np.ndarray]:
    """Arrays for so many nodes, or for as many as the machine has memory for.

    Raises `MemoryError` if that is not even for `FEWEST_NODES`.
    """
    while True:
        try:
            return new_arrays(count)
        except MemoryError:
            if count <= FEWEST_NODES:
                raise
            count //= 2


@numba.njit(inline="always")
def copy_node(edges: Any, nodes: Any, index: int, to_edges: Any, to_nodes: Any, to: int) -> None:
    """Copy all that is known of a node, its children's place too."""
    to_edges.value[to], to_edges.spread[to] = edges.value[index], edges.spread[index]
    to_edges.mean[to], to_edges.visits[to] = edges.mean[index], edges.visits[index]
    to_edges.amaf_sum[to] = edges.amaf_sum[index]
    to_edges.amaf_count[to] = edges.amaf_count[index]
    to_edges.move[to], to_edges.proven[to] = edges.move[index], edges.proven[index]
    to_nodes[to] = nodes[index]
