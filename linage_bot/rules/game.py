"""The contract that every game keeps: `Game` (facts and options) and `Position` (immutable).

A game's class says what the game is; an instance is the game with its board, komi and options
chosen, ready to `start`. A position knows whose turn it is, what may be played and who is ahead,
and `play` returns the next one. Everything above this module — GTP, records, pictures, matches,
servers — speaks to games through these two classes alone.
"""

from __future__ import annotations

import abc
import enum
from collections.abc import Mapping
from numbers import Real
from typing import Any, ClassVar, Literal, Self

import attrs

from linage_bot.rules.boards import BadSize, Board, Point, Points, bits
from linage_bot.rules.options import BadOption, Option, format_option, shortened

Move = int  # a point, or PASS
PASS: Move = -1
LARGEST_KOMI = 10_000


class Player(enum.IntEnum):
    """First moves first. GTP calls them black and white."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player(1 - self)

    @property
    def sign(self) -> int:
        """1 for First, -1 for Second: by which leads of First become those of the player."""
        return -1 if self else 1

    @property
    def letter(self) -> str:
        """GTP's and SGF's letter, `b` or `w`."""
        return "bw"[self]

    @property
    def colour(self) -> str:
        """GTP's word, `black` or `white`."""
        return ("black", "white")[self]


@attrs.frozen
class Obstacle:
    """Why the rules forbid a move, and where on the board that is to be seen."""

    reason: str  # the rule, in words for a player
    points: Points = 0  # what it speaks of: a region without a line, a group; 0 if nothing there


class IllegalMove(ValueError):
    """A move that the rules forbid here; `reason` names the rule in words for the player."""

    def __init__(self, move: str, reason: str) -> None:
        super().__init__(f"{move}: {reason}")
        self.move = move
        self.reason = reason


@attrs.frozen
class Result:
    """Who is ahead, and by how many points where the game counts points."""

    winner: Player | None  # None: a draw
    margin: float | None = None  # positive; None where only the winner is known

    def win_rate_of(self, player: Player) -> float:
        """1 if the player has won, 0 if the opponent has, one half for a draw."""
        return 0.5 if self.winner is None else float(self.winner is player)

    def lead_of(self, player: Player) -> float:
        """The player's points less the opponent's; 0 where only the winner is known."""
        return (2 * self.win_rate_of(player) - 1) * (self.margin or 0.0)

    def __str__(self) -> str:
        """GTP's and SGF's form: `B+7`, `W+3.5`, `B+`, `0`."""
        if self.winner is None:
            return "0"
        margin = "" if self.margin is None else f"{self.margin:g}"
        return f"{self.winner.letter.upper()}+{margin}"


@attrs.frozen
class Area:
    """A part of the board that the rules speak of, for colouring it."""

    kind: str  # the rule book's word: region, territory, enclosure, lifeline
    points: Points
    owner: Player | None  # None: free or shared
    # How a board on a screen shows it: "owned" colours it where it has an owner, "always" where it
    # has none too, "dots" marks points that may be of both players.
    shown: Literal["owned", "always", "dots"] = "owned"
    number: int | None = None  # from 1, of areas whose count matters; it stands on the first point


@attrs.frozen
class Tally:
    """What a game without scores counts in a position, in words for who looks at the board."""

    words: str  # a sentence about both players
    counts: tuple[str, str] = ("", "")  # to stand beside the names of First and Second


@attrs.frozen
class Counted:
    """One of the things that count at the end of a game."""

    words: str  # what it is: region, komi
    owner: Player | None  # for whom it counts; None: for neither, or for both
    value: float
    points: Points = 0  # where it is on the board; 0: nowhere


def _check_komi(game: Game, _field: object, komi: float) -> None:
    # What is not a number, as floats have it, compares as false.
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
    komi_step: ClassVar[float | None] = None  # komi is a multiple of this; None: there is none
    pie: ClassVar[str] = "none"  # what the first player offers: komi, stone or none
    players: ClassVar[tuple[str, str]] = ("Black", "White")
    one_colour: ClassVar[bool] = False  # stones are shown alike: who placed them has no meaning
    counts_points: ClassVar[bool] = True  # False: a position has a winner but no scores

    board: Board
    komi: float = attrs.field(validator=_check_komi)

    @classmethod
    def options(cls) -> dict[str, Option]:
        """The game's own options by name (size and komi are not among them)."""
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
        """The game as a user asks for it in words; raises `BadOption`."""
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

    def move(self, word: str) -> Move:
        """Return the move that a vertex or `pass` names, in either case; raises `NoSuchPoint`."""
        return PASS if word.lower() == "pass" else self.board.point(word)

    def name_of(self, move: Move) -> str:
        """Return the vertex of a move, or `pass`."""
        return "pass" if move == PASS else self.board.vertex(move)

    def with_komi(self, komi: float) -> Self:
        """The same game with the nearest komi it can have (GTP clients send any number).

        Raises `BadOption` for what is not a number or beyond `LARGEST_KOMI`, but not in games
        without komi.
        """
        if self.komi_step is None:
            return self
        if abs(komi) <= LARGEST_KOMI:  # any other is refused as it is
            komi = round(komi / self.komi_step) * self.komi_step
        return attrs.evolve(self, komi=komi)

    def settings(self) -> dict[str, str]:
        """The options in words, as `configure` reads them."""
        return {name: format_option(getattr(self, name)) for name in self.options()}

    @abc.abstractmethod
    def start(self) -> Position:
        """The position before the first move."""

    @abc.abstractmethod
    def rules(self) -> tuple[str, ...]:
        """How to play with these options: plain paragraphs for somebody who never has.

        They call the players as `players` does; a word of the game's own stands between asterisks
        where it is first used, and is explained there.
        """

    def pie_in_words(self) -> str:
        """What comes before the first move where the game is played with its pie; else nothing."""
        first, second = self.players
        choice = f"and the other chooses whether to play {first} or {second}."
        if self.pie == "komi":
            return (
                "Before the first move comes a *pie*: one player names another komi, such that the"
                f" game is even, {choice}"
            )
        if self.pie == "stone":
            return (
                f"The game begins with a *pie*: one player places the first stone for {first}, such"
                f" that the game is even, {choice}"
            )
        return ""

    def _komi_in_words(self) -> str:
        """What the rules of a game with komi say of it."""
        komi = f"{self.komi:g}".replace("-", "−")
        return f"{self.players[1]} adds *komi*, points for moving second: {komi} in this game."


@attrs.frozen(kw_only=True)
class Position(abc.ABC):
    """A position of a game, with whatever of its past the rules look at. Immutable.

    A subclass adds that as fields; before the first move they have their defaults.
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
        """The points where the player to move may place a stone; none when the game is over."""

    @abc.abstractmethod
    def forbids(self, point: Point) -> Obstacle | None:
        """The rule that forbids a stone on an empty point; None if none.

        Asked only while the game is not over.
        """

    @abc.abstractmethod
    def after(self, move: Move) -> Self:
        """The position after a move known to be legal."""

    @abc.abstractmethod
    def areas(self) -> tuple[Area, ...]:
        """What to colour on the board."""

    def why_impossible(self) -> str | None:
        """The rule by which no game can reach this position, for stones that were set up; or None.

        A game need not find every impossible position, but none on which its kernel would disagree.
        """
        return None

    def may_pass(self) -> bool:
        """Whether the player to move may pass; False when the game is over."""
        return not self.over

    def scores(self) -> tuple[float, float] | None:
        """First's and Second's points, komi included; None in games that count none."""
        return None

    def result(self) -> Result:
        """The result if play stopped now, final when the game is over: the higher score wins.

        A game that counts no points says it in its own way.
        """
        scores = self.scores()
        margin = 0 if scores is None else scores[0] - scores[1]
        if margin == 0:
            return Result(None)
        return Result(Player.FIRST if margin > 0 else Player.SECOND, abs(margin))

    def tally(self) -> Tally | None:
        """What a game without scores counts instead; None if nothing."""
        return None

    def counted(self) -> tuple[Counted, ...]:
        """What counts if play stopped now, one by one; the values of a player's are their score.

        In a game without scores what is counted instead; nothing where a game does not tell.
        """
        return ()

    def ending(self) -> str:
        """What ended the game: a sentence; empty while it runs, or where a game does not tell."""
        return ""

    def stands_as(self, other: Position) -> bool:
        """Whether the game stands as in another position, whatever number of turns it took."""
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
    def stones(self) -> Points:
        """All stones."""
        return self.first | self.second

    @property
    def empty(self) -> Points:
        """The empty points."""
        return self.game.board.points & ~(self.first | self.second)

    def moves(self) -> tuple[Move, ...]:
        """The legal moves in the one fixed order: placements ascending, then a pass."""
        passing = (PASS,) if self.may_pass() else ()
        return (*bits(self.placements()), *passing)

    def obstacle(self, move: Move) -> Obstacle | None:
        """The rule that forbids the move, and what it speaks of; None if the move is legal."""
        if self.over:
            return Obstacle("the game is over")
        if move == PASS:
            return None if self.may_pass() else Obstacle("this game is played without passing")
        if move < 0 or not self.game.board.points >> move & 1:
            return Obstacle("the board has no such point")
        if self.stones >> move & 1:
            return Obstacle("there is a stone on this point", 1 << move)
        return self.forbids(move)

    def why_illegal(self, move: Move) -> str | None:
        """The rule that forbids the move, in words for a player; None if it is legal."""
        obstacle = self.obstacle(move)
        return None if obstacle is None else obstacle.reason

    def play(self, move: Move) -> Self:
        """The position after a move; raises `IllegalMove`."""
        reason = self.why_illegal(move)
        if reason is not None:
            raise IllegalMove(self.name_of(move), reason)
        return self.after(move)

    def name_of(self, move: Move) -> str:
        """The vertex of a move, or `pass`."""
        return self.game.name_of(move)


def perft(position: Position, depth: int) -> int:
    """The number of sequences of exactly `depth` legal moves, passes included."""
    if depth == 0:
        return 1
    moves = position.moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.after(move), depth - 1) for move in moves)
