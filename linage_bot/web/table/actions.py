"""The actions of a page at a table: values that a request is read into.

The fields of a class are those of the request. `ACTIONS` names the classes by the last word of a
request's path.
"""

from abc import ABC, abstractmethod
from typing import ClassVar, Final

import attrs

from linage_bot.rules.game import Move, Player
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.pie import PlayerKind
from linage_bot.web.table.view import TableView


@attrs.frozen
class PageAction(ABC):
    """An action of a page on the game or on its own view."""

    word: ClassVar[str]
    """The action's name in a request."""

    @abstractmethod
    def apply(self, seen: TableView) -> TableView:
        """Return the game and the view afterwards. Raise `ActionRefused`."""


@attrs.frozen
class GameAction(PageAction):
    """An action that does not depend on the page's view."""

    def apply(self, seen: TableView) -> TableView:
        """Return the game afterwards, with the same view of it. Raise `ActionRefused`."""
        return seen.do(self.change)

    @abstractmethod
    def change(self, game: TableGame) -> TableGame:
        """Return the game afterwards. Raise `ActionRefused`."""


@attrs.frozen
class PlayMove(PageAction):
    """Make a move in the viewed position; `at` is the node for which the page sent it."""

    word = "play"
    move: Move
    at: int

    def apply(self, seen: TableView) -> TableView:
        """Return the game with the move, in the game or in a variation."""
        return seen.play(self.move, self.at)


@attrs.frozen
class Undo(PageAction):
    """Take back a resignation, or moves until it is a person's turn again."""

    word = "undo"

    def apply(self, seen: TableView) -> TableView:
        """Return the game before these moves."""
        return seen.undo()


@attrs.frozen
class Redo(PageAction):
    """Replay moves that were taken back, until it is a person's turn."""

    word = "redo"

    def apply(self, seen: TableView) -> TableView:
        """Return the game after these moves."""
        return seen.redo()


@attrs.frozen
class LookAt(PageAction):
    """View the position at a node."""

    word = "look"
    at: int

    def apply(self, seen: TableView) -> TableView:
        """Return the view of this node."""
        return seen.look(self.at)


@attrs.frozen
class PlayOn(PageAction):
    """Move the game to the viewed node, to continue from there."""

    word = "play-on"

    def apply(self, seen: TableView) -> TableView:
        """Return the game at this node."""
        return seen.play_on()


@attrs.frozen
class Promote(PageAction):
    """Make a variation the main line, and so the game."""

    word = "promote"
    at: int

    def apply(self, seen: TableView) -> TableView:
        """Return the game along the variation, with the same node in view."""
        return seen.promote(self.at)


@attrs.frozen
class SwitchAnalysis(PageAction):
    """Turn the analysis of the viewed position, and of its points' owners, on or off."""

    word = "analyse"
    on: bool
    ownership: bool

    def apply(self, seen: TableView) -> TableView:
        """Return the view with these switches."""
        return seen.analyse(self.on, self.ownership)


@attrs.frozen
class Resign(GameAction):
    """Resign for the person to move or the only person."""

    word = "resign"

    def change(self, game: TableGame) -> TableGame:
        """Return the game, which is over."""
        return game.resign()


@attrs.frozen
class Pause(GameAction):
    """Pause or resume the engines and clocks."""

    word = "pause"
    on: bool

    def change(self, game: TableGame) -> TableGame:
        """Return the game, paused or not."""
        return game.pause(self.on)


@attrs.frozen
class Sit(GameAction):
    """Replace the player of one side, also in the middle of a game."""

    word = "sit"
    player: Player
    seat: PlayerKind

    def change(self, game: TableGame) -> TableGame:
        """Return the game with the new player."""
        return game.sit(self.player, self.seat)


@attrs.frozen
class Offer(GameAction):
    """Offer the komi with which the pie begins."""

    word = "offer"
    komi: float

    def change(self, game: TableGame) -> TableGame:
        """Return the game with this komi, in which the other player chooses next."""
        return game.offer(self.komi)


@attrs.frozen
class Choose(GameAction):
    """Choose a side, given the pie's offer."""

    word = "choose"
    player: Player

    def change(self, game: TableGame) -> TableGame:
        """Return the game with both sides assigned."""
        return game.choose(self.player)


@attrs.frozen
class Delete(GameAction):
    """Delete a node and all nodes behind it."""

    word = "delete"
    at: int

    def change(self, game: TableGame) -> TableGame:
        """Return the game without these nodes."""
        return game.delete(self.at)


@attrs.frozen
class Comment(GameAction):
    """Replace the comment on a position."""

    word = "comment"
    at: int
    text: str

    def change(self, game: TableGame) -> TableGame:
        """Return the game with this comment."""
        return game.comment(self.at, self.text)


@attrs.frozen
class SwitchReview(GameAction):
    """Start a review of the game up to its last move, or remove the review."""

    word = "review"
    on: bool

    def change(self, game: TableGame) -> TableGame:
        """Return the game with or without a line under review."""
        return game.review(self.on)


@attrs.frozen
class Pace(GameAction):
    """Set the seconds of rest between two moves of engines that play each other."""

    word = "pace"
    seconds: float

    def change(self, game: TableGame) -> TableGame:
        """Return the game with this pace."""
        return game.pace(self.seconds)


ACTIONS: Final[dict[str, type[PageAction]]] = {
    each.word: each
    for each in (
        *(PlayMove, Undo, Redo, LookAt, PlayOn, Promote, SwitchAnalysis),
        *(Resign, Pause, Sit, Offer, Choose, Delete, Comment, SwitchReview, Pace),
    )
}
"""The class of each action, by the last word of a request's path."""
