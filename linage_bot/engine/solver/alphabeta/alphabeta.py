"""Alpha-beta with a transposition table, compiled once per kernel: exact values of small positions.

`advance` answers "is First's margin at least t under best play?" by a depth-first search with a
null window. It knows a game through its kernel alone. Like `search` it keeps its stack in arrays,
and stops after any number of nodes to go on later.

An answer comes with a bound: the worst margin that the proof lets happen, which may say more than
was asked (fail-soft). Lines longer than the limit count for neither player; where the answer hangs
on one it is `UNKNOWN`, and the question is put again with a higher limit. So where captures let
play go in circles, what is proven is proven by a strategy that ends, of at most `height` turns. It
holds however often a position occurred before; where a game is drawn by its length, only if the
proof ends before that, which is what `horizon` sees to.

A position is known by what `Kernel.look` tells of it, its images under the symmetries included. Two
independent 64-bit keys take the place of the position itself.
"""

import functools
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.jit.deferred import settle
from linage_bot.engine.jit.pointers import compiled_with
from linage_bot.engine.kernels.contract import MOST_MOVES, Kernel, Moves, compiled
from linage_bot.engine.kernels.words import Word, mixed
from linage_bot.engine.solver.effort import FALSE, OUT_OF_NODES, OUT_OF_ROOM, TRUE, UNKNOWN
from linage_bot.engine.solver.sums.records import Record
from linage_bot.rules.game import PASS

CONTENTS = 3  # of a point
_NEW, _TRYING = 0, 1  # phases of a frame
_NO_MOVE = PASS - 1
_MOST = 1 << 20  # no margin is as large

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("check", np.uint64),
        ("low", np.int32),  # the margin is at least this, in half points
        ("high", np.int32),
        ("low_height", np.int16),  # how many turns the proof may take
        ("high_height", np.int16),
        ("used", np.int16),
        ("tried", np.int16),  # turns looked ahead without an answer, for the target tried last
        ("tried_target", np.int32),
        ("move", np.int32),  # that answered a question here, in the canonical image
    ],
    align=True,
)
FRAME = np.dtype(
    [
        ("key", np.uint64),
        ("check", np.uint64),
        ("image", np.int64),  # which symmetry leads to the canonical image
        ("phase", np.int64),
        ("start", np.int64),  # the moves not yet tried: moves[start:end]
        ("end", np.int64),
        ("move", np.int64),  # being tried
        ("unknown", np.int64),  # whether a move tried has no answer
        ("bound", np.int64),  # of what the moves tried lead to, and the turns that takes
        ("height", np.int64),
    ],
    align=True,
)
HEAD = np.dtype(
    [
        ("ply", np.int64),  # -1: answered
        ("mover", np.int64),  # at the root
        ("points", np.int64),  # of the array that `look` fills
        ("target", np.int64),
        ("limit", np.int64),
        ("horizon", np.int64),  # turns until the game's length would end it
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
KEYS = types.Array(types.uint64, 2, "C")  # per symmetry, CONTENTS * point + content
IMAGES = types.Array(types.int64, 2, "C")  # per symmetry, where a point goes, PASS last
_U = np.uint64
_SHIFT = _U(32)


@compiled(types.void(_HEAD, _FRAME, Moves, types.uint64, KEYS, KEYS))
def _identify(head: Record, frame: Record, cells: Any, rest: Word, keys: Any, checks: Any) -> None:
    """Find the canonical image, the one with the smallest key."""
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
    """Where a position is, or would be put; the table always has an unused place."""
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
    """The answer that the table has; puts bound and height into the head."""
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
    """Keep what the frame found."""
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
    """Take out of the list the move to try next: `first` if it is there, else by merit."""
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
    """Take in the answer about the move tried; whether that answers the frame's question."""
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
    """The move that did well here before, if there is one."""
    entry = entries[find(entries, frame.key, frame.check)]
    if not entry.used or entry.move == _NO_MOVE:
        return _NO_MOVE
    return int(inverses[frame.image, entry.move])


@functools.cache
def compiled_for(kernel: Kernel) -> Callable[..., int]:
    """`_advance` for a kernel, whose functions it has been given; what is called beside it, too."""
    settle([move_entries])
    given = (kernel.copy, kernel.play, kernel.legal, kernel.margin, kernel.look)
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
    margin: Any,
    look: Any,
) -> int:
    """Search on for at most so many nodes; returns `TRUE`, `FALSE` or `UNKNOWN`.

    Or why it stopped before: `OUT_OF_NODES` or `OUT_OF_ROOM`. `images` are the symmetries' and
    their inverses'.
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
            _identify(head, frame, cells, look(state, cells), keys[0], keys[1])
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
                head.bound, head.height = margin(state), 0
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
