"""One table: a game on the server, who plays it, and what is to be thought about next.

Everything here runs on the reactor's thread and returns at once. Thinking is asked of a session
with `wanted` and handed back with `accept`; what is not wanted any more is dropped.
Each action is done whole, or raises `Declined` and changes nothing.
"""

from __future__ import annotations

import math

import attrs

from linage_bot.engine.engine import AgentSettings, Decision, Engine
from linage_bot.records import Concession
from linage_bot.rules.game import PASS, BadOption, Game, IllegalMove, Move, Player, Result
from linage_bot.web.course import Course
from linage_bot.web.errors import Declined
from linage_bot.web.notebook import Notebook
from linage_bot.web.seats import HIGHEST_LEVEL, Pie, Seat
from linage_bot.web.tasks import GLANCE_VISITS, ChooseMove, ChooseSide, Found, Offer, OfferPie, Task
from linage_bot.web.thoughts import Thought


class Session:
    """A game and its players. `seats` are First's and Second's, once there is no pie (any more)."""

    def __init__(
        self,
        course: Course,
        seats: tuple[Seat, Seat],
        settings: AgentSettings,
        *,
        with_pie: bool = False,
    ) -> None:
        self.course = course
        self.seats = seats
        self.pie = Pie(*seats) if with_pie else None
        # A record may end by a resignation: then the game is over here too.
        ended = course.position.over
        self.conceded = None if ended else Concession.of(course.record.result)
        self.paused = False  # engines do not move until they are told to
        self.watchers = 0  # pages that look on
        self.trouble: str | None = None  # why thinking has failed
        self.revision = 0  # grows with every change, so that pages know the newest
        self._floor = 0  # moves that cannot be taken back: a pie's stone
        self._settings = settings
        self._players: dict[Seat, Engine] = {}
        self._viewed: int | None = None
        analyst = attrs.evolve(settings, level=HIGHEST_LEVEL, visits=None, seconds=None)
        self.notebook = Notebook(Engine(analyst))

    # What is to be seen

    @property
    def game(self) -> Game:
        """The game with its board, komi and options."""
        return self.course.record.game

    @property
    def viewed(self) -> int:
        """How many moves the position looked at has."""
        return self.course.at if self._viewed is None else self._viewed

    @property
    def over(self) -> bool:
        """Whether nobody may play any more."""
        return self.conceded is not None or (self.pie is None and self.course.position.over)

    @property
    def mover(self) -> Seat | None:
        """Who is to do something; None when the game is over."""
        if self.over:
            return None
        return self.seats[self.course.position.to_move] if self.pie is None else self.pie.acts

    @property
    def result(self) -> Result | None:
        """The result of a game that ended by the rules; None before, and if it was conceded."""
        return self.course.position.result() if self.over and self.conceded is None else None

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return self.conceded is not None or self._undone_to() is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is something to make again."""
        return self.conceded is None and self.course.at < len(self.course.record.moves)

    # What the players do

    def play(self, move: Move, number: int) -> None:
        """A person's move, the `number`th of the game as the page saw it."""
        self._check_now(number)
        if self.pie is not None:
            if self.pie.offered or self.game.pie != "stone" or move == PASS:
                raise Declined("the pie comes first")
            if self.pie.offers.is_engine:
                raise Declined("it is the engine's turn")
            self._offer_stone(move)
            return
        if self.mover is not None and self.mover.is_engine and not self.paused:
            raise Declined("it is the engine's turn")
        self._play(move)

    def _play(self, move: Move) -> None:
        if self.conceded is not None:
            raise Declined("the game is over")
        try:
            self._change(self.course.play(move))
        except IllegalMove as error:
            raise Declined(error.reason) from None

    def resign(self) -> None:
        """The person to move gives up, or the only person there is."""
        if self.over or self.pie is not None:
            raise Declined("there is no game to resign")
        persons = [player for player in Player if not self.seats[player].is_engine]
        if not persons:
            raise Declined("only engines play here")
        mover = self.course.position.to_move
        self.conceded = Concession(mover if mover in persons else persons[0])

    def undo(self) -> None:
        """Take back moves until it is a person's turn again, or a resignation."""
        self._check_present()
        if self.conceded is not None:
            self.conceded = None
            # An engine that gave up would do so again.
            self.paused = self.paused or (self.mover is not None and self.mover.is_engine)
            return
        at = self._undone_to()
        if at is None:
            raise Declined("there is nothing to take back")
        self._change(self.course.to(at))

    def _undone_to(self) -> int | None:
        at = self.course.at - 1
        if at < self._floor or self.pie is not None:
            return None
        if self.paused or all(seat.is_engine for seat in self.seats):
            return at if self.paused else None
        while self.seats[self.course.positions[at].to_move].is_engine:
            at -= 1
            if at < self._floor:
                return None
        return at

    def redo(self) -> None:
        """Make moves again that were taken back, until it is a person's turn."""
        self._check_present()
        last = len(self.course.record.moves)
        if not self.can_redo:
            raise Declined("there is nothing to make again")
        at = self.course.at + 1
        while (
            not self.paused
            and at < last
            and self.seats[self.course.positions[at].to_move].is_engine
        ):
            at += 1
        self._change(self.course.to(at))

    def look(self, at: int) -> None:
        """Look at the position after so many moves."""
        if not 0 <= at <= self.course.at:
            raise Declined(f"there are {self.course.at} moves")
        self._viewed = None if at == self.course.at else at

    def play_on(self) -> None:
        """Go back to the position looked at, to play on from there."""
        if self.pie is not None:
            raise Declined("the pie comes first")
        self.conceded = None
        at = max(self._floor, self.viewed)
        # Whoever goes back wants to think first, and perhaps play for the engine.
        self.paused = (
            at < self.course.at and self.seats[self.course.positions[at].to_move].is_engine
        )
        self._change(self.course.to(at))

    def pause(self, paused: bool) -> None:
        """Hold the engines, or let them play on."""
        self.paused, self.trouble = paused, None

    def sit(self, player: Player, seat: Seat) -> None:
        """Another player for one side, in the middle of a game too."""
        if self.pie is not None:
            raise Declined("the pie comes first")
        first, second = self.seats
        self.seats = (seat, second) if player is Player.FIRST else (first, seat)

    # The pie

    def offer_komi(self, komi: float) -> None:
        """A person's offer of a komi."""
        self._check_pie(offered=False, kind="komi")
        self._offer_komi(komi)

    def _offer_komi(self, komi: float) -> None:
        assert self.pie is not None
        if not math.isfinite(komi):
            raise Declined("komi is a number of points")
        try:
            game = attrs.evolve(self.game, komi=komi)
        except BadOption as error:
            raise Declined(error.reason) from None
        self._change(Course.of(attrs.evolve(self.course.record, game=game)))
        self.pie = attrs.evolve(self.pie, offered=True)

    def _offer_stone(self, stone: Move) -> None:
        assert self.pie is not None
        self._play(stone)
        self.pie = attrs.evolve(self.pie, offered=True)

    def choose_side(self, player: Player) -> None:
        """The side that a person takes of the offer."""
        self._check_pie(offered=True, kind=self.game.pie)
        self._choose_side(player)

    def _choose_side(self, player: Player) -> None:
        assert self.pie is not None
        chooser, other = self.pie.chooses, self.pie.offers
        self.seats = (chooser, other) if player is Player.FIRST else (other, chooser)
        self._floor, self.pie = self.course.at, None

    def _check_pie(self, *, offered: bool, kind: str) -> None:
        if self.pie is None or self.pie.offered is not offered or self.game.pie != kind:
            raise Declined("this is not the time for it")
        if self.pie.acts.is_engine:
            raise Declined("it is the engine's turn")

    # Thinking

    def wanted(self) -> Task | None:
        """What to think about next; None if nothing."""
        seat = self.mover
        alone = all(each.is_engine for each in self.seats) and not self.watchers
        if seat is not None and seat.is_engine and not self.paused and not alone:
            return self._task_of(seat)
        if self.watchers and self.pie is None:
            return self.notebook.wanted(self.course, self.viewed)
        return None

    def still_wanted(self, task: Task) -> bool:
        """Whether the answer would still be of use."""
        now = self.wanted()
        if isinstance(now, ChooseMove) and isinstance(task, ChooseMove):
            return now.position is task.position and now.engine is task.engine
        if isinstance(now, OfferPie | ChooseSide | ChooseMove):
            return type(now) is type(task)
        return now is not None and self.notebook.still_wanted(task, self.course, self.viewed)

    def _task_of(self, seat: Seat) -> Task:
        engine = self._engine(seat)
        if self.pie is None:
            return ChooseMove(engine, self.course.history.to(self.course.at))
        if not self.pie.offered:
            return OfferPie(engine, self.game)
        return ChooseSide(engine, self.game, self.course.moves[0] if self.course.at else None)

    def _engine(self, seat: Seat) -> Engine:
        """Who plays at a seat: weak players must not find what strong ones thought."""
        if seat not in self._players:
            assert seat.level is not None
            self._players[seat] = Engine(attrs.evolve(self._settings, level=seat.level))
        return self._players[seat]

    def accept(self, task: Task, found: Found) -> bool:
        """Take what was thought; whether that changed the game."""
        if not self.still_wanted(task):
            self.notebook.accept(task, found, self.course)
            return False
        if isinstance(found, Offer):
            if found.komi is not None:
                self._offer_komi(found.komi)
            elif found.stone is not None:
                self._offer_stone(found.stone)
            return True
        if isinstance(found, Player):
            self._choose_side(found)
            return True
        if isinstance(task, ChooseMove) and isinstance(found, Decision):
            self._decide(task, found)
            return True
        self.notebook.accept(task, found, self.course)
        return False

    def _decide(self, task: ChooseMove, decision: Decision) -> None:
        if not decision.exact and decision.analysis.visits >= GLANCE_VISITS:
            own = decision.analysis.seen_by(task.position.to_move)
            self.notebook.note(self.course.at, Thought.of(task.position, own.candidates))
        if decision.move is None:
            self.conceded = Concession(self.course.position.to_move)
        else:
            self._play(decision.move)

    def fail(self, reason: str) -> None:
        """Thinking has failed, and would again: nobody thinks until somebody asks for it."""
        self.trouble, self.paused, self.notebook.on = reason, True, False

    def forget(self) -> None:
        """Let go of what is only kept for speed; not while a task runs."""
        self._players.clear()
        self.notebook.engine.forget()

    # Changes

    def _check_now(self, number: int) -> None:
        self._check_present()
        if number != self.course.at + 1:
            raise Declined("the game has moved on meanwhile")

    def _check_present(self) -> None:
        """What is done is done to the position that is seen, or not at all."""
        if self._viewed is not None:
            raise Declined(
                f"you are looking at move {self._viewed}:"
                " first play on from here, or go to the last position"
            )

    def _change(self, course: Course) -> None:
        """Take over another course of the game; what was found out of the rest is forgotten."""
        if course.positions is not self.course.positions:
            self.notebook.cut(course.at - 1)
        self.course, self._viewed, self.trouble = course, None, None
