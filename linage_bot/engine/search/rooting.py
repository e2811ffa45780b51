"""Giving a tree its root: the moves to consider, or the part of a tree below a move played."""

from __future__ import annotations

from typing import Any

import numba
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
