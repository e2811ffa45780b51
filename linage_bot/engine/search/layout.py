"""The memory layout of a search tree: a column for each field of `Edges`, records for the rest.

The children of a node are adjacent. Those of the root, the moves to consider, begin at index 1.
`Edges` holds the fields that are read and written for all children of a node at every visit, so
that the loops over them become vector code. `NODE` holds the rest, under the same index. Memory
that was never written to is zero, which means a leaf.
"""

from typing import Any, NamedTuple, TypeAlias

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import MOST_MOVES
from linage_bot.engine.search.pages import zeros

FEWEST_NODES = 1 << 15  # least number of nodes for which there must be memory
LEAF = 0  # the root is no node's child
OPEN, FIRST_WINS, SECOND_WINS, DRAWN = 0, 1, 2, 3
DEEPEST = 1024
SIDE = MOST_MOVES + 1  # entries of a player: one for a pass, never set, then one for each point


class Edges(NamedTuple):
    """A column for each field of a child. All values are First's, 0 to 1, for either mover."""

    value: Any  # from visits and AMAF samples; a proven win or loss is out of their range
    spread: Any  # 1 / sqrt(visits); 0 for a proven node
    mean: Any  # of the results of the visits
    amaf_sum: Any
    amaf_count: Any
    visits: Any  # with those in flight
    move: Any
    proven: Any


NODE = np.dtype(
    [
        ("reward", np.float64),  # sums over the visits: of the values,
        ("wins", np.float64),  # of the wins, a draw being a half,
        ("score_lead", np.float64),  # of the score leads, in half points
        ("score_lead_squares", np.float64),
        ("first", np.int32),  # index of the first child, or LEAF
        ("children", np.int16),
        ("thinned", np.int8),  # bits of the number of visits when children were dropped; 0: never
        ("coming", np.uint8),  # those of the visits that are in flight
    ],
    align=True,
)
TREE = np.dtype(
    [
        ("used", np.int64),  # nodes; the root is node 0
        ("to_move", np.int64),  # at the root
        ("exploration", np.float64),
        ("expand_at", np.int64),  # visits at which a leaf gets children; grows with every pruning
        ("pruned", np.int64),  # whether children were dropped for lack of room
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
        ("network_samples", np.int64),
        ("network_slope", np.float64),
        ("network_share", np.float64),  # in a visit's value; 0: there is no network
        ("only_winner", np.int64),  # whether only the winner matters
        ("plays", np.int64),  # playouts of a flight
        ("points", np.int64),  # of the board's array
        ("most", np.int64),  # visits of the root, with those in flight, that no flight may exceed
        ("begun", np.int64),  # flights that began since the tree was created
        ("ended", np.int64),  # those of them, in the same order, that were added to the tree
        ("full", np.int64),  # whether there was no room for a node's children
    ],
    align=True,
)
_TYPES = (np.float32,) * 4 + (np.int32,) * 4  # of the columns
_COLUMNS = [types.Array(numba.from_dtype(np.dtype(each)), 1, "C") for each in _TYPES]
EDGES = types.NamedTuple(_COLUMNS, Edges)  # type: ignore[no-untyped-call]
NODES = types.Array(numba.from_dtype(NODE), 1, "C")
HEADER = numba.from_dtype(TREE)
EVALUATIONS = types.Array(types.float32, 1, "C")
Arrays: TypeAlias = tuple[Edges, np.ndarray, np.ndarray]


def new_arrays(count: int, *, network: bool = False) -> Arrays:
    """Return arrays for this many nodes, which take memory only for the parts that are written.

    The last one has a network's value of each node, 1 for a certain loss of First to 2 for a
    certain win, and 0 for a node that is not evaluated. It is empty without a network.
    """
    nodes, *columns = zeros(count, NODE, *_TYPES)
    return Edges(*columns), nodes, np.zeros(count if network else 0, np.float32)


def arrays_for(count: int, *, network: bool = False) -> Arrays:
    """Return arrays for this many nodes, or for fewer if the machine is short of memory.

    Raises `MemoryError` if there is no room even for `FEWEST_NODES`.
    """
    while True:
        try:
            return new_arrays(count, network=network)
        except MemoryError:
            if count <= FEWEST_NODES:
                raise
            count //= 2


@numba.njit(inline="always")
def copy_node(
    edges: Any,
    nodes: Any,
    evaluations: Any,
    index: int,
    to_edges: Any,
    to_nodes: Any,
    to_evaluations: Any,
    to: int,
) -> None:
    """Copy all fields of a node, with the location of its children."""
    to_edges.value[to], to_edges.spread[to] = edges.value[index], edges.spread[index]
    to_edges.mean[to], to_edges.visits[to] = edges.mean[index], edges.visits[index]
    to_edges.amaf_sum[to] = edges.amaf_sum[index]
    to_edges.amaf_count[to] = edges.amaf_count[index]
    to_edges.move[to], to_edges.proven[to] = edges.move[index], edges.proven[index]
    to_nodes[to] = nodes[index]
    if evaluations.size:
        to_evaluations[to] = evaluations[index]
