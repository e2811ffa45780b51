"""The actions of a page at a table: values that a request is read into.

The fields of a class are those of the request. `ACTIONS` names the classes by the last word of a
request's path.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Final

import attrs

from linage_bot.rules.game import Move, Player
from linage_bot.web.table import controls, edits, moves
from linage_bot.web.table.errors import CONTINUED, ActionRefused, check
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.pie import PlayerKind
from linage_bot.web.table.variations import check_node
from linage_bot.web.table.view import View


@attrs.frozen
class PageAction(ABC):
    """An action of a page on the game or on its own view."""

    word: ClassVar[str]
    """The action's name in a request."""

    @abstractmethod
    def apply(self, game: TableGame, view: View) -> tuple[TableGame, View]:
        """Return the game and the view afterwards. Raise `ActionRefused`."""


@attrs.frozen
class GameAction(PageAction):
    """An action that does not depend on the page's view: its fields are those of a function."""

    function: ClassVar[Callable[..., TableGame]]
    """The function of `moves`, `edits` or `controls` that returns the game afterwards."""

    def apply(self, game: TableGame, view: View) -> tuple[TableGame, View]:
        """Return the game afterwards, with the same view of it. Raise `ActionRefused`."""
        after = type(self).function(game, *attrs.astuple(self, recurse=False))
        return after, view.after(game, after)


@attrs.frozen
class PlayMove(PageAction):
    """Make a move in the viewed position; `node` is the one for which the page sent it."""

    word = "play"
    move: Move
    node: int

    def apply(self, game: TableGame, view: View) -> tuple[TableGame, View]:
        """Return the game with the move, in the game or in a variation."""
        check(self.node == view.viewed(game), CONTINUED)
        after = moves.play(game, self.move, self.node)
        view = view.after(game, after)
        new = after.tree.child(self.node, self.move)
        return after, view if new is None or self.node == game.node else view.looking_at(new, after)


@attrs.frozen
class Undo(GameAction):
    """Take back a resignation, or moves until it is a person's turn again."""

    word = "undo"
    function = moves.undo

    def apply(self, game: TableGame, view: View) -> tuple[TableGame, View]:
        """Return the game before these moves. Raise `ActionRefused` if another node is viewed."""
        _check_following(game, view)
        return super().apply(game, view)


@attrs.frozen
class Redo(GameAction):
    """Replay moves that were taken back, until it is a person's turn."""

    word = "redo"
    function = moves.redo

    def apply(self, game: TableGame, view: View) -> tuple[TableGame, View]:
        """Return the game after these moves. Raise `ActionRefused` if another node is viewed."""
        _check_following(game, view)
        return super().apply(game, view)


def _check_following(game: TableGame, view: View) -> None:
    """Raise `ActionRefused` unless the view follows the game."""
    if view.looked_at is None:
        return
    tree = game.tree
    path = tree.path(view.looked_at)
    what = "" if view.looked_at in tree.path(game.node) else " of a variation"
    raise ActionRefused(
        f"you are looking at move {len(tree.moves(path))}{what}:"
        " first play on from here, or go to the last position"
    )


@attrs.frozen
class LookAt(PageAction):
    """View the position at a node."""

    word = "look"
    node: int

    def apply(self, game: TableGame, view: View) -> tuple[TableGame, View]:
        """Return the view of this node."""
        check_node(game, self.node)
        return game, view.looking_at(self.node, game)


@attrs.frozen
class PlayOn(PageAction):
    """Move the game to the viewed node, to continue from there."""

    word = "play-on"

    def apply(self, game: TableGame, view: View) -> tuple[TableGame, View]:
        """Return the game at this node."""
        after = edits.play_on(game, view.viewed(game))
        return after, view.looking_at(after.node, after)


@attrs.frozen
class Promote(PageAction):
    """Make a variation the main line, and so the game."""

    word = "promote"
    node: int

    def apply(self, game: TableGame, view: View) -> tuple[TableGame, View]:
        """Return the game along the variation, with the same node in view."""
        after = edits.promote(game, self.node)
        return after, view.looking_at(view.viewed(game), after)


@attrs.frozen
class SwitchAnalysis(PageAction):
    """Turn the analysis of the viewed position, and of its points' owners, on or off."""

    word = "analyse"
    on: bool
    ownership: bool

    def apply(self, game: TableGame, view: View) -> tuple[TableGame, View]:
        """Return the view with these switches."""
        return game, attrs.evolve(view, analysing=self.on, ownership=self.ownership)


@attrs.frozen
class Resign(GameAction):
    """Resign for the person to move or the only person."""

    word = "resign"
    function = moves.resign


@attrs.frozen
class Pause(GameAction):
    """Pause or resume the engines and clocks."""

    word = "pause"
    function = controls.pause
    on: bool


@attrs.frozen
class Sit(GameAction):
    """Replace the player of one side, also in the middle of a game."""

    word = "sit"
    function = controls.set_player
    player: Player
    seat: PlayerKind


@attrs.frozen
class NamePerson(GameAction):
    """Set the name of the page's person, who has a seat at a shared table."""

    word = "name"
    function = controls.name_person
    name: str


@attrs.frozen
class Offer(GameAction):
    """Offer the komi with which the pie begins."""

    word = "offer"
    function = moves.offer
    komi: float


@attrs.frozen
class Choose(GameAction):
    """Choose a side, given the pie's offer."""

    word = "choose"
    function = moves.choose
    player: Player


@attrs.frozen
class Delete(GameAction):
    """Delete a node and all nodes behind it."""

    word = "delete"
    function = edits.delete
    node: int


@attrs.frozen
class Comment(GameAction):
    """Replace the comment on a position."""

    word = "comment"
    function = edits.comment
    node: int
    text: str


@attrs.frozen
class SwitchReview(GameAction):
    """Start a review of the game up to its last move, or remove the review."""

    word = "review"
    function = edits.review
    on: bool


@attrs.frozen
class Pace(GameAction):
    """Set the seconds of rest between two moves of engines that play each other."""

    word = "pace"
    function = controls.pace
    seconds: float


ACTIONS: Final[dict[str, type[PageAction]]] = {
    each.word: each
    for each in (
        *(PlayMove, Undo, Redo, LookAt, PlayOn, Promote, SwitchAnalysis),
        *(Resign, Pause, Sit, NamePerson, Offer, Choose, Delete, Comment, SwitchReview, Pace),
    )
}
"""The class of each action, by the last word of a request's path."""
