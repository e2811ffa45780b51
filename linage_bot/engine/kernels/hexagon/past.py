"""Gardar's past boards as hashes, and the placements that would recreate one; compiled.

Strategy. A past board is stored as two hashes: of the player's own stones and of all stones. Each
is the XOR of the stones' keys, and the low ten bits of a stone's key are its cell. If a placement
recreates a past board, the player's own stones on that board differ from the present ones by
exactly one key, which names the cell. So one pass over the past boards finds all candidates, and a
placement hardly ever has to be tried.

Limits. The last 1,024 turns of each player are remembered, more than any known game has. Forgetting
older boards only allows placements that no sensible player would make.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import State, compiled
from linage_bot.engine.kernels.hexagon.enclosures import FIELD_TYPE, place, retract
from linage_bot.engine.kernels.stones import BORDERED_CELLS, EMPTY, bordered_cell
from linage_bot.engine.kernels.words import Word, mixed
from linage_bot.rules.boards import bits
from linage_bot.rules.gardar import GardarPosition

REMEMBERED = 1024  # turns of each player, a power of two

PAST = np.dtype(
    [
        ("own", np.uint64, (2, REMEMBERED)),  # hashes of a player's stones at their turns' ends
        ("all", np.uint64, (2, REMEMBERED)),  # hashes of all stones then
        ("turns", np.uint64, 2),  # by player; turn t is at t % REMEMBERED
        ("key", np.uint64, 2),  # hashes of each player's stones now
        ("barred", np.uint8, BORDERED_CELLS),  # scratch: 1 where a stone would recreate a board
    ],
    align=True,
)
PAST_TYPE = numba.from_dtype(PAST)

_U = np.uint64
_0, _1, _5, _31 = map(np.uint64, (0, 1, 5, 31))
_FACTORS = (_U(0xD6E8FEB86659FD93), _U(0xA0761D6478BD642F))  # odd, one for each player
_CELL = _U(1023)
_LATEST = _U(REMEMBERED - 1)


@compiled(types.uint64(types.uint64, types.uint64))
def key_of(cell: Word, player: Word) -> Word:
    """Return the key of a stone; its low ten bits are the cell."""
    return mixed(cell << _1 | player) & ~_CELL | cell


@compiled(types.void(PAST_TYPE, FIELD_TYPE, types.uint64, types.uint64))
def change_keys(past: State, field: State, cell: Word, player: Word) -> None:
    """Update the keys by the field's last placement and its captures; a second call undoes it."""
    past.key[player] ^= key_of(cell, player)
    enemy = _1 - player
    for i in range(field.captured):
        past.key[enemy] ^= key_of(_U(field.taken[i]), enemy)


@compiled(types.void(PAST_TYPE, types.uint64))
def remember(past: State, player: Word) -> None:
    """Store the present board as that at the end of a player's turn."""
    at = past.turns[player] & _LATEST
    past.own[player, at] = past.key[player]
    past.all[player, at] = past.key[0] ^ past.key[1]
    past.turns[player] += _1


@compiled(types.boolean(PAST_TYPE, FIELD_TYPE, types.uint64, types.uint64))
def _recreates(past: State, field: State, cell: Word, player: Word) -> bool:
    """Return whether a player's stone on a cell would recreate the end of one of their turns."""
    place(field, cell, player)
    change_keys(past, field, cell, player)
    key = past.key[0] ^ past.key[1]
    found = False
    for i in range(min(past.turns[player], _U(REMEMBERED))):
        if past.all[player, i] == key:
            found = True
    retract(field, cell, player)
    change_keys(past, field, cell, player)
    return found


@compiled(types.void(PAST_TYPE, FIELD_TYPE, types.uint64))
def bar(past: State, field: State, player: Word) -> None:
    """Set `barred` for the empty cells on which a player's stone would recreate a board."""
    for cell in range((field.stones.rows + _1) << _5):
        past.barred[cell] = 0
    for i in range(min(past.turns[player], _U(REMEMBERED))):
        key = past.own[player, i] ^ past.key[player]
        cell = key & _CELL
        if (
            cell < _U(BORDERED_CELLS)
            and field.stones.on[cell] == EMPTY
            and not past.barred[cell]
            and key_of(cell, player) == key
            and _recreates(past, field, cell, player)
        ):
            past.barred[cell] = 1


@compiled(types.void(PAST_TYPE, PAST_TYPE))
def copy_past(to: State, source: State) -> None:
    """Make `to` equal to `source`, except for scratch."""
    for player in range(_U(2)):
        remembered = min(source.turns[player], _U(REMEMBERED))
        for i in range(remembered):
            to.own[player, i] = source.own[player, i]
        for i in range(remembered):
            to.all[player, i] = source.all[player, i]
        to.turns[player], to.key[player] = source.turns[player], source.key[player]


@compiled(types.uint64(PAST_TYPE))
def past_hash(past: State) -> Word:
    """Return a hash of the boards that may not be recreated."""
    word = _0
    for player in range(_U(2)):
        for i in range(min(past.turns[player], _U(REMEMBERED))):
            word += (past.all[player, i] ^ (past.all[player, i] >> _31)) * _FACTORS[player]
    return word


def encode_past(past: Any, position: GardarPosition) -> None:
    """Store the boards of a position's game in a record of zeros."""
    columns = position.game.board.columns
    keys, before = [0, 0], (0, 0)
    for turn, board in enumerate((*position.boards, (position.first, position.second))):
        for player, changed in enumerate((board[0] ^ before[0], board[1] ^ before[1])):
            for point in bits(changed):
                y, x = divmod(point, columns)
                keys[player] ^= int(key_of(bordered_cell(x, y), player))
        before = board
        if turn < len(position.boards):
            # Turns alternate until the player to move; either may have had the first.
            player = (turn + len(position.boards) + position.to_move) & 1
            at = (turn >> 1) % REMEMBERED
            past["own"][player, at], past["all"][player, at] = keys[player], keys[0] ^ keys[1]
            past["turns"][player] += 1
    past["key"][:] = keys
