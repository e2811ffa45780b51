"""A game on the server, who plays it, and what of it is looked at.

A course never changes: each deed is done whole and makes another one, or raises `Declined`.
"""

from __future__ import annotations

import datetime

import attrs

from linage_bot.records import BadRecord, Concession, Record
from linage_bot.rules.game import PASS, BadOption, Game, IllegalMove, Move, Player, Position, Result
from linage_bot.rules.history import History
from linage_bot.web import actions
from linage_bot.web.errors import Declined
from linage_bot.web.seats import Pie, Seat

MOST_MOVES = 2000  # of a record that is loaded: each costs memory as long as the game is kept


@attrs.frozen(kw_only=True)
class Course:
    """A game with its players, from its first to its last move; those after `at` are taken back.

    Positions keep their identity when moves are taken back and made again, so what was found out
    about one stays true. `seats` are First's and Second's, once there is no pie (any more).
    """

    record: Record  # what was said of the game; `history` has its moves
    history: History
    at: int
    seats: tuple[Seat, Seat]
    pie: Pie | None = None
    conceded: Concession | None = None  # how the game ended before the rules had ended it
    paused: bool = False  # engines do not move until they are told to
    _floor: int = 0  # moves that cannot be taken back: a pie's stone
    _looked_at: int | None = None  # None: the last position

    @classmethod
    def of(cls, record: Record, seats: tuple[Seat, Seat], *, with_pie: bool = False) -> Course:
        """A record with all its moves played; raises `BadRecord`.

        One that ended by a resignation, say, is over here too.
        """
        at = len(record.moves)
        if at > MOST_MOVES:
            raise BadRecord(f"move {MOST_MOVES + 1}", f"only {MOST_MOVES} moves are shown here")
        course = cls(record=record, history=record.history(), at=at, seats=seats)
        if course.over:
            return course
        pie = Pie(*seats) if with_pie else None
        return attrs.evolve(course, pie=pie, conceded=Concession.of(record.result))

    # What is to be seen

    @property
    def game(self) -> Game:
        """The game with its board, komi and options."""
        return self.history.game

    @property
    def now(self) -> History:
        """The game without the moves taken back."""
        return self.history.to(self.at)

    @property
    def position(self) -> Position:
        """The position after the moves that are not taken back."""
        return self.history.positions[self.at]

    @property
    def viewed(self) -> int:
        """How many moves the position looked at has."""
        return self.at if self._looked_at is None else self._looked_at

    @property
    def over(self) -> bool:
        """Whether nobody may play any more."""
        return self.conceded is not None or (self.pie is None and self.position.over)

    @property
    def mover(self) -> Seat | None:
        """Who is to do something; None when the game is over."""
        if self.over:
            return None
        return self.seats[self.position.to_move] if self.pie is None else self.pie.acts

    @property
    def engine_moves(self) -> bool:
        """Whether an engine is to do something."""
        return self.mover is not None and self.mover.is_engine

    @property
    def result(self) -> Result | None:
        """The result of a game that ended by the rules; None before, and if it was conceded."""
        return self.position.result() if self.over and self.conceded is None else None

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return self.conceded is not None or self._undone_to() is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is something to make again."""
        return self.conceded is None and self.at < len(self.history.moves)

    def to_save(self) -> Record:
        """What a file of the game says: the moves played, by whom, and the result."""
        ending = self.conceded or self.result
        return attrs.evolve(
            self.record.until(self.at),
            moves=self.now.moves,
            players=(self.seats[0].name, self.seats[1].name),
            result=None if ending is None else str(ending),
            date=self.record.date or datetime.date.today().isoformat(),
        )

    # What is done

    def do(self, deed: actions.Deed, *, by_engine: bool = False) -> Course:
        """The course afterwards; raises `Declined`. Engines do what it is their turn to do."""
        if not by_engine and isinstance(deed, actions.Play | actions.Undo | actions.Redo):
            self._check_present()
        match deed:
            case actions.Play(move, number):
                return self._played(move, number, by_engine)
            case actions.Resign():
                return attrs.evolve(self, conceded=Concession(self._loser(by_engine)))
            case actions.Undo():
                return self._undone()
            case actions.Redo():
                return self._redone()
            case actions.Look(at):
                if not 0 <= at <= self.at:
                    raise Declined(f"there are {self.at} moves")
                return attrs.evolve(self, looked_at=None if at == self.at else at)
            case actions.PlayOn():
                return self._from_here()
            case actions.Pause(on):
                return attrs.evolve(self, paused=on)
            case actions.Sit(player, seat):
                self._check_eaten()
                other = self.seats[player.other]
                return attrs.evolve(self, seats=(other, seat) if player else (seat, other))
            case actions.OfferKomi(komi):
                return self._with_komi(komi, self._pie(by_engine, offered=False, kind="komi"))
            case actions.TakeSide(player):
                pie = self._pie(by_engine, offered=True, kind=self.game.pie)
                chooser, other = pie.chooses, pie.offers
                seats = (other, chooser) if player else (chooser, other)
                return attrs.evolve(self, seats=seats, floor=self.at, pie=None)

    def _played(self, move: Move, number: int, by_engine: bool) -> Course:
        pie = self.pie
        if number != self.at + 1:
            raise Declined("the game has moved on meanwhile")
        if pie is not None and (pie.offered or self.game.pie != "stone" or move == PASS):
            raise Declined("the pie comes first")
        if self.engine_moves and not by_engine and (pie is not None or not self.paused):
            raise Declined("it is the engine's turn")
        if self.conceded is not None:
            raise Declined("the game is over")
        if self.history.moves[self.at : number] == (move,):
            return self._to(number)
        try:
            history = self.now.play(move)
        except IllegalMove as error:
            raise Declined(error.reason) from None
        record = self.record.until(self.at)  # moves taken back are forgotten, but for this one
        pie = None if pie is None else attrs.evolve(pie, offered=True)
        return attrs.evolve(self._to(number), record=record, history=history, pie=pie)

    def _loser(self, by_engine: bool) -> Player:
        """Who gives up: whose turn it is, or the only person there is."""
        if self.over or self.pie is not None:
            raise Declined("there is no game to resign")
        mover = self.position.to_move
        persons = [player for player in Player if not self.seats[player].is_engine]
        if by_engine or mover in persons:
            return mover
        if not persons:
            raise Declined("only engines play here")
        return persons[0]

    def _undone(self) -> Course:
        if self.conceded is not None:
            again = attrs.evolve(self, conceded=None)
            # An engine that gave up would do so again.
            return attrs.evolve(again, paused=self.paused or again.engine_moves)
        at = self._undone_to()
        if at is None:
            raise Declined("there is nothing to take back")
        return self._to(at)

    def _undone_to(self) -> int | None:
        """The last position before this one in which a person may act."""
        if self.pie is not None:
            return None
        earlier = range(self.at - 1, self._floor - 1, -1)
        return next((at for at in earlier if self._may_act(at)), None)

    def _redone(self) -> Course:
        if not self.can_redo:
            raise Declined("there is nothing to make again")
        last = len(self.history.moves)
        return self._to(next(filter(self._may_act, range(self.at + 1, last)), last))

    def _from_here(self) -> Course:
        self._check_eaten()
        at = max(self._floor, self.viewed)
        # Whoever goes back wants to think first, and perhaps play for the engine.
        paused = at < self.at and self._is_engines(at)
        return attrs.evolve(self._to(at), conceded=None, paused=paused)

    def _with_komi(self, komi: float, pie: Pie) -> Course:
        try:
            game = attrs.evolve(self.game, komi=komi)
        except BadOption as error:
            raise Declined(error.reason) from None
        record, pie = attrs.evolve(self.record, game=game), attrs.evolve(pie, offered=True)
        return attrs.evolve(self, record=record, history=record.history(), pie=pie)

    def _pie(self, by_engine: bool, *, offered: bool, kind: str) -> Pie:
        """The pie, if it is the time for it."""
        if self.pie is None or self.pie.offered is not offered or self.game.pie != kind:
            raise Declined("this is not the time for it")
        if self.engine_moves and not by_engine:
            raise Declined("it is the engine's turn")
        return self.pie

    def _check_eaten(self) -> None:
        if self.pie is not None:
            raise Declined("the pie comes first")

    def _check_present(self) -> None:
        """What is done is done to the position that is seen, or not at all."""
        if self._looked_at is not None:
            raise Declined(
                f"you are looking at move {self._looked_at}:"
                " first play on from here, or go to the last position"
            )

    def _may_act(self, at: int) -> bool:
        """Whether a person may act after so many moves."""
        return self.paused or not self._is_engines(at)

    def _is_engines(self, at: int) -> bool:
        """Whether an engine was to move after so many moves."""
        return self.seats[self.history.positions[at].to_move].is_engine

    def _to(self, at: int) -> Course:
        """The same game with so many of its moves played, and looked at there."""
        return attrs.evolve(self, at=at, looked_at=None)
