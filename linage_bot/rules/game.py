"""The interface of every game: `Game` (facts and options) and `Position` (immutable).

A game's class holds its facts; an instance is the game with a chosen board, komi and options, ready
to `start`. A position has the player to move, the legal moves and the current result, and `play`
returns the next position. All modules above this one — GTP, records, pictures, matches, servers —
use games through these two classes alone.
"""

from __future__ import annotations

import abc
import enum
import operator
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any, ClassVar, Literal, Self, SupportsIndex

import attrs

from linage_bot.rules.arguments import number
from linage_bot.rules.boards import BadSize, Board, NoSuchPoint, Point, Points, bits
from linage_bot.rules.display import library
from linage_bot.rules.options import BadOption, Option, format_option, shortened

Move = int  # a point, or PASS
PASS: Move = -1
LARGEST_KOMI = 10_000


class Player(enum.IntEnum):
    """One of the two players. First moves first. GTP calls them black and white."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player(1 - self)

    @property
    def sign(self) -> int:
        """1 for First, -1 for Second: the factor that turns First's lead into the player's."""
        return -1 if self else 1

    @property
    def letter(self) -> str:
        """The player's letter in GTP and SGF, `b` or `w`."""
        return "bw"[self]

    @property
    def colour(self) -> str:
        """The player's name in GTP, `black` or `white`."""
        return ("black", "white")[self]


@attrs.frozen
class IllegalityReason:
    """The reason why the rules forbid a move, and the points that it refers to."""

    reason: str  # the rule, in words for a player
    points: Points = 0  # to which it refers: a region without a line, a group; 0 if none


class IllegalMove(ValueError):
    """A move that the rules forbid here; `reason` names the rule in words for the player.

    `number` is the move's number, from 1, in a list of moves; None if it was played alone.
    """

    def __init__(self, move: str, reason: str, number: int | None = None) -> None:
        place = "" if number is None else f"move {number}: "
        super().__init__(f"{place}{move}: {reason}")
        self.move = move
        self.reason = reason
        self.number = number


@attrs.frozen
class Result:
    """The winner or leader, and the lead in points in games that count points."""

    winner: Player | None  # None: a draw
    margin: float | None = None  # positive; None where only the winner is known

    def win_rate_of(self, player: Player) -> float:
        """Return 1 if the player has won, 0 if the opponent has, one half for a draw."""
        return 0.5 if self.winner is None else float(self.winner is player)

    def lead_of(self, player: Player) -> float:
        """Return the player's points minus the opponent's; 0 if only the winner is known."""
        return (2 * self.win_rate_of(player) - 1) * (self.margin or 0.0)

    def __str__(self) -> str:
        """Return the result as in GTP and SGF: `B+7`, `W+3.5`, `B+`, `0`."""
        if self.winner is None:
            return "0"
        margin = "" if self.margin is None else f"{self.margin:g}"
        return f"{self.winner.letter.upper()}+{margin}"


@attrs.frozen
class Area:
    """A part of the board that the rules define, such as a region, for colouring it."""

    kind: str  # the rule book's word: region, territory, enclosure, lifeline
    points: Points
    owner: Player | None  # None: free or shared
    # How a board on a screen shows it: "owned" colours it if it has an owner, "always" even if it
    # has none, "dots" marks points that may belong to both players.
    shown: Literal["owned", "always", "dots"] = "owned"
    number: int | None = None  # from 1, if the number of areas matters; shown on the first point


@attrs.frozen
class PointCount:
    """The counts of a position in a game without scores, as text for a viewer of the board."""

    words: str  # a sentence about both players
    counts: tuple[str, str] = ("", "")  # shown beside the names of First and Second


@attrs.frozen
class ScoredItem:
    """An item of the count at the end of a game."""

    words: str  # the kind of item: region, komi
    owner: Player | None  # for whom it counts; None: for neither, or for both
    value: float
    points: Points = 0  # its points on the board; 0: none


@attrs.frozen
class PastWord:
    """A word of a FEN: the position's field whose value it has, and how to write and read that."""

    field: str
    write: Callable[[Any, Any], str]  # of a position and the value, without spaces
    read: Callable[[Any, str], object]  # of a position and the text; raises `ValueError`


def _check_komi(game: Game, _field: object, komi: float) -> None:
    # NaN compares as false.
    if not isinstance(komi, Real) or not abs(komi) <= LARGEST_KOMI:
        word = f"{komi:g}" if isinstance(komi, float) else str(komi)[:20]
        raise BadOption(
            "komi", f"{word} is not a number of points from -{LARGEST_KOMI} to {LARGEST_KOMI}"
        )
    if game.komi_step is None:
        if komi != 0:
            raise BadOption("komi", f"{game.name} has no komi")
    elif komi % game.komi_step:
        raise BadOption("komi", f"{komi:g} is not a multiple of {game.komi_step:g}")


@attrs.frozen
class Game(abc.ABC):
    """A game with its board, komi and options chosen.

    A subclass adds its options as fields made with `option`, its facts as class variables,
    `start` and `rules`.
    """

    id: ClassVar[str]  # as on the command line: linage-two-color
    name: ClassVar[str]  # as in a sentence: Two-color Linage
    author: ClassVar[str]
    year: ClassVar[int]
    board_kind: ClassVar[type[Board]]
    default_size: ClassVar[str]
    default_komi: ClassVar[float] = 0.0
    komi_step: ClassVar[float | None] = None  # komi is a multiple of this; None: no komi
    pie: ClassVar[str] = "none"  # the first player's offer: komi, stone or none
    players: ClassVar[tuple[str, str]] = ("Black", "White")
    directed: ClassVar[bool] = False  # the players' names are directions on the board
    one_colour: ClassVar[bool] = False  # all stones look alike and belong to both players
    counts_points: ClassVar[bool] = True  # False: a position has a winner but no scores
    # A game of another package names the modules of its compiled form and its teaching material, if
    # it has them; ours are found by the name of the game's module.
    kernel_module: ClassVar[str | None] = None
    teaching_module: ClassVar[str | None] = None
    # The words of a FEN for facts about the past that `records/fen.py` has no word for.
    past_words: ClassVar[Mapping[str, PastWord]] = {}

    board: Board
    komi: float = attrs.field(converter=number, validator=_check_komi)

    @classmethod
    def options(cls) -> dict[str, Option]:
        """Return the game's own options by name, without size and komi."""
        return {
            field.name: field.metadata["option"]
            for field in attrs.fields(cls)
            if "option" in field.metadata
        }

    @classmethod
    def configure(
        cls,
        size: str | None = None,
        komi: float | None = None,
        options: Mapping[str, str] | None = None,
    ) -> Self:
        """Return the game with settings as a user writes them; raises `BadOption`."""
        known = cls.options()
        values: dict[str, Any] = {}
        for name, text in (options or {}).items():
            if name not in known:
                names = ", ".join(known) or "it has no options"
                raise BadOption(shortened(name), f"{cls.name} has no such option ({names})")
            values[name] = known[name].parse(name, text)
        try:
            board = cls.board_kind.parse(cls.default_size if size is None else size)
        except BadSize as error:
            raise BadOption("size", str(error)) from None
        return cls(board, cls.default_komi if komi is None else komi, **values)

    @classmethod
    def module_in(cls, package: str, named: str | None) -> str | None:
        """Return the name of the game's module in one of our packages, or the one it names itself.

        None for a game of another package that names none.
        """
        home, _, name = cls.__module__.rpartition(".")
        return named or (f"{package}.{name}" if home == "linage_bot.rules" else None)

    def move(self, move: Move | str) -> Move:
        """Return the move that a vertex or `pass` names, in either case; raises `NoSuchPoint`.

        A number is returned as Python's own: sets of points cannot be shifted by NumPy's. Raises
        `TypeError` for other objects.
        """
        return self._move(move, "move")

    def _move(self, move: object, argument: str) -> Move:
        if isinstance(move, str):
            word = move.strip()
            return PASS if word.lower() == "pass" else self.board.point(word)
        if isinstance(move, SupportsIndex):
            return operator.index(move)
        kind = type(move).__name__
        raise TypeError(f"{argument}: expected a vertex or the number of a point, not {kind}")

    def parse_moves(self, moves: str | Iterable[Move | str]) -> tuple[Move, ...]:
        """Return a list of moves, or a text of vertices such as `E5 C3 pass`, as numbers.

        Raises `NoSuchPoint` and `TypeError` with the number of the wrong move, from 1. Whether the
        moves are legal is not checked.
        """
        if not isinstance(moves, Iterable):
            kind = type(moves).__name__
            raise TypeError(f"moves: expected vertices in a text or a list of moves, not {kind}")
        found = []
        for place, move in enumerate(moves.split() if isinstance(moves, str) else moves, 1):
            try:
                found.append(self._move(move, f"move {place}"))
            except NoSuchPoint as error:
                raise NoSuchPoint(error.vertex, self.board, place) from None
        return tuple(found)

    def name_of(self, move: Move) -> str:
        """Return the vertex of a move, or `pass`."""
        return "pass" if move == PASS else self.board.vertex(move)

    def with_komi(self, komi: float) -> Self:
        """Return the same game with the nearest komi it can have (GTP clients send any number).

        Raises `BadOption` for a komi that is not a number or exceeds `LARGEST_KOMI`, but never in
        games without komi.
        """
        if self.komi_step is None:
            return self
        if abs(komi) <= LARGEST_KOMI:  # any other is refused by the validator
            komi = round(komi / self.komi_step) * self.komi_step
        return attrs.evolve(self, komi=komi)

    def settings(self) -> dict[str, str]:
        """Return the options as text, in the form that `configure` reads."""
        return {name: format_option(getattr(self, name)) for name in self.options()}

    @property
    def move_limit(self) -> int | None:
        """The largest number of moves in a game, or None if the rules set no limit."""
        return None

    @abc.abstractmethod
    def start(self) -> Position:
        """Return the position before the first move."""

    @abc.abstractmethod
    def rules(self) -> tuple[str, ...]:
        """Return the rules with these options, as plain paragraphs for a beginner.

        They use the names in `players`; a term of the game is put between asterisks where it is
        first used, and is explained there.
        """

    def pie_in_words(self) -> str:
        """Return a sentence that explains the game's pie; empty if the game has none."""
        first, second = self.players
        choice = f"and the other chooses whether to play {first} or {second}."
        if self.pie == "komi":
            return (
                "The game begins with a *pie*: one player names a new komi that makes the game"
                f" even, {choice}"
            )
        if self.pie == "stone":
            return (
                f"The game begins with a *pie*: one player places a first stone for {first} that"
                f" makes the game even, {choice}"
            )
        return ""

    def _komi_in_words(self) -> str:
        """Return the sentence of the rules about komi."""
        komi = f"{self.komi:g}".replace("-", "−")
        return f"{self.players[1]} adds *komi*, points for moving second: {komi} in this game."


@attrs.frozen(kw_only=True, repr=False)
class Position(abc.ABC):
    """A position of a game, with the parts of its past on which the rules depend. Immutable.

    A subclass adds these parts as fields; before the first move they have their defaults.
    """

    game: Game
    to_move: Player = Player.FIRST
    first: Points = 0  # First's stones
    second: Points = 0  # Second's stones

    @property
    @abc.abstractmethod
    def over(self) -> bool:
        """Whether the game has ended."""

    @abc.abstractmethod
    def placements(self) -> Points:
        """Return the points where the player to move may place a stone; none after the end."""

    @abc.abstractmethod
    def forbids(self, point: Point) -> IllegalityReason | None:
        """Return the rule that forbids a stone on an empty point, or None if it is legal.

        Called only while the game is not over.
        """

    @abc.abstractmethod
    def after(self, move: Move) -> Self:
        """Return the position after a move that is known to be legal."""

    @abc.abstractmethod
    def areas(self) -> tuple[Area, ...]:
        """Return the areas to colour on the board."""

    def why_impossible(self) -> IllegalityReason | None:
        """Return the rule by which no game can reach this position of set-up stones, or None.

        A game need not find every impossible position, but it must find those on which its kernel
        would disagree with the rules.
        """
        return None

    def may_pass(self) -> bool:
        """Return whether the player to move may pass; False when the game is over."""
        return not self.over

    def scores(self) -> tuple[float, float] | None:
        """Return First's and Second's points, komi included; None in games that count none."""
        return None

    def result(self) -> Result:
        """Return the result if play stopped now, final when the game is over.

        The higher score wins; a game that counts no points overrides this.
        """
        scores = self.scores()
        margin = 0 if scores is None else scores[0] - scores[1]
        if margin == 0:
            return Result(None)
        return Result(Player.FIRST if margin > 0 else Player.SECOND, abs(margin))

    def tally(self) -> PointCount | None:
        """Return the counts of a game without scores; None if it has none."""
        return None

    def counted(self) -> tuple[ScoredItem, ...]:
        """Return the items that count if play stopped now; a player's values add up to their score.

        In a game without scores, the items that it counts instead; empty if a game lists none.
        """
        return ()

    def ending(self) -> str:
        """Return a sentence on how the game ended; empty while it runs or if a game has none."""
        return ""

    def stands_as(self, other: Position) -> bool:
        """Return whether another position is the same, ignoring the number of turns."""
        return self == other

    @property
    def own(self) -> Points:
        """The stones of the player to move."""
        return self.second if self.to_move else self.first

    @property
    def enemy(self) -> Points:
        """The stones of the opponent."""
        return self.first if self.to_move else self.second

    @property
    def owned(self) -> tuple[Points, Points]:
        """The points of each player: of their areas, and of their stones if these have colours."""
        owned = [0, 0] if self.game.one_colour else [self.first, self.second]
        for area in self.areas():
            if area.owner is not None:
                owned[area.owner] |= area.points
        return owned[Player.FIRST], owned[Player.SECOND]

    @property
    def stones(self) -> Points:
        """All stones."""
        return self.first | self.second

    @property
    def empty(self) -> Points:
        """The empty points."""
        return self.game.board.points & ~(self.first | self.second)

    def moves(self) -> tuple[Move, ...]:
        """Return the legal moves in a fixed order: placements ascending, then a pass."""
        passing = (PASS,) if self.may_pass() else ()
        return (*bits(self.placements()), *passing)

    def obstacle(self, move: Move | str) -> IllegalityReason | None:
        """Return the rule that forbids the move, and its points; None if the move is legal."""
        move = self.game.move(move)
        if self.over:
            return IllegalityReason("the game is over")
        if move == PASS:
            return (
                None if self.may_pass() else IllegalityReason("this game is played without passing")
            )
        if move < 0 or not self.game.board.points >> move & 1:
            return IllegalityReason("the board has no such point")
        if self.stones >> move & 1:
            return IllegalityReason("there is a stone on this point", 1 << move)
        return self.forbids(move)

    def why_illegal(self, move: Move | str) -> str | None:
        """Return the rule that forbids the move, as text for a player; None if it is legal."""
        obstacle = self.obstacle(move)
        return None if obstacle is None else obstacle.reason

    def play(self, move: Move | str) -> Self:
        """Return the position after a move, given as a number or as GTP writes it.

        Raises `IllegalMove`, and `NoSuchPoint` for text that names no point of the board.
        """
        move = self.game.move(move)
        reason = self.why_illegal(move)
        if reason is not None:
            raise IllegalMove(self.name_of(move), reason)
        return self.after(move)

    def name_of(self, move: Move) -> str:
        """Return the vertex of a move, or `pass`."""
        return self.game.name_of(move)

    def __repr__(self) -> str:
        return f"from_fen({library('to_fen')(self)!r})"

    def __str__(self) -> str:
        """Return the board as text, as `as_text` does."""
        return str(library("as_text")(self))

    def _repr_svg_(self) -> str:
        """Return a picture for a notebook."""
        return str(library("Picture")(self).svg())


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal moves, passes included."""
    if depth == 0:
        return 1
    moves = position.moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.after(move), depth - 1) for move in moves)
