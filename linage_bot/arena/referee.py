"""The referee of one game: takes what engines answer, and says when and how the game has ended."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from linage_bot.arena.records import ADJUDICATION, FORFEIT, RESIGNATION, SCORE
from linage_bot.records import same_result
from linage_bot.rules.boards import NoSuchPoint
from linage_bot.rules.game import PASS, Game, IllegalMove, Move, Player, Position


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


def not_a_move(loser: Player, answer: str) -> Ending:
    """The forfeit of an engine that answered something else."""
    shown = answer if len(answer) <= 40 else f"{answer[:37]}..."
    return forfeit(loser, f"{shown!r} is not a move")


def resignation(loser: Player) -> Ending:
    """The ending of a game that an engine gave up."""
    winner = loser.other
    return Ending(winner, f"{winner.letter.upper()}+R", RESIGNATION)


def by_claims(claims: tuple[str | None, str | None]) -> Ending:
    """The ending that both engines agree on; a draw if they do not."""
    one, two = ((claim or "").strip().upper() for claim in claims)
    if not one or not two or not same_result(one, two):
        return Ending(None, "0", SCORE, "the engines do not agree on the score")
    winner = {"B": Player.FIRST, "W": Player.SECOND}.get(one[:1])
    return Ending(winner, "0" if winner is None else one, SCORE)


class Witness:
    """Takes down the moves and checks none: two passes in succession or a resignation end a game.

    Who has won is for the engines to say.
    """

    def __init__(self, game: Game, opening: Sequence[Move], max_moves: int | None) -> None:
        self.to_move = game.start().to_move
        self.moves: list[str] = []
        self._board = game.board
        self._max_moves = max_moves
        self._passes = 0
        for move in opening:
            self._note("pass" if move == PASS else game.board.vertex(move))

    def ending(self) -> Ending | None:
        """How the game has ended by itself; None while it goes on."""
        if self._passes == 2:
            return Ending(None, "0", SCORE)
        if self._max_moves is not None and len(self.moves) >= self._max_moves:
            return Ending(None, "0", ADJUDICATION, f"stopped after {len(self.moves)} moves")
        return None

    def judge(self, answer: str) -> Ending | None:
        """Take the answer to `genmove`; return how it ended the game, None if it goes on."""
        word = answer.strip().lower()
        if word == "resign":
            return resignation(self.to_move)
        try:
            if word != "pass":
                self._board.point(word)
                word = word.upper()
            self._note(word)
        except NoSuchPoint:
            return not_a_move(self.to_move, answer)
        return self.ending()

    def _note(self, name: str) -> None:
        self.moves.append(name)
        self._passes = self._passes + 1 if name == "pass" else 0
        self.to_move = self.to_move.other


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
            return resignation(player)
        try:
            move = PASS if word == "pass" else self.position.game.board.point(word)
            self._play(move)
        except NoSuchPoint:
            return not_a_move(player, answer)
        except IllegalMove as error:
            return forfeit(player, f"illegal move {error}")
        return self.ending()

    def _play(self, move: Move) -> None:
        name = self.position.name_of(move) if move != PASS else "pass"
        self.position = self.position.play(move)
        self.moves.append(name)
