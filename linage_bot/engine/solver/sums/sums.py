"""A position as a sum of the settled points and the free regions, each a game of its own.

A placement changes nothing outside its region, owned regions stay owned, and both players may place
in every free region. So a position is a number plus independent games, in which both players have
the same moves and only the score is partisan.

In edition `2016` a player may also fill an own region. This never pays. The point is lost at once,
and the owner stays the same, as a region without the enemy's lines never gets one back. The only
gain is to give away a turn, which a pass does for nothing; and no position is better for the player
who does not move. So values and best moves are the same in both editions, and the search needs free
regions only. (`test_law.py` checks this against all play on small boards.)
"""

from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.rules.boards import Points, bits
from linage_bot.rules.game import Position
from linage_bot.rules.linage import LinagePosition


def as_sum(position: Position) -> LinagePosition:
    """Return the position if it is a sum of independent regions; raise `NotSolvable` if not."""
    if not isinstance(position, LinagePosition):
        raise NotSolvable(f"in {position.game.name} regions have no values of their own")
    if position.game.button:
        raise NotSolvable("with the button regions have no values of their own")
    return position


def free_sizes(position: LinagePosition) -> list[int]:
    """Return the points of each free region, whose numbers decide how long a proof takes."""
    return [area.points.bit_count() for area in position.areas() if area.owner is None]


def filling(position: LinagePosition) -> Points:
    """Return the points where the player to move may fill an own region (edition `2016` only)."""
    if position.game.edition != "2016":
        return 0
    return position.placements() & position.regions.owned_by(position.to_move)


def cells(position: LinagePosition, region: Points) -> list[tuple[int, int]]:
    """Return the points of a region as (column, row)."""
    columns = position.game.board.columns
    return [(point % columns, point // columns) for point in bits(region)]
