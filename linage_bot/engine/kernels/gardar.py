"""Gardar compiled: its moves, its score, its playouts, and which moves only wait.

`enclosures` knows which stones are dead, `loops` what scores, and `past` which boards may not come
back.

Playouts. An enemy who comes between two stones that one more point joins is answered there, so that
a ring of bridges holds, and whoever looks on while one grows is told so. Other stones go to random
points, but to no enclosure that either player controls: in one's own they only lose, in the enemy's
they mostly die, and playouts that leave both out win 71 % against playouts that leave out one's own
alone. Nor do they go where all neighbours are the enemy's. On large boards a stone does go to the
only point of an enemy's enclosure if it takes stones around it, or saves some: a loop may hang on
that, and without it 24,000 visits did not find the defence.
Whoever finds no point passes. So does who would win if both passed, asked at once after the other's
pass, else when a point drawn is theirs: a stone costs a point, and playouts in which the leader
goes on until nothing is left give won games away. Theirs is what lies in an enclosure of theirs; on
large boards, where most is open to the edge, also what touches four of their stones and none of the
enemy's, and the point that keeps a bridge. There, too, a playout ends when somebody leads by five
ninths of a loop all around the edge, with the komi and without: on side 7 by 20 points, where 15
and 30 play worse. Of the past, only the point of a single stone just captured is barred.

Waiting. Until a loop is closed each of its stones costs a point, so to a search that does not see
that far whoever waits is ahead. It therefore leaves waiting moves alone (`promise`).
"""

from typing import Any, cast

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import IDLE, MOST_TOLD, Signatures, State, States, compiled
from linage_bot.engine.kernels.hexagon.bridges import other_cell
from linage_bot.engine.kernels.hexagon.enclosures import (
    FIELD,
    OUTSIDE,
    copy_field,
    place,
    survey,
)
from linage_bot.engine.kernels.hexagon.loops import LOOPS, loop_lead
from linage_bot.engine.kernels.hexagon.past import (
    PAST,
    REMEMBERED,
    bar,
    change_keys,
    copy_past,
    encode_past,
    look_at_past,
    remember,
)
from linage_bot.engine.kernels.hexagon.sense import (
    decides_inside,
    is_filling,
    is_sensible,
    is_thrown_away,
    points_left,
)
from linage_bot.engine.kernels.stones import (
    EMPTY,
    STONES_TYPE,
    bordered_at,
    bordered_cell,
    bordered_point,
    drawn,
    encode_stones,
    look_at_stones,
)
from linage_bot.engine.kernels.tuning import Tuning
from linage_bot.engine.kernels.turns import in_half_points
from linage_bot.engine.kernels.words import Word, advance, below
from linage_bot.rules.game import PASS, Player, Position
from linage_bot.rules.gardar import GardarPosition

STATE = np.dtype(
    [
        ("field", FIELD),
        ("past", PAST),
        ("to_move", np.uint64),
        ("passes", np.int64),  # in succession
        ("first_passer", np.int64),  # 2: nobody yet
        ("komi", np.int64),  # in half points
        ("loops", LOOPS),  # scratch
    ],
    align=True,
)
_S = Signatures(STATE)

_U = np.uint64
_0, _1, _6 = map(np.uint64, (0, 1, 6))
_NOBODY = 2
LONGEST_PLAYOUT = 4  # turns per point
_LARGE_ROWS = 11  # or more: a large board; on smaller ones what is done there loses games
_BETWEEN_COUNTS = 16  # turns
_IDLE_ROWS = 15  # or more: whoever waits here looks on while the other builds


@compiled(_S.legal)
def legal(state: State, moves: Any) -> int:
    """The legal moves, ascending, then a pass; returns their number, 0 when the game is over."""
    if state.passes == 2:
        return 0
    bar(state.past, state.field, state.to_move)
    stones, count = state.field.stones, 0
    for y in range(stones.rows):
        for x in range(stones.columns):
            cell = bordered_cell(x, y)
            if stones.on[cell] == EMPTY and not state.past.barred[cell]:
                moves[count] = bordered_point(cell, stones.columns)
                count += 1
    moves[count] = PASS
    return count + 1


@compiled(_S.margin)
def margin(state: State) -> int:
    """First's points minus Second's, in half points, as the position stands."""
    stones = state.field.stones
    lead: int = 2 * loop_lead(stones, state.loops)  # a stone in a loop counts 1, any other -1
    lead -= int(stones.count[0]) - int(stones.count[1])
    return in_half_points(lead, state.komi, state.first_passer)


@compiled(types.void(_S.state))
def _pass(state: State) -> None:
    if state.first_passer == _NOBODY:
        state.first_passer = state.to_move
    state.passes += 1


@compiled(_S.play)
def play(state: State, move: int) -> None:
    """Play a legal move."""
    if move == PASS:
        _pass(state)
    else:
        cell = bordered_at(move, state.field.stones.columns)
        place(state.field, cell, state.to_move)
        change_keys(state.past, state.field, cell, state.to_move)
        state.passes = 0
    remember(state.past, state.to_move)
    state.to_move = _1 - state.to_move


@compiled(types.boolean(_S.state))
def _may_stop(state: State) -> bool:
    """Whether the player to move would win if both passed."""
    lead = margin(state)
    if state.to_move == _1:
        lead = -lead
    return lead + (1 if state.first_passer == _NOBODY else 0) > 0


@compiled(types.int64(STONES_TYPE))
def _decisive(stones: State) -> int:
    """The lead that decides a playout, in half points: five ninths of a loop around the edge."""
    return int(2 * 3 * (np.int64(stones.rows) - 1) * 5 // 9)


@compiled(types.int64(_S.state))
def _sure_lead(state: State) -> int:
    """What somebody leads by with the komi and without it, in half points."""
    lead = margin(state)
    return min(abs(lead), abs(lead + int(state.komi)))


@compiled(types.boolean(_S.state))
def _is_open(state: State) -> bool:
    """Whether nobody has half a decisive lead, and many points are left that make sense."""
    stones = state.field.stones
    if 2 * _sure_lead(state) > _decisive(stones):
        return False
    left = points_left(state.field, state.to_move)
    return bool(6 * left >= np.int64(stones.rows * stones.columns))


@compiled(_S.promise)
def promise(state: State, moves: Any, count: int, gains: Any) -> int:
    """Which moves are idle, with sides of 8 and more: stones thrown away, and early passes."""
    stones = state.field.stones
    gains[:count] = 0.0
    if stones.rows < _U(_IDLE_ROWS):
        return 0
    for i in range(count):
        if moves[i] == PASS:
            idle = not state.passes and _is_open(state)
        else:
            cell = bordered_at(moves[i], stones.columns)
            idle = is_thrown_away(state.field, cell, state.to_move)
        if idle:
            gains[i] = IDLE if state.to_move == _0 else -IDLE
    return 0


@compiled(_S.playout)
def playout(state: State, random: Any, trail: Any) -> int:
    """Play at random until both pass, a lead decides or it has grown too long; the margin then."""
    field = state.field
    stones = field.stones
    longest = LONGEST_PLAYOUT * np.int64(stones.rows * stones.columns)
    word = random[_0]
    ko = _0
    turn = 0
    told = 0
    decisive = _decisive(stones)
    large = bool(stones.rows >= _LARGE_ROWS)
    stops = False
    last = _0  # where the stone of the turn before went
    while state.passes < 2 and turn < longest:
        left = stones.empties
        cell = _0
        placed = False
        behind = stops  # who passes of their own will leads
        asked = state.passes == 1
        stops = asked and not behind and _may_stop(state)
        if last != _0 and not stops:
            word = advance(word)
            cell = other_cell(stones, last, state.to_move, below(word, _6))
            placed = cell != _0 and cell != ko
            if placed and large and not asked:
                asked, stops = True, _may_stop(state)
                placed = not stops
        while left and not placed and not stops:
            word = advance(word)
            cell = drawn(stones, below(word, left), left)
            left -= _1
            label = _U(field.label[cell])
            mine = label != OUTSIDE and field.control[label] == state.to_move
            if not asked and (mine or (large and is_filling(field, cell, state.to_move))):
                asked, stops = True, _may_stop(state)
            else:
                placed = cell != ko and (
                    is_sensible(field, cell, state.to_move)
                    or (large and decides_inside(field, cell, state.to_move))
                )
        move = bordered_point(cell, stones.columns) if placed else PASS
        if placed:
            place(field, cell, state.to_move)
            ko = _U(field.taken[0]) if field.captured == _1 else _0
            state.passes = 0
        else:
            _pass(state)
            ko = _0
        last = cell if placed else _0
        if told < MOST_TOLD:
            told += 1
            trail[_U(told)] = move
        state.to_move = _1 - state.to_move
        turn += 1
        if large and turn % _BETWEEN_COUNTS == 0 and _sure_lead(state) > decisive:
            break
    trail[0] = told
    random[_0] = word
    return margin(state)


@compiled(_S.copy)
def copy(to: State, source: State) -> None:
    """Make `to` equal to `source`, scratch left alone."""
    copy_field(to.field, source.field)
    copy_past(to.past, source.past)
    to.to_move, to.passes = source.to_move, source.passes
    to.first_passer, to.komi = source.first_passer, source.komi


@compiled(_S.look)
def look(state: State, points: Any) -> Word:
    """The stones; the passes, and the boards that may not come back."""
    look_at_stones(state.field.stones, points)
    return look_at_past(state.past) ^ _U(state.passes | state.first_passer << 2)


def horizon(position: Position) -> int:
    """The turns before the oldest boards are forgotten."""
    return max(0, 2 * REMEMBERED - len(cast(GardarPosition, position).boards))


def encode(position: Position) -> States:
    """The state of a position."""
    position = cast(GardarPosition, position)
    states = np.zeros(1, STATE)
    state = states[0]
    encode_stones(state["field"]["stones"], position)
    survey(state["field"])
    encode_past(state["past"], position)
    state["to_move"] = position.to_move is Player.SECOND
    state["passes"], state["komi"] = position.passes, round(2 * position.game.komi)
    state["first_passer"] = _NOBODY if position.first_passer is None else position.first_passer
    return states


# A decided game ends only if stones that cost points look worse than passing.
TUNING = Tuning(
    exploration=0.04, pass_loss=-0.05, pass_follows=True, leaves_idle=True, score_weight=0.3
)
ENDLESS = True
