"""Games told by their moves, played once however often they are told.

So a client's queries about one game, and what another process sends of it, share its positions.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import attrs

from linage_bot.rules.game import Game, IllegalMove, Move, Player, Position
from linage_bot.rules.history import History, Setup

_MOST_GAMES = 64


class IllegalMoveAt(ValueError):
    """A move that the rules forbid, with its number, from 1."""

    def __init__(self, number: int, error: IllegalMove) -> None:
        super().__init__(f"move {number}: {error}")
        self.number = number


class KnownGames:
    """The games asked about last. Those that begin alike share the positions that both have.

    So what was thought of a game serves the next query about it.
    """

    def __init__(self) -> None:
        self._known: list[History] = []  # the latest at the end

    def history(self, game: Game, setup: Setup, begins: Player, moves: Sequence[Move]) -> History:
        """The game so far; raises `IllegalMoveAt`, and `ImpossibleSetup` for stones set up."""
        return self.going_on(History(game, setup, begins), moves)

    def going_on(self, start: History, moves: Sequence[Move]) -> History:
        """A game without moves yet, after these; raises `IllegalMoveAt`."""
        moves = tuple(moves)
        known = self._nearest(start, moves)
        shared = _common(known.moves, moves)
        positions = list(known.positions[: shared + 1])
        for number, move in enumerate(moves[shared:], shared + 1):
            try:
                positions.append(positions[-1].play(move))
            except IllegalMove as error:
                raise IllegalMoveAt(number, error) from None
        history = attrs.evolve(known, moves=moves, positions=tuple(positions))
        kept = self._known
        if shared in (len(moves), len(known.moves)):  # one of the two is a part of the other
            kept = [each for each in kept if each is not known]
        longer = known if shared == len(moves) else history
        self._known = [*kept, longer][-_MOST_GAMES:]
        return history

    def _nearest(self, start: History, moves: tuple[Move, ...]) -> History:
        """The known game that has most moves in common with these; if there is none, its start."""
        alike = [each for each in self._known if _start(each) == _start(start)]
        return max(alike, key=lambda each: _common(each.moves, moves), default=start)


def _start(history: History) -> tuple[Game, Setup, Player, Position]:
    return history.game, history.setup, history.begins, history.positions[0]


def _common(one: tuple[Move, ...], other: tuple[Move, ...]) -> int:
    """How many moves two games have in common from the beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


_changing = threading.Lock()
_received = KnownGames()


def retold(start: Position, setup: Setup, begins: Player, moves: tuple[Move, ...]) -> History:
    """A game that another process sent, with the positions of those that came before it."""
    with _changing:
        return _received.going_on(History(start.game, setup, begins, positions=(start,)), moves)
