"""A game on the server, who plays it, and what of it is looked at.

A course never changes: each deed is done whole and makes another one, or raises `Declined`.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable

import attrs

from linage_bot.records import BadRecord, Concession, Record
from linage_bot.rules.game import PASS, BadOption, Game, IllegalMove, Move, Player, Position, Result
from linage_bot.rules.history import History
from linage_bot.settings.playing import LEVELS
from linage_bot.web.errors import Declined

MOST_MOVES = 2000  # of a record that is loaded: each costs memory as long as the game is kept
HIGHEST_LEVEL = len(LEVELS)
Seat = int | None
"""Who sits at a table: an engine of this level, or a person."""


@attrs.frozen
class Pie:
    """A pie not yet eaten: one offers a komi or a first stone, then the other chooses a side."""

    offers: Seat
    chooses: Seat
    offered: bool = False

    @property
    def acts(self) -> Seat:
        """Whose turn it is."""
        return self.chooses if self.offered else self.offers


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
    analysing: bool = False  # think about the position looked at,
    ownership: bool = False  # and about who will own its points
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
    def engine_to_move(self) -> int | None:
        """The level of the engine that is to do something; None if a person is, or nobody."""
        if self.over:
            return None
        return self.seats[self.position.to_move] if self.pie is None else self.pie.acts

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
            players=(_name(self.seats[0]), _name(self.seats[1])),
            result=None if ending is None else str(ending),
            date=self.record.date or datetime.date.today().isoformat(),
        )

    # What is done: each is the course afterwards, or raises `Declined`. Engines act in their turn.

    def play(self, move: Move, number: int, *, by_engine: bool = False) -> Course:
        """Make a move, the `number`th of the game as the page saw it."""
        self._check_present(by_engine)
        pie = self.pie
        _check(number == self.at + 1, "the game has moved on meanwhile")
        placing = pie is None or not (pie.offered or self.game.pie != "stone" or move == PASS)
        _check(placing, "the pie comes first")
        engine = None if self.paused and pie is None else self.engine_to_move
        _check(by_engine or engine is None, "it is the engine's turn")
        _check(self.conceded is None, "the game is over")
        if self.history.moves[self.at : number] == (move,):
            return self._to(number)
        try:
            history = self.now.play(move)
        except IllegalMove as error:
            raise Declined(error.reason) from None
        record = self.record.until(self.at)  # moves taken back are forgotten, but for this one
        pie = None if pie is None else attrs.evolve(pie, offered=True)
        return attrs.evolve(self._to(number), record=record, history=history, pie=pie)

    def resign(self, *, by_engine: bool = False) -> Course:
        """The person to move gives up, or the only person there is."""
        _check(not self.over and self.pie is None, "there is no game to resign")
        mover = self.position.to_move
        persons = [player for player in Player if self.seats[player] is None]
        if by_engine or mover in persons:
            return attrs.evolve(self, conceded=Concession(mover))
        _check(bool(persons), "only engines play here")
        return attrs.evolve(self, conceded=Concession(persons[0]))

    def undo(self) -> Course:
        """Take back moves until it is a person's turn again, or a resignation."""
        self._check_present()
        if self.conceded is not None:
            again = attrs.evolve(self, conceded=None)
            # An engine that gave up would do so again.
            return attrs.evolve(again, paused=self.paused or again.engine_to_move is not None)
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

    def redo(self) -> Course:
        """Make moves again that were taken back, until it is a person's turn."""
        self._check_present()
        _check(self.can_redo, "there is nothing to make again")
        last = len(self.history.moves)
        return self._to(next(filter(self._may_act, range(self.at + 1, last)), last))

    def look(self, at: int) -> Course:
        """Look at the position after so many moves."""
        _check(0 <= at <= self.at, f"there are {self.at} moves")
        return attrs.evolve(self, looked_at=None if at == self.at else at)

    def play_on(self) -> Course:
        """Go back to the position looked at, to play on from there."""
        _check(self.pie is None, "the pie comes first")
        at = max(self._floor, self.viewed)
        # Whoever goes back wants to think first, and perhaps play for the engine.
        paused = at < self.at and self._is_engines(at)
        return attrs.evolve(self._to(at), conceded=None, paused=paused)

    def pause(self, on: bool) -> Course:
        """Hold the engines, or let them play on."""
        return attrs.evolve(self, paused=on)

    def sit(self, player: Player, seat: Seat) -> Course:
        """Another player for one side, in the middle of a game too."""
        _check(self.pie is None, "the pie comes first")
        other = self.seats[player.other]
        return attrs.evolve(self, seats=(other, seat) if player else (seat, other))

    def offer(self, komi: float, *, by_engine: bool = False) -> Course:
        """Name the komi that a pie begins with."""
        pie = self._pie(by_engine, offered=False, kind="komi")
        try:
            game = attrs.evolve(self.game, komi=komi)
        except BadOption as error:
            raise Declined(error.reason) from None
        record, pie = attrs.evolve(self.record, game=game), attrs.evolve(pie, offered=True)
        return attrs.evolve(self, record=record, history=record.history(), pie=pie)

    def choose(self, player: Player, *, by_engine: bool = False) -> Course:
        """Take a side of what the pie offers."""
        pie = self._pie(by_engine, offered=True, kind=self.game.pie)
        seats = (pie.offers, pie.chooses) if player else (pie.chooses, pie.offers)
        return attrs.evolve(self, seats=seats, floor=self.at, pie=None)

    def analyse(self, on: bool, ownership: bool) -> Course:
        """Have the engine think of the position looked at, and of owners too, or of nothing."""
        return attrs.evolve(self, analysing=on, ownership=ownership)

    def _pie(self, by_engine: bool, *, offered: bool, kind: str) -> Pie:
        """The pie, if it is the time for it."""
        if self.pie is None or self.pie.offered is not offered or self.game.pie != kind:
            raise Declined("this is not the time for it")
        _check(by_engine or self.engine_to_move is None, "it is the engine's turn")
        return self.pie

    def _check_present(self, by_engine: bool = False) -> None:
        """What is done is done to the position that is seen, or not at all."""
        _check(
            by_engine or self._looked_at is None,
            f"you are looking at move {self._looked_at}:"
            " first play on from here, or go to the last position",
        )

    def _may_act(self, at: int) -> bool:
        """Whether a person may act after so many moves."""
        return self.paused or not self._is_engines(at)

    def _is_engines(self, at: int) -> bool:
        """Whether an engine was to move after so many moves."""
        return self.seats[self.history.positions[at].to_move] is not None

    def _to(self, at: int) -> Course:
        """The same game with so many of its moves played, and looked at there."""
        return attrs.evolve(self, at=at, looked_at=None)


def _name(seat: Seat) -> str:
    """As a record names a player."""
    return "person" if seat is None else f"linage-bot level {seat}"


def _check(allowed: bool, reason: str) -> None:
    if not allowed:
        raise Declined(reason)


Deed = Callable[[Course], Course]
"""What changes the game, its players, or what of it is looked at and thought about."""
