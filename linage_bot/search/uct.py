"""Plain UCT, compiled once per kernel: the tree of Kocsis and Szepesvári (2006) in arrays.

Strategy. Nodes are records of one array; the children of a node stand side by side, those of the
root, the moves to consider, from node 1 on. A visit copies the root's state, walks down by the
upper confidence bound, adds the children of a leaf at its eighth visit, plays the rest at random
and adds the result along the path. When the array is full no more children are added and the
search goes on in the tree it has.

Invariants. `wins` and `margin` are First's, whoever is to move at the node: a win counts 1, a draw
1/2. `first` is -1 until a node has children, -2 if the game is over there. The players alternate,
so the player to move at depth d is the root's if d is even. `visits` of a node is the number of
playouts that went through it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.kernels.contract import FOLDER, Kernel, Moves, Random
from linage_bot.kernels.words import advance, below

NODE = np.dtype(
    [
        ("move", np.int32),
        ("first", np.int32),  # index of the first child
        ("children", np.int32),
        ("visits", np.int32),
        ("wins", np.float64),
        ("margin", np.float64),  # sum, in half points
    ],
    align=True,
)
TREE = np.dtype(
    [
        ("used", np.int64),  # nodes; the root is node 0
        ("to_move", np.int64),  # at the root
        ("exploration", np.float64),
        ("expand_at", np.int64),  # visits
    ],
    align=True,
)
DEEPEST = 1024

LEAF, OVER = -1, -2
_U = np.uint64
_PATH = types.Array(types.int64, 1, "C")


def compile_for(kernel: Kernel) -> Callable[..., None]:
    """`_visit` compiled for a kernel's states; its last four arguments are the kernel's."""
    of = kernel.signatures
    states = types.Array(of.state, 1, "C")
    signature = types.void(
        types.Array(numba.from_dtype(NODE), 1, "C"),
        numba.from_dtype(TREE),
        states,
        states,
        Random,
        Moves,
        _PATH,
        types.int64,
        *(types.FunctionType(each) for each in (of.copy, of.play, of.legal, of.playout)),
    )
    compiled: Callable[..., None] = numba.njit(
        signature, cache=FOLDER is not None, nogil=True, error_model="numpy"
    )(_visit)
    return compiled


@numba.njit(inline="always")
def _choose(nodes: Any, tree: Any, parent: int, mover: int, word: Any) -> int:
    """The child with the highest upper confidence bound; unvisited ones come first.

    The scan starts at a random child, so that ties are broken at random.
    """
    node = nodes[parent]
    log_visits = math.log(node.visits)
    offset = np.int64(below(word, _U(node.children)))
    best, best_bound = -1, -1.0
    for i in range(node.children):
        index = offset + i
        if index >= node.children:
            index -= node.children
        child = nodes[node.first + index]
        if child.visits == 0:
            return int(node.first + index)
        mean = child.wins / child.visits
        if mover == 1:
            mean = 1.0 - mean
        bound = mean + tree.exploration * math.sqrt(log_visits / child.visits)
        if bound > best_bound:
            best, best_bound = node.first + index, bound
    return best


@numba.njit(inline="always")
def _expand(nodes: Any, tree: Any, index: int, moves: Any, count: int) -> None:
    """Give a leaf its children, if there is room for all of them."""
    if count == 0:
        nodes[index].first = OVER
    elif tree.used + count <= len(nodes):
        nodes[index].first, nodes[index].children = tree.used, count
        for i in range(count):
            child = nodes[tree.used + i]
            child.move, child.first, child.children = moves[i], LEAF, 0
            child.visits, child.wins, child.margin = 0, 0.0, 0.0
        tree.used += count


def _visit(
    nodes: Any,
    tree: Any,
    root: Any,
    scratch: Any,
    random: Any,
    moves: Any,
    path: Any,
    visits: int,
    copy: Any,
    play: Any,
    legal: Any,
    playout: Any,
) -> None:
    """Add so many visits to the tree."""
    state = scratch[0]
    for _ in range(visits):
        copy(state, root[0])
        index, depth, mover = 0, 0, tree.to_move
        path[0] = 0
        while True:
            node = nodes[index]
            if node.first == LEAF and node.visits >= tree.expand_at:
                _expand(nodes, tree, index, moves, legal(state, moves))
            if node.children == 0 or depth + 1 == DEEPEST:
                break
            random[0] = advance(random[0])
            index = _choose(nodes, tree, index, mover, random[0])
            play(state, nodes[index].move)
            mover = 1 - mover
            depth += 1
            path[depth] = index
        margin = playout(state, random)
        win = 1.0 if margin > 0 else (0.5 if margin == 0 else 0.0)
        for d in range(depth + 1):
            node = nodes[path[d]]
            node.visits += 1
            node.wins += win
            node.margin += margin
