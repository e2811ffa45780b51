"""Linage compiled: playouts of about 33 ns a stone, and the exact rules around them.

Strategy. A playout draws points at random from a list. To decide whether a point is legal it
loads the points around it into one 64-bit word, the *window*, and shifts that word about: almost
always the window alone proves that the point's region has lines of both kinds and that every empty
neighbour stays connected to a line. Only otherwise is the whole board searched. What is learnt
is never asked again: a region found to be owned is scored and erased, a point that would strand a
neighbour is parked until a stone lands on that neighbour.

Cells. The point in column x and row y is cell `(y + 8) << 5 | x`: a step is 1 or 32, and no step
leaves the arrays. Rows are bit sets of *open* points with column x at bit x + 3. Word j of
`pairs` holds row j in its low half and row j + 4 in its high half, so that four words give the
eight rows j - 3 to j + 4 of a window, eight bits a row, of which seven are columns x - 3 to x + 3.

Invariants.
- A point is open (set in `pairs`) if it is empty and its region is not yet known to be owned.
- Every open point is either listed or parked, never both; `place` says where it is listed.
- A parked point p is illegal: taking it would leave the part with `blocked_by[p]` = q, a neighbour,
  without a line. That part can only shrink, so p stays illegal until a stone lands on q.
- An owned region that is not yet known has a listed point: were all parked, so would be a point p
  that does not cut it, and the part with q is then the whole rest of the region, line and all.
  So examining every listed point finds every owned region, and what remains listed is legal.
- Ownership is permanent, and a free region always has a legal point: when no point is listed the
  game is decided, and stones + owned points = all points.

Edition `2016` also allows points in one's own region. That never pays (it costs the point and
changes no owner), so playouts leave them out, `legal` and `play` do not.
"""

from __future__ import annotations

from typing import Any, TypeAlias, cast

import numpy as np
from numba import types

from linage_bot.boards import bits
from linage_bot.game import PASS, Player, Position
from linage_bot.games.linage import LinagePosition
from linage_bot.kernels.contract import Kernel, Signatures, State, States, compiled
from linage_bot.kernels.words import Word, advance, below, lowest, popcount

_MARGIN = 8  # rows below the board: a window and its erasing stay inside the arrays
_WORDS = _MARGIN + 25 + 8
_CELLS = _WORDS << 5

STATE = np.dtype(
    [
        ("pairs", np.uint64, _WORDS),  # open points, two rows a word
        ("vertical", np.uint64, _WORDS),  # points of regions known to be owned, in the same form
        ("horizontal", np.uint64, _WORDS),
        ("listed", np.uint16, 640),  # cells, in no order
        ("place", np.uint16, _CELLS),  # of a listed cell; else UNLISTED
        ("blocked_by", np.uint16, _CELLS),  # of a parked cell; else anything not next to it
        ("seen", np.uint32, _WORDS),  # scratch of `_spread`
        ("queue", np.uint16, 640),  # scratch of `_spread`
        ("reached", np.uint64),  # scratch of `_spread`
        ("count", np.uint64),  # listed cells
        ("points", np.int64, 2),  # of the regions known to be owned, by owner
        ("columns", np.uint64),
        ("rows", np.uint64),
        ("line", np.uint64),
        ("komi", np.int64),  # in half points
        ("own_regions_open", np.int64),  # 1 in edition 2016
        ("button", np.int64),  # who has it: 0 or 1; 2: nobody yet; 3: there is none
        ("passes", np.int64),  # in succession
        ("to_move", np.int64),
    ],
    align=True,
)
_S = Signatures.over(STATE)
_ROWS = types.NestedArray(types.uint64, (_WORDS,))  # of a state: pairs, vertical or horizontal

Words: TypeAlias = Any  # an array of them: `pairs`, `vertical` or `horizontal` of a state

_U = np.uint64
_0, _1, _2, _3, _4, _5, _7, _8, _27, _32 = map(np.uint64, (0, 1, 2, 3, 4, 5, 7, 8, 27, 32))
_31 = _U(31)
_UNLISTED = np.uint16(0xFFFF)
_HALF_WINDOWS = _U(0x7F0000007F)  # two rows of seven columns
_CENTRE = _U(1) << _27
_NEXT = _U(1 << 26 | 1 << 28 | 1 << 19 | 1 << 35)
_MIDDLES_ACROSS = _U(7 << 26)  # middles of the horizontal three-point lines through the centre
_MIDDLES_UPRIGHT = _U(1 << 19 | 1 << 27 | 1 << 35)
_RIM = _U(0x7F0000000000007F | 0x4141414141414141)  # a region that touches it may go on outside
_ACROSS, _UPRIGHT = 1, 2  # kinds of lines, as flags
_BOTH = 3
_LEGAL, _OWNED, _STRANDING = 0, 1, 2
_NO_BUTTON, _BUTTON_FREE = 3, 2


@compiled(types.uint64(_ROWS, types.uint64, types.uint64))
def _window(pairs: Words, j: Word, x: Word) -> Word:
    """The open points around column x of row j, which is bit 27."""
    return (
        (pairs[j - _3] >> x & _HALF_WINDOWS)
        | (pairs[j - _2] >> x & _HALF_WINDOWS) << _8
        | (pairs[j - _1] >> x & _HALF_WINDOWS) << _U(16)
        | (pairs[j] >> x & _HALF_WINDOWS) << _U(24)
    )


@compiled(types.uint64(types.uint64, types.uint64))
def _grown(region: Word, within: Word) -> Word:
    """One step of a flood: along the rows, then along the columns."""
    region |= (region << _1 | region >> _1) & within
    return region | (region << _8 | region >> _8) & within


@compiled(types.uint64(types.uint64, types.uint64))
def _filled(region: Word, within: Word) -> Word:
    """A flood to its end."""
    before = _0
    while region != before:
        before = region
        region = _grown(region, within)
    return region


@compiled(types.uint64(types.uint64, types.uint64, types.uint64))
def _starts(window: Word, line: Word, step: Word) -> Word:
    """The points from which a whole line runs to higher bits, `step` bits a point."""
    starts = window
    for _ in range(line - _1):
        starts = window & starts >> step
    return starts


@compiled(types.uint64(types.uint64, types.uint64, types.uint64))
def _lines(window: Word, line: Word, step: Word) -> Word:
    """All points on lines of the direction that `step` stands for (1: rows, 8: columns)."""
    points = _starts(window, line, step)
    for _ in range(line - _1):
        points |= points << step
    return points


@compiled(types.int64(_S.state, _ROWS, types.uint64))
def _kinds_through(state: State, pairs: Words, cell: Word) -> int:
    """The kinds of lines through a cell, for any length of line."""
    j, bit, line = cell >> _5, (cell & _31) + _3, state.line
    reach = _1
    while pairs[j] >> (bit + reach) & _1:
        reach += _1
    back = _1
    while pairs[j] >> (bit - back) & _1:
        back += _1
    kinds = _ACROSS if reach + back - _1 >= line else 0
    reach = _1
    while pairs[j + reach] >> bit & _1:
        reach += _1
    back = _1
    while pairs[j - back] >> bit & _1:
        back += _1
    return kinds | _UPRIGHT if reach + back - _1 >= line else kinds


@compiled(types.int64(_ROWS, types.uint64))
def _kinds_through_3(pairs: Words, cell: Word) -> int:
    """The same for lines of three, without loops."""
    j, x = cell >> _5, cell & _31
    row = pairs[j] >> (x + _1)  # the cell is bit 2
    below2, below1 = pairs[j - _2] >> (x + _3), pairs[j - _1] >> (x + _3)
    above1, above2 = pairs[j + _1] >> (x + _3), pairs[j + _2] >> (x + _3)
    kinds = _ACROSS if row & row >> _1 & row >> _2 & _7 else 0
    upright = (below2 & below1 | below1 & above1 | above1 & above2) & _1
    return kinds | _UPRIGHT if upright else kinds


@compiled(types.int64(_S.state, _ROWS, types.uint64, types.int64))
def _spread(state: State, pairs: Words, start: Word, wanted: int) -> int:
    """Search the region of `start` breadth first until lines of a wanted set of kinds are found.

    `wanted` is `_BOTH`, or `_ACROSS` for a line of any kind. Returns the kinds found; `queue` holds
    the `reached` cells, which are the whole region if the search was not cut short.
    """
    seen, queue = state.seen, state.queue
    for j in range(_U(_MARGIN) - _1, _U(_MARGIN) + state.rows + _1):
        seen[j] = np.uint32(pairs[j] & _U(0xFFFFFFFF))  # here: open and not yet reached
    kinds = 0
    head: Word = _0
    tail: Word = _1
    queue[_0] = start
    seen[start >> _5] &= ~np.uint32(_1 << ((start & _31) + _3))
    while head < tail:
        cell = _U(queue[head])
        head += _1
        if state.line == _3:
            kinds |= _kinds_through_3(pairs, cell)
        else:
            kinds |= _kinds_through(state, pairs, cell)
        if kinds == _BOTH or (kinds and wanted != _BOTH):
            break
        j, bit = cell >> _5, (cell & _31) + _3
        # Written without branches: each neighbour is stored, and kept if it was not yet reached.
        row = _U(seen[j])
        left, right = row >> (bit - _1) & _1, row >> (bit + _1) & _1
        queue[tail] = cell - _1
        tail += left
        queue[tail] = cell + _1
        tail += right
        seen[j] = np.uint32(row & ~(left << (bit - _1) | right << (bit + _1)))
        for step in (-1, 1):
            k = _U(np.int64(j) + step)
            free = _U(seen[k]) >> bit & _1
            queue[tail] = (k << _5) | (cell & _31)
            tail += free
            seen[k] &= ~np.uint32(free << bit)
    state.reached = tail
    return kinds


@compiled(types.void(_S.state, types.uint64))
def _unlist(state: State, cell: Word) -> None:
    """Take a cell off the list, if it is on it."""
    place = state.place[cell]
    if place != _UNLISTED:
        state.count -= _1
        last = state.listed[state.count]
        state.listed[_U(place)] = last
        state.place[_U(last)] = place
        state.place[cell] = _UNLISTED


@compiled(types.void(_S.state, types.uint64))
def _list(state: State, cell: Word) -> None:
    """Put a cell on the list."""
    state.listed[state.count] = cell
    state.place[cell] = state.count
    state.count += _1


@compiled(types.void(_ROWS, types.uint64))
def _close(pairs: Words, cell: Word) -> None:
    """Clear a cell in both words that hold its row."""
    j, bit = cell >> _5, (cell & _31) + _3
    pairs[j] &= ~(_1 << bit)
    pairs[j - _4] &= ~(_1 << (bit + _32))


@compiled(types.void(_ROWS, types.uint64))
def _open(pairs: Words, cell: Word) -> None:
    """Set a cell in both words that hold its row."""
    j, bit = cell >> _5, (cell & _31) + _3
    pairs[j] |= _1 << bit
    pairs[j - _4] |= _1 << (bit + _32)


@compiled(types.void(_S.state, types.uint64, types.int64))
def _erase(state: State, cell: Word, owner: int) -> None:
    """Move a cell of a region found to be owned from the open points to the owner's."""
    _close(state.pairs, cell)
    if state.own_regions_open:
        _open(state.horizontal if owner else state.vertical, cell)
    _unlist(state, cell)


@compiled(types.void(_S.state, types.uint64, types.uint64, types.int64))
def _erase_window(state: State, cell: Word, region: Word, owner: int) -> None:
    """`_erase` a region that lies inside the window of a cell."""
    state.points[owner] += popcount(region)
    base = cell - _3 * _32 - _3
    while region:
        bit = lowest(region)
        region &= region - _1
        _erase(state, base + (bit >> _3 << _5) + (bit & _7), owner)


@compiled(types.int64(_S.state, types.uint64, types.uint64, types.uint64))
def _owner_of(state: State, cell: Word, window: Word, region: Word) -> int:
    """Whether the region of a cell is owned, where two steps of a flood did not decide.

    `region` is the flood so far. Erases an owned region and returns True.
    """
    region = _filled(region, window)
    across = _starts(window, state.line, _1) & region
    upright = _starts(window, state.line, _8) & region
    if across and upright:
        return False
    if not region & _RIM:
        _erase_window(state, cell, region, 1 if across else 0)
        return True
    kinds = _spread(state, state.pairs, cell, _BOTH)
    if kinds == _BOTH:
        return False
    owner = 1 if kinds & _ACROSS else 0
    state.points[owner] += np.int64(state.reached)
    for i in range(state.reached):
        _erase(state, _U(state.queue[i]), owner)
    return True


@compiled(types.uint64(_S.state, _ROWS, types.uint64, types.uint64, types.uint64, types.uint64))
def _stranded(
    state: State, pairs: Words, cell: Word, left: Word, lines: Word, doubtful: Word
) -> Word:
    """A neighbour that a stone on `cell` would strand; 0 if there is none.

    `left` is the window without the cell, `lines` the points on its lines, `doubtful` the
    neighbours not yet known to be connected to one.
    """
    stranded = _0
    base = cell - _3 * _32 - _3
    closed = False
    while doubtful and not stranded:
        first = doubtful & -doubtful
        part = _filled(first, left)
        doubtful &= ~part
        if not part & lines:
            bit = lowest(first)
            neighbour = base + (bit >> _3 << _5) + (bit & _7)
            if part & _RIM:
                if not closed:
                    _close(pairs, cell)
                    closed = True
                if not _spread(state, pairs, neighbour, _ACROSS):
                    stranded = neighbour
            else:
                stranded = neighbour
    if closed:
        _open(pairs, cell)
    return stranded


@compiled(types.int64(_S.state, types.uint64))
def _examine(state: State, cell: Word) -> int:
    """Whether an open point that was just taken off the list may be placed on.

    `_OWNED`: its region was found to be owned, and is erased. `_STRANDING`: it is parked.
    """
    window = _window(state.pairs, cell >> _5, cell & _31)
    left = window ^ _CENTRE
    if state.line == _3:
        # Lines are known by their middles here; those that survive have no point on the cell.
        across = window & window >> _1 & window << _1
        upright = window & window >> _8 & window << _8
        rest_across, rest_upright = across & ~_MIDDLES_ACROSS, upright & ~_MIDDLES_UPRIGHT
        lines = (
            rest_across | rest_across << _1 | rest_across >> _1
            | rest_upright | rest_upright << _8 | rest_upright >> _8
        )  # fmt: skip
    else:
        across = _starts(window, state.line, _1)
        upright = _starts(window, state.line, _8)
        lines = _lines(left, state.line, _1) | _lines(left, state.line, _8)
    near_lines = lines | (lines << _1 | lines >> _1 | lines << _8 | lines >> _8) & left
    doubtful = _NEXT & left & ~near_lines
    region = _grown(_grown(_CENTRE | _NEXT & window, window), window)
    if not (region & across and region & upright) and _owner_of(state, cell, window, region):
        return _OWNED
    if doubtful:
        neighbour = _stranded(state, state.pairs, cell, left, lines, doubtful)
        if neighbour:
            state.blocked_by[cell] = neighbour
            return _STRANDING
    return _LEGAL


@compiled(types.void(_S.state, types.uint64))
def _put(state: State, cell: Word) -> None:
    """A stone lands on a cell that is off the list; points parked because of it return."""
    _close(state.pairs, cell)
    blocked_by = state.blocked_by
    for neighbour in (cell - _1, cell + _1, cell - _32, cell + _32):
        if blocked_by[neighbour] == cell:
            _list(state, neighbour)


@compiled(types.void(_S.state))
def _settle(state: State) -> None:
    """Examine every listed point: afterwards owned regions are erased, listed points are legal."""
    legal = _0  # listed[:legal] are
    while legal < state.count:
        cell = _U(state.listed[legal])
        _unlist(state, cell)
        if _examine(state, cell) == _LEGAL:
            # Back on the list, before those not yet examined.
            _list(state, cell)
            other = _U(state.listed[legal])
            state.listed[legal], state.listed[state.count - _1] = cell, other
            state.place[other] = state.count - _1
            state.place[cell] = legal
            legal += _1


@compiled(types.int64(_S.state))
def _known_margin(state: State) -> int:
    half_points: int = 2 * (state.points[0] - state.points[1]) - state.komi
    if state.button == 0:
        half_points += 1
    elif state.button == 1:
        half_points -= 1
    return half_points


@compiled(_S.margin)
def margin(state: State) -> int:
    """First's points minus Second's, in half points, as the position stands."""
    _settle(state)
    return _known_margin(state)


@compiled(types.int64(_S.state, types.uint64, types.int64))
def _fills_own_region(state: State, cell: Word, player: int) -> int:
    """Whether edition 2016 lets the player place in a region they own, here."""
    pairs = state.horizontal if player else state.vertical
    window = _window(pairs, cell >> _5, cell & _31)
    if not window & _CENTRE:
        return False
    left = window ^ _CENTRE
    lines = _lines(left, state.line, _1) | _lines(left, state.line, _8)
    return not _stranded(state, pairs, cell, left, lines, _NEXT & left)


@compiled(_S.legal)
def legal(state: State, moves: Any) -> int:
    """The legal moves, ascending, then a pass; returns their number, 0 when the game is over."""
    if state.passes == 2:
        return 0
    _settle(state)
    count, point = 0, 0
    for y in range(state.rows):
        for x in range(state.columns):
            cell = (y + _U(_MARGIN)) << _5 | x
            if state.place[cell] != _UNLISTED or (
                state.own_regions_open and _fills_own_region(state, cell, state.to_move)
            ):
                moves[count] = point
                count += 1
            point += 1
    moves[count] = PASS
    return count + 1


@compiled(_S.play)
def play(state: State, move: int) -> None:
    """Play a legal move."""
    if move == PASS:
        if state.button == _BUTTON_FREE:
            state.button = state.to_move
        else:
            state.passes += 1
    else:
        columns = np.int64(state.columns)
        cell = (_U(move // columns) + _U(_MARGIN)) << _5 | _U(move % columns)
        if state.pairs[cell >> _5] >> ((cell & _31) + _3) & _1:
            _unlist(state, cell)
            _put(state, cell)
        else:  # a point of the player's own region
            _close(state.horizontal if state.to_move else state.vertical, cell)
            state.points[state.to_move] -= 1
        state.passes = 0
    state.to_move = 1 - state.to_move


@compiled(_S.playout)
def playout(state: State, random: Any) -> int:
    """Random legal placements until there is none; the margin then."""
    if state.passes == 2:
        _settle(state)
        return _known_margin(state)
    word = random[_0]
    stones = 0
    while state.count:
        word = advance(word)
        cell = _U(state.listed[below(word, state.count)])
        _unlist(state, cell)
        if _examine(state, cell) == _LEGAL:
            _put(state, cell)
            stones += 1
    random[_0] = word
    if state.button == _BUTTON_FREE:  # whoever first finds no placement takes it
        state.button = (state.to_move + stones) & 1
    return _known_margin(state)


@compiled(_S.copy)
def copy(to: State, source: State) -> None:
    """Make `to` equal to `source`; scratch and rows above the board are left alone."""
    top = _U(_MARGIN) + source.rows + _1
    for j in range(top):
        to.pairs[j] = source.pairs[j]
    if source.own_regions_open:
        for j in range(top):
            to.vertical[j] = source.vertical[j]
            to.horizontal[j] = source.horizontal[j]
    for i in range(source.count):
        to.listed[i] = source.listed[i]
    for cell in range(_U(_MARGIN - 1) << _5, top << _5):
        to.place[cell] = source.place[cell]
        to.blocked_by[cell] = source.blocked_by[cell]
    to.count = source.count
    to.points[_0], to.points[_1] = source.points[_0], source.points[_1]
    to.columns, to.rows, to.line = source.columns, source.rows, source.line
    to.komi, to.own_regions_open = source.komi, source.own_regions_open
    to.button, to.passes, to.to_move = source.button, source.passes, source.to_move


def encode(position: Position) -> States:
    """The state of a position, every empty point listed."""
    position = cast(LinagePosition, position)
    game, board = position.game, position.game.board
    states = np.zeros(1, STATE)
    state = states[0]
    state["columns"], state["rows"], state["line"] = board.columns, board.rows, game.line
    state["komi"] = round(2 * game.komi)
    state["own_regions_open"] = game.edition == "2016"
    state["button"] = _NO_BUTTON if not game.button else _BUTTON_FREE
    if position.button_taker is not None:
        state["button"] = position.button_taker
    state["passes"] = position.passes
    state["to_move"] = position.to_move is Player.SECOND
    state["place"][:] = _UNLISTED
    for point in bits(position.empty):
        y, x = divmod(point, board.columns)
        cell = np.uint64((y + _MARGIN) << 5 | x)
        _open(state["pairs"], cell)
        _list(state, cell)
    return states


KERNEL = Kernel(STATE, encode, copy, play, legal, playout, margin)
