"""The referee of one game: takes what engines answer, and says when and how the game has ended."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from linage_bot.boards import NoSuchPoint
from linage_bot.game import PASS, Game, IllegalMove, Move, Player, Position
from linage_bot.match.records import ADJUDICATION, FORFEIT, RESIGNATION, SCORE


@attrs.frozen
class Ending:
    """How a game ended, in SGF's form and in words."""

    winner: Player | None
    result: str
    how: str  # one of the words of `records`
    reason: str = ""


def forfeit(loser: Player, reason: str, on_time: bool = False) -> Ending:
    """The ending of a game that an engine lost by its own fault."""
    winner = loser.other
    letter = "T" if on_time else "F"
    return Ending(winner, f"{winner.letter.upper()}+{letter}", FORFEIT, reason)


class Referee:
    """Keeps the position of one game by our own rules."""

    def __init__(
        self, game: Game, opening: Sequence[Move] = (), max_moves: int | None = None
    ) -> None:
        self.position: Position = game.start()
        self.moves: list[str] = []
        self._max_moves = max_moves
        for move in opening:
            self._play(move)

    @property
    def to_move(self) -> Player:
        """Whose turn it is."""
        return self.position.to_move

    def ending(self) -> Ending | None:
        """How the game has ended by itself; None while it goes on."""
        if self.position.over:
            result = self.position.result()
            return Ending(result.winner, str(result), SCORE)
        if self._max_moves is not None and len(self.moves) >= self._max_moves:
            result = self.position.result()
            reason = f"scored after {len(self.moves)} moves"
            return Ending(result.winner, str(result), ADJUDICATION, reason)
        return None

    def judge(self, answer: str) -> Ending | None:
        """Take the answer to `genmove`; return how it ended the game, None if it goes on."""
        player, word = self.to_move, answer.strip().lower()
        if word == "resign":
            winner = player.other
            return Ending(winner, f"{winner.letter.upper()}+R", RESIGNATION)
        try:
            move = PASS if word == "pass" else self.position.game.board.point(word)
            self._play(move)
        except NoSuchPoint:
            shown = answer if len(answer) <= 40 else f"{answer[:37]}..."
            return forfeit(player, f"{shown!r} is not a move")
        except IllegalMove as error:
            return forfeit(player, f"illegal move {error}")
        return self.ending()

    def _play(self, move: Move) -> None:
        name = self.position.name_of(move) if move != PASS else "pass"
        self.position = self.position.play(move)
        self.moves.append(name)
