"""A position of Parity Linage as a sum: every region is worth a nimber and a parity.

A placement changes nothing outside its region, and either player may make it. If players may pass,
a region is worth a *nimber* g and a *parity* e, written as the number 2g + e. A region in which no
placement is legal is worth 0. A placement leads to the exclusive or of the worths of its parts,
with the other parity if it changes the number of regions by an odd number. Then

- g is the least number that cannot be reached with both parities,
- e is 1 if g can be reached with parity 1, else 0.

The exclusive or of all regions' worths decides the position. If its nimber is not 0, the player to
move wins. If it is 0, the number of regions and the parity together decide the winner.

The reason is that every smaller nimber can be reached with either parity. If the nimber of the
whole position is not 0, the player to move can make it 0, as in Nim (Sprague 1935, Grundy 1939),
and choose the parity that wins. If it is 0, a placement that keeps it 0 does not change the winner.
A placement to a smaller nimber of a region is answered as in Nim, and one to a larger nimber by a
placement back, with the parity that the winner needs. The winner passes if the number of regions is
already right. If it is not, some region has parity 1, hence a placement that changes none of this;
with such placements the winner waits until the number is right.

Without passing none of this holds, because the last placement may be forced.
"""

from linage_bot.rules.boards import bits
from linage_bot.rules.game import Move, Position
from linage_bot.rules.parity_linage import ParityLinagePosition, perhaps_cutting

MOST_POINTS = 63  # of a region that can be searched, so that it is worth less than 64


def as_parity(position: Position) -> ParityLinagePosition:
    """Return the position as a position of Parity Linage, which it must be."""
    assert isinstance(position, ParityLinagePosition)
    return position


def largest(position: Position) -> int:
    """Return the points of the largest region, whose number decides how long a proof takes."""
    return max(map(int.bit_count, as_parity(position).regions), default=0)


def splitting(position: Position, most: int) -> list[Move]:
    """Return the placements that may split the largest region.

    Placements after which the largest region is smallest come first. Those that leave a region of
    more points than `most` are omitted.
    """
    here = as_parity(position)
    region = max(here.regions, key=int.bit_count)
    moves = bits(perhaps_cutting(here.game.board, region) & here.placements())
    left = sorted((largest(here.after(move)), move) for move in moves)
    return [move for points, move in left if points <= most]


def winning_now(position: ParityLinagePosition) -> bool:
    """Return whether the player to move would win if the game ended now."""
    return position.result().winner is position.to_move
