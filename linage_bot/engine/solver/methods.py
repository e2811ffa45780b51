"""How a position is solved: Linage and Parity Linage by their regions, all else by alpha-beta.

Linage with the button is no sum: the button can be taken instead of a move in any region. Nor is
Parity without passing.
"""

import attrs

from linage_bot.engine import kernels
from linage_bot.engine.solver.alphabeta.plain import PlainArena
from linage_bot.engine.solver.effort import DEFAULT_BYTES
from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.nimbers.arena import NimberArena
from linage_bot.engine.solver.nimbers.nimbers import makes_nimbers
from linage_bot.engine.solver.positions import PositionArena, PositionSolving
from linage_bot.engine.solver.solving import Solving
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.solving import SumSolving
from linage_bot.engine.solver.sums.sums import as_sum, is_sum
from linage_bot.rules.game import Game, Position
from linage_bot.rules.parity_linage import ParityLinage


def new_arena(
    position: Position, most_bytes: int = DEFAULT_BYTES, threads: int = 1
) -> Arena | PositionArena:
    """What solves positions of this game, and keeps what it learns from one to the next.

    Only sums of Linage have more than one thread, whatever the number.

    Slow the first time on a machine, when it is compiled. Raises `NotSolvable` for stones that were
    set up as no game can leave them.
    """
    if is_sum(position):
        return Arena(as_sum(position).game.line, most_bytes, threads)
    reason = position.why_impossible()
    if reason is not None:
        raise NotSolvable(f"no game comes to this position: {reason}")
    return position_arena(position.game, most_bytes)


def position_arena(game: Game, most_bytes: int = DEFAULT_BYTES) -> PositionArena:
    """What solves whole positions of a game."""
    if makes_nimbers(game):
        assert isinstance(game, ParityLinage)
        return NimberArena(game, most_bytes)
    return PlainArena(game.with_komi(0), kernels.load(game), most_bytes)


def solving_in(arena: Arena | PositionArena, position: Position) -> Solving:
    """Begin to solve a position of the arena's game, which is without komi."""
    if isinstance(arena, Arena):
        return SumSolving(arena, as_sum(position))
    whole: Position = attrs.evolve(position, game=arena.game)
    return PositionSolving(arena, whole)
