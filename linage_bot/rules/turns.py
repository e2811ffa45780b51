"""Turns as Linage's family has them: place a stone or pass, and two passes in succession end it."""

from typing import Generic, Self, TypeVar

import attrs

from linage_bot.rules.boards import Points
from linage_bot.rules.game import PASS, Game, Move, Player, Position

GameT = TypeVar("GameT", bound=Game)


@attrs.frozen
class PlacingPosition(Position, Generic[GameT]):
    """A position of a game in which stones are placed and never removed."""

    game: GameT
    to_move: Player = Player.FIRST
    first: Points = 0
    second: Points = 0
    passes: int = 0  # in succession, up to the last turn

    @property
    def over(self) -> bool:
        """Two passes in succession end the game; nothing else does."""
        return self.passes == 2

    def may_pass(self) -> bool:
        """A player may pass on any turn."""
        return not self.over

    def after(self, move: Move) -> Self:
        """The position after a legal move."""
        next_player = self.to_move.other
        if move == PASS:
            return attrs.evolve(self, to_move=next_player, passes=self.passes + 1)
        stone = 1 << move
        if self.to_move is Player.FIRST:
            return attrs.evolve(self, to_move=next_player, first=self.first | stone, passes=0)
        return attrs.evolve(self, to_move=next_player, second=self.second | stone, passes=0)
