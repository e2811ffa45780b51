"""Visits in flight: playouts that are wanted, and the threads that play them.

Strategy. One thread owns the tree. It writes flights: the moves from the root to a leaf. Any thread
plays these moves and some random games after them, each of them a visit, and writes the sums of
their results into the flight. If the leaf is about to get children, it may also list their moves,
with the priors. The owner adds all this to the tree some flights later (Cazenave and Jouandeau
2007). A flight is added just before another one begins, always the same number later. So the tree
does not depend on the threads or the order in which flights are played. While the owner waits for
the next flight, it plays one itself: the last one, because the others begin with the first. Several
playouts a flight leave less to do for the owner, which bounds the speed.

Invariants. A flight is the owner's while its word is `LANDED`, a helper's while it is `TAKEN`.
While it is `WANTED`, any thread may take it. No thread writes to the root's state.
"""

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types

from linage_bot.engine.jit.atomics import exchange, load, store
from linage_bot.engine.jit.lazy_function import LazyFunction
from linage_bot.engine.jit.pointers import bound, taking
from linage_bot.engine.kernels.contract import MOST_MOVES, Kernel, Moves, Random, compiled
from linage_bot.engine.search.layout import DEEPEST, HEADER, SIDE
from linage_bot.rules.game import PASS

LANDED, WANTED, TAKEN = 0, 1, 2
APART = 8  # distance between the words of two flights: each has its own cache line
FLIGHT = np.dtype(
    [
        ("random", np.uint64),  # state of the generator when the first playout begins
        ("plays", np.int64),  # number of playouts
        ("reward", np.float64),  # sums over the playouts, as in `NODE`
        ("wins", np.float64),
        ("score_lead", np.float64),
        ("score_lead_squares", np.float64),
        ("depth", np.int64),  # of the leaf
        ("lists", np.int64),  # whether the legal moves at the leaf are wanted from who plays it
        ("listed", np.int64),  # their number
        ("winner", np.int64),  # the winner at the leaf by the priors: 1 First, -1 Second, 0 unknown
        ("over", np.int64),  # whether the game is over at the leaf
        ("playout", np.int32),  # number of the playout, with which moves are marked; may wrap
        ("counts", np.int32, 2 * SIDE),  # by player and move: playouts that played it,
        ("rewards", np.float32, 2 * SIDE),  # the sum of their rewards,
        ("marks", np.int32, 2 * SIDE),  # the last playout that did
        ("moves", np.int16, DEEPEST),  # from the root to the leaf
        ("path", np.int32, DEEPEST),  # nodes from the root to the leaf; only for the owner
    ],
    align=True,
)


class Flights(NamedTuple):
    """The flights that can be under way at once, by number."""

    records: Any
    words: Any  # that of flight `n` is at `APART * n`
    moves: Any  # a row for each flight: the legal moves at its leaf,
    gains: Any  # and their priors


Flight = numba.from_dtype(FLIGHT)
RECORDS = types.Array(Flight, 1, "C")
FLIGHTS = types.NamedTuple(  # type: ignore[no-untyped-call]
    (
        RECORDS,
        types.Array(types.int64, 1, "C"),
        types.Array(types.int64, 2, "C"),
        types.Array(types.float64, 2, "C"),
    ),
    Flights,
)
_U = np.uint64
_SPINS = 1 << 14  # checks for work without finding any; less than a millisecond


def new_flights(count: int) -> Flights:
    """Return this many flights, none of them under way."""
    words = np.full(APART * count, LANDED, np.int64)
    moves, gains = np.zeros((count, MOST_MOVES), np.int64), np.zeros((count, MOST_MOVES))
    return Flights(np.zeros(count, FLIGHT), words, moves, gains)


@numba.njit(inline="always")
def reach(state: Any, root: Any, flight: Any, depth: int, copy: Any, play: Any) -> None:
    """Set the state to that of the node at this depth on a flight's path."""
    copy(state, root)
    way = flight.moves
    for d in range(depth):
        play(state, np.int64(way[d]))


@numba.njit(inline="always")
def side_of(tree: Any, player: int) -> int:
    """Return the index of a player's entry for point 0; add a move to it for the move's entry."""
    return (0 if tree.colour_blind else player) * SIDE + 1


@compiled(types.void(Flight, HEADER))
def clear(flight: Any, tree: Any) -> None:
    """Forget the playouts of the flight that had this place before."""
    flight.reward = flight.wins = flight.score_lead = flight.score_lead_squares = 0.0
    if tree.rave:
        for player in range(1 if tree.colour_blind else 2):
            side = side_of(tree, player)
            for at in range(_U(side), _U(side + tree.points)):
                flight.counts[at] = np.int32(0)
                flight.rewards[at] = np.float32(0.0)


@numba.njit(inline="always")
def reward_of(tree: Any, win: float, score_lead: float) -> float:
    """Return the value of a visit for First: the win or loss, and a share of the score lead."""
    share = 0.5 + 0.5 * math.tanh(score_lead / tree.score_scale)
    return float((1.0 - tree.score_weight) * win + tree.score_weight * share)


@compiled(types.void(Flight, HEADER, types.int64, Moves))
def add(flight: Any, tree: Any, lead: int, trail: Any) -> None:
    """Add a playout's result to a flight: its score lead in half points, and its moves."""
    score_lead = np.float64(lead)
    win = 1.0 if score_lead > 0 else (0.5 if score_lead == 0 else 0.0)
    reward = reward_of(tree, win, score_lead)
    flight.reward += reward
    flight.wins += win
    flight.score_lead += score_lead
    flight.score_lead_squares += score_lead * score_lead
    if tree.rave:
        flight.playout += 1
        player = tree.to_move ^ (flight.depth & 1)
        for i in range(1, trail[0] + 1):
            if trail[i] != PASS:
                at = _U(side_of(tree, player) + trail[i])
                if flight.marks[at] != flight.playout:
                    flight.marks[at] = flight.playout
                    flight.counts[at] += np.int32(1)
                    flight.rewards[at] += np.float32(reward)
            player = 1 - player


@numba.njit(inline="always")
def list_moves(state: Any, tree: Any, flights: Any, number: int, legal: Any, priors: Any) -> None:
    """List the legal moves at a flight's leaf, and their priors if the search uses any."""
    flight, moves = flights.records[number], flights.moves[number]
    flight.listed, flight.winner = legal(state, moves), 0
    flight.over = flight.listed == 0
    if flight.listed and (tree.prior_visits or tree.leaves_idle):
        flight.winner = priors(state, moves, flight.listed, flights.gains[number])


@numba.njit(inline="always")
def play_from(
    flight: Any, tree: Any, scratch: Any, random: Any, trail: Any, copy: Any, playout: Any
) -> None:
    """Play the playouts of a flight from the first state in `scratch`, which is its leaf's."""
    clear(flight, tree)
    for left in range(flight.plays - 1, -1, -1):
        if left:
            copy(scratch[1], scratch[0])
        add(flight, tree, playout(scratch[min(left, 1)], random, trail), trail)


@numba.njit(inline="always")
def play_flight(
    flights: Any,
    number: int,
    tree: Any,
    root: Any,
    scratch: Any,
    random: Any,
    trail: Any,
    copy: Any,
    play: Any,
    legal: Any,
    playout: Any,
    priors: Any,
) -> bool:
    """Play a flight and return True, unless it is not wanted or another thread takes it."""
    at = number * APART
    if load(flights.words, at) != WANTED or not exchange(flights.words, at, WANTED, TAKEN):
        return False
    flight = flights.records[number]
    reach(scratch[0], root[0], flight, flight.depth, copy, play)
    if flight.lists:
        list_moves(scratch[0], tree, flights, number, legal, priors)
    random[0] = flight.random
    play_from(flight, tree, scratch, random, trail, copy, playout)
    store(flights.words, at, LANDED)
    return True


def _play_flights(
    flights: Any,
    tree: Any,
    root: Any,
    scratch: Any,
    random: Any,
    trail: Any,
    most: int,
    copy: Any,
    play: Any,
    legal: Any,
    playout: Any,
    priors: Any,
) -> int:
    """Play at most `most` wanted flights, until there are none for a while; return their number."""
    number, played, spins = 0, 0, 0
    while played < most and spins < _SPINS:
        if play_flight(
            flights,
            number,
            tree,
            root,
            scratch,
            random,
            trail,
            copy,
            play,
            legal,
            playout,
            priors,
        ):
            played, spins = played + 1, 0
        spins += 1
        number = number + 1 if number + 1 < len(flights.records) else 0
    return played


@functools.cache
def play_flights_of(kernel: Kernel) -> LazyFunction:
    """Return `_play_flights` for a kernel, to be compiled; it depends only on its types."""
    states = types.Array(kernel.signatures.state, 1, "C")
    own = FLIGHTS, HEADER, states, states, Random, Moves, types.int64
    return taking(given(kernel), _play_flights, types.int64, own)


@functools.cache
def compile_for(kernel: Kernel) -> Callable[..., int]:
    """Return `_play_flights` with the kernel's functions bound, compiled or loaded from disk."""
    return bound(play_flights_of(kernel), given(kernel))


def given(kernel: Kernel) -> tuple[Callable[..., Any], ...]:
    """Return the functions that visits take from a kernel, as their last arguments."""
    return kernel.copy, kernel.play, kernel.legal, kernel.playout, priors_of(kernel)


@functools.cache
def priors_of(kernel: Kernel) -> Callable[..., int]:
    """Return the kernel's function for priors; if it has none, one that does nothing."""
    if kernel.priors is not None:
        return kernel.priors
    return compiled(kernel.signatures.priors)(_no_priors)


def _no_priors(_state: Any, _moves: Any, _count: int, _gains: Any) -> int:
    return 0
