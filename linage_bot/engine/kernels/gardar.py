"""Gardar compiled: legal moves, score, playouts, and the moves that only wait.

`enclosures` finds dead stones, `loops` the perimeter loops, and `past` the placements that would
recreate a past board.

Playouts, placements.
- If a stone intrudes into a bridge, the owner of the bridge plays the bridge's other cell, so that
  a ring of bridges holds, and playouts show that it is a mistake to let the enemy build one.
- Other stones are put on random points, but in no enclosure that either player controls. In the
  player's own they only lose a point, and in the enemy's they mostly die. Playouts that avoid both
  won 71 % against playouts that avoid only the player's own.
- No stone is put where all neighbours are the enemy's.
- On large boards there is an exception: a stone is put on the only point of an enemy's enclosure if
  it takes stones around it or saves some. A loop may depend on this, and without the exception
  24,000 visits did not find the defence.
- Of the rule against repetition, only a part is applied: after the capture of a single stone, no
  stone may be put on its point in the next turn.

Playouts, passes and end.
- A player without such a point passes.
- A player who would win if both passed also passes. This is checked at once after the opponent's
  pass, otherwise when a point that is drawn is the player's own. The reason is that a stone costs a
  point: playouts in which the leader continues until no point is left lose won games.
- A point is a player's own if it is in an enclosure that the player controls. On large boards,
  where most points are connected to the edge, it is also their own if it touches four of their
  stones and none of the enemy's, or if it is the other cell of a bridge that must be answered.
- On large boards, a playout also ends when a player leads, both with komi and without, by five
  ninths of the length of a loop all around the edge. On side 7 this is 20 points; 15 and 30 play
  worse.

Waiting. Until a loop is closed, each of its stones costs a point. So a player who only waits seems
to be ahead if the search is not deep enough. Therefore the search leaves out moves that only wait
(`priors`).
"""

from typing import Any, cast

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import (
    IDLE,
    MOST_RECORDED,
    Signatures,
    State,
    States,
    compiled,
)
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
    past_hash,
    remember,
)
from linage_bot.engine.kernels.hexagon.sensible_moves import (
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
    encode_stones,
    fill_contents,
    take_empty,
)
from linage_bot.engine.kernels.tuning import Tuning
from linage_bot.engine.kernels.turns import in_half_points, pass_flags
from linage_bot.engine.kernels.words import Word, advance, below
from linage_bot.rules.game import PASS, Player, Position
from linage_bot.rules.gardar import GardarPosition

STATE = np.dtype(
    [
        ("field", FIELD),
        ("past", PAST),
        ("to_move", np.uint64),
        ("passes", np.int64),  # in succession
        ("first_passer", np.int64),  # 0, 1, or `_NOBODY`
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
_LARGE_ROWS = 11  # or more: a large board; on smaller ones its special rules lose games
_BETWEEN_COUNTS = 16  # turns between two counts of the lead in a playout
_IDLE_ROWS = 15  # or more: waiting moves get the prior `IDLE`, while the opponent builds


@compiled(_S.legal)
def legal(state: State, moves: Any) -> int:
    """List the legal placements, ascending, then a pass; return their number, 0 after the end."""
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


@compiled(_S.score_lead)
def score_lead(state: State) -> int:
    """Return First's score lead in the present position, in half points."""
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
    """Return whether the player to move would win if both passed."""
    lead = score_lead(state)
    if state.to_move == _1:
        lead = -lead
    return lead + (1 if state.first_passer == _NOBODY else 0) > 0


@compiled(types.int64(STONES_TYPE))
def _decisive(stones: State) -> int:
    """Return the lead that decides a playout, in half points: 5/9 of a loop around the edge."""
    return int(2 * 3 * (np.int64(stones.rows) - 1) * 5 // 9)


@compiled(types.int64(_S.state))
def _sure_lead(state: State) -> int:
    """Return the smaller of either player's leads with komi and without it, in half points."""
    lead = score_lead(state)
    return min(abs(lead), abs(lead + int(state.komi)))


@compiled(types.boolean(_S.state))
def _is_open(state: State) -> bool:
    """Return whether neither player has half a decisive lead and many sensible points are left.

    Many: at least a sixth of the square in which the board lies.
    """
    stones = state.field.stones
    if 2 * _sure_lead(state) > _decisive(stones):
        return False
    left = points_left(state.field, state.to_move)
    return bool(6 * left >= np.int64(stones.rows * stones.columns))


@compiled(_S.priors)
def priors(state: State, moves: Any, count: int, gains: Any) -> int:
    """Give idle moves the prior `IDLE` on sides of 8 and more; return 0, as no winner is known.

    Idle are stones that are thrown away, and passes while the game is open.
    """
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
    """Play at random until both pass, a lead decides or the length does; return the score lead."""
    field = state.field
    stones = field.stones
    longest = LONGEST_PLAYOUT * np.int64(stones.rows * stones.columns)
    word = random[_0]
    ko = _0
    turn = 0
    recorded = 0
    decisive = _decisive(stones)
    large = bool(stones.rows >= _LARGE_ROWS)
    stops = False
    last = _0  # the cell of the previous turn's stone; 0 after a pass
    while state.passes < 2 and turn < longest:
        left = stones.empties
        cell = _0
        placed = False
        behind = stops  # the opponent passed because they lead
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
            cell = take_empty(stones, below(word, left), left)
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
        if recorded < MOST_RECORDED:
            recorded += 1
            trail[_U(recorded)] = move
        state.to_move = _1 - state.to_move
        turn += 1
        if large and turn % _BETWEEN_COUNTS == 0 and _sure_lead(state) > decisive:
            break
    trail[0] = recorded
    random[_0] = word
    return score_lead(state)


@compiled(_S.copy)
def copy(to: State, source: State) -> None:
    """Make `to` equal to `source`, except for scratch."""
    copy_field(to.field, source.field)
    copy_past(to.past, source.past)
    to.to_move, to.passes = source.to_move, source.passes
    to.first_passer, to.komi = source.first_passer, source.komi


@compiled(_S.hash_data)
def hash_data(state: State, points: Any) -> Word:
    """Fill in the stones; return a word for the passes and the past boards."""
    fill_contents(state.field.stones, points)
    return past_hash(state.past) ^ _U(state.passes | state.first_passer << 2)


@compiled(_S.observe)
def observe(state: State, points: Any) -> int:
    """Fill in the stones; return the flags of the passes and the half point for the first one."""
    fill_contents(state.field.stones, points)
    return pass_flags(state.passes, state.first_passer)


def horizon(position: Position) -> int:
    """Return the number of turns before the oldest boards are forgotten."""
    return max(0, 2 * REMEMBERED - len(cast(GardarPosition, position).boards))


def encode(position: Position) -> States:
    """Return the state of a position."""
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


# Engines pass in a decided game only if stones that cost points have a lower value than a pass.
TUNING = Tuning(
    exploration=0.04, pass_loss=-0.05, pass_follows=True, leaves_idle=True, score_weight=0.3
)
PROLONGABLE = True
MOST_PLAYS = 1
