"""Game histories: the stones set up, the moves, and the position after each of them.

A history is immutable; `play`, `back` and `to` return another one, which shares the positions that
both have. So results of a search stay valid for the game that continues from its position, and
`since` finds an earlier position of the game by its identity.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, SupportsIndex, TypeAlias, cast, overload

import attrs

from linage_bot.rules.arguments import check_type
from linage_bot.rules.boards import NoSuchPoint, Point, Points, bits
from linage_bot.rules.display import library
from linage_bot.rules.game import Game, Move, Player, Position
from linage_bot.rules.known_positions import KnownPositions, continued

_SHOWN_MOVES = 6  # the last ones, in a short form
Setup: TypeAlias = tuple[tuple[Player, Point], ...]


class ImpossibleSetup(ValueError):
    """A setup that no game can reach; `reason` names the rule in words.

    `points` are those that it refers to, such as a region without a line; 0 if there are none.
    """

    def __init__(self, reason: str, points: Points = 0) -> None:
        super().__init__(f"an impossible position: {reason}")
        self.reason = reason
        self.points = points


def in_order(game: Game, setup: Iterable[tuple[Player, Point | str]]) -> Setup:
    """Return the set-up stones in a fixed order, so that equal setups compare equal.

    Raises `NoSuchPoint` for text that names no point of the board.
    """
    return tuple(sorted((Player(player), game.move(point)) for player, point in setup))


@attrs.frozen(repr=False, init=False)
class History:
    """A game from its first move to now, which iterates over its moves.

    Its length is the number of moves. A history is true even before the first move.
    """

    game: Game
    moves: tuple[Move, ...]
    setup: Setup
    """The stones on the board before the first move."""
    begins: Player
    """The player who makes the first move."""
    positions: tuple[Position, ...] = attrs.field(eq=False)
    """The position before the first move and after each; derived from the other fields."""

    def __init__(
        self,
        game: Game,
        moves: str | Iterable[Move | str] = (),
        *,
        setup: Iterable[tuple[Player, Point | str]] = (),
        begins: Player = Player.FIRST,
        positions: tuple[Position, ...] | None = None,
    ) -> None:
        """Play moves, given as a text of vertices such as `E5 C3` or as a list of moves.

        Raises `IllegalMove` for the first that the rules forbid, `NoSuchPoint` and `TypeError` for
        the first that is no move, each with its number, and `ImpossibleSetup` for stones that no
        game can reach. Known positions are passed on as `positions`, and then nothing is checked.
        """
        check_type("game", game, Game)
        begins = Player(begins)
        if positions is None:
            stones, played = in_order(game, setup), game.parse_moves(moves)
            positions = continued((_start(game, stones, begins),), played)
        else:  # also by `attrs.evolve`, for each move of a game
            stones, played = cast(Setup, setup), cast(tuple[Move, ...], moves)
        self.__attrs_init__(game, played, stones, begins, positions)

    @classmethod
    def of(cls, given: History | Position) -> History:
        """Return a history itself, or a game that starts from a position.

        Raises `TypeError` for anything else.
        """
        if isinstance(given, Position):
            return cls.at(given)
        check_type("history", given, History)
        return given

    @classmethod
    def at(cls, position: Position) -> History:
        """Return a game that starts from a position, with the position's stones as its setup."""
        check_type("position", position, Position)
        stones = ((Player.FIRST, position.first), (Player.SECOND, position.second))
        setup = [(player, point) for player, points in stones for point in bits(points)]
        begins = position.to_move
        return cls(position.game, setup=tuple(setup), begins=begins, positions=(position,))

    def __reduce__(self) -> tuple[Callable[..., History], tuple[Any, ...]]:
        """Pickle the game as its moves, to share the positions that another process has of it.

        So a search in that process can reuse its tree of this game.
        """
        return _received, (self.positions[0], self.setup, self.begins, self.moves)

    def __repr__(self) -> str:
        setup = f", {len(self.setup)} stones set up" if self.setup else ""
        words = [self.game.name_of(move) for move in self.moves[-_SHOWN_MOVES:]]
        if len(self.moves) > _SHOWN_MOVES:
            words.insert(0, "...")
        moves = f", {len(self.moves)} moves: {' '.join(words)}" if words else ""
        return f"<{type(self).__name__} of {self.game.id} {self.game.board}{setup}{moves}>"

    def __str__(self) -> str:
        """Return the board as text, with the last move in brackets."""
        return str(library("as_text")(self.position, self._last))

    def _repr_svg_(self) -> str:
        """Return a picture for a notebook, with a dot on the last move."""
        return str(library("Picture")(self.position, last=self._last).svg())

    def __bool__(self) -> bool:
        return True  # so that `if history` tests for None, as before it had a length

    def __len__(self) -> int:
        return len(self.moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __contains__(self, move: object) -> bool:
        """Return whether a move was played, given as a number or as GTP writes it."""
        if isinstance(move, str):
            try:
                move = self.game.move(move)
            except NoSuchPoint:
                return False
        return move in self.moves

    @overload
    def __getitem__(self, index: SupportsIndex) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Move | tuple[Move, ...]:
        """Return a move by its place from 0, or a tuple of moves; `to` returns earlier games."""
        return self.moves[index]

    @property
    def _last(self) -> Move | None:
        return self.moves[-1] if self.moves else None

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    def play(self, move: Move | str) -> History:
        """Return the game with one more move, given as a number or as GTP writes it.

        Raises `IllegalMove`, and `NoSuchPoint` for text that names no point of the board.
        """
        move = self.game.move(move)
        position = self.position.play(move)
        return attrs.evolve(self, moves=(*self.moves, move), positions=(*self.positions, position))

    def back(self, count: int = 1) -> History:
        """Return the game without its last `count` moves; raises `ValueError` if it has fewer."""
        return self.to(len(self.moves) - count)

    def to(self, count: int) -> History:
        """Return the game after its first `count` moves; raises `ValueError` if it has fewer."""
        if not 0 <= count <= len(self.moves):
            raise ValueError(f"no move {count}: the last one is {len(self.moves)}")
        return attrs.evolve(self, moves=self.moves[:count], positions=self.positions[: count + 1])

    def since(self, earlier: Position) -> tuple[Move, ...] | None:
        """Return the moves that lead from an earlier position object of this game to now.

        None if this game has no such object: a game that was replayed, with another komi or from
        another start, shares no position, though some may be equal.
        """
        for count in range(len(self.moves), -1, -1):
            if self.positions[count] is earlier:
                return self.moves[count:]
        return None

    def played_here(self) -> tuple[Move, ...]:
        """Return the moves that were played each time the game was in its current state."""
        now, played = self.position, zip(self.positions, self.moves, strict=False)
        return tuple(move for position, move in played if now.stands_as(position))

    def ways_back(self) -> tuple[Move, ...]:
        """Return the placements that lead back to an earlier state of the game.

        Only captures make that possible, and in Gardar no board may recur, so only Leblin has them.
        """
        now, found = self.position, set()
        legal = now.placements()
        for earlier in self.positions:
            stones = earlier.enemy ^ now.own  # of the player to move: there then, but not now
            if earlier.to_move is not now.to_move and stones & legal and stones.bit_count() == 1:
                (move,) = bits(stones)
                if now.after(move).stands_as(earlier):
                    found.add(move)
        return tuple(sorted(found))


def _start(game: Game, setup: Setup, begins: Player) -> Position:
    """Return the position before the first move; raises `ImpossibleSetup`."""
    start = game.start()
    if not setup and begins is start.to_move:
        return start
    stones = [0, 0]
    for player, point in setup:
        if point < 0 or not game.board.points >> point & 1:
            raise ImpossibleSetup("a stone outside the board")
        stones[player] |= 1 << point
    if stones[0] & stones[1]:
        raise ImpossibleSetup("two stones on one point")
    position = attrs.evolve(start, first=stones[0], second=stones[1], to_move=begins)
    reason = position.why_impossible()
    if reason is not None:
        raise ImpossibleSetup(reason.reason, reason.points)
    return position


def position_of(given: Position | History) -> Position:
    """Return a position itself, or a history's current one; raises `TypeError`."""
    if isinstance(given, History):
        return given.position
    check_type("position", given, Position)
    return given


_receiving = threading.Lock()
_known = KnownPositions()  # of the games that other processes sent


def _received(start: Position, setup: Setup, begins: Player, moves: tuple[Move, ...]) -> History:
    """Return a game that another process sent, sharing the positions of earlier such games."""
    with _receiving:
        positions = _known.of(start, moves)
    return History(start.game, moves, setup=setup, begins=begins, positions=positions)
