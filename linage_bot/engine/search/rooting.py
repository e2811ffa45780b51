"""What is done to a tree between visits: it is given a root, moved to another one, or pruned."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import Gains, Moves, compiled
from linage_bot.engine.search.uct import EDGES, LEAF, NODES, TREE, expand, favour

_TREE = numba.from_dtype(TREE)


@compiled(types.void(EDGES, NODES, _TREE, types.int64, Moves, types.int64, Gains))
def expand_root(
    edges: Any, nodes: Any, tree: Any, mover: int, moves: Any, count: int, gains: Any
) -> None:
    """Make an empty tree's root node 0, with these moves and their promises as its children."""
    tree.used = 1
    expand(edges, nodes, tree, 0, mover, moves, count)
    if tree.prior_visits:
        favour(edges, nodes, tree, 0, mover, gains)


@compiled(types.int64(EDGES, NODES, EDGES, NODES, types.int64))
def transplant(edges: Any, nodes: Any, new_edges: Any, new_nodes: Any, root: int) -> int:
    """Copy the tree below a node, breadth first, to arrays as long; returns the nodes copied.

    `first` of a node not yet looked at still points into the old arrays.
    """
    new_edges[0], new_nodes[0] = edges[root], nodes[root]
    used, index = 1, 0
    while index < used:
        node = new_nodes[index]
        if node.first != LEAF:
            old, node.first = node.first, used
            for child in range(old, old + node.children):
                new_edges[used], new_nodes[used] = edges[child], nodes[child]
                used += 1
        index += 1
    return used


_Indices = types.Array(types.int32, 1, "C")


@compiled(types.int64(EDGES, NODES, types.int64, types.int64, _Indices, _Indices))
def prune(edges: Any, nodes: Any, used: int, least: int, owner: Any, moved: Any) -> int:
    """Make leaves of the nodes with fewer than `least` visits, but for the root; the nodes left.

    What is left moves together in the order in which it is, so that a node still stands before its
    children. `owner` and `moved` are room for as many indices as nodes are used: by the first of
    some children their parent, and by a node where it goes, or -1.
    """
    for index in range(used):
        first = nodes[index].first
        if first != LEAF:
            owner[first], moved[first] = index, nodes[index].children
    moved[0] = 0
    old, new = 1, 1
    while old < used:
        parent, count = moved[owner[old]], moved[old]
        if parent == 0 or (parent > 0 and edges[parent].visits >= least):
            nodes[parent].first = new
            for _ in range(count):
                edges[new], nodes[new] = edges[old], nodes[old]
                moved[old] = new
                old, new = old + 1, new + 1
        else:
            if parent > 0:
                nodes[parent].first, nodes[parent].children = LEAF, 0
            moved[old : old + count] = -1
            old += count
    for index in range(new, used):  # beyond what is used the arrays are zeros
        edge, node = edges[index], nodes[index]
        edge.value = edge.spread = edge.mean = edge.amaf_sum = np.float32(0.0)
        edge.amaf_count = edge.visits = edge.move = edge.proven = np.int32(0)
        node.reward = node.wins = node.margin = node.margin_squares = 0.0
        node.first = node.children = np.int32(0)
    return new
