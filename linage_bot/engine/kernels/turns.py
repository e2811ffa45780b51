"""The player to move, successive passes, button and komi of Linage's family, in compiled code."""

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import (
    FIRST_HAS,
    PASS_ENDS,
    SECOND_HAS,
    State,
    compiled,
)
from linage_bot.engine.kernels.words import Word
from linage_bot.rules.game import Player
from linage_bot.rules.line_games import LinePosition

TURNS = np.dtype(
    [
        ("komi", np.int64),  # in half points
        ("button", np.int64),  # the player who has it, 0 or 1, or a constant below
        ("passes", np.int64),  # in succession
        ("to_move", np.int64),
    ],
    align=True,
)
TURNS_TYPE = numba.from_dtype(TURNS)

BUTTON_FREE, NO_BUTTON = 2, 3


@compiled(types.void(TURNS_TYPE))
def pass_turn(turns: State) -> None:
    """Pass for the player to move, which takes the button if it is free."""
    if turns.button == BUTTON_FREE:
        turns.button = turns.to_move
    else:
        turns.passes += 1
    turns.to_move = 1 - turns.to_move


@compiled(types.void(TURNS_TYPE))
def end_turn(turns: State) -> None:
    """End a turn in which the player to move placed a stone."""
    turns.passes = 0
    turns.to_move = 1 - turns.to_move


@compiled(types.int64(types.int64, types.int64, types.int64))
def in_half_points(lead: int, komi: int, taker: int) -> int:
    """Return First's score lead in half points, with komi and a half-point bonus included.

    `lead` is in points, `komi` in half points. `taker` is the player who gets the bonus, the button
    or its like; any number but 0 and 1 means neither player.
    """
    half_points = 2 * lead - komi
    if taker == 0:
        half_points += 1
    elif taker == 1:
        half_points -= 1
    return half_points


@compiled(types.int64(types.int64, types.int64))
def pass_flags(passes: int, taker: int) -> int:
    """Return the flags that a kernel's `observe` returns.

    `passes` is the number of successive passes, `taker` as in `in_half_points`.
    """
    flags = PASS_ENDS if passes == 1 else 0
    if taker == 0:
        flags |= FIRST_HAS
    elif taker == 1:
        flags |= SECOND_HAS
    return flags


@compiled(types.uint64(TURNS_TYPE))
def turns_word(turns: State) -> Word:
    """Return the passes and the button as one number."""
    return np.uint64(turns.passes | turns.button << 2)


@compiled(types.void(TURNS_TYPE, TURNS_TYPE))
def copy_turns(to: State, source: State) -> None:
    """Make `to` equal to `source`."""
    to.komi, to.button = source.komi, source.button
    to.passes, to.to_move = source.passes, source.to_move


def encode_turns(turns: Any, position: LinePosition[Any]) -> None:
    """Write a position's player to move, passes, button and komi into a record."""
    turns["komi"] = round(2 * position.game.komi)
    turns["button"] = BUTTON_FREE if position.game.button else NO_BUTTON
    if position.button_taker is not None:
        turns["button"] = position.button_taker
    turns["passes"] = position.passes
    turns["to_move"] = position.to_move is Player.SECOND
