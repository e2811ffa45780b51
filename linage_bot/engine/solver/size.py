"""How large a position is to the solver, which decides as a rule how long a proof takes."""

from linage_bot.engine.solver.nimbers.nimbers import largest, makes_nimbers
from linage_bot.engine.solver.sums.sums import as_sum, free_sizes, makes_sums
from linage_bot.rules.game import Game, Position


def by_regions(game: Game) -> bool:
    """Whether every region is solved by itself: in sums, and where regions are worth nimbers."""
    return makes_sums(game) or makes_nimbers(game)


def size_of(position: Position) -> int:
    """The points of the largest region where each is solved by itself, else the placements."""
    if makes_sums(position.game):
        return max(free_sizes(as_sum(position)), default=0)
    if makes_nimbers(position.game):
        return largest(position)
    return position.placements().bit_count()
