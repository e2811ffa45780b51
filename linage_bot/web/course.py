"""A game on the server, who plays it, and what of it is looked at.

The game is the main line of a tree, as far as it is played: what is taken back stays behind it,
and another move there makes the old ones a variation. A position that is only looked at, anywhere
in the tree, is nobody's turn: a person who plays there makes a variation, and the game waits.
*Play on from here* takes the game there.

A course never changes: each deed is done whole and makes another one, or raises `Declined`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

import attrs

from linage_bot.records import ROOT, BadRecord, Concession, MoveTree, Record, Study
from linage_bot.rules.game import PASS, BadOption, Game, IllegalMove, Move, Player, Position, Result
from linage_bot.rules.history import History
from linage_bot.settings.playing import LEVELS
from linage_bot.web.errors import Declined

MOST_NODES = 2000  # of a tree: each costs memory as long as the game is kept
MOST_WORDS = 150_000  # bytes of all comments, so that what is saved can be loaded
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
    """A game with its players and its variations; `at` is how far it is played.

    The way there is the tree's main line. Positions keep their identity when moves are taken back
    and made again, so what was found out about one stays true. `seats` are First's and Second's,
    once there is no pie (any more).
    """

    study: Study
    positions: Mapping[int, Position]  # at every place of the tree
    at: int
    seats: tuple[Seat, Seat]
    pie: Pie | None = None
    conceded: Concession | None = None  # how the game ended before the rules had ended it
    paused: bool = False  # engines do not move until they are told to
    analysing: bool = False  # think about the position looked at,
    ownership: bool = False  # and about who will own its points
    reviewed: tuple[int, ...] | None = None  # the places of a game that is or was judged
    _floor: int = ROOT  # what cannot be taken back: a pie's stone
    _looked_at: int | None = None  # None: the last position of the game

    @classmethod
    def of(
        cls, source: Record | Study, seats: tuple[Seat, Seat], *, with_pie: bool = False
    ) -> Course:
        """A record or study with its main line played; raises `BadRecord`.

        One that ended by a resignation, say, is over here too.
        """
        study = source if isinstance(source, Study) else Study.of(source)
        if len(study.tree) > MOST_NODES + 1:
            raise BadRecord("SGF", f"more than {MOST_NODES} moves, with those of its variations")
        course = cls(study=study, positions=study.positions(), at=study.tree.end(), seats=seats)
        if course.over:
            return course
        pie = Pie(*seats) if with_pie else None
        return attrs.evolve(course, pie=pie, conceded=Concession.of(study.facts.result))

    # What is to be seen

    @property
    def game(self) -> Game:
        """The game with its board, komi and options."""
        return self.study.facts.game

    @property
    def tree(self) -> MoveTree:
        """The moves of the game and of its variations."""
        return self.study.tree

    def history(self, at: int) -> History:
        """The way to a place of the tree."""
        facts, path = self.study.facts, self.tree.path(at)
        moves = [place for place in path if self.tree[place].move is not None]
        return History(
            facts.game,
            facts.setup,
            facts.to_move,
            self.tree.moves(moves),
            positions=(self.positions[ROOT], *(self.positions[place] for place in moves)),
        )

    @property
    def now(self) -> History:
        """The game without the moves taken back."""
        return self.history(self.at)

    @property
    def position(self) -> Position:
        """The position after the moves that are not taken back."""
        return self.positions[self.at]

    @property
    def viewed(self) -> int:
        """The place that is looked at."""
        return self.at if self._looked_at is None else self._looked_at

    @property
    def line(self) -> tuple[int, ...]:
        """The places of the game, or of the variation that is looked at."""
        path = self.tree.path(self.at)
        return path if self.viewed in path else self.tree.line(self.viewed)

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
        return self.conceded is None and bool(self.tree[self.at].children)

    def so_far(self) -> Record:
        """The game without what was taken back and without variations."""
        ending = self.conceded or self.result
        result = None if ending is None else str(ending)
        return attrs.evolve(self.study.until(self.at), players=self._names(), result=result)

    def to_save(self) -> Study:
        """What a file of the game says: all moves and comments, by whom, and the result.

        What a record claims of its result is kept as long as its main line is.
        """
        claim = self.study.facts.result if self.conceded is None else None
        facts = attrs.evolve(
            self.study.facts,
            players=self._names(),
            result=claim or self.so_far().result,
        )
        return attrs.evolve(self.study, facts=facts)

    def _names(self) -> tuple[str, str]:
        """Who plays: an engine by its level, a person as the record has it."""
        first, second = (
            name if seat is None else f"linage-bot level {seat}"
            for name, seat in zip(self.study.facts.players, self.seats, strict=True)
        )
        return first, second

    # What is done: each is the course afterwards, or raises `Declined`. Engines act in their turn.

    def play(self, move: Move, at: int, *, by_engine: bool = False) -> Course:
        """Make a move in the position looked at, `at` as the page saw it.

        Elsewhere than at the end of the game it makes a variation. Engines play the game.
        """
        _check(at == (self.at if by_engine else self.viewed), "the game has moved on meanwhile")
        if at != self.at:
            _check(self.pie is None, "the pie comes first")
            course, place = self._grown(at, move)
            return course._looking(place)
        pie = self.pie
        placing = pie is None or not (pie.offered or self.game.pie != "stone" or move == PASS)
        _check(placing, "the pie comes first")
        engine = None if self.paused and pie is None else self.engine_to_move
        _check(by_engine or engine is None, "it is the engine's turn")
        _check(self.conceded is None, "the game is over")
        course, place = self._grown(at, move)
        pie = None if pie is None else attrs.evolve(pie, offered=True)
        looked_at = self._looked_at if self._looked_at != place else None
        course = course._with(course.tree.led_to(place))
        return attrs.evolve(course, at=place, looked_at=looked_at, pie=pie)

    def _grown(self, at: int, move: Move) -> tuple[Course, int]:
        """With a move made somewhere, and where it leads to."""
        place = self.tree.child(at, move)
        if place is not None:
            return self, place
        self._check_open(at)
        full = len(self.tree) > MOST_NODES
        _check(not full, f"there are {MOST_NODES} moves: delete a variation first")
        try:
            position = self.positions[at].play(move)
        except IllegalMove as error:
            raise Declined(error.reason) from None
        tree, place = self.tree.played(at, move)
        return attrs.evolve(self._with(tree), positions={**self.positions, place: position}), place

    def _with(self, tree: MoveTree) -> Course:
        """With another tree; what was said of the old main line is not said of a new one."""
        facts, (old, new) = (
            self.study.facts,
            (each.moves(each.line()) for each in (self.tree, tree)),
        )
        if old != new:
            alike = itertools.takewhile(
                lambda pair: pair[0] == pair[1], zip(old, new, strict=False)
            )
            given = min(facts.given, sum(1 for _ in alike))
            facts = attrs.evolve(facts, result=None, given=given)
        return attrs.evolve(self, study=Study(facts, tree))

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
            again = self._taken_up()
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
        path = self.tree.path(self.at)
        earlier = reversed(path[path.index(self._floor) : -1])
        others = (at for at in earlier if self.positions[at] is not self.position)
        return next(filter(self._may_act, others), None)

    def redo(self) -> Course:
        """Make moves again that were taken back, until it is a person's turn."""
        self._check_present()
        _check(self.can_redo, "there is nothing to make again")
        line = self.tree.line(self.at)
        *following, last = line[line.index(self.at) + 1 :]
        return self._to(next(filter(self._may_act, following), last))

    def look(self, at: int) -> Course:
        """Look at the position at a place of the tree."""
        self._check_place(at)
        return self._looking(at)

    def play_on(self) -> Course:
        """Take the game to the position looked at, to play on from there."""
        _check(self.pie is None, "the pie comes first")
        self._check_open(self.viewed)
        at = self.viewed if self._floor in self.tree.path(self.viewed) else self._floor
        # Whoever goes back wants to think first, and perhaps play for the engine.
        paused = at != self.at and self._is_engines(at)
        course = self._with(self.tree.led_to(at))._taken_up()
        return attrs.evolve(course._to(at), paused=paused)

    def promote(self, at: int) -> Course:
        """Make a variation the main line, and so the game; what is looked at stays in sight."""
        self._check_place(at)
        self._check_open(at)
        _check(self.pie is None, "the pie comes first")
        course = self._with(self.tree.led_to(at))
        line = course.tree.line()
        _check(self._floor in line, "the pie's stone stays")
        if self.at in line:
            return course
        return course._led_to(line[-1])._looking(self.viewed)

    def delete(self, at: int) -> Course:
        """Take a place out of the tree, and all behind it."""
        self._check_place(at)
        _check(self.pie is None, "the pie comes first")
        _check(at not in self.tree.path(self._floor), "the start stays")
        parent, gone = self.tree[at].parent, {place for place, _ in self.tree.walk(at)}
        assert parent is not None
        positions = {place: self.positions[place] for place in self.positions if place not in gone}
        reviewed = None if gone.intersection(self.reviewed or ()) else self.reviewed
        course = self._with(self.tree.without(at))
        course = attrs.evolve(course, positions=positions, reviewed=reviewed)
        if self.at in gone:
            course = course._led_to(parent)
        return course._looking(parent if self.viewed in gone else self.viewed)

    def comment(self, at: int, text: str) -> Course:
        """Say something of a position, in place of what was said before."""
        self._check_place(at)
        self._check_open(at)
        written = text.replace("\r\n", "\n").encode(
            "utf-8", "replace"
        )  # JSON can hold half a letter
        others = sum(len(node.comment.encode()) for n, node in self.tree.walk() if n != at)
        room = max(MOST_WORDS - others, len(self.tree[at].comment.encode()))
        _check(len(written) <= room, "there is no room for so many words")
        text = written.decode()
        return attrs.evolve(self, study=attrs.evolve(self.study, tree=self.tree.said(at, text)))

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
        study = attrs.evolve(self.study, facts=attrs.evolve(self.study.facts, game=game))
        pie = attrs.evolve(pie, offered=True)
        return attrs.evolve(self, study=study, positions=study.positions(), pie=pie)

    def choose(self, player: Player, *, by_engine: bool = False) -> Course:
        """Take a side of what the pie offers."""
        pie = self._pie(by_engine, offered=True, kind=self.game.pie)
        seats = (pie.offers, pie.chooses) if player else (pie.chooses, pie.offers)
        # Who offered a stone wanted it to be even, so nobody is to blame for it.
        facts = attrs.evolve(self.study.facts, given=len(self.now.moves))
        study = attrs.evolve(self.study, facts=facts)
        return attrs.evolve(self, study=study, seats=seats, floor=self.at, pie=None)

    def analyse(self, on: bool, ownership: bool) -> Course:
        """Have the engine think of the position looked at, and of owners too, or of nothing."""
        return attrs.evolve(self, analysing=on, ownership=ownership)

    def review(self, on: bool) -> Course:
        """Have the game judged, as far as it is played; or have no review of it (any more)."""
        _check(not on or self.pie is None, "the pie comes first")
        path = self.tree.path(self.at)
        line = tuple(at for at in path if at == ROOT or self.tree[at].move is not None)
        _check(not on or len(line) > 1, "there are no moves to review yet")
        return attrs.evolve(self, reviewed=line if on else None)

    def _pie(self, by_engine: bool, *, offered: bool, kind: str) -> Pie:
        """The pie, if it is the time for it."""
        if self.pie is None or self.pie.offered is not offered or self.game.pie != kind:
            raise Declined("this is not the time for it")
        _check(by_engine or self.engine_to_move is None, "it is the engine's turn")
        return self.pie

    def _check_present(self) -> None:
        """What is taken back or made again is what is seen, or nothing."""
        if self._looked_at is None:
            return
        path = self.tree.path(self.viewed)
        what = "" if self.viewed in self.tree.path(self.at) else " of a variation"
        raise Declined(
            f"you are looking at move {len(self.tree.moves(path))}{what}:"
            " first play on from here, or go to the last position"
        )

    def _check_place(self, at: int) -> None:
        _check(at in self.tree, "this position is not here any more")

    def _check_open(self, at: int) -> None:
        _check(self.tree[at].closed is None, "this variation cannot be played")

    def _may_act(self, at: int) -> bool:
        """Whether a person may act in a position."""
        return self.paused or not self._is_engines(at)

    def _is_engines(self, at: int) -> bool:
        """Whether it is an engine's turn in a position."""
        return self.seats[self.positions[at].to_move] is not None

    def _to(self, at: int) -> Course:
        """The game played to a place of its main line, and looked at there."""
        return attrs.evolve(self, at=at, looked_at=None)

    def _led_to(self, at: int) -> Course:
        """The same by somebody who changed the tree; no engine moves before it is told to."""
        course = attrs.evolve(self, at=at, conceded=None)
        return attrs.evolve(course, paused=self.paused or self._is_engines(at))

    def _taken_up(self) -> Course:
        """The game as if nobody had given it up."""
        if self.conceded is None:
            return self
        facts = attrs.evolve(self.study.facts, result=None)
        return attrs.evolve(self, study=attrs.evolve(self.study, facts=facts), conceded=None)

    def _looking(self, at: int) -> Course:
        return attrs.evolve(self, looked_at=None if at == self.at else at)


def _check(allowed: bool, reason: str) -> None:
    if not allowed:
        raise Declined(reason)


Deed = Callable[[Course], Course]
"""What changes the game, its players, or what of it is looked at and thought about."""
