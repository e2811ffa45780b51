"""One live game: the referee, both clocks, what was played. Time comes in with every call.

Clocks count whole milliseconds. The one of the player to move runs from `turn_began`, which may lie
in the future: after a restart the players are given time to come back.
"""

from collections.abc import Iterable
from typing import Any

import attrs

from linage_bot.arena.referee import Ending, Referee, forfeit, not_a_move
from linage_bot.rules.game import Game, Player
from linage_bot.servers.cgos_server.rows import ABORTED, GameRow, MoveRow
from protocol.arguments import Colour
from protocol.cgos import GenMove, Play, Setup
from protocol.cgos_viewer import Match, Observed
from protocol.cgos_words import Rated, TimedMove, cgos_result

MOST_MOVES = 4000
"""Then the position is scored as it stands; a line with all moves stays within CGOS's bounds."""


class RefereedGame:
    """A game between two players; `row` is what the store knows of it."""

    def __init__(
        self,
        game: Game,
        row: GameRow,
        moves: Iterable[MoveRow],
        forgiven_ms: int,
        turn_began: float,
    ) -> None:
        """A game after some moves; the referee has seen them before."""
        self.row = row
        self.moves: list[MoveRow] = []
        self.turn_began = turn_began
        self._clocks = [row.first_ms, row.second_ms]
        self._forgiven_ms = forgiven_ms
        self._referee = Referee(game, max_moves=MOST_MOVES)
        for move in moves:
            self._clocks[self.to_move] = move.ms_left
            self._referee.judge(move.move)
            self.moves.append(move)

    @property
    def to_move(self) -> Player:
        """Whose turn it is."""
        return self._referee.to_move

    @property
    def names(self) -> tuple[str, str]:
        """The players, the one who moved first before the other."""
        return self.row.first, self.row.second

    @property
    def mover(self) -> str:
        """The name of the player whose turn it is."""
        return self.names[self.to_move]

    def ms_left(self, player: Player, now: float) -> int:
        """What a player has left, a running clock included; negative beyond the end."""
        return self._clocks[player] - (self._used_ms(now) if player is self.to_move else 0)

    def clocks(self, now: float) -> tuple[int, int]:
        """What First and Second have left."""
        return self.ms_left(Player.FIRST, now), self.ms_left(Player.SECOND, now)

    def ms_used(self) -> tuple[int, int]:
        """What the players have used of their time, First's and Second's."""
        starts = self.row.first_ms, self.row.second_ms
        return starts[0] - self._clocks[0], starts[1] - self._clocks[1]

    def time_loss(self, now: float) -> Ending | None:
        """How the game has ended if the player to move has no time left, else None."""
        if self._charged_ms(now) <= self._clocks[self.to_move]:
            return None
        self._clocks[self.to_move] = 0
        return forfeit(self.to_move, f"{self.mover} ran out of time", on_time=True)

    def judge(self, word: str, analysis: str, now: float) -> Ending | None:
        """Take the answer to `genmove`; return how it ended the game, None if it goes on.

        If it was a legal move, it is the last of `moves` afterwards.
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
        """Note how the game has ended."""
        self.row = attrs.evolve(
            self.row,
            result=cgos_result(ending.result),
            winner=None if ending.winner is None else int(ending.winner),
            ending=ending.how,
            reason=ending.reason,
            ended=moment,
        )

    def aborted(self, result: str, moment: str) -> None:
        """Note that the administrator has ended the game; it counts for nothing."""
        self.row = attrs.evolve(self.row, result=result, ending=ABORTED, reason="", ended=moment)

    def _used_ms(self, now: float) -> int:
        return max(0, round((now - self.turn_began) * 1000))

    def _charged_ms(self, now: float) -> int:
        return max(0, self._used_ms(now) - self._forgiven_ms)

    # ----------------------------------------------------------------------- messages

    def setup(self) -> Setup:
        """The game with all its moves, for a player."""
        game, row = self._referee.history.game, self.row
        return Setup(
            number=row.number,
            size=game.board.columns,
            komi=game.komi,
            level_ms=row.level_ms,
            white=Rated(row.second, row.second_rating),
            black=Rated(row.first, row.first_rating),
            moves=_timed(self.moves),
        )

    def genmove(self, now: float) -> GenMove:
        """The request for the next move."""
        return GenMove(Colour(self.to_move.letter), self.ms_left(self.to_move, now))

    def last_play(self) -> Play:
        """The last move, for the opponent."""
        last = self.moves[-1]
        return Play(Colour(self.to_move.other.letter), last.move, last.ms_left)


def match_line(game: Game, row: GameRow) -> Match:
    """A game in a list, for viewers and the administrator."""
    return Match(**_listed(game, row))


def observed(game: Game, row: GameRow, moves: list[MoveRow]) -> Observed:
    """A game with its moves so far, for a viewer."""
    return Observed(**_listed(game, row), level_ms=row.level_ms, moves=_timed(moves))


def _listed(game: Game, row: GameRow) -> dict[str, Any]:
    """What both say of a game."""
    return {
        "number": row.number,
        "when": row.began[:16].replace("T", " ") if row.result else "",
        "size": game.board.columns,
        "komi": game.komi,
        "white": Rated(row.second, row.second_rating),
        "black": Rated(row.first, row.first_rating),
        "result": row.result or "",
    }


def _timed(moves: list[MoveRow]) -> tuple[TimedMove, ...]:
    return tuple(TimedMove(each.move, each.ms_left) for each in moves)
