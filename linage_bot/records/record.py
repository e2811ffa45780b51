"""The record of one game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Self, cast

import attrs

from linage_bot.rules.boards import Point
from linage_bot.rules.display import library
from linage_bot.rules.game import Game, IllegalMove, Move, Player, Position
from linage_bot.rules.history import History, ImpossibleSetup, Setup, in_order
from protocol.session.text import plain_number


class BadRecord(ValueError):
    """A record that cannot be read or played; `where` is a property or a move: `move 12`."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


# `Record.__attrs_post_init__` reads these, for which it needs the game's board.


def _given_moves(moves: str | Iterable[Move | str]) -> tuple[Move, ...]:
    return cast(tuple[Move, ...], moves)


def _given_setup(setup: Iterable[tuple[Player, Point | str]]) -> Setup:
    return cast(Setup, setup)


def _pair(names: Iterable[str]) -> tuple[str, str]:
    first, second = names
    return first, second


@attrs.frozen
class Record:
    """The moves of one game, with its players and result.

    `moves` are given as a text of vertices such as `E5 C3` or as a list of moves; raises
    `NoSuchPoint` and `TypeError` for one that is no move. Whether the rules allow them is checked
    by `history`.

    `setup` holds the stones on the board before the first move, `to_move` the player who makes it.
    `players` are the names of First and Second. `comments` go by move number, 0 for the start. The
    first `given` moves are an opening's that neither player chose. `result` is in SGF's form, such
    as `B+7`, `W+R` or `0`, `date` in SGF's form `2024-12-31`.
    """

    game: Game
    moves: tuple[Move, ...] = attrs.field(default=(), converter=_given_moves)
    setup: Setup = attrs.field(default=(), converter=_given_setup)
    to_move: Player = Player.FIRST
    players: tuple[str, str] = attrs.field(default=("", ""), converter=_pair)
    result: str | None = None
    date: str | None = None
    event: str | None = None
    round: str | None = None
    comments: Mapping[int, str] = attrs.field(factory=dict)
    given: int = 0

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "moves", self.game.parse_moves(self.moves))
        object.__setattr__(self, "setup", in_order(self.game, self.setup))

    @classmethod
    def of(cls, history: History | Position, **more: Any) -> Self:
        """Return the record of a game so far, with `more` fields: players, result, comments."""
        history = History.of(history)
        return cls(history.game, history.moves, history.setup, history.begins, **more)

    def _repr_svg_(self) -> str | None:
        """Return a picture of the last position for a notebook, with the names and the result.

        None if the record cannot be played.
        """
        try:
            position = self.history().position
        except BadRecord:
            return None
        pairs = zip(self.players, self.game.players, strict=True)
        words = [" – ".join(name or player for name, player in pairs)]
        words += [each for each in (self.result, self.event, self.date) if each]
        last = self.moves[-1] if self.moves else None
        return str(library("Picture")(position, ", ".join(words), last=last).svg())

    def mover(self, number: int) -> Player:
        """Return the player who makes the move of this number, counted from 1."""
        return self.to_move if number % 2 else self.to_move.other

    def until(self, count: int) -> Record:
        """Return the record of the first `count` moves, without later comments and the result."""
        comments = {number: text for number, text in self.comments.items() if number <= count}
        return attrs.evolve(
            self,
            moves=self.moves[:count],
            comments=comments,
            given=min(self.given, count),
            result=None,
        )

    def history(self) -> History:
        """Return the game with all its positions.

        Raises `BadRecord` for an impossible set-up of stones, and for the first move that the rules
        forbid.
        """
        try:
            return History(self.game, self.moves, setup=self.setup, begins=self.to_move)
        except ImpossibleSetup as error:
            raise BadRecord("setup", str(error)) from None
        except IllegalMove as error:
            number = cast(int, error.number)  # not None, as the move is one of a list
            reason = f"{self.mover(number).colour} {error.move}: {error.reason}"
            raise BadRecord(f"move {number}", reason) from None


@attrs.frozen
class EarlyEnd:
    """A game that a player lost before the rules had ended it."""

    loser: Player
    reason: str = "R"  # SGF's letter: R resigned, T ran out of time, F forfeited

    @classmethod
    def of(cls, result: str | None) -> Self | None:
        """Return the ending in a result such as `W+R` or `B+Time`; None for any other result."""
        found = _CONCEDED.fullmatch((result or "").strip())
        if found is None:
            return None
        return cls(Player("bw".index(found[1].lower())).other, found[2][0].upper())

    def __str__(self) -> str:
        """Return the result in SGF's form."""
        return f"{self.loser.other.letter.upper()}+{self.reason}"


_CONCEDED = re.compile(r"([BW])\+(R(?:esign)?|T(?:ime)?|F(?:orfeit)?)", re.IGNORECASE)


def same_result(claim: str, result: str) -> bool:
    """Return whether two results agree: on the winner, and on the margin where both give one."""
    claim, result = claim.strip().upper(), result.upper()
    draws = ("0", "DRAW", "JIGO")
    if claim in draws or result in draws:
        return claim in draws and result in draws
    if claim[:2] != result[:2]:
        return False
    try:
        return float(plain_number(claim[2:])) == float(plain_number(result[2:]))
    except ValueError:
        return True  # one of them gives no margin
