"""Leblin compiled: exact rules by comparisons of words for rows and columns, and by small floods.

Strategy. Every row and every column is one word per player, in which the edges are stones of both.
The first stone below a point is the player's own if the player's bits below it are the greater
number (`visible_stones`). So a few instructions find out whether a stone has a lifeline, and
whether a placement breaks a lifeline of the enemy. Only groups that lose a lifeline are flooded,
and only until a stone with another lifeline is found.

Invariants, and why this is enough.
- At the start of a turn every group has a lifeline.
- A stone breaks enemy lifelines only along the two runs of empty points that it splits, the one in
  its row and the one in its column. Only the groups of the stones at the ends of these runs, at
  most four, may die.
- Of the player's own groups, only that of the new stone can lack a lifeline. If the stone splits a
  run between two of the player's own stones, each that is not next to it, and so possibly not in
  its group, still has a lifeline towards it.
- The removal of dead stones only lengthens runs, so every group that had a lifeline keeps it. A
  living enemy group never depended on a run towards a dead stone: that run would have been a
  lifeline of the dead stone, too.
"""

from typing import Any, cast

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import (
    MOST_RECORDED,
    Random,
    Signatures,
    State,
    States,
    all_symmetries,
    compiled,
)
from linage_bot.engine.kernels.stones import (
    EMPTY,
    LISTED,
    OFF,
    STONES,
    bordered_at,
    bordered_cell,
    bordered_point,
    copy_stones,
    encode_stones,
    fill_contents,
    fresh_mark,
    put,
    take,
    take_empty,
)
from linage_bot.engine.kernels.visible_stones import has_lifeline, highest, sees_above, sees_below
from linage_bot.engine.kernels.words import Word, advance, below, lowest
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Player, Position
from linage_bot.rules.leblin import LeblinPosition

STATE = np.dtype(
    [
        ("stones", STONES),
        ("row", np.uint64, (2, 32)),  # by player and `cell >> 5`, bit `cell & 31`; edges are set
        ("column", np.uint64, (2, 32)),  # by player and `cell & 31`, bit `cell >> 5`
        ("to_move", np.uint64),
        ("turns", np.int64),
        ("longest", np.int64),
        ("after_minimal", np.uint64),  # 1 if the previous turn was a minimal incursion
        ("minimal", np.uint64),  # 1 if the stone just tried is one
        ("captured", np.uint64),  # the number of stones that it removes: queue[:captured]
        ("queue", np.uint16, 2 * LISTED),  # captured stones, then scratch
        ("eyes", np.uint16, LISTED),  # scratch
    ],
    align=True,
)
_S = Signatures(STATE)

_U = np.uint64
_0, _1, _5, _31 = map(np.uint64, (0, 1, 5, 31))
_UNDECIDED = 2
_STEPS = (1, -1, 32, -32)
LONGEST_PLAYOUT = 6  # turns per point


@compiled(types.void(_S.state, types.uint64, types.uint64))
def _put(state: State, cell: Word, player: Word) -> None:
    put(state.stones, cell, player)
    state.row[player, cell >> _5] |= _1 << (cell & _31)
    state.column[player, cell & _31] |= _1 << (cell >> _5)


@compiled(types.void(_S.state, types.uint64, types.uint64))
def _take(state: State, cell: Word, player: Word) -> None:
    take(state.stones, cell)
    state.row[player, cell >> _5] &= ~(_1 << (cell & _31))
    state.column[player, cell & _31] &= ~(_1 << (cell >> _5))


@compiled(types.uint64(_S.state, types.uint64, types.uint64, types.uint64))
def _size_if_lifeless(state: State, start: Word, player: Word, queued: Word) -> Word:
    """Return the size of a stone's group if it has no lifeline, else 0.

    The cells of a group without a lifeline follow the first `queued` cells in the queue.
    """
    stones, queue, enemy = state.stones, state.queue, _1 - player
    mark = fresh_mark(stones)
    head, tail = queued, queued + _1
    queue[queued] = start
    stones.mark[start] = mark
    while head < tail:
        cell = _U(queue[head])
        head += _1
        x, y = cell & _31, cell >> _5
        if has_lifeline(state.row[player, y], state.row[enemy, y], x) or has_lifeline(
            state.column[player, x], state.column[enemy, x], y
        ):
            return _0
        for step in _STEPS:
            beside = cell + _U(step)
            if stones.on[beside] == player and stones.mark[beside] != mark:
                stones.mark[beside] = mark
                queue[tail] = beside
                tail += _1
    return tail - queued


@compiled(types.boolean(_S.state, types.uint64, types.uint64))
def _is_incursion(state: State, cell: Word, player: Word) -> bool:
    """Return whether a stone just put on a cell is in a territory of the enemy.

    Some enemy stone must be next to the region. Uses the scratch behind the captured stones.
    """
    stones, queue = state.stones, state.queue
    mark = fresh_mark(stones)
    head = state.captured
    tail = head + _1
    queue[head] = cell
    stones.mark[cell] = mark
    while head < tail:
        around = _U(queue[head])
        head += _1
        for step in _STEPS:
            beside = around + _U(step)
            if stones.mark[beside] != mark:
                if stones.on[beside] == player:
                    return False
                if stones.on[beside] == EMPTY:
                    stones.mark[beside] = mark
                    queue[tail] = beside
                    tail += _1
    return True


@compiled(types.uint64(_S.state, types.uint64, types.uint64))
def _capture_if_lifeless(state: State, cell: Word, player: Word) -> Word:
    """Add a stone's group to the captured stones if it has no lifeline; return 1 if it is added.

    A group that was added before is not added again.
    """
    for i in range(state.captured):
        if state.queue[i] == cell:
            return _0
    size = _size_if_lifeless(state, cell, player, state.captured)
    state.captured += size
    return _1 if size else _0


@compiled(types.uint64(_S.state, types.uint64, types.uint64))
def _list_captures(state: State, cell: Word, enemy: Word) -> Word:
    """List the enemy stones captured by a stone just put on a cell; return the number of groups."""
    x, y = cell & _31, cell >> _5
    groups = _0
    friends, edges = state.row[enemy, y], state.row[enemy, 0]
    others = state.row[_1 - enemy, y] & ~edges & ~(_1 << x)
    if sees_below(friends, others, x) and sees_above(friends, others, x):
        stone = highest(friends & ((_1 << x) - _1))
        if not edges >> stone & _1:
            groups += _capture_if_lifeless(state, y << _5 | stone, enemy)
        stone = lowest(friends >> x >> _1) + x + _1
        if not edges >> stone & _1:
            groups += _capture_if_lifeless(state, y << _5 | stone, enemy)
    friends, edges = state.column[enemy, x], state.column[enemy, 0]
    others = state.column[_1 - enemy, x] & ~edges & ~(_1 << y)
    if sees_below(friends, others, y) and sees_above(friends, others, y):
        stone = highest(friends & ((_1 << y) - _1))
        if not edges >> stone & _1:
            groups += _capture_if_lifeless(state, stone << _5 | x, enemy)
        stone = lowest(friends >> y >> _1) + y + _1
        if not edges >> stone & _1:
            groups += _capture_if_lifeless(state, stone << _5 | x, enemy)
    return groups


@compiled(types.void(_S.state, types.uint64, types.uint64))
def _retract(state: State, cell: Word, removed: Word) -> None:
    """Remove the stone just tried and put back the first `removed` captured stones."""
    player = state.to_move
    _take(state, cell, player)
    for i in range(removed):
        _put(state, _U(state.queue[i]), _1 - player)


@compiled(types.boolean(_S.state, types.uint64))
def _place_if_legal(state: State, cell: Word) -> bool:
    """Put a stone on an empty cell and remove the stones that it captures; return whether it may.

    An illegal placement is undone.
    """
    player, enemy = state.to_move, _1 - state.to_move
    _put(state, cell, player)
    state.captured = _0
    groups = _list_captures(state, cell, enemy)
    state.minimal = _1 if groups == _1 and _is_incursion(state, cell, player) else _0
    if state.minimal and state.after_minimal:
        _retract(state, cell, _0)
        return False
    for i in range(state.captured):
        _take(state, _U(state.queue[i]), enemy)
    if _size_if_lifeless(state, cell, player, state.captured):
        _retract(state, cell, state.captured)
        return False
    return True


@compiled(types.void(_S.state))
def _end_turn(state: State) -> None:
    state.after_minimal = state.minimal
    state.turns += 1
    state.to_move = _1 - state.to_move


@compiled(types.int64(_S.state))
def _outcome(state: State) -> int:
    """Return 1 or -1 if First or Second alone has stones, 0 if the game is too long.

    Otherwise `_UNDECIDED`.
    """
    if state.turns > state.longest:
        return 0
    if state.turns >= 2:
        if not state.stones.count[1]:
            return 1
        if not state.stones.count[0]:
            return -1
    return _UNDECIDED


@compiled(_S.legal)
def legal(state: State, moves: Any) -> int:
    """List the legal placements, ascending; return their number, 0 after the end of the game."""
    if _outcome(state) != _UNDECIDED:
        return 0
    count = 0
    stones = state.stones
    for y in range(stones.rows):
        for x in range(stones.columns):
            cell = bordered_cell(x, y)
            if stones.on[cell] == EMPTY and _place_if_legal(state, cell):
                _retract(state, cell, state.captured)
                moves[count] = bordered_point(cell, stones.columns)
                count += 1
    return count


@compiled(_S.score_lead)
def score_lead(state: State) -> int:
    """Return 1 if First has won, -1 if Second has, 0 before the end or after a draw."""
    outcome = _outcome(state)
    if outcome != _UNDECIDED:
        return outcome
    left = state.stones.empties
    while left:  # downwards, as trying a cell moves only cells listed behind it
        left -= _1
        cell = _U(state.stones.empty[left])
        if _place_if_legal(state, cell):
            _retract(state, cell, state.captured)
            return 0
    return 1 if state.to_move else -1


@compiled(_S.play)
def play(state: State, move: int) -> None:
    """Play a legal placement."""
    _place_if_legal(state, bordered_at(move, state.stones.columns))
    _end_turn(state)


@compiled(types.boolean(_S.state, types.uint64))
def _is_eye(state: State, cell: Word) -> bool:
    """Return whether all neighbours of a cell are stones of the player to move or off the board."""
    on, player = state.stones.on, state.to_move
    for step in _STEPS:
        beside = on[cell + _U(step)]
        if beside != player and beside != OFF:
            return False
    return True


@compiled(types.uint64(_S.state, Random))
def _play_randomly(state: State, random: Any) -> Word:
    """Put a stone on a random legal cell, in one of the player's eyes only if there is no other.

    Return the cell, or 0 if no placement is legal.
    """
    stones = state.stones
    word = random[_0]
    left = stones.empties
    eyes = _0
    while left:
        word = advance(word)
        cell = take_empty(stones, below(word, left), left)
        left -= _1
        if _is_eye(state, cell):
            state.eyes[eyes] = cell
            eyes += _1
        elif _place_if_legal(state, cell):
            random[_0] = word
            return cell
    random[_0] = word
    for i in range(eyes):
        eye = _U(state.eyes[i])
        if _place_if_legal(state, eye):
            return eye
    return _0


@compiled(_S.playout)
def playout(state: State, random: Any, trail: Any) -> int:
    """Play at random until a player has won or the playout is too long; return the score lead."""
    recorded = 0
    trail[0] = 0
    last = min(
        state.longest,
        state.turns + LONGEST_PLAYOUT * np.int64(state.stones.rows * state.stones.columns),
    )
    outcome = _outcome(state)
    while outcome == _UNDECIDED and state.turns <= last:
        cell = _play_randomly(state, random)
        if not cell:
            return 1 if state.to_move else -1
        if recorded < MOST_RECORDED:
            recorded += 1
            trail[_U(recorded)] = bordered_point(cell, state.stones.columns)
            trail[0] = recorded
        _end_turn(state)
        outcome = _outcome(state)
    return 0 if outcome == _UNDECIDED else outcome


@compiled(_S.copy)
def copy(to: State, source: State) -> None:
    """Make `to` equal to `source`, except for scratch."""
    copy_stones(to.stones, source.stones)
    for player in range(_U(2)):
        for k in range(source.stones.rows + _1):
            to.row[player, k] = source.row[player, k]
        for k in range(source.stones.columns + _1):
            to.column[player, k] = source.column[player, k]
    to.to_move, to.turns, to.longest = source.to_move, source.turns, source.longest
    to.after_minimal = source.after_minimal


@compiled(_S.hash_data)
def hash_data(state: State, points: Any) -> Word:
    """Fill in the stones; return a word for the other facts that decide which moves may follow.

    These are whether minimal incursions are forbidden now, and whether a player may win by being
    alone on the board.
    """
    fill_contents(state.stones, points)
    begun = _1 if state.turns >= 2 else _0
    return _U(state.after_minimal | begun << _1)


@compiled(_S.observe)
def observe(state: State, points: Any) -> int:
    """Fill in the stones; return 0, as there are no passes."""
    fill_contents(state.stones, points)
    return 0


def horizon(position: Position) -> int:
    """Return the number of turns before the game ends by its length."""
    position = cast(LeblinPosition, position)
    return max(0, position.game.longest - position.turns)


def encode(position: Position) -> States:
    """Return the state of a position."""
    position = cast(LeblinPosition, position)
    board = position.game.board
    states = np.zeros(1, STATE)
    state = states[0]
    encode_stones(state["stones"], position)
    state["row"][:] = 1 | 1 << board.columns + 1
    state["column"][:] = 1 | 1 << board.rows + 1
    for player, points in enumerate((position.first, position.second)):
        for point in bits(points):
            y, x = divmod(point, board.columns)
            state["row"][player, y + 1] |= np.uint64(1 << x + 1)
            state["column"][player, x + 1] |= np.uint64(1 << y + 1)
    state["to_move"] = position.to_move is Player.SECOND
    state["turns"], state["longest"] = position.turns, position.game.longest
    state["after_minimal"] = position.after_minimal
    return states


MOST_PLAYS = 1
symmetries = all_symmetries
