"""The state of the game at a table: its players, its variations and the current position.

The game is the main line of a tree, up to the last move played. Moves that were taken back stay
behind it, and another move there makes the old ones a variation. Elsewhere in the tree no player is
to move: a person's move there makes a variation, and the game waits. *Play on from here* moves the
game there.

A `TableGame` is immutable. The functions of `moves`, `edits` and `controls` return a new one, or
raise `ActionRefused`. Positions keep their identity when moves are taken back and replayed, so that
earlier analysis stays valid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from linage_bot.records.record import BadRecord, EarlyEnd, Record
from linage_bot.records.study import Study
from linage_bot.records.tree import ROOT, MoveTree
from linage_bot.rules.game import Game, Position, Result
from linage_bot.rules.history import History
from linage_bot.settings.match import ClockSettings
from linage_bot.web.table.clock import TableClock
from linage_bot.web.table.pie import Pie, PlayerKind, Sides
from linage_bot.web.table.seats import Seats

MOST_NODES = 2000  # of a tree: each costs memory as long as the game is kept


@attrs.frozen(kw_only=True)
class TableGame:
    """A game with its players and variations; `node` is that of the last move played.

    The path to `node` is the tree's main line. `players` are First's and Second's once no pie is
    open.
    """

    study: Study
    positions: Mapping[int, Position]  # by the nodes of the study's tree
    node: int
    players: tuple[PlayerKind, PlayerKind]
    pie: Pie | None = None
    sides: Sides | None = None  # the outcome of this game's pie
    conceded: EarlyEnd | None = None  # an early end, such as a resignation
    time: ClockSettings | None = None  # of each player; None: unlimited
    clock: TableClock | None = None  # the time left; updated by the session
    pace_seconds: float = 0.0  # of rest between two moves of engines that play each other
    paused: bool = False  # engines do not move until they are resumed
    reviewed: tuple[int, ...] | None = None  # the nodes of the line under review
    seats: Seats | None = None  # the people's seats at a shared table
    again: str = ""  # the name of the table of the two people's next game
    earliest: int = ROOT  # the node before which no move is taken back: a pie's stone

    @classmethod
    def of(
        cls,
        source: Record | Study,
        players: tuple[PlayerKind, PlayerKind],
        *,
        with_pie: bool = False,
    ) -> TableGame:
        """Return a record or study with its main line played. Raise `BadRecord`.

        If the record ended early, for example by resignation, this game is over, too.
        """
        study = source if isinstance(source, Study) else Study.of(source)
        if len(study.tree) > MOST_NODES + 1:
            raise BadRecord("SGF", f"more than {MOST_NODES} moves, with those of its variations")
        node, positions = study.tree.end(), study.positions()
        game = cls(study=study, positions=positions, node=node, players=players)
        if game.over:
            return game
        pie = Pie(*players) if with_pie else None
        return attrs.evolve(game, pie=pie, conceded=EarlyEnd.of(study.facts.result))

    @property
    def rules(self) -> Game:
        """The kind of game with its board, komi and options."""
        return self.facts.game

    @property
    def facts(self) -> Record:
        """The facts of the game without its moves."""
        return self.study.facts

    @property
    def tree(self) -> MoveTree:
        """The moves of the game and of its variations."""
        return self.study.tree

    @property
    def now(self) -> History:
        """The game without the moves taken back."""
        return self.history(self.node)

    @property
    def position(self) -> Position:
        """The position after the moves that are not taken back."""
        return self.positions[self.node]

    def history(self, node: int) -> History:
        """Return the game's history up to a node."""
        facts, (_, *path) = self.facts, self.moves_to(node)
        return History(
            facts.game,
            self.tree.moves(path),
            setup=facts.setup,
            begins=facts.to_move,
            positions=(self.positions[ROOT], *(self.positions[each] for each in path)),
        )

    def moves_to(self, node: int) -> tuple[int, ...]:
        """Return the nodes from the start to one, without those that hold only comments."""
        path = self.tree.path(node)
        return tuple(each for each in path if each == ROOT or self.tree[each].move is not None)

    def line(self, through: int) -> tuple[int, ...]:
        """Return the nodes of the game, or of the variation through a node outside it."""
        path = self.tree.path(self.node)
        return path if through in path else self.tree.line(through)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.conceded is not None or (self.pie is None and self.position.over)

    @property
    def engine_to_move(self) -> int | None:
        """The level of the engine to act; None if a person is, or the game is over."""
        if self.over:
            return None
        return self.players[self.position.to_move] if self.pie is None else self.pie.acts

    @property
    def turn(self) -> int | None:
        """The number of the seat to act; None if the game is over."""
        if self.over:
            return None
        return int(self.position.to_move) if self.pie is None else int(self.pie.offered)

    def is_engines(self, node: int) -> bool:
        """Return whether it is an engine's turn at a node."""
        return self.players[self.positions[node].to_move] is not None

    def may_act(self, node: int) -> bool:
        """Return whether a person may act at a node."""
        return self.paused or not self.is_engines(node)

    @property
    def closed(self) -> bool:
        """Whether analysis and hints are off: two people play, and the game is not over."""
        return self.seats is not None and not self.over

    @property
    def result(self) -> Result | None:
        """The result of a game that ended by the rules; None before, and if it was conceded."""
        return self.position.result() if self.over and self.conceded is None else None

    def so_far(self) -> Record:
        """Return the game without variations and without moves taken back."""
        ending = self.conceded or self.result
        result = None if ending is None else str(ending)
        return attrs.evolve(self.study.until(self.node), players=self._names(), result=result)

    def to_save(self) -> Study:
        """Return the game for a file: all moves and comments, the players and the result.

        A result claimed by a loaded record stays as long as its main line does.
        """
        claim = self.facts.result if self.conceded is None else None
        result = claim or self.so_far().result
        facts = attrs.evolve(self.facts, players=self._names(), result=result)
        return attrs.evolve(self.study, facts=facts)

    def _names(self) -> tuple[str, str]:
        """Return the players' names: an engine's by its level, a person's own or the record's."""
        seats = (None, None) if self.seats is None else self.seats.by_player
        first, second = (
            (seat.name if seat else "") or name if level is None else f"linage-bot level {level}"
            for name, level, seat in zip(self.facts.players, self.players, seats, strict=True)
        )
        return first, second


Change = Callable[[TableGame], TableGame]
"""A change of the game or its players."""
