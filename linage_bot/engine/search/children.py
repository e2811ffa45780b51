"""Operations on all children of a node: create, choose, sample, prove.

Strategy. `choose` and `sample` run at every node on the path of a visit and cause most of its cost
apart from the playout. Each is a loop over columns without a branch, which LLVM compiles to vector
code. For this, the arrays of `sample` are declared not to overlap, and `choose` compares its bounds
as integers, because the maximum of floats would have to be found in order.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import IDLE, Gains, Moves, compiled
from linage_bot.engine.search.flights import Flight
from linage_bot.engine.search.layout import (
    DRAWN,
    EDGES,
    EVALUATIONS,
    FIRST_WINS,
    HEADER,
    NODES,
    OPEN,
    SECOND_WINS,
    copy_node,
)
from linage_bot.rules.game import PASS

CERTAIN = 1000.0  # value of a proven win of First; values that are not proven are from 0 to 1
_PASS_SAMPLES = 16
_MOST_SAMPLES = 1 << 20  # then they are halved: a 32-bit sum could take no more
_UNTRIED = 10.0  # puts a child without visits and samples before all that are not proven
_LEFT = 100.0  # puts an idle child after all that are not proven
_U = np.uint64


@compiled(types.int64(EDGES, types.int64, types.int64, types.int64, types.float32, types.float32))
def choose(edges: Any, first: int, count: int, offset: int, sign: Any, width: Any) -> Any:
    """Return the child with the highest upper confidence bound, `sign * value + width * spread`.

    Among equals it is the first from the one at `offset` on, cyclically: a random one if `offset`
    is random.
    """
    best = np.int32(-(1 << 31))
    for index in range(_U(first), _U(first + count)):
        best = max(best, _in_order(_bound(edges, index, sign, width)))
    for index in range(_U(first + offset), _U(first + count)):
        if _in_order(_bound(edges, index, sign, width)) == best:
            return np.int64(index)
    before = _U(first)
    while _in_order(_bound(edges, before, sign, width)) != best:
        before += _U(1)
    return np.int64(before)


@numba.njit(inline="always")
def _bound(edges: Any, index: Any, sign: Any, width: Any) -> Any:
    return np.float32(sign * edges.value[index] + width * edges.spread[index])


@numba.njit(inline="always")
def _in_order(number: Any) -> Any:
    """Return an integer in the same order as the float; bits of negative floats sort backwards."""
    bits = np.float32(number).view(np.int32)
    return np.int32(bits ^ ((bits >> np.int32(31)) & np.int32(0x7FFFFFFF)))


@compiled(
    types.void(EDGES, Flight, types.int64, types.int64, types.int64, types.float32), distinct=True
)
def sample(edges: Any, flight: Any, first: int, count: int, side: int, bias: Any) -> None:
    """Add to the children's samples the playouts of a flight that played their moves.

    `side` is the index of the mover's entry for point 0; `bias` is the weight of a move's own
    visits (`rave_bias`).
    """
    counts, rewards = flight.counts, flight.rewards
    for index in range(_U(first), _U(first + count)):
        at = _U(side + edges.move[index])
        played = counts[at] > 0
        samples = edges.amaf_count[index]
        old = played & (samples >= _MOST_SAMPLES)
        samples = np.int32((samples >> np.int32(old)) + counts[at])
        total = edges.amaf_sum[index] * (np.float32(0.5) if old else np.float32(1.0))
        total += rewards[at]
        edges.amaf_count[index], edges.amaf_sum[index] = samples, total
        value = _mixed(edges.visits[index], edges.mean[index], samples, total, bias)
        changed = played & (edges.proven[index] == OPEN)
        edges.value[index] = value if changed else edges.value[index]


@numba.njit(inline="always")
def _mixed(visits: Any, mean: Any, samples: Any, total: Any, bias: Any) -> Any:
    """Return the mean of the visits mixed with that of the AMAF samples, given by count and sum.

    The weight of the samples is Silver's: n' / (n + n' + bias n n') for n visits and n' samples.
    """
    own = np.float32(visits) + bias * np.float32(visits) * np.float32(samples)
    return (total + own * mean) / (np.float32(samples) + own)


@numba.njit(inline="always")
def update_value(edges: Any, index: int, bias: float) -> None:
    """Update the value of a node that is not proven, after a visit."""
    samples = edges.amaf_count[index]
    edges.value[index] = edges.mean[index]
    if samples:
        edges.value[index] = _mixed(
            edges.visits[index],
            edges.mean[index],
            samples,
            edges.amaf_sum[index],
            np.float32(bias),
        )


@compiled(
    types.void(
        EDGES, NODES, EVALUATIONS, HEADER, types.int64, types.int64, Moves, types.int64, Gains
    )
)
def expand(
    edges: Any,
    nodes: Any,
    evaluations: Any,
    tree: Any,
    index: int,
    mover: int,
    moves: Any,
    n: int,
    gains: Any,
) -> None:
    """Give children to a leaf, or all of them to a node that lost some; there must be room.

    There is at least one. Children that the node already has are copied there with all below them;
    the others are untried. New children start with the priors of their moves (`gains`), if the
    search uses priors. Beyond the used part the arrays are zeros, and so are the fields that are
    not set here.
    """
    old, kept = nodes[index].first, nodes[index].children
    nodes[index].first, nodes[index].children, nodes[index].thinned = tree.used, n, 0
    sign = np.float32(1.0 if mover == 0 else -1.0)
    for i in range(n):
        child = tree.used + i
        value = sign * np.float32(_UNTRIED)
        edges.spread[child], edges.move[child] = np.float32(1.0), moves[i]
        if moves[i] == PASS:
            if edges.move[index] == PASS:  # usually the end: one visit proves the result
                value *= np.float32(2.0)
            else:  # no playout samples it, so it starts as a poor move
                mean = edges.mean[index] if edges.visits[index] else np.float32(0.5)
                value = mean - sign * np.float32(tree.pass_loss)
                samples = np.int32(_PASS_SAMPLES if tree.rave else 0)
                edges.amaf_count[child] = samples
                edges.amaf_sum[child] = np.float32(samples) * value
                if tree.pass_follows and not edges.visits[index]:  # there is no mean to follow yet
                    value = sign * np.float32(2.0 * _UNTRIED)
        edges.value[child] = value
    tree.used += n
    if tree.prior_visits:
        _apply_priors(edges, nodes, tree, index, mover, gains)
    if tree.leaves_idle:
        _rank_idle(edges, nodes, index, mover, gains)
    for child in range(old, old + kept):
        for new in range(nodes[index].first, tree.used):
            if edges.move[new] == edges.move[child]:
                copy_node(edges, nodes, evaluations, child, edges, nodes, evaluations, new)


@compiled(types.void(EDGES, NODES, HEADER, types.int64, types.int64))
def follow_mean(edges: Any, nodes: Any, tree: Any, index: int, mover: int) -> None:
    """Set the initial value of the pass among a node's children by the node's current mean.

    When the node got its children, after a few visits or none, its mean was hardly known. Since no
    playout samples a pass, a wrong initial value would remain.
    """
    last = int(nodes[index].first) + int(nodes[index].children) - 1
    samples = edges.amaf_count[last]
    if edges.move[last] == PASS and samples and edges.proven[last] == OPEN:
        loss = np.float32(tree.pass_loss if mover == 0 else -tree.pass_loss)
        edges.amaf_sum[last] = np.float32(samples) * (edges.mean[index] - loss)
        if edges.visits[last]:
            update_value(edges, last, tree.rave_bias)
        else:
            edges.value[last] = edges.mean[index] - loss


@compiled(types.void(EDGES, NODES, HEADER, types.int64, types.int64, Gains))
def _apply_priors(edges: Any, nodes: Any, tree: Any, index: int, mover: int, gains: Any) -> None:
    """Give the new children of a node initial AMAF samples, by the priors of their moves.

    The move with the best prior starts at the node's own mean, the others below it. Passes have an
    initial value of their own.
    """
    first, end = nodes[index].first, nodes[index].first + nodes[index].children
    sign = 1.0 if mover == 0 else -1.0
    best = -1e9
    for child in range(first, end):
        if edges.move[child] != PASS:
            best = max(best, sign * gains[child - first])
    mean = np.float64(edges.mean[index]) if edges.visits[index] else 0.5
    for child in range(first, end):
        if edges.move[child] != PASS:
            loss = tree.prior_slope * (best - sign * gains[child - first])
            edges.value[child] = np.float32(mean - sign * loss)
            edges.amaf_count[child] = tree.prior_visits
            edges.amaf_sum[child] = np.float32(edges.amaf_count[child]) * edges.value[child]


@compiled(types.void(EDGES, NODES, types.int64, types.int64, Gains))
def _rank_idle(edges: Any, nodes: Any, index: int, mover: int, gains: Any) -> None:
    """Rank new children with the prior `IDLE` after all others that may still win.

    They remain among the children, so that nothing is proven without them. A child that playouts
    sample gets the value of its samples.
    """
    first, end = nodes[index].first, nodes[index].first + nodes[index].children
    sign = 1.0 if mover == 0 else -1.0
    for child in range(first, end):
        if sign * gains[child - first] <= IDLE:
            edges.value[child], edges.spread[child] = np.float32(-sign * _LEFT), np.float32(0.0)
            edges.amaf_count[child], edges.amaf_sum[child] = np.int32(0), np.float32(0.0)


@numba.njit(inline="always")
def prove(edges: Any, index: int, proven: int) -> None:
    """Mark a node as proven and fix its value."""
    edges.proven[index], edges.spread[index] = proven, np.float32(0.0)
    if proven == FIRST_WINS:
        edges.value[index] = np.float32(CERTAIN)
    elif proven == SECOND_WINS:
        edges.value[index] = np.float32(-CERTAIN)
    else:
        edges.value[index] = np.float32(0.5)


@compiled(types.int64(EDGES, NODES, types.int64, types.int64))
def proven_by_children(edges: Any, nodes: Any, index: int, mover: int) -> int:
    """Return the certain result of a node with a proven child; `OPEN` if there is none."""
    node = nodes[index]
    win = FIRST_WINS if mover == 0 else SECOND_WINS
    result = SECOND_WINS if mover == 0 else FIRST_WINS
    if node.thinned:
        result = OPEN
    for child in range(node.first, node.first + node.children):
        proven = edges.proven[child]
        if proven == win:
            return win
        if proven == OPEN:
            result = OPEN
        elif proven == DRAWN and result != OPEN:
            result = DRAWN
    return result
