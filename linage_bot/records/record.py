"""The record of one game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Self

import attrs

from linage_bot.rules.boards import Point
from linage_bot.rules.game import Game, IllegalMove, Move, Player, Position


class BadRecord(ValueError):
    """A record that cannot be read or played; `where` is a property or a move: `move 12`."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


def _in_order(setup: Iterable[tuple[Player, Point]]) -> tuple[tuple[Player, Point], ...]:
    return tuple(sorted(setup))


@attrs.frozen
class Record:
    """The moves of one game, and who played it.

    `setup` holds the stones on the board before the first move, `to_move` who makes that move.
    `players` are the names of First and Second. `comments` go by move number, 0 for the start.
    The first `given` moves are an opening's that neither player chose.
    `result` is in SGF's form, such as `B+7`, `W+R` or `0`, `date` in SGF's form `2024-12-31`.
    """

    game: Game
    moves: tuple[Move, ...] = ()
    setup: tuple[tuple[Player, Point], ...] = attrs.field(default=(), converter=_in_order)
    to_move: Player = Player.FIRST
    players: tuple[str, str] = ("", "")
    result: str | None = None
    date: str | None = None
    event: str | None = None
    round: str | None = None
    variations: int = attrs.field(default=0, eq=False)  # of the file that are not kept here
    comments: Mapping[int, str] = attrs.field(factory=dict)
    given: int = 0

    def start(self) -> Position:
        """The position before the first move, with the setup stones on the board.

        Raises `BadRecord` for stones that cannot have come there.
        """
        start = self.game.start()
        if not self.setup and self.to_move is start.to_move:
            return start
        stones = [0, 0]
        for player, point in self.setup:
            stones[player] |= 1 << point
        position = attrs.evolve(start, first=stones[0], second=stones[1], to_move=self.to_move)  # type: ignore[misc]  # the contract: a position is an attrs class with these fields
        reason = position.why_impossible()
        if reason is not None:
            raise BadRecord("setup", f"an impossible position: {reason}")
        return position

    def mover(self, number: int) -> Player:
        """Who makes the move of this number, counted from 1."""
        return self.to_move if number % 2 else self.to_move.other

    def positions(self) -> list[Position]:
        """The position before the first move and after each move; raises `BadRecord`."""
        return replay(self)


@attrs.frozen
class Concession:
    """A game that a player lost before the rules had ended it."""

    loser: Player
    reason: str = "R"  # SGF's letter: R resigned, T ran out of time, F forfeited

    @classmethod
    def of(cls, result: str | None) -> Self | None:
        """What a result such as `W+R` or `B+Time` says; None if it says nothing of the kind."""
        found = _CONCEDED.fullmatch((result or "").strip())
        if found is None:
            return None
        return cls(Player("bw".index(found[1].lower())).other, found[2][0].upper())

    def __str__(self) -> str:
        """SGF's form."""
        return f"{self.loser.other.letter.upper()}+{self.reason}"


_CONCEDED = re.compile(r"([BW])\+(R(?:esign)?|T(?:ime)?|F(?:orfeit)?)", re.IGNORECASE)


def replay(record: Record) -> list[Position]:
    """The position before the first move and after each move.

    Raises `BadRecord` for the first move that the rules forbid.
    """
    positions = [record.start()]
    for number, move in enumerate(record.moves, 1):
        try:
            positions.append(positions[-1].play(move))
        except IllegalMove as error:
            raise BadRecord(f"move {number}", f"{record.mover(number).colour} {error}") from None
    return positions


def same_result(claim: str, result: str) -> bool:
    """Whether two results agree: on the winner, and on the margin where both give one."""
    claim, result = claim.strip().upper(), result.upper()
    draws = ("0", "DRAW", "JIGO")
    if claim in draws or result in draws:
        return claim in draws and result in draws
    if claim[:2] != result[:2]:
        return False
    try:
        return float(claim[2:]) == float(result[2:])
    except ValueError:
        return True  # one of them gives no margin
