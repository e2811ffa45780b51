"""UCT with all-moves-as-first statistics and proven results, compiled once per kernel.

Strategy. A visit begins at the root and descends, always to the child with the highest
`value + exploration * sqrt(log(parent's visits)) * spread`. A leaf with enough visits gets
children. From there a random game is played, by this thread or by another one (`flights`), and its
result is added along the path (Kocsis and Szepesvári 2006). On the way back, those children of each
node that were played later, in the tree or in the playout, get the result as an all-moves-as-first
sample (RAVE, Gelly and Silver 2011). The more visits a child has of its own, the less these samples
weigh. A node with a certain result is proven, and this may prove its parent (Winands, Björnsson and
Saito 2008). With a network, the value of the last evaluated node on the path takes part in the
result (`evaluating`). When the arrays are full, the search pauses, always at the same visit, until
the caller has made room (`rooting.copy_subtree`).

Invariants. `layout` describes the arrays, and `children` the operations on a node's children. The
players alternate, so the player to move at depth d is the root's if d is even.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.jit.atomics import load, store
from linage_bot.engine.jit.lazy_function import LazyFunction
from linage_bot.engine.jit.pointers import bound, taking
from linage_bot.engine.kernels.contract import Kernel, Moves, Random, compiled
from linage_bot.engine.kernels.words import advance, below, mixed
from linage_bot.engine.search.children import (
    choose,
    expand,
    follow_mean,
    prove,
    proven_by_children,
    sample,
    update_value,
)
from linage_bot.engine.search.flights import (
    APART,
    FLIGHTS,
    LANDED,
    WANTED,
    Flight,
    given,
    list_moves,
    play_flight,
    play_from,
    reach,
    reward_of,
    side_of,
)
from linage_bot.engine.search.layout import (
    DEEPEST,
    DRAWN,
    EDGES,
    EVALUATIONS,
    FIRST_WINS,
    HEADER,
    LEAF,
    NODES,
    OPEN,
    SECOND_WINS,
    SIDE,
)
from linage_bot.rules.game import PASS

_GROWN = 2  # more bits of the visits, at which children that were dropped come back
_NEVER = 1 << 40  # visits
_SINGLE = 1000  # visits of the root from which one thread plays more than one playout from a leaf
# Playouts of a flight with which this thread bounds the speed, so that others list moves for it,
# though it needs them itself before they are ready in two of five cases.
_LISTS_AHEAD = 4
_U = np.uint64


@functools.cache
def visit_of(kernel: Kernel) -> LazyFunction:
    """Return `_visit` for a kernel, to be compiled; it depends only on the kernel's types."""
    states = types.Array(kernel.signatures.state, 1, "C")
    own = (
        EDGES,
        NODES,
        EVALUATIONS,
        HEADER,
        states,
        states,
        Random,
        Random,
        FLIGHTS,
        Moves,
        types.int64,
        types.boolean,
    )
    return taking(given(kernel), _visit, types.void, own)


@functools.cache
def compile_for(kernel: Kernel) -> Callable[..., None]:
    """Return `_visit` with the kernel's functions bound, compiled or loaded from disk."""
    return bound(visit_of(kernel), given(kernel))


@numba.njit(inline="always")
def _win(proven: int) -> float:
    """Return the value of a certain result for First."""
    return 1.0 if proven == FIRST_WINS else (0.0 if proven == SECOND_WINS else 0.5)


def _visit(
    edges: Any,
    nodes: Any,
    evaluations: Any,
    tree: Any,
    root: Any,
    scratch: Any,
    random: Any,
    seed: Any,
    flights: Any,
    trail: Any,
    visits: int,
    to_end: bool,
    copy: Any,
    play: Any,
    legal: Any,
    playout: Any,
    priors: Any,
) -> None:
    """Begin this many visits, or fewer if the root is proven or the tree is full.

    The last flight may begin more, if that does not exceed `tree.most`. Afterwards all flights may
    be under way; none if `to_end`, or if no more can begin. If there is only one, this is done at
    once.
    """
    begun, lag = 0, len(flights.records)
    alone = lag == 1
    while True:
        on = edges.proven[0] == OPEN and not tree.full
        in_flight = tree.begun - tree.ended
        if on and begun < visits and in_flight < lag:
            number = tree.begun % lag
            flight = flights.records[number]
            _begin(
                edges,
                nodes,
                evaluations,
                tree,
                root,
                scratch,
                random,
                flights,
                number,
                alone,
                copy,
                play,
                legal,
                priors,
            )
            if alone:
                play_from(flight, tree, scratch, random, trail, copy, playout)
            else:
                store(flights.words, number * APART, WANTED)
            tree.begun += 1
            begun += flight.plays
        elif in_flight and (to_end or alone or not on or begun < visits):
            number = tree.ended % lag
            flight = flights.records[number]
            while not alone and load(flights.words, number * APART) != LANDED:
                for other in range(tree.begun - 1, tree.ended - 1, -1):
                    if play_flight(
                        flights,
                        other % lag,
                        tree,
                        root,
                        scratch,
                        seed,
                        trail,
                        copy,
                        play,
                        legal,
                        playout,
                        priors,
                    ):
                        break
            if flight.lists and nodes[flight.path[flight.depth]].first == LEAF:
                _use_moves(edges, nodes, evaluations, tree, flights, number)
            _end(edges, nodes, evaluations, tree, flight, alone)
            tree.ended += 1
        else:
            return


@numba.njit(inline="always")
def _begin(
    edges: Any,
    nodes: Any,
    evaluations: Any,
    tree: Any,
    root: Any,
    scratch: Any,
    random: Any,
    flights: Any,
    number: int,
    alone: bool,
    copy: Any,
    play: Any,
    legal: Any,
    priors: Any,
) -> None:
    """Walk down to a leaf; if `alone`, the state is the leaf's afterwards.

    Otherwise the flight's visits count at once, with the mean of the earlier ones as their result,
    so that the next flights do not all go to the same leaf. If they make it ripe, the thread that
    plays the flight may list its moves; this one does so if the next flight comes first.
    """
    state = scratch[0]
    if alone:
        copy(state, root[0])
    flight = flights.records[number]
    index, depth, mover, ripe_at = 0, 0, tree.to_move, 0
    path, way = flight.path, flight.moves
    path[0] = 0
    flight.over = 0
    while edges.proven[index] == OPEN:
        ripe_at = _ripe_at(edges, nodes, tree, index)
        if edges.visits[index] >= ripe_at:
            flight.depth = depth
            if not alone:
                reach(state, root[0], flight, depth, copy, play)
            list_moves(state, tree, flights, number, legal, priors)
            _use_moves(edges, nodes, evaluations, tree, flights, number)
            if edges.proven[index] != OPEN:
                break
        if nodes[index].first == LEAF or depth + 1 == DEEPEST:
            break
        random[0] = advance(random[0])
        first, count = int(nodes[index].first), int(nodes[index].children)
        offset = int(below(random[0], _U(count)))
        sign = np.float32(1.0 if mover == 0 else -1.0)
        log = math.log(max(1, edges.visits[index]))
        width = np.float32(tree.exploration * math.sqrt(log))
        index = choose(edges, first, count, offset, sign, width)
        if alone:
            play(state, np.int64(edges.move[index]))
        else:
            way[depth] = edges.move[index]
        mover = 1 - mover
        depth += 1
        path[depth] = index
    flight.depth, flight.plays = depth, 1
    if not flight.over and not (alone and edges.visits[0] < _SINGLE):  # an end is always the same
        flight.plays = min(tree.plays, tree.most - edges.visits[0])
    if not alone:
        missing = ripe_at - edges.visits[index]
        soon = edges.proven[index] == OPEN and nodes[index].first == LEAF and missing > 0
        flight.lists = soon and missing <= flight.plays and tree.plays >= _LISTS_AHEAD
        random[0] = advance(random[0])
        flight.random = mixed(random[0])
        _count(edges, nodes, tree, flight)


@numba.njit(inline="always")
def _ripe_at(edges: Any, nodes: Any, tree: Any, index: int) -> int:
    """Return the visits at which a node gets children, or all of them again."""
    if nodes[index].first == LEAF:
        return 0 if edges.move[index] == PASS else tree.expand_at  # a pass may end the game
    thinned = nodes[index].thinned
    return 1 << (thinned + _GROWN - 1) if thinned else _NEVER


@compiled(types.void(EDGES, NODES, EVALUATIONS, HEADER, FLIGHTS, types.int64))
def _use_moves(
    edges: Any, nodes: Any, evaluations: Any, tree: Any, flights: Any, number: int
) -> None:
    """Give children to the leaf of a flight for which its moves were listed, if there are any.

    If the priors give the winner and nothing else is wanted, this is proven instead.
    """
    flight = flights.records[number]
    index, count = flight.path[flight.depth], flight.listed
    if not count or (tree.pruned and edges.visits[index] < tree.expand_at):
        return
    if tree.used + count > len(nodes):
        tree.full = 1
    elif flight.winner and tree.only_winner:
        prove(edges, index, FIRST_WINS if flight.winner > 0 else SECOND_WINS)
    else:
        mover = tree.to_move ^ (flight.depth & 1)
        moves, gains = flights.moves[number], flights.gains[number]
        expand(edges, nodes, evaluations, tree, index, mover, moves, count, gains)


@compiled(types.void(EDGES, NODES, HEADER, Flight))
def _count(edges: Any, nodes: Any, tree: Any, flight: Any) -> None:
    """Add the visits of a flight that begins to the nodes on its path."""
    path = flight.path
    for d in range(flight.depth + 1):
        index = path[d]
        if not edges.visits[index]:
            value = edges.value[index] if d else np.float32(0.5)
            edges.mean[index] = value if 0 <= value <= 1 else edges.mean[path[d - 1]]
        edges.visits[index] += flight.plays
        nodes[index].coming += flight.plays
        if edges.proven[index] == OPEN:
            _update(edges, tree, index)


@numba.njit(inline="always")
def _update(edges: Any, tree: Any, index: int) -> None:
    """Update the value and the spread of a node that is not proven, after a visit."""
    edges.spread[index] = np.float32(1.0 / math.sqrt(edges.visits[index]))
    update_value(edges, index, tree.rave_bias)


@compiled(types.void(EDGES, NODES, EVALUATIONS, HEADER, Flight, types.boolean))
def _end(edges: Any, nodes: Any, evaluations: Any, tree: Any, flight: Any, alone: bool) -> None:
    """Add the results of a flight to the nodes on its path."""
    depth, path, plays = flight.depth, flight.path, flight.plays
    mover, index = tree.to_move ^ (depth & 1), path[depth]
    if edges.proven[index] != OPEN:  # a proof is better than a sample
        _use_proof(edges, nodes, tree, flight, index)
    elif tree.network_share and not flight.over:
        _use_network(evaluations, tree, flight)
    if flight.over:
        lead = flight.score_lead
        prove(edges, index, FIRST_WINS if lead > 0 else (SECOND_WINS if lead else DRAWN))
    for d in range(depth, -1, -1):
        index, node = path[d], nodes[path[d]]
        if tree.rave and node.first != LEAF:
            first, count = int(node.first), int(node.children)
            bias = np.float32(tree.rave_bias)
            sample(edges, flight, first, count, side_of(tree, mover), bias)
        is_open = edges.proven[index] == OPEN
        if d < depth and is_open and edges.proven[path[d + 1]] != OPEN:
            proven = proven_by_children(edges, nodes, index, mover)
            if proven != OPEN:
                prove(edges, index, proven)
                is_open = False
        node.reward += flight.reward
        node.wins += flight.wins
        node.score_lead += flight.score_lead
        node.score_lead_squares += flight.score_lead_squares
        if alone:
            edges.visits[index] += plays
        else:
            node.coming -= plays
        edges.mean[index] = np.float32(node.reward / (edges.visits[index] - node.coming))
        if tree.pass_follows and node.first != LEAF:
            follow_mean(edges, nodes, tree, index, mover)
        if is_open:
            _update(edges, tree, index)
        mover = 1 - mover  # now the player who made the move to this node
        if tree.rave and d > 0 and edges.move[index] != PASS:
            at = side_of(tree, mover) + edges.move[index]
            flight.counts[at], flight.rewards[at] = plays, np.float32(flight.reward)


@compiled(types.void(EVALUATIONS, HEADER, Flight))
def _use_network(evaluations: Any, tree: Any, flight: Any) -> None:
    """Give the value of the last evaluated node on the path its share in a flight's results.

    The moves of its playouts get the same change, whether they won or lost.
    """
    path, plays, evaluated = flight.path, flight.plays, flight.depth
    while evaluated and not evaluations[path[evaluated]]:
        evaluated -= 1
    value = np.float64(evaluations[path[evaluated]]) - 1.0  # the root has one
    change = tree.network_share * (value - flight.wins / plays)
    flight.wins += plays * change
    change *= 1.0 - tree.score_weight
    flight.reward += plays * change
    for at in range(2 * SIDE):
        flight.rewards[at] += np.float32(flight.counts[at] * change)


@compiled(types.void(EDGES, NODES, HEADER, Flight, types.int64))
def _use_proof(edges: Any, nodes: Any, tree: Any, flight: Any, index: int) -> None:
    """Replace the results of a flight's playouts by a proven node's."""
    plays, win = flight.plays, _win(edges.proven[index])
    score_lead, before = flight.score_lead / plays, edges.visits[index] - nodes[index].coming
    if before:
        score_lead = nodes[index].score_lead / before
    reward = reward_of(tree, win, score_lead)
    flight.reward, flight.wins = plays * reward, plays * win
    flight.score_lead = plays * score_lead
    flight.score_lead_squares = plays * score_lead * score_lead
    for at in range(2 * SIDE):
        flight.rewards[at] = np.float32(flight.counts[at]) * np.float32(reward)
