"""The compiled search for a region's nimber and parity in Parity Linage (see `nimbers`).

`advance` answers "is this region worth v?", v = 2g + e, by a depth-first search. Like `alphabeta`
it keeps its stack in arrays, and can stop after any number of nodes and continue later. A region is
worth v if the following holds, which is checked in this order:

- no placement leads to v with the other parity;
- if e is 1, a placement leads to v;
- for each h < g, placements lead to 2h and to 2h + 1.

Thus many regions are refuted by a single placement. For the largest of the parts that a placement
leaves, the search asks only one such question. The smaller parts come before it, and for these the
search finds the whole worth.

The results are stored in a table: for each shape, which is the same for its eight images, its worth
or the values that it is not worth. When the search returns to a frame, it looks up in the table the
answer that it needed.

Invariants. A region is a word: a set of points of the root region, whose numbers, places and
neighbours are in `ROOT`. The placements of a frame are `options[start:end]`. Those that leave the
smallest parts come first, because questions about them are the cheapest. A region of m points is
worth at most m, since each smaller nimber takes two placements that lead to it, and parity 1
another one. So v is also the number of a bit in a word.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.square.regions import outline
from linage_bot.engine.kernels.square.windows import FLOOD
from linage_bot.engine.kernels.words import Word, lowest, popcount
from linage_bot.engine.solver.budgets import FALSE, OUT_OF_NODES, OUT_OF_ROOM, TRUE, UNKNOWN
from linage_bot.engine.solver.nimbers.nimbers import MOST_POINTS
from linage_bot.engine.solver.sums.records import Record

MOST_PARTS = 4  # the greatest number that a placement leaves
NEW, _TRYING = 0, 1  # phases of a frame
_NOTHING_MORE = -1  # no value is left to look for

ROOT = np.dtype(
    [
        ("cells", np.uint16, MOST_POINTS),  # row << 5 | column
        ("neighbours", np.uint64, MOST_POINTS),
        ("lines", np.uint64, 2 * MOST_POINTS),  # lines as sets of three points; unused places are 0
        ("least", np.int64),  # the fewest points with which a region fulfils the condition
        ("with_lines", np.int64),  # 1 if every region must have a line
        ("idle", np.int64),  # regions of at most this many points are worth 0
        ("flood", FLOOD),  # scratch for `outline`
    ],
    align=True,
)
ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("not_worth", np.uint64),  # bit v is set if it is not worth v
        ("worth", np.int32),  # -1 if not known
        ("used", np.int32),
    ],
    align=True,
)
OPTION = np.dtype(
    [
        ("parts", np.uint64, MOST_PARTS),  # those of more than `idle` points, the smallest first
        ("key", np.uint64),  # of the next part
        ("count", np.int64),
        ("next", np.int64),  # the index of the first part whose worth is not included yet
        ("worth", np.int64),  # of the parts before it, with the parity of the number of parts
        ("size", np.int64),  # of the largest part
    ],
    align=True,
)
FRAME = np.dtype(
    [
        ("region", np.uint64),
        ("key", np.uint64),
        ("question", np.int64),
        ("phase", np.int64),
        ("start", np.int64),
        ("end", np.int64),
        ("at", np.int64),  # the index of the option being examined
        ("step", np.int64),  # which value is looked for (see `_looked_for`)
    ],
    align=True,
)
HEAD = np.dtype(
    [
        ("depth", np.int64),  # -1 once the question is answered
        ("result", np.int64),
        ("nodes", np.int64),
        ("entries", np.int64),
    ],
    align=True,
)
_ROOT, _ENTRY, _OPTION, _FRAME, _HEAD = map(numba.from_dtype, (ROOT, ENTRY, OPTION, FRAME, HEAD))
_ENTRIES = types.Array(_ENTRY, 1, "C")
_OPTIONS = types.Array(_OPTION, 1, "C")
_FRAMES = types.Array(_FRAME, 1, "C")

_U = np.uint64
_0, _1 = _U(0), _U(1)


@compiled(types.uint64(_ROOT, types.uint64))
def key_of(root: Record, region: Word) -> Word:
    """Return the key of a region's shape."""
    count = _0
    while region:
        root.flood.queue[count] = root.cells[lowest(region)]
        region &= region - _1
        count += _1
    return outline(root.flood, count)


@compiled(types.uint64(_ROOT, types.uint64, types.uint64))
def _connected(root: Record, start: Word, within: Word) -> Word:
    """Return the part of a set that is connected with one of its points."""
    part = edge = start
    while edge:
        new = root.neighbours[lowest(edge)] & within & ~part
        part |= new
        edge = edge & (edge - _1) | new
    return part


@compiled(types.boolean(_ROOT, types.uint64))
def _fulfils(root: Record, part: Word) -> bool:
    """Return whether a region fulfils the condition."""
    if not root.with_lines:
        return bool(popcount(part) >= root.least)
    for line in root.lines:
        if not line:
            return False
        if line & part == line:
            return True
    return False


@compiled(types.boolean(_ROOT, _OPTION, types.uint64, types.uint64))
def _try_placement(root: Record, option: Record, region: Word, stone: Word) -> bool:
    """Fill in the option for a stone on a point; return False if the placement is illegal."""
    left = region ^ stone
    number = option.count = option.next = option.size = 0
    while left:
        part = _connected(root, left & -left, left)
        left ^= part
        if not _fulfils(root, part):
            return False
        number += 1
        size = popcount(part)
        if size > root.idle:
            at = option.count
            while at > 0 and popcount(option.parts[at - 1]) > size:
                option.parts[at] = option.parts[at - 1]
                at -= 1
            option.parts[at] = part
            option.count += 1
            option.size = max(option.size, size)
    option.worth = (number - 1) & 1
    return number > 0


@compiled(types.int64(_ROOT, types.uint64, _OPTIONS, types.int64))
def _list_options(root: Record, region: Word, options: Any, start: int) -> int:
    """List the placements in a region, and return the end of the list.

    Those that leave the smallest parts come first. There has to be room for one more option than
    the region has points.
    """
    end, left = start, region
    while left:
        stone = left & -left
        left ^= stone
        new = options[end]
        if _try_placement(root, new, region, stone):
            at = end
            while at > start and options[at - 1].size > new.size:
                at -= 1
            _insert(options, at, end)
            end += 1
    for i in range(start, end):
        option = options[i]
        if option.count:
            option.key = key_of(root, option.parts[0])
    return end


@compiled(types.void(_OPTIONS, types.int64, types.int64))
def _insert(options: Any, at: int, end: int) -> None:
    """Move an option from the end of the list to an earlier place."""
    spare = options[end + 1]
    _copy(spare, options[end])
    for i in range(end, at, -1):
        _copy(options[i], options[i - 1])
    _copy(options[at], spare)


@compiled(types.void(_OPTION, _OPTION))
def _copy(to: Record, source: Record) -> None:
    """Copy an option field by field.

    Assigning whole records made the search take a fifth longer.
    """
    for i in range(MOST_PARTS):
        to.parts[i] = source.parts[i]
    to.key, to.count, to.next = source.key, source.count, source.next
    to.worth, to.size = source.worth, source.size


@compiled(types.int64(_ENTRIES, types.uint64))
def find(entries: Any, key: Word) -> int:
    """Return the index of a shape's entry, or of the unused place for it.

    The table always has an unused place.
    """
    mask = len(entries) - 1
    at = np.int64(key & _U(mask))
    while entries[at].used and entries[at].key != key:
        at = (at + 1) & mask
    return int(at)


@compiled(types.void(_ENTRIES, _ENTRIES))
def move_entries(entries: Any, larger: Any) -> None:
    """Copy all entries to another, empty table."""
    for at in range(len(entries)):
        if entries[at].used:
            larger[find(larger, entries[at].key)] = entries[at]


@compiled(types.void(_ENTRIES, _HEAD, _FRAME))
def _store(entries: Any, head: Record, frame: Record) -> None:
    """Store the answer to the frame's question."""
    entry = entries[find(entries, frame.key)]
    if not entry.used:
        entry.used, entry.key, entry.worth = 1, frame.key, -1
        entry.not_worth = _0
        head.entries += 1
    if head.result == TRUE:
        entry.worth = frame.question
    else:
        entry.not_worth |= _1 << _U(frame.question)


@compiled(types.int64(_ENTRY, types.int64))
def known(entry: Record, question: int) -> int:
    """Return whether a region has this worth, or `UNKNOWN` if its entry does not decide it."""
    if not entry.used:
        return UNKNOWN
    if entry.worth >= 0:
        return TRUE if entry.worth == question else FALSE
    return FALSE if entry.not_worth >> _U(question) & _1 else UNKNOWN


@compiled(types.int64(_FRAME))
def _target_value(frame: Record) -> int:
    """Return the value that this step looks for among the options (see the module's docstring)."""
    if frame.step == 0:
        return int(frame.question ^ 1)
    if frame.step == 1:
        return int(frame.question)
    less = frame.step - 2
    return int(less) if less < (frame.question & ~1) else _NOTHING_MORE


@compiled(types.int64(_ROOT, _ENTRIES, _OPTION, types.int64))
def _ask(root: Record, entries: Any, option: Record, value: int) -> int:
    """Return whether a placement leads to a value, or `~question` about a part to ask first.

    That part is the option's next one, whose worth is not known yet.
    """
    while option.next < option.count:
        entry = entries[find(entries, option.key)]
        if option.next == option.count - 1:
            question = value ^ option.worth
            answer = known(entry, question)
            return ~question if answer == UNKNOWN else answer
        if not entry.used:
            return ~0
        if entry.worth < 0:
            return ~int(lowest(~entry.not_worth))
        option.worth ^= entry.worth
        option.next += 1
        option.key = key_of(root, option.parts[option.next])
    return TRUE if option.worth == value else FALSE


@compiled(types.int64(_ROOT, _ENTRIES, _FRAMES, _HEAD, _OPTIONS))
def _continue(root: Record, entries: Any, frames: Any, head: Record, options: Any) -> int:
    """Return the answer to the question of the top frame.

    Returns `UNKNOWN` if the question needs another answer first, whose frame is then on top.
    """
    frame = frames[head.depth]
    while True:
        value = _target_value(frame)
        if value == _NOTHING_MORE:
            return TRUE
        answer = FALSE
        while frame.at < frame.end and answer == FALSE:
            option = options[frame.at]
            answer = _ask(root, entries, option, value)
            if answer < 0:
                below = frames[head.depth + 1]
                below.region, below.key = option.parts[option.next], option.key
                below.question, below.phase, below.start = ~answer, NEW, frame.end
                head.depth += 1
                return UNKNOWN
            frame.at += answer == FALSE
        if (answer == TRUE) == (frame.step == 0):
            return FALSE
        frame.step += 1
        if frame.step == 1 and not frame.question & 1:
            frame.step = 2
        frame.at = frame.start


@compiled(types.int64(_ROOT, _ENTRIES, _FRAMES, _HEAD, _OPTIONS, types.int64))
def advance(root: Record, entries: Any, frames: Any, head: Record, options: Any, nodes: int) -> int:
    """Continue the search for at most `nodes` nodes.

    Returns the answer, `TRUE` or `FALSE`, or the reason for stopping early: `OUT_OF_NODES` or
    `OUT_OF_ROOM`.
    """
    last_node = head.nodes + nodes
    while head.depth >= 0:
        frame = frames[head.depth]
        if frame.phase == NEW:
            full = 4 * (head.entries + head.depth + 2) > 3 * len(entries)
            if full or frame.start + MOST_POINTS + 2 > len(options):
                return OUT_OF_ROOM
            if head.nodes >= last_node:
                return OUT_OF_NODES
            head.nodes += 1
            frame.end = _list_options(root, frame.region, options, frame.start)
            frame.at, frame.step, frame.phase = frame.start, 0, _TRYING
        head.result = _continue(root, entries, frames, head, options)
        if head.result != UNKNOWN:
            _store(entries, head, frame)
            head.depth -= 1
    return int(head.result)
