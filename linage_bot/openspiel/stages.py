"""Stages of a game for OpenSpiel: the player to act, the actions, and the stage after each.

An action is a number. Below `columns * rows` it is a point, `row * columns + column`, and that
number itself is a pass. Games with the pie have more: two to choose a side, then one for every komi
that may be offered.

Stages are immutable, so copies of a state share them, and OpenSpiel's many copies cost nothing.
"""

from __future__ import annotations

import enum
import functools
from typing import Any

import attrs

from linage_bot import GAMES, PASS, Game, History, IllegalMove, Player, Position
from linage_bot.openspiel.parameters import Value, configured, parameters_of

_TURNS_PER_POINT = 20  # where the rules set no limit; more than games ever need


class SpielPhase(enum.Enum):
    """The kind of decision that the player to act has to make."""

    OFFERING = enum.auto()  # a komi or the first stone, in a pie
    CHOOSING = enum.auto()  # a side
    PLAYING = enum.auto()


@attrs.frozen
class Numbering:
    """The meaning of a game's action numbers; `pie`: whether it begins with the pie."""

    game: Game
    pie: bool = False

    @functools.cached_property
    def passing(self) -> int:
        """The action that passes."""
        return self.game.board.columns * self.game.board.rows

    @property
    def sides(self) -> tuple[int, int]:
        """The actions that choose to play First, and Second."""
        return self.passing + 1, self.passing + 2

    @functools.cached_property
    def komis(self) -> tuple[float, ...]:
        """The komis that may be offered: up to the board's number of points, to either side."""
        step = self.game.komi_step
        if not self.pie or self.game.pie != "komi" or step is None:
            return ()
        most = int(self.game.board.count / step)
        return tuple(step * number for number in range(-most, most + 1))

    @functools.cached_property
    def offers(self) -> range:
        """The actions that offer a komi."""
        return range(self.passing + 3, self.passing + 3 + len(self.komis))

    def komi(self, offer: int) -> float:
        """Return the komi that an action offers."""
        return self.komis[offer - self.offers.start]

    @property
    def count(self) -> int:
        """The number of actions."""
        return self.offers.stop if self.pie else self.passing + 1

    @functools.cached_property
    def longest(self) -> int:
        """The largest number of actions in a game.

        Where the rules set no limit, the score at this moment is the result.
        """
        turns = self.game.move_limit
        if turns is None:
            turns = _TURNS_PER_POINT * self.game.board.count + 1
        return turns + (2 if self.pie else 0)

    def move(self, action: int) -> int:
        """Return the move of an action."""
        return PASS if action == self.passing else action

    def action(self, move: int) -> int:
        """Return the action of a move."""
        return self.passing if move == PASS else move

    def name(self, action: int) -> str:
        """Return the text of an action: a vertex, `pass`, `take Vertical`, `komi 3.5`."""
        if action in self.offers:
            return f"komi {self.komi(action):g}"
        if self.pie and action in self.sides:
            return f"take {self.game.players[self.sides.index(action)]}"
        if 0 <= action <= self.passing:
            return self.game.start().name_of(self.move(action))
        return str(action)

    def begin(self) -> SpielStage:
        """Return the stage before the first action."""
        phase = SpielPhase.OFFERING if self.pie else SpielPhase.PLAYING
        return SpielStage(numbering=self, so_far=History(self.game), phase=phase)


@attrs.frozen(kw_only=True, eq=False)
class SpielStage:
    """An OpenSpiel game so far; player 0 makes the offer, or plays First if there is none."""

    numbering: Numbering
    so_far: History
    phase: SpielPhase = SpielPhase.PLAYING
    swapped: bool = False  # player 0 is Second

    def __deepcopy__(self, _memory: object) -> SpielStage:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game with its actions: short, and readable by other versions."""
        numbering = self.numbering
        parameters = parameters_of(numbering.game, pie=numbering.pie)
        return _played, (numbering.game.id, parameters, self.history)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.so_far.position

    @property
    def history(self) -> tuple[int, ...]:
        """The actions so far."""
        numbering, moves = self.numbering, self.so_far.moves
        played = tuple(numbering.action(move) for move in moves)
        if not numbering.pie:
            return played
        chosen = (
            () if self.phase is not SpielPhase.PLAYING else (numbering.sides[not self.swapped],)
        )
        if not numbering.komis:
            return played[:1] + chosen + played[1:]
        if self.phase is SpielPhase.OFFERING:
            return ()
        return (numbering.offers[numbering.komis.index(self.so_far.game.komi)], *chosen, *played)

    @functools.cached_property
    def over(self) -> bool:
        """Whether there are no more actions."""
        if self.phase is not SpielPhase.PLAYING:
            return False
        numbering, turns = self.numbering, len(self.so_far.moves)
        return self.position.over or turns >= numbering.longest - (2 if numbering.pie else 0)

    @property
    def player(self) -> int:
        """The player to act, 0 or 1."""
        if self.phase is SpielPhase.PLAYING:
            return self.position.to_move ^ self.swapped
        return int(self.phase is SpielPhase.CHOOSING)

    @functools.cached_property
    def actions(self) -> tuple[int, ...]:
        """The legal actions of the player to act, ascending."""
        numbering = self.numbering
        if self.over:
            return ()
        if self.phase is SpielPhase.CHOOSING:
            return numbering.sides
        if self.phase is SpielPhase.OFFERING and numbering.komis:
            return tuple(numbering.offers)
        return tuple(numbering.action(move) for move in self.position.moves())

    def after(self, action: int) -> SpielStage:
        """Return the stage after an action; raises `IllegalMove`."""
        numbering, so_far = self.numbering, self.so_far
        if action not in self.actions:
            reason = None
            if self.phase is SpielPhase.PLAYING and 0 <= action <= numbering.passing:
                reason = self.position.why_illegal(numbering.move(action))
            raise IllegalMove(
                numbering.name(action), reason or "this action is not legal at this stage"
            )
        if self.phase is SpielPhase.CHOOSING:
            swapped = action == numbering.sides[Player.FIRST]
            return attrs.evolve(self, phase=SpielPhase.PLAYING, swapped=swapped)
        if self.phase is SpielPhase.OFFERING and numbering.komis:
            so_far = History(numbering.game.with_komi(numbering.komi(action)))
            return attrs.evolve(self, so_far=so_far, phase=SpielPhase.CHOOSING)
        move = numbering.move(action)
        further = attrs.evolve(  # `History.play` would check again whether the move is legal
            so_far,
            moves=(*so_far.moves, move),
            positions=(*so_far.positions, so_far.position.after(move)),
        )
        phase = SpielPhase.CHOOSING if self.phase is SpielPhase.OFFERING else SpielPhase.PLAYING
        return attrs.evolve(self, so_far=further, phase=phase)

    def returns(self) -> list[float]:
        """Return both results: 1 for a win, -1 for a loss, 0 for a draw or an unfinished game."""
        if not self.over:
            return [0.0, 0.0]
        rate = self.position.result().win_rate_of(Player(self.swapped))
        return [2 * rate - 1, 1 - 2 * rate]


def _played(id_: str, parameters: dict[str, Value], actions: tuple[int, ...]) -> SpielStage:
    """Return the stage of a game after some actions."""
    game = configured(GAMES[id_], parameters)
    stage = Numbering(game, bool(parameters.get("pie"))).begin()
    for action in actions:
        stage = stage.after(action)
    return stage
