"""The referee of one game: it reads the engines' answers and decides when and how the game ends."""

from collections.abc import Sequence

import attrs

from linage_bot.arena.records import ADJUDICATION, FORFEIT, RESIGNATION, SCORE
from linage_bot.records.record import EarlyEnd, same_result
from linage_bot.rules.boards import NoSuchPoint
from linage_bot.rules.game import Game, IllegalMove, Move, Player
from linage_bot.rules.history import History


@attrs.frozen
class Ending:
    """A game's ending, in SGF's form and in words."""

    winner: Player | None
    result: str
    how: str  # one of the words of `records`
    reason: str = ""


def forfeit(loser: Player, reason: str, on_time: bool = False) -> Ending:
    """Return the ending of a game that an engine lost by its own fault."""
    return Ending(loser.other, str(EarlyEnd(loser, "T" if on_time else "F")), FORFEIT, reason)


def not_a_move(loser: Player, answer: str) -> Ending:
    """Return the forfeit of an engine whose answer is not a move."""
    shown = answer if len(answer) <= 40 else f"{answer[:37]}..."
    return forfeit(loser, f"{shown!r} is not a move")


def by_claims(claims: tuple[str | None, str | None]) -> Ending:
    """Return the ending that both engines agree on; a draw if they do not."""
    one, two = ((claim or "").strip().upper() for claim in claims)
    if not one or not two or not same_result(one, two):
        return Ending(None, "0", SCORE, "the engines do not agree on the score")
    winner = {"B": Player.FIRST, "W": Player.SECOND}.get(one[:1])
    return Ending(winner, "0" if winner is None else one, SCORE)


class MoveRecorder:
    """A recorder of moves that checks none: two passes in a row or a resignation end a game.

    The engines' own claims decide the winner.
    """

    def __init__(
        self, game: Game, opening: Sequence[Move] = (), max_moves: int | None = None
    ) -> None:
        self.to_move = game.start().to_move
        self.moves: list[str] = []
        self._game = game
        self._max_moves = max_moves
        for move in opening:
            self._play(move)

    def ending(self) -> Ending | None:
        """Return the ending that the moves have caused; None while the game is in progress."""
        if self.moves[-2:] == ["pass", "pass"]:
            return Ending(None, "0", SCORE)
        if self._limit_reached:
            return Ending(None, "0", ADJUDICATION, f"stopped after {len(self.moves)} moves")
        return None

    def judge(self, answer: str) -> Ending | None:
        """Play an answer to `genmove`; return the ending it causes, None if there is none."""
        player, word = self.to_move, answer.strip().lower()
        if word == "resign":
            return Ending(player.other, str(EarlyEnd(player)), RESIGNATION)
        try:
            self._play(self._game.move(word))
        except NoSuchPoint:
            return not_a_move(player, answer)
        except IllegalMove as error:
            return forfeit(player, f"illegal move {error}")
        return self.ending()

    @property
    def _limit_reached(self) -> bool:
        return self._max_moves is not None and len(self.moves) >= self._max_moves

    def _play(self, move: Move) -> None:
        self.moves.append(self._game.name_of(move))
        self.to_move = self.to_move.other


class Referee(MoveRecorder):
    """A referee that follows our own rules: they decide the legal moves and the winner."""

    def __init__(
        self, game: Game, opening: Sequence[Move] = (), max_moves: int | None = None
    ) -> None:
        self.history = History(game)
        super().__init__(game, opening, max_moves)

    def ending(self) -> Ending | None:
        """Return the ending that the position has caused; None while the game is in progress."""
        position = self.history.position
        if not (position.over or self._limit_reached):
            return None
        result = position.result()
        if position.over:
            return Ending(result.winner, str(result), SCORE)
        reason = f"scored after {len(self.moves)} moves"
        return Ending(result.winner, str(result), ADJUDICATION, reason)

    def _play(self, move: Move) -> None:
        self.history = self.history.play(move)
        super()._play(move)
