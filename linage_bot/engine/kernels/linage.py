"""Linage compiled: the exact rules, and playouts that take about 33 ns per stone.

Strategy. A playout draws points at random from a list. To decide whether a point is legal, it
loads the points around it into one 64-bit word, the *window*, and uses shifts of that word. Almost
always the window alone proves that the point's region has lines of both kinds and that every empty
neighbour stays connected to a line. Only otherwise is the whole board searched. Results are stored,
so that no question is examined twice: a region found to be owned is scored and erased, and a point
that would cut off a neighbour is parked until a stone is put on that neighbour.

Cells and sets of points are those of `windows`. `board` explains the list and parking, and `lines`
the search for neighbours that are cut off. Lines of four and five points are followed beyond the
window before the board is searched.

Invariants.
- A point is open (in `open`) if it is empty and its region is not yet known to be owned.
- Every open point is either listed or parked.
- A parked point p is illegal: a stone on it would leave the part with its neighbour q =
  `blocked_by[p]` without a line.
- An owned region that is not yet known to be owned has a listed point. Proof: suppose all its
  points were parked. One of them, p, does not cut the region. The part with q is then the whole
  rest of the region, with a line, so p would not be parked. Hence examining every listed point
  finds every owned region, and the points that stay listed are legal.
- Every point of a region known to be owned has itself as `blocked_by`.
- Ownership is permanent, and a free region always has a legal point. So if no point is listed, the
  game is decided, and stones + owned points = all points.

To list all legal points, most are found at once (`safe_points`), and only the other listed ones are
examined.

Edition `2016` also allows placements in one's own region. They never pay, as they cost a point and
change no owner. So playouts leave them out; `legal` and `play` include them.
"""

from typing import Any, cast

import attrs
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import Signatures, State, States, compiled, level_symmetries
from linage_bot.engine.kernels.square.board import (
    BOARD,
    copy_board,
    copy_set,
    encode_board,
    put,
    unlist,
)
from linage_bot.engine.kernels.square.lines import (
    across_lines,
    cut_off,
    cut_off_by,
    search_lines,
    upright_lines,
)
from linage_bot.engine.kernels.square.listing import first_outside, keep_listed, list_moves
from linage_bot.engine.kernels.square.patterns import weigh
from linage_bot.engine.kernels.square.priors import SURVEY, estimate_priors
from linage_bot.engine.kernels.square.regions import size_of
from linage_bot.engine.kernels.square.safe_points import SAFE, find_legal
from linage_bot.engine.kernels.square.windows import (
    ACROSS,
    BOTH,
    CENTRE,
    MARGIN,
    NEXT,
    RIM,
    UPRIGHT,
    WORDS,
    add,
    cell_in_window,
    filled,
    grown,
    holds,
    padded_at,
    padded_cell,
    padded_point,
    remove,
    window_at,
)
from linage_bot.engine.kernels.tuning import Tuning
from linage_bot.engine.kernels.turns import (
    BUTTON_FREE,
    TURNS,
    copy_turns,
    encode_turns,
    end_turn,
    in_half_points,
    pass_flags,
    pass_turn,
    turns_word,
)
from linage_bot.engine.kernels.words import Word, advance, below, lowest, popcount
from linage_bot.rules.game import PASS, Position
from linage_bot.rules.linage import LinagePosition

STATE = np.dtype(
    [
        ("board", BOARD),  # open are the points of regions not known to be owned
        ("turns", TURNS),
        ("vertical", np.uint64, WORDS),  # points of regions known to be owned (edition 2016 only)
        ("horizontal", np.uint64, WORDS),
        ("survey", SURVEY),  # scratch of `priors`
        ("safe", SAFE),  # scratch of `legal`
        ("points", np.int64, 2),  # the size of the regions known to be owned, by owner
        ("own_regions_open", np.int64),  # 1 in edition 2016
    ],
    align=True,
)
_S = Signatures(STATE)

_U = np.uint64
_0, _1, _2, _3, _5, _8 = map(np.uint64, (0, 1, 2, 3, 5, 8))
_ROW = _U(0xFFFFFFFF)
_MIDDLES_ACROSS = _U(7 << 26)  # middles of the horizontal three-point lines through the centre
_MIDDLES_UPRIGHT = _U(1 << 19 | 1 << 27 | 1 << 35)
_LEGAL, _OWNED, _CUTS_OFF = 0, 1, 2


@compiled(types.void(_S.state, types.uint64, types.int64))
def _erase(state: State, cell: Word, owner: int) -> None:
    """Move a cell of a region found to be owned from the open points to the owner's points."""
    remove(state.board.open, cell)
    if state.own_regions_open:
        add(state.horizontal if owner else state.vertical, cell)
    unlist(state.board, cell)
    state.board.blocked_by[cell] = cell


@compiled(types.void(_S.state, types.uint64, types.uint64, types.int64))
def _erase_window(state: State, cell: Word, region: Word, owner: int) -> None:
    """Erase and score a region that lies inside the window of a cell."""
    state.points[owner] += popcount(region)
    while region:
        _erase(state, cell_in_window(cell, lowest(region)), owner)
        region &= region - _1


@compiled(types.int64(_S.state, types.uint64, types.uint64, types.uint64, types.uint64))
def _erase_if_owned(state: State, cell: Word, region: Word, across: Word, upright: Word) -> int:
    """Erase the region of a cell if it is owned; return whether it is.

    Called if two steps of a flood did not decide this. `region` is the part of the region within
    the cell's window; `across` and `upright` contain a point of each line there.
    """
    kinds = ACROSS if region & across else 0
    if region & upright:
        kinds |= UPRIGHT
    if kinds != BOTH and region & RIM:
        kinds = search_lines(state.board.open, state.board.flood, cell, region, kinds, BOTH)
    if kinds == BOTH:
        return False
    owner = 1 if kinds & ACROSS else 0
    if region & RIM:
        state.points[owner] += np.int64(state.board.flood.reached)
        for i in range(state.board.flood.reached):
            _erase(state, _U(state.board.flood.queue[i]), owner)
        region &= ~RIM
    _erase_window(state, cell, region, owner)
    return True


@compiled(types.int64(_S.state, types.uint64))
def _examine(state: State, cell: Word) -> int:
    """Return whether a placement is legal on an open point just removed from the list.

    `_LEGAL`: it is. `_OWNED`: no, the point's region is owned, and is erased now. `_CUTS_OFF`: no,
    it would cut off a neighbour, and the point is parked now.
    """
    window = window_at(state.board.open, cell)
    left = window ^ CENTRE
    if state.board.flood.line == _3:
        # Here a line is represented by its middle; the rest are the lines without the cell.
        across = window & window >> _1 & window << _1
        upright = window & window >> _8 & window << _8
        rest_across, rest_upright = across & ~_MIDDLES_ACROSS, upright & ~_MIDDLES_UPRIGHT
        on_lines = (
            rest_across | rest_across << _1 | rest_across >> _1
            | rest_upright | rest_upright << _8 | rest_upright >> _8
        )  # fmt: skip
    elif state.board.flood.line == _2:
        across, upright = window & window >> _1, window & window >> _8
        on_lines = left & (left << _1 | left >> _1 | left << _8 | left >> _8)
    else:
        across = across_lines(state.board.open, cell, state.board.flood.line)
        upright = upright_lines(state.board.open, cell, state.board.flood.line)
        on_lines = (across | upright) & ~CENTRE
    beside = on_lines << _1 | on_lines >> _1 | on_lines << _8 | on_lines >> _8
    doubtful = NEXT & left & ~(on_lines | beside)
    region = grown(grown(CENTRE | NEXT & window, window), window)
    proven_free = region & across and region & upright
    if not proven_free and _erase_if_owned(state, cell, filled(region, window), across, upright):
        return _OWNED
    if doubtful:
        neighbour = cut_off(state.board.open, state.board.flood, cell, left, on_lines, doubtful)
        if neighbour:
            state.board.blocked_by[cell] = neighbour
            return _CUTS_OFF
    return _LEGAL


@compiled(types.void(_S.state))
def _settle(state: State) -> None:
    """Make the listed points those that are legal, also in `safe.legal`; erase owned regions."""
    find_legal(state.board.open, state.board.flood.rows, state.board.flood.line, state.safe)
    known = _U(size_of(state.safe.legal, state.board.flood.rows))
    place = _0  # listed[:place] are legal
    while known < state.board.count:
        place = first_outside(state.board, state.safe.legal, place)
        cell = _U(state.board.listed[place])
        unlist(state.board, cell)
        if _examine(state, cell) == _LEGAL:
            known += _1
            keep_listed(state.board, state.safe.legal, cell, place)


@compiled(types.int64(_S.state))
def _known_lead(state: State) -> int:
    """Return the score lead by the regions known to be owned, komi and the button."""
    turns, lead = state.turns, state.points[0] - state.points[1]
    return in_half_points(lead, turns.komi, turns.button)


@compiled(_S.score_lead)
def score_lead(state: State) -> int:
    """Return First's score lead in the present position, in half points."""
    _settle(state)
    return _known_lead(state)


@compiled(types.uint64(_S.state, types.uint64, types.int64))
def _own_fillings(state: State, j: Word, player: int) -> Word:
    """Return the points in a row of a player's own regions where edition 2016 lets them place."""
    own = state.horizontal if player else state.vertical
    left, row = own[j] & _ROW, _0
    while left:
        cell = j << _5 | (lowest(left) - _3)
        if not cut_off_by(own, state.board.flood, cell):
            row |= left & -left
        left &= left - _1
    return row


@compiled(_S.legal)
def legal(state: State, moves: Any) -> int:
    """List the legal placements, ascending, then a pass; return their number, 0 after the end."""
    if state.turns.passes == 2:
        return 0
    _settle(state)
    if state.own_regions_open:
        for j in range(_U(MARGIN), _U(MARGIN) + state.board.flood.rows):
            state.safe.legal[j] |= np.uint32(_own_fillings(state, j, state.turns.to_move))
    return list_moves(state.board, state.safe.legal, moves) + 1


@compiled(_S.play)
def play(state: State, move: int) -> None:
    """Play a legal move."""
    if move == PASS:
        pass_turn(state.turns)
        return
    cell = padded_at(move, state.board.columns)
    if holds(state.board.open, cell):
        unlist(state.board, cell)
        put(state.board, cell)
    else:  # a point of the player's own region
        remove(state.horizontal if state.turns.to_move else state.vertical, cell)
        state.board.blocked_by[cell] = 0
        state.points[state.turns.to_move] -= 1
    end_turn(state.turns)


@compiled(_S.playout)
def playout(state: State, random: Any, trail: Any) -> int:
    """Play random legal placements until there are none; return the score lead."""
    trail[0] = 0
    if state.turns.passes == 2:
        _settle(state)
        return _known_lead(state)
    word = random[_0]
    stones = 0
    while state.board.count:
        word = advance(word)
        cell = _U(state.board.listed[below(word, state.board.count)])
        unlist(state.board, cell)
        if _examine(state, cell) == _LEGAL:
            put(state.board, cell)
            stones += 1
            trail[_U(stones)] = padded_point(cell, state.board.columns)
    random[_0] = word
    trail[0] = stones
    if state.turns.button == BUTTON_FREE:  # the first player without a placement takes it
        state.turns.button = (state.turns.to_move + stones) & 1
    return _known_lead(state)


@compiled(_S.copy)
def copy(to: State, source: State) -> None:
    """Make `to` equal to `source`, except for scratch and the rows above the board."""
    copy_board(to.board, source.board)
    copy_turns(to.turns, source.turns)
    if source.own_regions_open:
        copy_set(to.vertical, source.vertical, source.board.flood.rows)
        copy_set(to.horizontal, source.horizontal, source.board.flood.rows)
    to.points[_0], to.points[_1] = source.points[_0], source.points[_1]
    to.own_regions_open = source.own_regions_open


@compiled(_S.hash_data)
def hash_data(state: State, points: Any) -> Word:
    """Fill in the stones; return a word for the passes and the button."""
    point = 0
    for y in range(state.board.flood.rows):
        for x in range(state.board.columns):
            cell = padded_cell(x, y)
            open_or_owned = holds(state.board.open, cell) | _U(state.board.blocked_by[cell] == cell)
            points[point] = _1 - open_or_owned
            point += 1
    return turns_word(state.turns)


@compiled(_S.observe)
def observe(state: State, points: Any) -> int:
    """Fill in the stones; return the flags of the passes and the button."""
    hash_data(state, points)
    return pass_flags(state.turns.passes, state.turns.button)


@compiled(_S.priors)
def priors(state: State, moves: Any, count: int, gains: Any) -> int:
    """Set the priors of moves: expected gains, or learned scores if there are weights for the game.

    Return the winner, 1 or -1, if bounds on the score lead under best play agree on its sign, else
    0. The bounds are the sums of those of the free regions, improved for the player to move by the
    heat of the hottest region, as they can play there first. A free button is worth half a point to
    one of the players. After a pass, the player to move may also end the game. So the score lead is
    the better for them of the score now and the score lead without that pass; a pass gives the
    opponent this choice and nothing else.
    """
    for i in range(count):
        gains[i] = 0.0
        if moves[i] != PASS:  # a point is lost, unless this is an open point (below)
            gains[i] = 1.0 if state.turns.to_move else -1.0
    low, high, hottest = estimate_priors(state.survey, state.board, moves, count, gains)
    weigh(state.survey, moves, count, state.turns.to_move, gains)
    known, button = _known_lead(state), 1 if state.turns.button == BUTTON_FREE else 0
    least, most = known + 2 * low - button, known + 2 * high + button
    if state.turns.to_move:
        most -= 2 * hottest
        if state.turns.passes:
            least, most = min(least, known), min(most, known)
    else:
        least += 2 * hottest
        if state.turns.passes:
            least, most = max(least, known), max(most, known)
    if least > 0:
        return 1
    return -1 if most < 0 else 0


def encode(position: Position) -> States:
    """Return the state of a position, with every empty point listed."""
    position = cast(LinagePosition, position)
    states = np.zeros(1, STATE)
    encode_board(states[0]["board"], position, position.game.line)
    encode_turns(states[0]["turns"], position)
    states[0]["own_regions_open"] = position.game.edition == "2016"
    return states


# Stones have no colour, so a stone on a point has the same effect for either player.
TUNING = Tuning(exploration=0.02, plays=2, colour_blind=True, prior_visits=20, prior_slope=0.1)
TUNING_LARGE = attrs.evolve(TUNING, exploration=0.007, rave_bias=0.00025, expand_at=16, plays=1)
symmetries = level_symmetries
