"""A position of Parity Linage that is too large to be solved whole, but one stone halves it."""

import attrs

from linage_bot.rules import GAMES
from linage_bot.rules.game import Player, Position

_GAME = GAMES["linage-parity"].configure("17x3", None, {"condition": "line"})
DOOR = _GAME.board.point("J1")


def two_halls(to_move: Player) -> Position:
    """Halls of eight by three points to both sides of a wall, and the door in it."""
    wall = sum(1 << _GAME.board.point(name) for name in ("J2", "J3"))
    return attrs.evolve(_GAME.start(), first=wall, to_move=to_move)
