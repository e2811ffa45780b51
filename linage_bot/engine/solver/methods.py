"""How a position is solved: Linage as a sum of its regions, everything else by alpha-beta.

Linage with the button is no sum: the button can be taken instead of a move in any region.
"""

from __future__ import annotations

import abc
import contextlib
from collections.abc import Iterator
from pathlib import Path

import attrs

from linage_bot.engine import kernels
from linage_bot.engine.solver.alphabeta.plain import PlainArena, PlainSolving
from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.keeping import Checkpoint, PlainCheckpoint, kept_arena
from linage_bot.engine.solver.report import Report, proven, report_on
from linage_bot.engine.solver.sums.arena import Allowance, Arena
from linage_bot.engine.solver.sums.solving import Solving
from linage_bot.engine.solver.sums.sums import check_solvable, is_solvable
from linage_bot.rules.game import Player, Position
from linage_bot.rules.turns import PlacingPosition

AnySolving = Solving | PlainSolving


class Method(abc.ABC):
    """A way to solve positions of one game, which keeps what it learns from one to the next."""

    @abc.abstractmethod
    def begin(self, position: Position) -> AnySolving:
        """The position, to be solved."""

    @abc.abstractmethod
    def report(self, solving: AnySolving, position: Position, allowance: Allowance) -> Report:
        """Solve as far as time allows and say what is proven, of the position begun with."""

    @abc.abstractmethod
    def save(self) -> None:
        """Keep all that is known in the checkpoint, if there is one."""


class _BySums(Method):
    def __init__(self, arena: Arena, folder: Path | None) -> None:
        self._arena = arena
        self._checkpoint = None if folder is None else Checkpoint(folder, arena.line)
        if self._checkpoint is not None:
            self._checkpoint.load_into(arena)

    def begin(self, position: Position) -> Solving:
        return Solving(self._arena, check_solvable(position))

    def report(self, solving: AnySolving, position: Position, allowance: Allowance) -> Report:
        del position  # the one that is being solved
        assert isinstance(solving, Solving)
        return report_on(solving, self._arena, allowance)

    def save(self) -> None:
        if self._checkpoint is not None:
            self._checkpoint.save(self._arena)


class _ByAlphaBeta(Method):
    def __init__(self, arena: PlainArena, checkpoint: PlainCheckpoint | None) -> None:
        self._arena = arena
        self._checkpoint = checkpoint
        if checkpoint is not None:
            checkpoint.load_into(arena)

    def begin(self, position: Position) -> PlainSolving:
        return PlainSolving(self._arena, without_komi(position))

    def report(self, solving: AnySolving, position: Position, allowance: Allowance) -> Report:
        solving.run(allowance)
        return proven(solving, position)

    def save(self) -> None:
        if self._checkpoint is not None:
            self._checkpoint.save(self._arena)


@contextlib.contextmanager
def method_for(position: Position, folder: Path | None = None) -> Iterator[Method]:
    """What solves positions of this game, with a folder for checkpoints or none.

    Slow the first time on a machine, when it is compiled. Raises `NotSolvable` for stones that were
    set up as no game can leave them.
    """
    if is_solvable(position):
        with kept_arena(check_solvable(position).game.line) as arena:
            yield _BySums(arena, folder)
        return
    reason = position.why_impossible()
    if reason is not None:
        raise NotSolvable(f"no game comes to this position: {reason}")
    game = position.game.with_komi(0)
    checkpoint = None if folder is None else PlainCheckpoint(folder, game)
    yield _ByAlphaBeta(PlainArena(game, kernels.load(game)), checkpoint)


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
