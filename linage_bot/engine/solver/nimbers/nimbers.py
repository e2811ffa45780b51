"""A position of Parity Linage as a sum: every region is worth a nimber and a parity.

A placement changes nothing outside its region, and either player may make it. Where players may
pass, a region is worth a *nimber* g and a *parity* e, written as the number 2g + e; a region in
which nothing can be placed is worth 0. A placement leads to the sum of what its parts are worth, by
exclusive or, with the other parity if it changes the number of regions by an odd number. Then

- g is the least number that cannot be reached with both parities,
- e is 1 if g can be reached with 1, else 0.

The same sum over all regions decides the position: with a nimber other than 0 the player to move
wins; with 0 the number of regions and the parity together tell whose win it is.

It is so because every smaller nimber can be reached with either parity: whoever is to move at a
nimber of the whole can cancel it, as in Nim (Sprague 1935, Grundy 1939), and choose the parity that
wins. Where it is cancelled, a placement that keeps it so does not change who wins, a smaller nimber
is answered as in Nim, and a larger one by the placement back, with the parity that is wanted. Who
has won so passes where the number of regions is right as it stands. Where it is not, some region
has parity 1, hence a placement that changes nothing of all this; with that they wait until it is.

Without passing none of this holds: there the last placement may be forced.
"""

from linage_bot.rules.boards import bits
from linage_bot.rules.game import Move, Position
from linage_bot.rules.parity_linage import ParityLinagePosition, perhaps_cutting

MOST_POINTS = 63  # of a region that can be searched: so it is worth less than 64


def as_parity(position: Position) -> ParityLinagePosition:
    """The position of Parity Linage."""
    assert isinstance(position, ParityLinagePosition)
    return position


def largest(position: Position) -> int:
    """The points of the largest region, which decide how long a proof takes."""
    return max(map(int.bit_count, as_parity(position).regions), default=0)


def splitting(position: Position, most: int) -> list[Move]:
    """Return the placements that may split the largest region, those that leave the least first.

    No region of more points than `most` is left.
    """
    here = as_parity(position)
    region = max(here.regions, key=int.bit_count)
    moves = bits(perhaps_cutting(here.game.board, region) & here.placements())
    left = sorted((largest(here.after(move)), move) for move in moves)
    return [move for points, move in left if points <= most]


def favoured(position: ParityLinagePosition) -> bool:
    """Whether the player to move would win if the game ended now."""
    return position.result().winner is position.to_move
