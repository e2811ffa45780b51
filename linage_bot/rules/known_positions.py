"""A cache of the positions of recent games, shared by games that begin alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from linage_bot.rules.game import IllegalMove, Move, Position

_MOST_GAMES = 64

_Line = tuple[tuple[Move, ...], tuple[Position, ...]]
"""Moves, with the position before the first and after each."""


class KnownPositions:
    """A cache of the positions of recent games. Games that begin alike share the same objects."""

    def __init__(self) -> None:
        self._lines: list[_Line] = []  # the latest at the end

    def of(self, start: Position, moves: Sequence[Move]) -> tuple[Position, ...]:
        """Return the start and the position after each move; raises `IllegalMove`."""
        moves = tuple(moves)
        known = self._nearest(start, moves)
        shared = _common(known[0], moves)
        line = moves, continued(known[1][: shared + 1], moves[shared:])
        kept = self._lines
        if shared in (len(moves), len(known[0])):  # one line is the beginning of the other
            kept = [each for each in kept if each is not known]
        longer = known if shared == len(moves) else line
        self._lines = [*kept, longer][-_MOST_GAMES:]
        return line[1]

    def _nearest(self, start: Position, moves: tuple[Move, ...]) -> _Line:
        """Return the known line with most moves in common, or one of the start alone."""
        alike = [each for each in self._lines if each[1][0] == start]
        return max(alike, key=lambda each: _common(each[0], moves), default=((), (start,)))


def continued(positions: tuple[Position, ...], moves: Iterable[Move]) -> tuple[Position, ...]:
    """Return a game's positions, from its start on, followed by that after each of more moves.

    Raises `IllegalMove` with the number of the move in the game, from 1.
    """
    found = list(positions)
    for move in moves:
        try:
            found.append(found[-1].play(move))
        except IllegalMove as error:
            raise IllegalMove(error.move, error.reason, len(found)) from None
    return tuple(found)


def _common(one: tuple[Move, ...], other: tuple[Move, ...]) -> int:
    """Return the number of moves that two games have in common from the beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
