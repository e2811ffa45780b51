"""The moves of a game with the position after each, and how many of them are played now."""

from __future__ import annotations

import datetime

import attrs

from linage_bot.records import BadRecord, Record
from linage_bot.rules.game import Move, Position
from linage_bot.rules.history import History

MOST_MOVES = 2000  # of a record that is loaded: each costs memory as long as the game is kept


@attrs.frozen
class Course:
    """A game from its first to its last move; those after `at` are taken back.

    Positions keep their identity when moves are taken back and made again, so what was found out
    about one stays true.
    """

    record: Record
    history: History
    at: int

    @classmethod
    def of(cls, record: Record) -> Course:
        """A record with all its moves played; raises `BadRecord`."""
        if len(record.moves) > MOST_MOVES:
            raise BadRecord(f"move {MOST_MOVES + 1}", f"only {MOST_MOVES} moves are shown here")
        return cls(record, record.history(), len(record.moves))

    @property
    def positions(self) -> tuple[Position, ...]:
        """The position before the first move and after each, those taken back too."""
        return self.history.positions

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[self.at]

    @property
    def now(self) -> History:
        """The game without the moves taken back."""
        return self.history.to(self.at)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played, without those taken back."""
        return self.record.moves[: self.at]

    def play(self, move: Move) -> Course:
        """One move more; raises `IllegalMove`. Moves taken back are forgotten, but for this one."""
        if self.record.moves[self.at : self.at + 1] == (move,):
            return self.to(self.at + 1)
        history = self.history.to(self.at).play(move)
        record = attrs.evolve(self.record.until(self.at), moves=history.moves)
        return Course(record, history, self.at + 1)

    def to(self, at: int) -> Course:
        """The same game with so many of its moves played."""
        return attrs.evolve(self, at=at)

    def to_save(self, players: tuple[str, str], result: str | None) -> Record:
        """What a file of the game says: the moves played, by whom, and the result."""
        date = self.record.date or datetime.date.today().isoformat()
        return attrs.evolve(self.record.until(self.at), players=players, result=result, date=date)
