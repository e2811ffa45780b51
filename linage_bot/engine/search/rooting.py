"""Operations on a tree between visits: set its root, move it to another root, or prune it."""

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.jit.lazy_function import together
from linage_bot.engine.kernels.contract import Gains, Moves, compiled
from linage_bot.engine.search.children import expand
from linage_bot.engine.search.layout import (
    EDGES,
    EVALUATIONS,
    HEADER,
    LEAF,
    NODES,
    OPEN,
    copy_node,
)
from linage_bot.rules.game import PASS

_ARRAYS = EDGES, NODES, EVALUATIONS


@compiled(types.void(*_ARRAYS, HEADER, types.int64, types.int64, Moves, types.int64, Gains))
def give_children(
    edges: Any,
    nodes: Any,
    evaluations: Any,
    tree: Any,
    index: int,
    mover: int,
    moves: Any,
    count: int,
    gains: Any,
) -> None:
    """Add these moves, with their priors, as the children of a root or of a node to become one."""
    expand(edges, nodes, evaluations, tree, index, mover, moves, count, gains)


@compiled(types.int64(*_ARRAYS, *_ARRAYS, types.int64, types.int64, types.int64))
def copy_subtree(
    edges: Any,
    nodes: Any,
    evaluations: Any,
    new_edges: Any,
    new_nodes: Any,
    new_evaluations: Any,
    root: int,
    mover: int,
    least: int,
) -> int:
    """Copy the tree below a node, breadth first, to other arrays; return the number of nodes.

    `mover` is the player to move at that node, which keeps all its children. If `least` is not 0,
    other nodes lose their untried children, except for the best (`_spared`), and nodes with fewer
    visits than `least` lose all children. `first` of a node that was not reached yet still points
    into the old arrays.
    """
    copy_node(edges, nodes, evaluations, root, new_edges, new_nodes, new_evaluations, 0)
    used, index, level_ends = 1, 0, 1
    while index < used:
        if index == level_ends:
            mover, level_ends = 1 - mover, used
        node, visits = new_nodes[index], new_edges.visits[index]
        if index and least and visits < least:
            node.first, node.children, node.thinned = LEAF, 0, 0
        if node.first != LEAF:
            old, end = int(node.first), int(node.first) + int(node.children)
            bound, equals = np.float32(-1e9), end - old
            if index and least:
                bound, equals = _least_kept(
                    edges, old, end, np.float32(1.0 if mover == 0 else -1.0)
                )
            node.first = used
            for child in range(old, end):
                value, move = edges.value[child], edges.move[child]
                tried = edges.visits[child] > 0 or edges.proven[child] != OPEN or move == PASS
                value = value if mover == 0 else -value
                spared = not tried and value == bound and equals > 0
                equals -= spared
                if tried or spared or value > bound:
                    copy_node(
                        edges,
                        nodes,
                        evaluations,
                        child,
                        new_edges,
                        new_nodes,
                        new_evaluations,
                        used,
                    )
                    used += 1
            node.children = used - node.first
            if node.children < end - old and not node.thinned:
                while visits >> node.thinned:
                    node.thinned += 1
        index += 1
    return used


@numba.njit(inline="always")
def _least_kept(edges: Any, first: int, end: int, sign: Any) -> Any:
    """Return the least value of the untried children that are kept, and the number kept at it.

    Untried children of a higher value are kept, too; at most two in all. It is the value of the
    second best.
    """
    best, second = np.float32(-1e9), np.float32(-1e9)
    for index in range(first, end):
        if edges.visits[index] == 0 and edges.proven[index] == OPEN:
            value = sign * edges.value[index]
            if value > best:
                best, second = value, best
            elif value > second:
                second = value
    return second, 1 if best > second else 2


together(give_children, copy_subtree)
