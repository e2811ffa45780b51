"""How a position is solved: Linage as a sum of its regions, everything else by alpha-beta.

Linage with the button is no sum: the button can be taken instead of a move in any region.
"""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from linage_bot.engine import kernels
from linage_bot.engine.solver.alphabeta.plain import PlainArena, PlainSolving
from linage_bot.engine.solver.effort import SearchArena
from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.keeping import kept_arena, resume, save
from linage_bot.engine.solver.solving import AnySolving
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.solving import SumSolving
from linage_bot.engine.solver.sums.sums import as_sum, is_sum
from linage_bot.rules.game import Player, Position
from linage_bot.rules.turns import PlacingPosition


@attrs.frozen
class Method:
    """A way to solve positions of one game, which keeps what it learns from one to the next."""

    begin: Callable[[Position], AnySolving]
    _arena: SearchArena
    _folder: Path | None

    def save(self) -> None:
        """Keep all that is known in the checkpoint, if there is a folder for one."""
        if self._folder is not None:
            save(self._folder, self._arena)


@contextlib.contextmanager
def method_for(position: Position, folder: Path | None = None) -> Iterator[Method]:
    """What solves positions of this game, with a folder for checkpoints or none.

    Slow the first time on a machine, when it is compiled. Raises `NotSolvable` for stones that were
    set up as no game can leave them.
    """
    with contextlib.ExitStack() as stack:
        arena: Arena | PlainArena
        if is_sum(position):
            arena = sums = stack.enter_context(kept_arena(as_sum(position).game.line))
            method = Method(lambda each: SumSolving(sums, as_sum(each)), arena, folder)
        else:
            reason = position.why_impossible()
            if reason is not None:
                raise NotSolvable(f"no game comes to this position: {reason}")
            arena = plain = PlainArena(position.game.with_komi(0), kernels.load(position.game))
            method = Method(lambda each: PlainSolving(plain, without_komi(each)), arena, folder)
        if folder is not None:
            resume(folder, arena)
        yield method


def without_komi(position: Position) -> Position:
    """The position of the game with komi 0, which scores do not count."""
    changed: Position = attrs.evolve(position, game=position.game.with_komi(0))  # type: ignore[misc]
    return changed


def with_mover(position: Position, player: Player) -> Position:
    """The position with this player to move; if that is another one, nobody passed before.

    Raises `NotSolvable` where whose turn it is cannot be changed without changing the past.
    """
    if position.to_move is player:
        return position
    if not isinstance(position, PlacingPosition):
        raise NotSolvable(f"in {position.game.name} the past says who is to move")
    return attrs.evolve(position, to_move=player, passes=0)
