"""A position of Parity Linage too large to solve until one stone divides it in half."""

import attrs

from linage_bot.rules import GAMES
from linage_bot.rules.game import Player, Position

_GAME = GAMES["linage-parity"].configure("17x3", None, {"condition": "line"})
DOOR = _GAME.board.point("J1")


def two_halls(to_move: Player) -> Position:
    """Return a position with two halls of eight by three points and a door in their wall."""
    wall = sum(1 << _GAME.board.point(name) for name in ("J2", "J3"))
    return attrs.evolve(_GAME.start(), first=wall, to_move=to_move)
