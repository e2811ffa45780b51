"""How large a position is to the solver, which decides as a rule how long a proof takes."""

from linage_bot.engine.solver.nimbers.nimbers import largest, makes_nimbers
from linage_bot.engine.solver.sums.sums import as_sum, free_sizes, is_sum, makes_sums
from linage_bot.rules.game import Game, Position

_SOON_WITHIN_REACH = 60  # points; not so many moves later they are within reach


def by_regions(game: Game) -> bool:
    """Whether every region is solved by itself: in sums, and where regions are worth nimbers."""
    return makes_sums(game) or makes_nimbers(game)


def size_of(position: Position) -> int:
    """The points of the largest region where each is solved by itself, else the placements."""
    if is_sum(position):
        return max(free_sizes(as_sum(position)), default=0)
    if makes_nimbers(position.game):
        return largest(position)
    return position.placements().bit_count()


def sum_within_reach(position: Position, points: int = _SOON_WITHIN_REACH) -> bool:
    """Whether the position is a sum of regions of at most so many points.

    Without a number: whether a proof may come within reach soon, so that its search should be
    loaded.
    """
    return is_sum(position) and size_of(position) <= points
