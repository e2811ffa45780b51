"""Evaluation of the positions in a tree by a network, in batches.

Strategy. From time to time the growth of the tree pauses. All nodes with children and enough visits
that were not evaluated yet are collected and evaluated together (`_collect`, `Evaluator`). Then
(`learn`) the value of each takes part in all later visits below it (`uct._end`); earlier ones keep
the value of the node above that was evaluated. The priors become samples of the children, like
those of a kernel: a move that the network prefers less gets samples that are worse than the node's
mean or its own samples, in proportion to the logarithm of the ratio of the two priors. So equal
priors change nothing.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.jit.pointers import compiled_with
from linage_bot.engine.kernels.contract import Kernel, compiled
from linage_bot.engine.network import PLANES, NetworkFailed, evaluated
from linage_bot.engine.search.batches import STAY, BatchLoops, loops_for
from linage_bot.engine.search.children import update_value
from linage_bot.engine.search.flights import FLIGHT, RECORDS, reach
from linage_bot.engine.search.layout import DEEPEST, EDGES, EVALUATIONS, HEADER, LEAF, NODES, OPEN
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Game
from linage_bot.settings.network import Network

_BATCH = 64  # positions in one call of the network, at most
_LONGEST_PAUSE = 512  # visits between two evaluations of the tree, at most
_PAUSE_SHARE = 8  # one for so many visits at the root
_LEAST_PRIOR = 1e-4  # as a share of all; lower ones count as this
_Movers = types.Array(types.uint8, 1, "C")
_Places = types.Array(types.int64, 1, "C")
_Priors = types.Array(types.float64, 2, "C")
_Values = types.Array(types.float64, 1, "C")


def _collect(
    edges: Any,
    nodes: Any,
    evaluations: Any,
    tree: Any,
    root: Any,
    found: Any,
    states: Any,
    movers: Any,
    places: Any,
    least: int,
    copy: Any,
    play: Any,
) -> int:
    """Find nodes to evaluate, parents before children; return their number.

    They are the root and all open nodes with children and at least `least` visits. The way to each
    is written into `found`, which limits their number, its state into `states`, and the player to
    move into `movers`. `places` is room for the next child to examine at each depth.
    """
    count, depth, way = 0, 0, found[len(found) - 1]
    way.path[0], places[0] = 0, nodes[0].first
    new = not evaluations[0]
    while depth >= 0:
        if new:
            flight = found[count]
            flight.depth = depth
            for d in range(depth):
                flight.path[d], flight.moves[d] = way.path[d], way.moves[d]
            flight.path[depth] = way.path[depth]
            reach(states[count], root[0], flight, depth, copy, play)
            movers[count] = tree.to_move ^ (depth & 1)
            count, new = count + 1, False
            if count == len(found):
                break
        node = nodes[way.path[depth]]
        child = places[depth]
        if child == node.first + node.children or depth + 1 == DEEPEST:
            depth -= 1
            continue
        places[depth] += 1
        if edges.visits[child] < least or edges.proven[child] != OPEN:
            continue
        if nodes[child].first != LEAF:
            way.moves[depth] = edges.move[child]
            depth += 1
            way.path[depth], places[depth] = child, nodes[child].first
            new = not evaluations[child]
    return count


@compiled(types.void(EDGES, NODES, EVALUATIONS, HEADER, RECORDS, types.int64, _Priors, _Values))
def learn(
    edges: Any,
    nodes: Any,
    evaluations: Any,
    tree: Any,
    found: Any,
    count: int,
    priors: Any,
    values: Any,
) -> None:
    """Add the network's priors and values, First's from 0 to 1, of the nodes found to the tree."""
    for i in range(count):
        depth, path = found[i].depth, found[i].path
        index = path[depth]
        evaluations[index] = np.float32(1.0 + values[i])
        _add_priors(edges, nodes, tree, index, tree.to_move ^ (depth & 1), priors[i])


@numba.njit(inline="always")
def _add_priors(edges: Any, nodes: Any, tree: Any, index: int, mover: int, priors: Any) -> None:
    """Add samples to the children of a node, by their priors."""
    first, end = int(nodes[index].first), int(nodes[index].first) + int(nodes[index].children)
    total, best, worst = 0.0, 0.0, np.inf
    for child in range(first, end):
        prior = priors[edges.move[child]]  # that of a pass is the last one
        total, best, worst = total + prior, max(best, prior), min(worst, prior)
    if best == worst:
        return
    sign = 1.0 if mover == 0 else -1.0
    mean = np.float64(edges.mean[index]) if edges.visits[index] else 0.5
    for child in range(first, end):
        if edges.proven[child] != OPEN or not edges.spread[child]:  # certain, or not searched
            continue
        samples, own = edges.amaf_count[child], mean
        if samples:
            own = np.float64(edges.amaf_sum[child]) / samples
        share = max(_LEAST_PRIOR, priors[edges.move[child]] / total)
        value = own - sign * tree.network_slope * math.log(best / total / share)
        edges.amaf_count[child] += np.int32(tree.network_samples)
        edges.amaf_sum[child] += np.float32(tree.network_samples * value)
        if edges.visits[child]:
            update_value(edges, child, tree.rave_bias)
        else:
            edges.value[child] = edges.amaf_sum[child] / np.float32(edges.amaf_count[child])


@functools.cache
def collector_of(kernel: Kernel) -> Callable[..., int]:
    """Return `_collect` for a kernel, compiled or loaded from disk."""
    states = types.Array(kernel.signatures.state, 1, "C")
    own = EDGES, NODES, EVALUATIONS, HEADER, states, RECORDS, states, _Movers, _Places, types.int64
    return compiled_with((kernel.copy, kernel.play), _collect, types.int64, own)


class Evaluator:
    """A network that evaluates the positions of one game in a tree, with its arrays."""

    def __init__(self, kernel: Kernel, game: Game, network: Network) -> None:
        """Create it, or raise `NetworkFailed` if the game has no observations."""
        self._network = network
        self._loops: BatchLoops = loops_for(kernel)
        if self._loops.observe is None:
            raise NetworkFailed(f"{game.name} has no observations")
        self._collect = collector_of(kernel)
        self._shape = PLANES, game.board.rows, game.board.columns  # of one position
        self._exists = np.zeros(game.board.rows * game.board.columns, np.bool_)
        self._exists[list(bits(game.board.points))] = True
        self._found = np.zeros(_BATCH, FLIGHT)
        self._states = np.zeros(_BATCH, kernel.dtype)
        self._movers, self._places = np.zeros(_BATCH, np.uint8), np.zeros(DEEPEST, np.int64)

    def evaluate(self, edges: Any, nodes: Any, evaluations: Any, header: Any, root: Any) -> None:
        """Evaluate all nodes that have enough visits, a batch after the other.

        Raises `NetworkFailed` for results of a wrong shape or value, and the exceptions of the
        network's function. The tree keeps the batches before.
        """
        tree, count = (edges, nodes, evaluations, header), _BATCH
        while count == _BATCH:
            room = self._found, self._states, self._movers, self._places
            count = self._collect(*tree, root, *room, self._network.visits)
            if count:
                priors, values = evaluated(self._network, self._observe(count))
                learn(*tree, self._found, count, priors, (1.0 + values) / 2)

    def pause_after(self, visits: int) -> int:
        """Return the number of visits before the next evaluation, by those at the root so far."""
        return max(1, min(_LONGEST_PAUSE, visits // _PAUSE_SHARE))

    def _observe(self, count: int) -> Any:
        """Return the planes of the first positions found."""
        assert self._loops.observe is not None
        points, states, movers = self._exists.size, self._states[:count], self._movers[:count]
        mask, counts = np.empty((count, points + 1), np.bool_), np.empty(count, np.int64)
        listed, stay = np.empty((count, points + 1), np.int64), np.full(count, STAY)
        returns, row = np.empty(count, np.float32), np.empty(points, np.int64)
        self._loops.step(states, listed, counts, mask, movers, returns, stay, 0, count)
        planes = np.empty((count, PLANES, points), np.float32)
        self._loops.observe(states, mask, movers, self._exists, row, planes, 0, count)
        return planes.reshape(count, *self._shape)
