"""The view of one page on a game: its node and its requested analysis. Views are independent.

A person can play at the node that their page views: that makes a variation, and the game waits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import attrs

from linage_bot.rules.game import Move
from linage_bot.web.table.errors import ActionRefused, check
from linage_bot.web.table.game import TableGame


@attrs.frozen
class View:
    """The node that a page views, and its analysis switches; by default it follows the game."""

    looked_at: int | None = None  # None: always the last position of the game
    analysing: bool = False  # analyse the viewed position,
    ownership: bool = False  # and the owners of its points

    def viewed(self, course: TableGame) -> int:
        """Return the node that is viewed."""
        return course.at if self.looked_at is None else self.looked_at

    def within(self, course: TableGame) -> View:
        """Return this view for a game in which the viewed node may be missing."""
        known = self.looked_at is not None and self.looked_at in course.tree
        return self.at(self.viewed(course) if known else course.at, course)

    def at(self, place: int, course: TableGame) -> View:
        """Return this view at another node."""
        return attrs.evolve(self, looked_at=None if place == course.at else place)

    def after(self, before: TableGame, course: TableGame) -> View:
        """Return this view after a change; a deleted node gives way to its nearest ancestor."""
        if self.looked_at is None or self.looked_at in course.tree:
            return self.at(self.viewed(course), course)
        path = reversed(before.tree.path(self.looked_at))
        return self.at(next(place for place in path if place in course.tree), course)


FOLLOWING: Final = View()
"""The view of a page that follows the game, without analysis."""


@attrs.frozen
class TableView:
    """A game with one page's view; each action returns a new one, or raises `ActionRefused`."""

    course: TableGame
    sight: View = FOLLOWING

    @property
    def viewed(self) -> int:
        """The node that is viewed."""
        return self.sight.viewed(self.course)

    def do(self, deed: Callable[[TableGame], TableGame]) -> TableView:
        """Apply an action that does not depend on the view."""
        course = deed(self.course)
        sight = self.sight.after(self.course, course)
        return attrs.evolve(self, course=course, sight=sight)

    def play(self, move: Move, at: int) -> TableView:
        """Make a move in the viewed position; `at` is the node for which the page sent it."""
        check(at == self.viewed, "the game has moved on meanwhile")
        seen = self.do(lambda course: course.play(move, at))
        place = seen.course.tree.child(at, move)
        return seen if place is None or at == self.course.at else seen.look(place)

    def undo(self) -> TableView:
        """Take back a resignation, or moves until it is a person's turn again."""
        self._check_present()
        return self.do(TableGame.undo)

    def redo(self) -> TableView:
        """Replay moves that were taken back, until it is a person's turn."""
        self._check_present()
        return self.do(TableGame.redo)

    def look(self, at: int) -> TableView:
        """View the position at a node."""
        self.course.ground.check_place(at)
        return attrs.evolve(self, sight=self.sight.at(at, self.course))

    def play_on(self) -> TableView:
        """Move the game to the viewed node, to continue from there."""
        seen = self.do(lambda course: course.play_on(self.viewed))
        return seen.look(seen.course.at)

    def promote(self, at: int) -> TableView:
        """Make a variation the main line, and so the game; the viewed node stays in view."""
        return self.do(lambda course: course.promote(at)).look(self.viewed)

    def analyse(self, on: bool, ownership: bool) -> TableView:
        """Turn the analysis of the viewed position, and of its points' owners, on or off."""
        return attrs.evolve(self, sight=attrs.evolve(self.sight, analysing=on, ownership=ownership))

    def _check_present(self) -> None:
        """Raise `ActionRefused` unless the view follows the game."""
        if self.sight.looked_at is None:
            return
        tree = self.course.tree
        path = tree.path(self.viewed)
        what = "" if self.viewed in tree.path(self.course.at) else " of a variation"
        raise ActionRefused(
            f"you are looking at move {len(tree.moves(path))}{what}:"
            " first play on from here, or go to the last position"
        )
