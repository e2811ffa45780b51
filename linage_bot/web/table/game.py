"""The game at a table, its players and its variations.

The game is the main line of a tree, up to the last move played. Moves that were taken back stay
behind it, and another move there makes the old ones a variation. Elsewhere in the tree no player is
to move: a person's move there makes a variation, and the game waits. *Play on from here* moves the
game there.

A `TableGame` is immutable: each action returns a new one, or raises `ActionRefused`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from linage_bot.records import ROOT, EarlyEnd, MoveTree, Record, Study
from linage_bot.rules.game import Game, Move, Player, Position, Result
from linage_bot.rules.history import History
from linage_bot.settings.match import ClockSettings
from linage_bot.web.table.annotated import AnnotatedTree
from linage_bot.web.table.clock import TableClock
from linage_bot.web.table.errors import ActionRefused, check
from linage_bot.web.table.pie import Pie, PlayerKind, Sides
from linage_bot.web.table.seats import Seats

SLOWEST_PACE = 60


@attrs.frozen(kw_only=True)
class TableGame:
    """A game with its players and variations; `at` is the node of the last move played.

    The path to `at` is the tree's main line. Positions keep their identity when moves are taken
    back and replayed, so that earlier analysis stays valid. `seats` are First's and Second's once
    no pie is open.
    """

    ground: AnnotatedTree
    at: int
    seats: tuple[PlayerKind, PlayerKind]
    pie: Pie | None = None
    sides: Sides | None = None  # the outcome of this game's pie
    conceded: EarlyEnd | None = None  # an early end, such as a resignation
    time: ClockSettings | None = None  # of each player; None: unlimited
    clock: TableClock | None = None  # the time left; updated by the session
    pace_seconds: float = 0.0  # of rest between two moves of engines that play each other
    paused: bool = False  # engines do not move until they are resumed
    reviewed: tuple[int, ...] | None = None  # the nodes of the line under review
    company: Seats | None = None  # the people's seats at a shared table
    floor: int = ROOT  # the node before which no move is taken back: a pie's stone

    @classmethod
    def of(
        cls, source: Record | Study, seats: tuple[PlayerKind, PlayerKind], *, with_pie: bool = False
    ) -> TableGame:
        """Return a record or study with its main line played. Raise `BadRecord`.

        If the record ended early, for example by resignation, this game is over, too.
        """
        study = source if isinstance(source, Study) else Study.of(source)
        course = cls(ground=AnnotatedTree.of(study), at=study.tree.end(), seats=seats)
        if course.over:
            return course
        pie = Pie(*seats) if with_pie else None
        return attrs.evolve(course, pie=pie, conceded=EarlyEnd.of(study.facts.result))

    # State

    @property
    def game(self) -> Game:
        """The game with its board, komi and options."""
        return self.ground.game

    @property
    def tree(self) -> MoveTree:
        """The moves of the game and of its variations."""
        return self.ground.tree

    @property
    def positions(self) -> Mapping[int, Position]:
        """The positions of all nodes."""
        return self.ground.positions

    @property
    def now(self) -> History:
        """The game without the moves taken back."""
        return self.ground.history(self.at)

    @property
    def position(self) -> Position:
        """The position after the moves that are not taken back."""
        return self.positions[self.at]

    def line(self, through: int) -> tuple[int, ...]:
        """Return the nodes of the game, or of the variation through a node outside it."""
        path = self.tree.path(self.at)
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
        return self.seats[self.position.to_move] if self.pie is None else self.pie.acts

    @property
    def turn(self) -> int | None:
        """The number of the seat to act; None if the game is over."""
        if self.over:
            return None
        return int(self.position.to_move) if self.pie is None else int(self.pie.offered)

    @property
    def closed(self) -> bool:
        """Whether analysis and hints are off: two people play, and the game is not over."""
        return self.company is not None and not self.over

    @property
    def result(self) -> Result | None:
        """The result of a game that ended by the rules; None before, and if it was conceded."""
        return self.position.result() if self.over and self.conceded is None else None

    @property
    def can_undo(self) -> bool:
        """Whether there is a move or resignation to take back."""
        return self.conceded is not None or self._undone_to() is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is a move to replay."""
        return self.conceded is None and self.tree.end(self.at) != self.at

    def so_far(self) -> Record:
        """Return the game without variations and without moves taken back."""
        ending = self.conceded or self.result
        result = None if ending is None else str(ending)
        return attrs.evolve(self.ground.study.until(self.at), players=self._names(), result=result)

    def to_save(self) -> Study:
        """Return the game for a file: all moves and comments, the players and the result.

        A result claimed by a loaded record stays as long as its main line does.
        """
        claim = self.ground.facts.result if self.conceded is None else None
        result = claim or self.so_far().result
        facts = attrs.evolve(self.ground.facts, players=self._names(), result=result)
        return attrs.evolve(self.ground.study, facts=facts)

    def _names(self) -> tuple[str, str]:
        """Return the players' names: an engine's by its level, a person's from the record."""
        first, second = (
            name if seat is None else f"linage-bot level {seat}"
            for name, seat in zip(self.ground.facts.players, self.seats, strict=True)
        )
        return first, second

    # Actions: each returns the game afterwards, or raises `ActionRefused`. Engines act in turn.

    def play(self, move: Move, at: int, *, by_engine: bool = False) -> TableGame:
        """Make a move at a node.

        Elsewhere than at the end of the game it makes a variation. Engines may only move in the
        game.
        """
        if at != self.at:
            check(not by_engine, "the game has moved on meanwhile")
            check(self.pie is None, "the pie comes first")
            self.ground.check_place(at)
            ground, place = self.ground.played(at, move)
            return attrs.evolve(self, ground=ground)
        pie = self.pie
        check(pie is None or pie.may_place(self.game, move), "the pie comes first")
        engine = None if self.paused and pie is None else self.engine_to_move
        check(by_engine or engine is None, "it is the engine's turn")
        check(self.conceded is None, "the game is over")
        ground, place = self.ground.played(at, move)
        pie = pie and pie.served()
        return attrs.evolve(self, ground=ground.led_to(place), at=place, pie=pie)

    def resign(self, *, by_engine: bool = False, seat: int | None = None) -> TableGame:
        """Resign for a seat if it is given, else for the person to move or the only person."""
        check(not self.over and self.pie is None, "there is no game to resign")
        if seat is not None:
            return attrs.evolve(self, conceded=EarlyEnd(Player(seat)))
        mover = self.position.to_move
        persons = [player for player in Player if self.seats[player] is None]
        if by_engine or mover in persons:
            return attrs.evolve(self, conceded=EarlyEnd(mover))
        check(bool(persons), "only engines play here")
        return attrs.evolve(self, conceded=EarlyEnd(persons[0]))

    def lose_on_time(self, player: Player) -> TableGame:
        """End the game because a player's flag has fallen."""
        check(not self.over and self.pie is None, "there is no game to lose")
        return attrs.evolve(self, conceded=EarlyEnd(player, "T"))

    def timed(self, settings: ClockSettings | None) -> TableGame:
        """Return the game with full clocks of these settings; None: without clocks."""
        full = None if settings is None else TableClock.full(settings, self.position.to_move)
        return attrs.evolve(self, time=settings, clock=full)

    def pace(self, seconds: float) -> TableGame:
        """Set the seconds of rest between two moves of engines that play each other."""
        check(0 <= seconds <= SLOWEST_PACE, f"a pace is 0 to {SLOWEST_PACE} seconds")
        return attrs.evolve(self, pace_seconds=seconds)

    def undo(self) -> TableGame:
        """Take back a resignation, or moves until it is a person's turn again."""
        if self.conceded is not None:
            again = self._taken_up()
            # An engine that resigned would resign again.
            return attrs.evolve(again, paused=self.paused or again.engine_to_move is not None)
        at = self._undone_to()
        if at is None:
            raise ActionRefused("there is nothing to take back")
        return attrs.evolve(self, at=at)

    def _undone_to(self) -> int | None:
        """Return the last earlier node at which a person may act; None if there is none."""
        if self.pie is not None:
            return None
        path = self.tree.path(self.at)
        earlier = reversed(path[path.index(self.floor) : -1])
        others = (at for at in earlier if self.positions[at] is not self.position)
        return next(filter(self._may_act, others), None)

    def redo(self) -> TableGame:
        """Replay moves that were taken back, until it is a person's turn."""
        check(self.can_redo, "there is nothing to make again")
        line = self.tree.line(self.at)
        *following, last = line[line.index(self.at) + 1 :]
        return attrs.evolve(self, at=next(filter(self._may_act, following), last))

    def play_on(self, at: int) -> TableGame:
        """Move the game to a node, to continue from there."""
        check(self.pie is None, "the pie comes first")
        self.ground.check_place(at)
        self.ground.check_open(at)
        at = at if self.floor in self.tree.path(at) else self.floor
        # A person who goes back may want time first, and perhaps play for the engine.
        paused = at != self.at and self._is_engines(at)
        course = attrs.evolve(self, ground=self.ground.led_to(at))._taken_up()
        return attrs.evolve(course, at=at, paused=paused)

    def promote(self, at: int) -> TableGame:
        """Make a variation the main line, and so the game."""
        self.ground.check_place(at)
        self.ground.check_open(at)
        check(self.pie is None, "the pie comes first")
        course = attrs.evolve(self, ground=self.ground.led_to(at))
        line = course.tree.line()
        check(self.floor in line, "the pie's stone stays")
        if self.at in line:
            return course
        return course._led_to(line[-1])

    def delete(self, at: int) -> TableGame:
        """Delete a node and all nodes behind it."""
        self.ground.check_place(at)
        check(self.pie is None, "the pie comes first")
        check(at not in self.tree.path(self.floor), "the start stays")
        parent = self.tree[at].parent
        assert parent is not None
        ground = self.ground.without(at)
        whole = all(place in ground.tree for place in self.reviewed or ())
        course = attrs.evolve(self, ground=ground, reviewed=self.reviewed if whole else None)
        return course if self.at in ground.tree else course._led_to(parent)

    def comment(self, at: int, text: str) -> TableGame:
        """Replace the comment on a position."""
        self.ground.check_place(at)
        self.ground.check_open(at)
        return attrs.evolve(self, ground=self.ground.said(at, text))

    def take(self, invitation: str, holder: str) -> TableGame:
        """Take the seat of an invitation link; both are hashes."""
        check(self.company is not None, "this link gives no seat at this table")
        assert self.company is not None
        return attrs.evolve(self, company=self.company.taken(invitation, holder))

    def pause(self, on: bool) -> TableGame:
        """Pause or resume the engines and clocks."""
        check(not (on and self.closed), "nobody holds a game that two play")
        return attrs.evolve(self, paused=on)

    def sit(self, player: Player, seat: PlayerKind) -> TableGame:
        """Replace the player of one side, also in the middle of a game."""
        check(self.pie is None, "the pie comes first")
        other = self.seats[player.other]
        return attrs.evolve(self, seats=(other, seat) if player else (seat, other))

    def offer(self, komi: float, *, by_engine: bool = False) -> TableGame:
        """Offer the komi with which the pie begins."""
        pie = self._pie(by_engine, offered=False, kind="komi")
        return attrs.evolve(self, ground=self.ground.with_komi(komi), pie=pie.served())

    def choose(self, player: Player, *, by_engine: bool = False) -> TableGame:
        """Choose a side, given the pie's offer."""
        pie = self._pie(by_engine, offered=True, kind=self.game.pie)
        # The offered stone was meant to be even, so a review does not count it as a mistake.
        facts = attrs.evolve(self.ground.facts, given=len(self.now.moves))
        ground = self.ground.with_facts(facts)
        company = self.company if player or self.company is None else self.company.turned()
        course = attrs.evolve(self, ground=ground, seats=pie.seats(player), company=company)
        return attrs.evolve(course, floor=self.at, pie=None, sides=pie.eaten(player))

    def review(self, on: bool) -> TableGame:
        """Start a review of the game up to its last move, or remove the review."""
        check(not on or self.pie is None, "the pie comes first")
        line = self.ground.moves_to(self.at)
        check(not on or len(line) > 1, "there are no moves to review yet")
        return attrs.evolve(self, reviewed=line if on else None)

    def _pie(self, by_engine: bool, *, offered: bool, kind: str) -> Pie:
        """Return the pie if this step of it is due. Raise `ActionRefused` otherwise."""
        if self.pie is None or self.pie.offered is not offered or self.game.pie != kind:
            raise ActionRefused("this is not the time for it")
        check(by_engine or self.engine_to_move is None, "it is the engine's turn")
        return self.pie

    def _may_act(self, at: int) -> bool:
        """Return whether a person may act at a node."""
        return self.paused or not self._is_engines(at)

    def _is_engines(self, at: int) -> bool:
        """Return whether it is an engine's turn at a node."""
        return self.seats[self.positions[at].to_move] is not None

    def _led_to(self, at: int) -> TableGame:
        """Return the game at a node after an edit of the tree; an engine to move is paused."""
        course = attrs.evolve(self._taken_up(), at=at)
        return attrs.evolve(course, paused=self.paused or self._is_engines(at))

    def _taken_up(self) -> TableGame:
        """Return the game without its early end, such as a resignation."""
        if self.conceded is None:
            return self
        facts = attrs.evolve(self.ground.facts, result=None)
        # A game continued after a loss on time has no clocks.
        clock = None if self.conceded.reason == "T" else self.clock
        ground = self.ground.with_facts(facts)
        return attrs.evolve(self, ground=ground, conceded=None, clock=clock)


TableAction = Callable[[TableGame], TableGame]
"""A change of the game or its players."""
