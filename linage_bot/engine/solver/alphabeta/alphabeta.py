"""Alpha-beta with a transposition table, compiled once per kernel: exact values of small positions.

`_advance` answers "is First's score lead at least t under best play?" by a depth-first search with
a null window. It uses a game only through its kernel. Like `search` it keeps its stack in arrays,
and can stop after any number of nodes and continue later.

An answer comes with a bound: the worst score lead that the proof allows, which may be stronger than
the question (fail-soft). Lines longer than the limit count for neither player. If the answer
depends on such a line it is `UNKNOWN`, and the search is repeated with a higher limit. So even if
captures let positions repeat, every proof is a strategy that ends after at most `height` turns. A
proof holds however often a position occurred before. In a game that is drawn by its length, a proof
holds only if it ends before that; `horizon` ensures this.

A position is identified by the result of `Kernel.hash_data`, together with its images under the
symmetries. Two independent 64-bit keys replace the position itself.
"""

import functools
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.jit.lazy_function import settle
from linage_bot.engine.jit.pointers import compiled_with
from linage_bot.engine.kernels.contract import MOST_MOVES, Kernel, Moves, compiled
from linage_bot.engine.kernels.words import Word, mixed
from linage_bot.engine.solver.budgets import FALSE, OUT_OF_NODES, OUT_OF_ROOM, TRUE, UNKNOWN
from linage_bot.engine.solver.sums.records import Record
from linage_bot.rules.game import PASS

CONTENTS = 3  # possible contents of a point
_NEW, _TRYING = 0, 1  # phases of a frame
_NO_MOVE = PASS - 1
_MOST = 1 << 20  # more than any score lead

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("check", np.uint64),
        ("low", np.int32),  # the score lead is at least this, in half points
        ("high", np.int32),
        ("low_height", np.int16),  # the most turns that the proof takes
        ("high_height", np.int16),
        ("used", np.int16),
        ("tried", np.int16),  # turns searched without an answer, for the target tried last
        ("tried_target", np.int32),
        ("move", np.int32),  # one that answered a question here, in the canonical image
    ],
    align=True,
)
FRAME = np.dtype(
    [
        ("key", np.uint64),
        ("check", np.uint64),
        ("image", np.int64),  # the number of the symmetry that leads to the canonical image
        ("phase", np.int64),
        ("start", np.int64),  # the moves not yet tried: moves[start:end]
        ("end", np.int64),
        ("move", np.int64),  # being tried
        ("unknown", np.int64),  # whether a move tried so far has no answer
        ("bound", np.int64),  # the best for the mover among the moves tried so far
        ("height", np.int64),  # the most turns that the proofs about these moves take
    ],
    align=True,
)
HEAD = np.dtype(
    [
        ("ply", np.int64),  # -1 once the question is answered
        ("mover", np.int64),  # the player to move at the root
        ("points", np.int64),  # the length of the array that `look` fills
        ("target", np.int64),
        ("limit", np.int64),
        ("horizon", np.int64),  # turns until the game would end by its length
        ("result", np.int64),
        ("bound", np.int64),
        ("height", np.int64),
        ("nodes", np.int64),
        ("entries", np.int64),
    ],
    align=True,
)
_ENTRY, _FRAME, _HEAD = map(numba.from_dtype, (ENTRY, FRAME, HEAD))
ENTRIES = types.Array(_ENTRY, 1, "C")
FRAMES = types.Array(_FRAME, 1, "C")
KEYS = types.Array(types.uint64, 2, "C")  # [symmetry, CONTENTS * point + content]
IMAGES = types.Array(types.int64, 2, "C")  # [symmetry, point]: the image of the point; PASS is last
_U = np.uint64
_SHIFT = _U(32)


@compiled(types.void(_HEAD, _FRAME, Moves, types.uint64, KEYS, KEYS))
def _identify(head: Record, frame: Record, cells: Any, rest: Word, keys: Any, checks: Any) -> None:
    """Find the canonical image, which has the smallest key, and store its keys in the frame."""
    frame.image = 0
    for image in range(len(keys)):
        key = _U(0)
        for point in range(head.points):
            key ^= keys[image, CONTENTS * point + cells[point]]
        if image == 0 or key < frame.key:
            frame.image, frame.key = image, key
    check = _U(0)
    for point in range(head.points):
        check ^= checks[frame.image, CONTENTS * point + cells[point]]
    rest = mixed(rest ^ _U((head.mover + head.ply) & 1) << _U(63))
    frame.key = mixed(frame.key ^ rest)
    frame.check = mixed(check + rest)


@compiled(types.int64(ENTRIES, types.uint64, types.uint64))
def find(entries: Any, key: Word, check: Word) -> int:
    """Return the index of a position's entry, or of the unused place for it.

    The table always has an unused place.
    """
    mask = len(entries) - 1
    at = np.int64(key & _U(mask))
    while entries[at].used and (entries[at].key != key or entries[at].check != check):
        at = (at + 1) & mask
    return int(at)


@compiled(types.void(ENTRIES, ENTRIES))
def move_entries(entries: Any, larger: Any) -> None:
    """Copy all entries to another, empty table."""
    for at in range(len(entries)):
        if entries[at].used:
            larger[find(larger, entries[at].key, entries[at].check)] = entries[at]


@compiled(types.int64(_HEAD, _ENTRY))
def _known(head: Record, entry: Record) -> int:
    """Return the answer that the table has, or `UNKNOWN`.

    Stores the bound and the height of the answer in the head.
    """
    if not entry.used:
        return UNKNOWN
    if entry.low >= head.target and head.ply + entry.low_height <= head.horizon:
        head.bound, head.height = entry.low, entry.low_height
        return TRUE
    if entry.high < head.target and head.ply + entry.high_height <= head.horizon:
        head.bound, head.height = entry.high, entry.high_height
        return FALSE
    return UNKNOWN


@compiled(types.void(ENTRIES, _HEAD, _FRAME, IMAGES))
def _store(entries: Any, head: Record, frame: Record, images: Any) -> None:
    """Store the result of a frame in the table."""
    entry = entries[find(entries, frame.key, frame.check)]
    if not entry.used:
        entry.used, entry.key, entry.check, entry.move = 1, frame.key, frame.check, _NO_MOVE
        entry.low, entry.high = -_MOST, _MOST
        head.entries += 1
    if head.result == TRUE and head.bound >= entry.low:
        entry.low, entry.low_height = head.bound, head.height
    elif head.result == FALSE and head.bound <= entry.high:
        entry.high, entry.high_height = head.bound, head.height
    elif head.result == UNKNOWN:
        entry.tried, entry.tried_target = head.limit - head.ply, head.target
    if head.result == (TRUE if (head.mover + head.ply) & 1 == 0 else FALSE):
        entry.move = images[frame.image, frame.move]


@compiled(types.int64(_HEAD, _FRAME, Moves, Moves, types.int64))
def _take_best(head: Record, frame: Record, moves: Any, merits: Any, first: int) -> int:
    """Remove the move to try next from the list and return it: `first` if listed, else by merit."""
    best, most = frame.start, np.int64(-1)
    for at in range(frame.start, frame.end):
        merit = merits[((head.mover + head.ply) & 1) * MOST_MOVES + moves[at] + 1]
        if moves[at] == first:
            merit = np.int64(1) << 62
        if merit > most:
            best, most = at, merit
    move = moves[best]
    frame.end -= 1
    moves[best] = moves[frame.end]
    return int(move)


@compiled(types.boolean(_HEAD, _FRAME, Moves))
def _settle(head: Record, frame: Record, merits: Any) -> bool:
    """Account for the answer about the move tried; return whether it answers the question."""
    mover = (head.mover + head.ply) & 1
    head.height += 1
    if head.result == UNKNOWN:
        frame.unknown = 1
    elif head.result == (FALSE if mover else TRUE):
        left = head.limit - head.ply
        merits[mover * MOST_MOVES + frame.move + 1] += left * left
        return True
    else:
        frame.height = max(frame.height, head.height)
        frame.bound = min(frame.bound, head.bound) if mover else max(frame.bound, head.bound)
    return False


@compiled(types.void(_HEAD, _FRAME))
def _conclude(head: Record, frame: Record) -> None:
    """Answer the question of a frame whose moves have all been tried."""
    head.result = TRUE if (head.mover + head.ply) & 1 else FALSE
    head.bound, head.height = frame.bound, frame.height
    if frame.unknown:
        head.result = UNKNOWN


@compiled(types.int64(ENTRIES, _FRAME, IMAGES))
def _first_move(entries: Any, frame: Record, inverses: Any) -> int:
    """Return the move that answered a question here before, or `_NO_MOVE`."""
    entry = entries[find(entries, frame.key, frame.check)]
    if not entry.used or entry.move == _NO_MOVE:
        return _NO_MOVE
    return int(inverses[frame.image, entry.move])


@functools.cache
def compiled_for(kernel: Kernel) -> Callable[..., int]:
    """Return `_advance` compiled with the functions of a kernel.

    Also loads or compiles `move_entries`, which is called beside it.
    """
    settle([move_entries])
    given = (kernel.copy, kernel.play, kernel.legal, kernel.score_lead, kernel.hash_data)
    own = (
        types.Array(kernel.signatures.state, 1, "C"),
        ENTRIES,
        FRAMES,
        _HEAD,
        Moves,
        Moves,
        Moves,
        types.UniTuple(KEYS, 2),  # type: ignore[no-untyped-call]  # Numba's
        types.UniTuple(IMAGES, 2),  # type: ignore[no-untyped-call]
        types.int64,
    )
    return compiled_with(given, _advance, types.int64, own)


def _advance(
    states: Any,
    entries: Any,
    frames: Any,
    head: Any,
    moves: Any,
    cells: Any,
    merits: Any,
    keys: Any,
    images: Any,
    nodes: int,
    copy: Any,
    play: Any,
    legal: Any,
    score_lead: Any,
    hash_data: Any,
) -> int:
    """Continue the search for at most `nodes` nodes.

    Returns the answer, `TRUE`, `FALSE` or `UNKNOWN`, or the reason for stopping early:
    `OUT_OF_NODES` or `OUT_OF_ROOM`. `images` holds the images under the symmetries and under their
    inverses.
    """
    last_node = head.nodes + nodes
    while head.ply >= 0:
        frame = frames[head.ply]
        answered = False
        if frame.phase == _NEW:
            if 4 * (head.entries + 1) > 3 * len(entries) or frame.start + MOST_MOVES > len(moves):
                return OUT_OF_ROOM
            if head.nodes >= last_node:
                return OUT_OF_NODES
            state = states[head.ply]
            _identify(head, frame, cells, hash_data(state, cells), keys[0], keys[1])
            entry = entries[find(entries, frame.key, frame.check)]
            head.result = _known(head, entry)
            left = head.limit - head.ply
            vain = entry.used and entry.tried >= left and entry.tried_target == head.target
            if head.result != UNKNOWN or vain:
                head.ply -= 1
                continue
            head.nodes += 1
            count = legal(state, moves[frame.start :])
            frame.end, frame.phase = frame.start + count, _TRYING
            frame.unknown, frame.height = 0, 0
            frame.bound = _MOST if (head.mover + head.ply) & 1 else -_MOST
            if count == 0:
                head.bound, head.height = score_lead(state), 0
                head.result = TRUE if head.bound >= head.target else FALSE
                head.ply -= 1
                continue
            if left == 0:
                head.ply -= 1
                continue
            frame.move = _first_move(entries, frame, images[1])
        else:
            answered = _settle(head, frame, merits)
            frame.move = frame.move if answered else _NO_MOVE
        if not answered and frame.end == frame.start:
            _conclude(head, frame)
            answered = True
        if answered:
            _store(entries, head, frame, images[0])
            head.ply -= 1
            continue
        frame.move = _take_best(head, frame, moves, merits, frame.move)
        below = frames[head.ply + 1]
        below.phase, below.start = _NEW, frame.end
        copy(states[head.ply + 1], states[head.ply])
        play(states[head.ply + 1], frame.move)
        head.ply += 1
    return int(head.result)
