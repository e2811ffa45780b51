"""Visits in flight: playouts that are wanted, and the threads that play them.

Strategy. One thread owns the tree. For each visit it writes a flight: the moves from the root to a
leaf. Any thread plays these moves and a random game after them, and writes the result into the
flight. The owner adds the result to the tree some flights later (Cazenave and Jouandeau 2007;
without a virtual loss, which a few threads do not need: Segal 2010). A visit is added just before
another one begins, always the same number later. So the tree does not depend on the threads or the
order in which flights are played. While the owner waits for the next flight, it plays one itself:
the last one, because the others begin with the first.

Invariants. A flight is the owner's while its word is `LANDED`, a helper's while it is `TAKEN`.
While it is `WANTED`, any thread may take it. No thread writes to the root's state.
"""

import functools
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.jit.atomics import exchange, load, store
from linage_bot.engine.jit.lazy_function import LazyFunction
from linage_bot.engine.jit.pointers import bound, taking
from linage_bot.engine.kernels.contract import MOST_RECORDED, Kernel, Moves, Random
from linage_bot.engine.search.layout import DEEPEST

LANDED, WANTED, TAKEN = 0, 1, 2
APART = 8  # distance between the words of two flights: each has its own cache line
FLIGHT = np.dtype(
    [
        ("random", np.uint64),  # state of the generator when the playout begins
        ("score_lead", np.int64),  # at its end
        ("depth", np.int64),  # of the leaf
        ("over", np.int64),  # whether the game is over at the leaf
        ("recorded", np.int64),  # number of the playout's moves in `trail`
        ("moves", np.int16, DEEPEST),  # from the root to the leaf
        ("trail", np.int16, MOST_RECORDED),
        ("path", np.int32, DEEPEST),  # nodes from the root to the leaf; only for the owner
    ],
    align=True,
)
Flight = numba.from_dtype(FLIGHT)
FLIGHTS = types.Array(Flight, 1, "C")
Words = types.Array(types.int64, 1, "C")
_U = np.uint64
_SPINS = 1 << 14  # checks for work without finding any; less than a millisecond


def new_flights(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return this many flights, and their words."""
    return np.zeros(count, FLIGHT), np.full(APART * count, LANDED, np.int64)


@numba.njit(inline="always")
def reach(state: Any, root: Any, flight: Any, depth: int, copy: Any, play: Any) -> None:
    """Set the state to that of the node at this depth on a flight's path."""
    copy(state, root)
    way = flight.moves
    for d in range(depth):
        play(state, np.int64(way[d]))


@numba.njit(inline="always")
def play_flight(
    flights: Any,
    words: Any,
    number: int,
    root: Any,
    scratch: Any,
    random: Any,
    trail: Any,
    copy: Any,
    play: Any,
    playout: Any,
) -> bool:
    """Play a flight and return True, unless it is not wanted or another thread takes it."""
    at = number * APART
    if load(words, at) != WANTED or not exchange(words, at, WANTED, TAKEN):
        return False
    flight, state = flights[number], scratch[0]
    reach(state, root[0], flight, flight.depth, copy, play)
    random[0] = flight.random
    flight.score_lead = playout(state, random, trail)
    flight.recorded, moves = trail[0], flight.trail
    for i in range(_U(trail[0])):
        moves[i] = np.int16(trail[i + _U(1)])
    store(words, at, LANDED)
    return True


@numba.njit(inline="always")
def unpack(flight: Any, trail: Any) -> None:
    """Fill `trail` with the moves of a flight's playout."""
    trail[0], moves = flight.recorded, flight.trail
    for i in range(_U(trail[0])):
        trail[i + _U(1)] = moves[i]


def _play_flights(
    flights: Any,
    words: Any,
    root: Any,
    scratch: Any,
    random: Any,
    trail: Any,
    most: int,
    copy: Any,
    play: Any,
    playout: Any,
) -> int:
    """Play at most `most` wanted flights, until there are none for a while; return their number."""
    number, played, spins = 0, 0, 0
    while played < most and spins < _SPINS:
        if play_flight(flights, words, number, root, scratch, random, trail, copy, play, playout):
            played, spins = played + 1, 0
        spins += 1
        number = number + 1 if number + 1 < len(flights) else 0
    return played


@functools.cache
def play_flights_of(kernel: Kernel) -> LazyFunction:
    """Return `_play_flights` for a kernel, to be compiled; it depends only on its types."""
    states = types.Array(kernel.signatures.state, 1, "C")
    own = FLIGHTS, Words, states, states, Random, Moves, types.int64
    return taking(_given(kernel), _play_flights, types.int64, own)


@functools.cache
def compile_for(kernel: Kernel) -> Callable[..., int]:
    """Return `_play_flights` with the kernel's functions bound, compiled or loaded from disk."""
    return bound(play_flights_of(kernel), _given(kernel))


def _given(kernel: Kernel) -> tuple[Callable[..., Any], ...]:
    return kernel.copy, kernel.play, kernel.playout
