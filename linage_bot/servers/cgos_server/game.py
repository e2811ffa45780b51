"""One live game: its referee, both clocks and its moves. Time comes in with every call.

Clocks count whole milliseconds. The one of the player to move runs from `turn_began`, which may lie
in the future: after a restart the players are given time to come back.
"""

from collections.abc import Sequence
from typing import Any

import attrs

from linage_bot.arena.referee import Ending, Referee, forfeit, not_a_move
from linage_bot.rules.game import Game, Player
from linage_bot.servers.cgos_server.store import ABORTED, GameRow, MoveRow
from protocol.cgos.server import GenMove, Play, Setup
from protocol.cgos.viewer import Match, Observed
from protocol.cgos.words import Rated, cgos_result
from protocol.session.arguments import Colour

MOST_MOVES = 4000
"""The length at which a game is scored; a line with all moves stays within CGOS's limits."""


@attrs.define(eq=False)
class RefereedGame:
    """A game between two players after some moves; `row` is its row in the store."""

    _game: Game
    row: GameRow
    moves: list[MoveRow]
    _forgiven_ms: int
    turn_began: float  # seconds
    _clocks: list[int] = attrs.field(init=False)
    _referee: Referee = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._clocks = clocks_after(self.row, self.moves)
        self._referee = Referee(self._game, max_moves=MOST_MOVES)
        for move in self.moves:  # which were judged before
            self._referee.judge(move.move)

    @property
    def to_move(self) -> Player:
        """The player to move."""
        return self._referee.to_move

    @property
    def names(self) -> tuple[str, str]:
        """The names of the players, the first mover's first."""
        return self.row.first, self.row.second

    @property
    def mover(self) -> str:
        """The name of the player to move."""
        return self.names[self.to_move]

    def clocks(self, now: float) -> list[int]:
        """Return the milliseconds that First and Second have left; negative if overdrawn."""
        left = self._clocks.copy()
        left[self.to_move] -= self._used_ms(now)
        return left

    def ms_used(self) -> tuple[int, int]:
        """Return the milliseconds that First and Second have used."""
        first, second = self._clocks
        return self.row.first_ms - first, self.row.second_ms - second

    def time_loss(self, now: float) -> Ending | None:
        """Return the ending if the player to move has no time left, else None."""
        if self._charged_ms(now) <= self._clocks[self.to_move]:
            return None
        self._clocks[self.to_move] = 0
        return forfeit(self.to_move, f"{self.mover} ran out of time", on_time=True)

    def judge(self, word: str, analysis: str, now: float) -> Ending | None:
        """Judge the response to `genmove`; return the ending of the game, None if it continues.

        If the move is legal, it is added to `moves`.
        """
        player = self.to_move
        ending = self.time_loss(now)
        if ending is not None:
            return ending
        left = self._clocks[player] = self._clocks[player] - self._charged_ms(now)
        self.turn_began = now
        played = len(self._referee.moves)
        ending = self._referee.judge(word) if word.isascii() else not_a_move(player, word)
        if len(self._referee.moves) > played:
            self.moves.append(MoveRow(self._referee.moves[-1], left, analysis))
        return ending

    def ended(self, ending: Ending, moment: str) -> None:
        """Record the ending of the game."""
        aborted = ending.how == ABORTED
        self.row = attrs.evolve(
            self.row,
            result=ending.result if aborted else cgos_result(ending.result),
            winner=None if ending.winner is None else int(ending.winner),
            ending=ending.how,
            reason=ending.reason,
            ended=moment,
        )

    def _used_ms(self, now: float) -> int:
        return max(0, round((now - self.turn_began) * 1000))

    def _charged_ms(self, now: float) -> int:
        return max(0, self._used_ms(now) - self._forgiven_ms)

    # ----------------------------------------------------------------------- messages

    def setup(self) -> Setup:
        """Return the game with all its moves, as a message for a player."""
        fields = _common_fields(self._game, self.row)
        return Setup(**fields, level_ms=self.row.level_ms, moves=tuple(self.moves))

    def genmove(self, now: float) -> GenMove:
        """Return the request for the next move."""
        return GenMove(Colour(self.to_move.letter), self.clocks(now)[self.to_move])

    def last_play(self) -> Play:
        """Return the last move, as a message for the opponent."""
        last = self.moves[-1]
        return Play(Colour(self.to_move.other.letter), last.move, last.ms_left)


def clocks_after(row: GameRow, moves: Sequence[MoveRow]) -> list[int]:
    """Return the milliseconds that First and Second have left after some moves."""
    left = [row.first_ms, row.second_ms]
    for number, move in enumerate(moves):
        left[number % 2] = move.ms_left
    return left


def match_line(game: Game, row: GameRow) -> Match:
    """Return a game as a line of a list, for viewers and the administrator."""
    return Match(**_common_fields(game, row), when=_when(row), result=row.result or "")


def observed(game: Game, row: GameRow, moves: Sequence[MoveRow]) -> Observed:
    """Return a game with its moves so far, as a message for a viewer."""
    fields, result = _common_fields(game, row), row.result or ""
    return Observed(
        **fields, when=_when(row), level_ms=row.level_ms, moves=tuple(moves), result=result
    )


def _common_fields(game: Game, row: GameRow) -> dict[str, Any]:
    """Return the fields of a game that all its messages have."""
    return {
        "number": row.number,
        "size": game.board.columns,
        "komi": game.komi,
        "white": Rated(row.second, row.second_rating),
        "black": Rated(row.first, row.first_rating),
    }


def _when(row: GameRow) -> str:
    return row.began[:16].replace("T", " ") if row.result else ""
