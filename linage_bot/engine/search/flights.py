"""Visits in flight: playouts that are wanted, and the threads that play them.

Strategy. One thread owns the tree. For each visit it writes down a flight, the moves from the root
to a leaf; any thread plays these and a random game after them, and writes down how that ended; and
the owner adds it to the tree, some flights later (Cazenave and Jouandeau 2007; without a virtual
loss, which few threads do not need: Segal 2010). A visit is added just before another one begins,
always the same number later, so the tree does not depend on who plays what when. While the owner
waits for the next flight it plays one itself: the last, as others take the first.

Invariants. A flight is the owner's while its word is `LANDED`, a pilot's while it is `TAKEN`;
while it is `WANTED` anybody may take it. Nobody writes to the root.
"""

import functools
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.jit.atomics import exchange, load, store
from linage_bot.engine.jit.deferred import Deferred
from linage_bot.engine.jit.pointers import bound, taking
from linage_bot.engine.kernels.contract import MOST_TOLD, Kernel, Moves, Random
from linage_bot.engine.search.layout import DEEPEST

LANDED, WANTED, TAKEN = 0, 1, 2
APART = 8  # words from one flight's to the next's, which are in cache lines of their own
FLIGHT = np.dtype(
    [
        ("random", np.uint64),  # to begin the playout with
        ("margin", np.int64),  # at its end
        ("depth", np.int64),  # of the leaf
        ("over", np.int64),  # whether the game is, at the leaf
        ("told", np.int64),  # moves of the playout that are in `trail`
        ("moves", np.int16, DEEPEST),  # from the root to the leaf
        ("trail", np.int16, MOST_TOLD),
        ("path", np.int32, DEEPEST),  # nodes from the root to the leaf; the owner's alone
    ],
    align=True,
)
Flight = numba.from_dtype(FLIGHT)
FLIGHTS = types.Array(Flight, 1, "C")
Words = types.Array(types.int64, 1, "C")
_U = np.uint64
_SPINS = 1 << 14  # looks for work without finding any, less than a millisecond


def new_flights(count: int) -> tuple[np.ndarray, np.ndarray]:
    """So many flights, and their words."""
    return np.zeros(count, FLIGHT), np.full(APART * count, LANDED, np.int64)


@numba.njit(inline="always")
def reach(state: Any, root: Any, flight: Any, depth: int, copy: Any, play: Any) -> None:
    """Make the state that of the node so deep on a flight's way."""
    copy(state, root)
    way = flight.moves
    for d in range(depth):
        play(state, np.int64(way[d]))


@numba.njit(inline="always")
def fly(
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
    """Play a flight, unless somebody else does or did."""
    at = number * APART
    if load(words, at) != WANTED or not exchange(words, at, WANTED, TAKEN):
        return False
    flight, state = flights[number], scratch[0]
    reach(state, root[0], flight, flight.depth, copy, play)
    random[0] = flight.random
    flight.margin = playout(state, random, trail)
    flight.told, told = trail[0], flight.trail
    for i in range(_U(trail[0])):
        told[i] = np.int16(trail[i + _U(1)])
    store(words, at, LANDED)
    return True


@numba.njit(inline="always")
def unpack(flight: Any, trail: Any) -> None:
    """The moves of a playout as whoever played it had them."""
    trail[0], told = flight.told, flight.trail
    for i in range(_U(trail[0])):
        trail[i + _U(1)] = told[i]


def _pilot(
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
    """Play at most so many flights that are wanted, until there are none for a while; how many."""
    number, played, spins = 0, 0, 0
    while played < most and spins < _SPINS:
        if fly(flights, words, number, root, scratch, random, trail, copy, play, playout):
            played, spins = played + 1, 0
        spins += 1
        number = number + 1 if number + 1 < len(flights) else 0
    return played


@functools.cache
def pilot_of(kernel: Kernel) -> Deferred:
    """`_pilot` for a kernel, of which it needs only the types."""
    states = types.Array(kernel.signatures.state, 1, "C")
    own = FLIGHTS, Words, states, states, Random, Moves, types.int64
    return taking(_given(kernel), _pilot, types.int64, own)


@functools.cache
def compile_for(kernel: Kernel) -> Callable[..., int]:
    """`_pilot` compiled for a kernel, or loaded from disk, with the functions it is given."""
    return bound(pilot_of(kernel), _given(kernel))


def _given(kernel: Kernel) -> tuple[Callable[..., Any], ...]:
    return kernel.copy, kernel.play, kernel.playout
