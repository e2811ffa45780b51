"""One game on the readable rules, for games that have no compiled ones."""

from __future__ import annotations

from linage_bot import PASS, Player, Position
from linage_bot.batch.planes import Planes, draw_position, pass_would_end


class ReadableGame:
    """A game in progress with the methods of `linage_bot.batch.single.SingleGame`."""

    def __init__(self, position: Position) -> None:
        """Continue from a position."""
        self._position = position
        board = position.game.board
        self._passing = board.columns * board.rows

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._position.over

    def copy(self) -> ReadableGame:
        """Return a copy, which does not change with this game."""
        return ReadableGame(self._position)

    def actions(self) -> list[int]:
        """Return the legal actions, ascending; none after the end."""
        return [self._passing if move == PASS else move for move in self._position.moves()]

    def is_legal(self, action: int) -> bool:
        """Return whether an action is legal."""
        return action in self.actions()

    def play(self, action: int) -> None:
        """Play a legal action."""
        self._position = self._position.after(PASS if action == self._passing else action)

    def first_return(self) -> float:
        """Return First's result: 1 for a win, -1 for a loss, 0 for a draw or before the end."""
        return 2 * self._position.result().win_rate_of(Player.FIRST) - 1 if self.over else 0.0

    def observe(self, planes: Planes) -> None:
        """Write the observation into an array of `PLANES`, rows and columns."""
        position = self._position
        ends = pass_would_end(position)
        draw_position(position, planes, position.placements(), pass_ends=ends)
