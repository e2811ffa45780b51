"""UCT with all-moves-as-first statistics and proven results, compiled once per kernel.

Strategy. A visit copies the root's state and walks down, always to the child with the highest
`value + exploration * sqrt(log(parent's visits)) * spread`; at its eighth visit a leaf gets
children; the rest is played at random, and the result is added along the path (Kocsis and
Szepesvári 2006). On the way back each node's children that were played later, in the tree or in
the playout, take the result as an all-moves-as-first sample (RAVE, Gelly and Silver 2011), which
weighs less the more visits a child has of its own. A node whose result is certain is proven, and
so may its parent be (Winands, Björnsson and Saito 2008). When the arrays are full the search
pauses, always at the same visit, until somebody has made room (`rooting.transplant`).

Invariants. The children of a node stand side by side; those of the root, the moves to consider,
from index 1 on. `EDGE` holds what the choice among children reads, `NODE` the rest; both are
indexed alike. All values are First's, 0 to 1, whoever is to move: `value` mixes the mean of the
visits and that of the AMAF samples, `spread` is 1 / sqrt(visits). A proven node has the value of
its result, moved out of reach of every other (`_CERTAIN`), and no spread. The players alternate,
so the player to move at depth d is the root's if d is even.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.jit.deferred import Deferred
from linage_bot.engine.jit.pointers import bound, taking
from linage_bot.engine.kernels.contract import MOST_MOVES, Gains, Kernel, Moves, Random, compiled
from linage_bot.engine.kernels.words import advance, below
from linage_bot.rules.game import PASS

EDGE = np.dtype(
    [
        ("value", np.float32),
        ("spread", np.float32),
        ("mean", np.float32),  # of the visits
        ("amaf_sum", np.float32),
        ("amaf_count", np.int32),
        ("visits", np.int32),
        ("move", np.int32),
        ("proven", np.int32),
    ],
    align=True,
)
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
        ("score_weight", np.float64),
        ("score_scale", np.float64),  # in half points
        ("prior_visits", np.int64),
        ("prior_slope", np.float64),
        ("only_winner", np.int64),  # whether who wins is all that is asked
        ("full", np.int64),  # whether children were wanted for which there was no room
        ("visit", np.int64),  # number of the visit, to mark moves with
        ("marks", np.int64, 2 * MOST_MOVES),  # by player and point: the last visit that played it
    ],
    align=True,
)
DEEPEST = 1024

LEAF = 0  # no child is the root, so what was never written to is a leaf
OPEN, FIRST_WINS, SECOND_WINS, DRAWN = 0, 1, 2, 3
_CERTAIN = 1000.0
_PASS_SAMPLES = 16
_MOST_SAMPLES = 1 << 20  # then the older half is forgotten: a sum of 32 bits would take no more
_GROWN = 2  # bits of visits more, and children that were dropped come back
_UNTRIED = 10.0  # an unvisited child without samples comes before all that are not proven
_U = np.uint64
_MARKS = np.int64(MOST_MOVES)
EDGES = types.Array(numba.from_dtype(EDGE), 1, "C")
NODES = types.Array(numba.from_dtype(NODE), 1, "C")


@functools.cache
def visit_of(kernel: Kernel) -> Deferred:
    """`_visit` for a kernel, of which it needs only the types."""
    states = types.Array(kernel.signatures.state, 1, "C")
    own = (
        EDGES,
        NODES,
        numba.from_dtype(TREE),
        states,
        states,
        Random,
        Moves,
        Moves,
        Moves,
        Gains,
        types.int64,
    )
    return taking(_given(kernel), _visit, types.void, own)


@functools.cache
def compile_for(kernel: Kernel) -> Callable[..., None]:
    """`_visit` compiled for a kernel, or loaded from disk, with the functions it is given."""
    return bound(visit_of(kernel), _given(kernel))


def _given(kernel: Kernel) -> tuple[Callable[..., Any], ...]:
    return kernel.copy, kernel.play, kernel.legal, kernel.playout, promise_of(kernel)


@functools.cache
def promise_of(kernel: Kernel) -> Callable[..., int]:
    """The kernel's `promise`; for one that has none, a function that does nothing."""
    if kernel.promise is not None:
        return kernel.promise
    return compiled(kernel.signatures.promise)(_promise_nothing)


def _promise_nothing(_state: Any, _moves: Any, _count: int, _gains: Any) -> int:
    return 0


@numba.njit(inline="always")
def _choose(edges: Any, nodes: Any, tree: Any, parent: int, mover: int, word: Any) -> int:
    """The child with the highest upper confidence bound for the player to move.

    The scan starts at a random child, so that ties are broken at random.
    """
    first, children = nodes[parent].first, nodes[parent].children
    sign = np.float32(1.0 if mover == 0 else -1.0)
    visits = max(1, edges[parent].visits)
    width = np.float32(tree.exploration * math.sqrt(math.log(visits)))
    offset = np.int64(below(word, _U(children)))
    best, best_bound = first + offset, np.float32(-1e9)
    for part in range(2):
        start = first + offset if part == 0 else first
        end = first + children if part == 0 else first + offset
        for index in range(start, end):
            edge = edges[index]
            bound = sign * edge.value + width * edge.spread
            if bound > best_bound:
                best, best_bound = index, bound
    return int(best)


@numba.njit(inline="always")
def expand(edges: Any, nodes: Any, tree: Any, index: int, mover: int, moves: Any, n: int) -> None:
    """Give a leaf its children, one or more, none of them tried; there must be room for them.

    Beyond what is used the arrays are zeros, and so is what is not set here.
    """
    nodes[index].first, nodes[index].children = tree.used, n
    for i in range(n):
        edge = edges[tree.used + i]
        sign = np.float32(1.0 if mover == 0 else -1.0)
        edge.value = sign * np.float32(_UNTRIED)
        edge.spread, edge.move = np.float32(1.0), moves[i]
        if moves[i] == PASS:
            if edges[index].move == PASS:  # this ends most games: one visit proves what it comes to
                edge.value *= np.float32(2.0)
            else:  # sampled by no playout, so it begins as a poor move
                mean = edges[index].mean if edges[index].visits else np.float32(0.5)
                edge.value = mean - sign * np.float32(tree.pass_loss)
                edge.amaf_count = _PASS_SAMPLES if tree.rave else 0
                edge.amaf_sum = np.float32(edge.amaf_count) * edge.value
    tree.used += n


@numba.njit(inline="always")
def favour(edges: Any, nodes: Any, tree: Any, index: int, mover: int, gains: Any) -> None:
    """Give the new children of a node AMAF samples to begin with, from what their moves promise.

    The most promising move begins at the node's own mean, the others below it. Passes have their
    own beginning.
    """
    first, end = nodes[index].first, nodes[index].first + nodes[index].children
    sign = 1.0 if mover == 0 else -1.0
    best = -1e9
    for child in range(first, end):
        if edges[child].move != PASS:
            best = max(best, sign * gains[child - first])
    mean = np.float64(edges[index].mean) if edges[index].visits else 0.5
    for child in range(first, end):
        edge = edges[child]
        if edge.move != PASS:
            loss = tree.prior_slope * (best - sign * gains[child - first])
            edge.value = np.float32(mean - sign * loss)
            edge.amaf_count = tree.prior_visits
            edge.amaf_sum = np.float32(edge.amaf_count) * edge.value


@numba.njit(inline="always")
def _complete(edges: Any, nodes: Any, old: int, kept: int, new: int, n: int) -> None:
    """Move the children that a node kept, and all below them, among its new ones."""
    for child in range(new, new + n):
        for index in range(old, old + kept):
            if edges[index].move == edges[child].move:
                edges[child], nodes[child] = edges[index], nodes[index]


@numba.njit(inline="always")
def _revalue(edge: Any, bias: float) -> None:
    """Mix a child's own mean and its AMAF mean.

    The weight of the samples is Silver's: n' / (n + n' + bias n n') for n visits and n' samples.
    """
    if edge.proven == OPEN:
        visits, samples = np.float32(edge.visits), np.float32(edge.amaf_count)
        own = visits + np.float32(bias) * visits * samples
        edge.value = (edge.amaf_sum + own * edge.mean) / (samples + own)


@numba.njit(inline="always")
def _prove(edge: Any, proven: int) -> None:
    """Fix the value of a child whose result is certain."""
    edge.proven, edge.spread = proven, np.float32(0.0)
    if proven == FIRST_WINS:
        edge.value = np.float32(_CERTAIN)
    elif proven == SECOND_WINS:
        edge.value = np.float32(-_CERTAIN)
    else:
        edge.value = np.float32(0.5)


@numba.njit(inline="always")
def _win(proven: int) -> float:
    """What a certain result counts for First."""
    return 1.0 if proven == FIRST_WINS else (0.0 if proven == SECOND_WINS else 0.5)


@numba.njit(inline="always")
def _proven_by_children(edges: Any, nodes: Any, index: int, mover: int) -> int:
    """The certain result of a node for which some child is proven; OPEN if there is none."""
    node = nodes[index]
    win = FIRST_WINS if mover == 0 else SECOND_WINS
    result = SECOND_WINS if mover == 0 else FIRST_WINS
    if node.thinned:
        result = OPEN
    for child in range(node.first, node.first + node.children):
        proven = edges[child].proven
        if proven == win:
            return win
        if proven == OPEN:
            result = OPEN
        elif proven == DRAWN and result != OPEN:
            result = DRAWN
    return result


@numba.njit(inline="always")
def _sample(edges: Any, nodes: Any, tree: Any, index: int, mover: int, reward: Any) -> None:
    """Give the result to the children of a node that were played below it."""
    marks = tree.marks
    player = 0 if tree.colour_blind else mover
    for child in range(nodes[index].first, nodes[index].first + nodes[index].children):
        edge = edges[child]
        if edge.move != PASS and marks[player * _MARKS + edge.move] == tree.visit:
            if edge.amaf_count >= _MOST_SAMPLES:
                edge.amaf_count >>= 1
                edge.amaf_sum *= np.float32(0.5)
            edge.amaf_count += 1
            edge.amaf_sum += reward
            _revalue(edge, tree.rave_bias)


def _visit(
    edges: Any,
    nodes: Any,
    tree: Any,
    root: Any,
    scratch: Any,
    random: Any,
    moves: Any,
    path: Any,
    trail: Any,
    gains: Any,
    visits: int,
    copy: Any,
    play: Any,
    legal: Any,
    playout: Any,
    promise: Any,
) -> None:
    """Add visits to the tree until its root has so many or is proven, or until it is full."""
    state = scratch[0]
    while edges[0].visits < visits and edges[0].proven == OPEN and not tree.full:
        copy(state, root[0])
        index, depth, mover, over = 0, 0, tree.to_move, False
        path[0] = 0
        while edges[index].proven == OPEN:
            ripe = edges[index].visits >= tree.expand_at
            passed = edges[index].move == PASS  # which may have ended the game
            thinned = nodes[index].thinned
            grown = thinned and edges[index].visits >> (thinned + _GROWN - 1) > 0
            if grown or (nodes[index].first == LEAF and (ripe or passed)):
                count = legal(state, moves)
                over = count == 0
                wanted = not over and (ripe or not tree.pruned)
                old, kept = nodes[index].first, nodes[index].children
                if wanted and tree.used + count > len(nodes):
                    tree.full = 1
                elif wanted:
                    if tree.prior_visits:
                        decided = promise(state, moves, count, gains)
                        if decided and tree.only_winner:
                            _prove(edges[index], FIRST_WINS if decided > 0 else SECOND_WINS)
                            break
                    expand(edges, nodes, tree, index, mover, moves, count)
                    if tree.prior_visits:
                        favour(edges, nodes, tree, index, mover, gains)
                    if grown:
                        _complete(edges, nodes, old, kept, nodes[index].first, count)
                        nodes[index].thinned = 0
            if nodes[index].first == LEAF or depth + 1 == DEEPEST:
                break
            random[0] = advance(random[0])
            index = _choose(edges, nodes, tree, index, mover, random[0])
            play(state, np.int64(edges[index].move))
            mover = 1 - mover
            depth += 1
            path[depth] = index

        margin = np.float64(playout(state, random, trail))
        win = 1.0 if margin > 0 else (0.5 if margin == 0 else 0.0)
        if edges[index].proven != OPEN:  # better than a sample
            if edges[index].visits:
                margin = nodes[index].margin / edges[index].visits
            win = _win(edges[index].proven)
        share = 0.5 + 0.5 * math.tanh(margin / tree.score_scale)
        reward = (1.0 - tree.score_weight) * win + tree.score_weight * share
        if over:
            _prove(edges[index], FIRST_WINS if margin > 0 else (SECOND_WINS if margin else DRAWN))
        tree.visit += 1
        if tree.rave:
            player = 0 if tree.colour_blind else mover
            step = 0 if tree.colour_blind else 1
            for i in range(1, trail[0] + 1):
                if trail[i] != PASS:
                    tree.marks[player * _MARKS + trail[i]] = tree.visit
                player ^= step
        for d in range(depth, -1, -1):
            edge, node = edges[path[d]], nodes[path[d]]
            if tree.rave and node.first != LEAF:
                _sample(edges, nodes, tree, path[d], mover, np.float32(reward))
            if d < depth and edges[path[d + 1]].proven != OPEN and edge.proven == OPEN:
                proven = _proven_by_children(edges, nodes, path[d], mover)
                if proven != OPEN:
                    _prove(edge, proven)
            node.reward += reward
            node.wins += win
            node.margin += margin
            node.margin_squares += margin * margin
            edge.visits += 1
            edge.mean = np.float32(node.reward / edge.visits)
            if edge.proven == OPEN:
                edge.spread = np.float32(1.0 / math.sqrt(edge.visits))
                if edge.amaf_count:
                    _revalue(edge, tree.rave_bias)
                else:
                    edge.value = edge.mean
            mover = 1 - mover  # now the player who made the move to this node
            if tree.rave and d > 0 and edge.move != PASS:
                player = 0 if tree.colour_blind else mover
                tree.marks[player * _MARKS + edge.move] = tree.visit
