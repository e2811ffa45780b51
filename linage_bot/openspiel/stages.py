"""Stages of a game for OpenSpiel: the player to act, the actions, and the stage after each.

An action is a number. Below `columns * rows` it is a point, `row * columns + column`, and that
number itself is a pass. Games with the pie have more: two to choose a side, then one for every komi
that may be offered.

A stage plays on the compiled rules, which are fast to play and to copy. It needs positions of the
readable rules only for texts, for reasons and for the engine, and makes them when they are wanted.
"""

from __future__ import annotations

import enum
import functools
from typing import Any

import attrs

from linage_bot import GAMES, PASS, Game, History, IllegalMove, Player, Position
from linage_bot.batch.single import SingleGame
from linage_bot.openspiel.parameters import Value, configured, parameters_of
from linage_bot.openspiel.readable import ReadableGame

_CACHED_GAMES = 64  # a pie has a game for each komi
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
    def turns(self) -> int:
        """The largest number of moves in a game.

        Where the rules set no limit, the score at this moment is the result.
        """
        turns = self.game.move_limit
        return _TURNS_PER_POINT * self.game.board.count + 1 if turns is None else turns

    @property
    def longest(self) -> int:
        """The largest number of actions in a game."""
        return self.turns + (2 if self.pie else 0)

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
        return SpielStage(self, _started(self.game).copy(), History(self.game), phase)


@functools.lru_cache(_CACHED_GAMES)
def _started(game: Game) -> SingleGame | ReadableGame:
    """Return a game before its first move, to be copied."""
    return SingleGame.start(game) or ReadableGame(game.start())


@attrs.define(eq=False)
class SpielStage:
    """An OpenSpiel game so far; player 0 makes the offer, or plays First if there is none."""

    numbering: Numbering
    board: SingleGame | ReadableGame
    _known: History  # the game so far, perhaps without the last moves
    phase: SpielPhase = SpielPhase.PLAYING
    swapped: bool = False  # player 0 is Second
    _moves: list[int] = attrs.field(factory=list)
    shared: bool = False  # several states have this stage, so it must be copied before a change
    over: bool = attrs.field(init=False)
    """Whether there are no more actions."""
    player: int = attrs.field(init=False)
    """The player to act, 0 or 1."""

    def __attrs_post_init__(self) -> None:
        self._see_who_acts()

    def _see_who_acts(self) -> None:
        """Set `over` and `player`, which the other fields decide."""
        played = len(self._moves)
        if self.phase is SpielPhase.PLAYING:
            self.over = self.board.over or played >= self.numbering.turns
            self.player = (played & 1) ^ self.swapped
        else:
            self.over, self.player = False, int(self.phase is SpielPhase.CHOOSING)

    def copy(self) -> SpielStage:
        """Return a copy, which does not change with this stage."""
        return SpielStage(
            numbering=self.numbering,
            board=self.board.copy(),
            known=self._known,
            phase=self.phase,
            swapped=self.swapped,
            moves=self._moves.copy(),
        )

    def __deepcopy__(self, _memory: object) -> SpielStage:
        self.shared = True
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game with its actions: short, and readable by other versions."""
        numbering = self.numbering
        parameters = parameters_of(numbering.game, pie=numbering.pie)
        return _played, (numbering.game.id, parameters, self.history)

    @property
    def so_far(self) -> History:
        """The game so far, by the readable rules; copies of the stage share its positions."""
        known = self._known
        if len(known.moves) < len(self._moves):
            positions = list(known.positions)
            for move in self._moves[len(known.moves) :]:
                positions.append(positions[-1].after(move))
            # `History.play` would check again whether the moves are legal
            self._known = attrs.evolve(known, moves=tuple(self._moves), positions=tuple(positions))
        return self._known

    @property
    def game(self) -> Game:
        """The game, with the komi that was offered in a pie."""
        return self._known.game

    @property
    def position(self) -> Position:
        """The current position."""
        return self.so_far.position

    @property
    def history(self) -> tuple[int, ...]:
        """The actions so far."""
        numbering = self.numbering
        played = tuple(map(numbering.action, self._moves))
        if not numbering.pie:
            return played
        chosen = (
            () if self.phase is not SpielPhase.PLAYING else (numbering.sides[not self.swapped],)
        )
        if not numbering.komis:
            return played[:1] + chosen + played[1:]
        if self.phase is SpielPhase.OFFERING:
            return ()
        return (numbering.offers[numbering.komis.index(self.game.komi)], *chosen, *played)

    @property
    def plays(self) -> bool:
        """Whether the player to act plays a move, perhaps as an offer."""
        if self.phase is SpielPhase.PLAYING:
            return not self.over
        return self.phase is SpielPhase.OFFERING and not self.numbering.komis

    def actions(self) -> list[int]:
        """Return the legal actions of the player to act, ascending."""
        if self.plays:
            return self.board.actions()
        if self.over:
            return []
        numbering = self.numbering
        return list(numbering.sides if self.phase is SpielPhase.CHOOSING else numbering.offers)

    def apply(self, action: int) -> None:
        """Apply an action; raises `IllegalMove`, and then leaves the stage unchanged."""
        numbering = self.numbering
        if self.plays and self.board.is_legal(action):
            self.board.play(action)
            self._moves.append(numbering.move(action))
            if self.phase is SpielPhase.OFFERING:
                self.phase = SpielPhase.CHOOSING
        elif self.plays or action not in self.actions():
            raise IllegalMove(numbering.name(action), self._why_illegal(action))
        elif self.phase is SpielPhase.CHOOSING:
            self.swapped = action == numbering.sides[Player.FIRST]
            self.phase = SpielPhase.PLAYING
        else:
            self._known = History(numbering.game.with_komi(numbering.komi(action)))
            self.board = _started(self.game).copy()
            self.phase = SpielPhase.CHOOSING
        self._see_who_acts()

    def _why_illegal(self, action: int) -> str:
        """Return why an action is illegal, in words."""
        reason = None
        if self.phase is SpielPhase.PLAYING and 0 <= action <= self.numbering.passing:
            reason = self.position.why_illegal(self.numbering.move(action))
        return reason or "this action is not legal at this stage"

    def returns(self) -> list[float]:
        """Return both results: 1 for a win, -1 for a loss, 0 for a draw or an unfinished game."""
        if not self.over:
            return [0.0, 0.0]
        first = self.board.first_return()
        if not self.board.over:  # the game is too long
            first = 2 * self.position.result().win_rate_of(Player.FIRST) - 1
        own = 0.0 - first if self.swapped else first  # a draw is never -0.0
        return [own, 0.0 - own]


def _played(id_: str, parameters: dict[str, Value], actions: tuple[int, ...]) -> SpielStage:
    """Return the stage of a game after some actions."""
    game = configured(GAMES[id_], parameters)
    stage = Numbering(game, bool(parameters.get("pie"))).begin()
    for action in actions:
        stage.apply(action)
    return stage
