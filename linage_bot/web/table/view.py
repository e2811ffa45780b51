"""What one page looks at in a game, and wants to know of it: others see what they like.

Where a page looks, its person can play: that makes a variation, and the game waits.
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
    """Where a page looks; by default it goes with the game, and nobody thinks for it."""

    looked_at: int | None = None  # None: the last position of the game, whatever that is
    analysing: bool = False  # think about the position looked at,
    ownership: bool = False  # and about who will own its points

    def viewed(self, course: TableGame) -> int:
        """The place that is looked at."""
        return course.at if self.looked_at is None else self.looked_at

    def within(self, course: TableGame) -> View:
        """The same of a game that may not have the place."""
        known = self.looked_at is not None and self.looked_at in course.tree
        return self.at(self.viewed(course) if known else course.at, course)

    def at(self, place: int, course: TableGame) -> View:
        """The same of another place."""
        return attrs.evolve(self, looked_at=None if place == course.at else place)

    def after(self, before: TableGame, course: TableGame) -> View:
        """The same when the game has changed: what is deleted is looked at no more."""
        if self.looked_at is None or self.looked_at in course.tree:
            return self.at(self.viewed(course), course)
        path = reversed(before.tree.path(self.looked_at))
        return self.at(next(place for place in path if place in course.tree), course)


FOLLOWING: Final = View()
"""A page that goes with the game."""


@attrs.frozen
class TableView:
    """A game as one page sees it; each deed makes another of it, or raises `ActionRefused`."""

    course: TableGame
    sight: View = FOLLOWING

    @property
    def viewed(self) -> int:
        """The place that is looked at."""
        return self.sight.viewed(self.course)

    def do(self, deed: Callable[[TableGame], TableGame]) -> TableView:
        """What has nothing to do with where the page looks."""
        course = deed(self.course)
        sight = self.sight.after(self.course, course)
        return attrs.evolve(self, course=course, sight=sight)

    def play(self, move: Move, at: int) -> TableView:
        """Make a move in the position looked at, `at` as the page saw it."""
        check(at == self.viewed, "the game has moved on meanwhile")
        seen = self.do(lambda course: course.play(move, at))
        place = seen.course.tree.child(at, move)
        return seen if place is None or at == self.course.at else seen.look(place)

    def undo(self) -> TableView:
        """Take back moves until it is a person's turn again, or a resignation."""
        self._check_present()
        return self.do(TableGame.undo)

    def redo(self) -> TableView:
        """Make moves again that were taken back, until it is a person's turn."""
        self._check_present()
        return self.do(TableGame.redo)

    def look(self, at: int) -> TableView:
        """Look at the position at a place of the tree."""
        self.course.ground.check_place(at)
        return attrs.evolve(self, sight=self.sight.at(at, self.course))

    def play_on(self) -> TableView:
        """Take the game to the position looked at, to play on from there."""
        seen = self.do(lambda course: course.play_on(self.viewed))
        return seen.look(seen.course.at)

    def promote(self, at: int) -> TableView:
        """Make a variation the main line, and so the game; what is looked at stays in sight."""
        return self.do(lambda course: course.promote(at)).look(self.viewed)

    def analyse(self, on: bool, ownership: bool) -> TableView:
        """Have the engine think of the position looked at, and of owners too, or of nothing."""
        return attrs.evolve(self, sight=attrs.evolve(self.sight, analysing=on, ownership=ownership))

    def _check_present(self) -> None:
        """What is taken back or made again is what is seen, or nothing."""
        if self.sight.looked_at is None:
            return
        tree = self.course.tree
        path = tree.path(self.viewed)
        what = "" if self.viewed in tree.path(self.course.at) else " of a variation"
        raise ActionRefused(
            f"you are looking at move {len(tree.moves(path))}{what}:"
            " first play on from here, or go to the last position"
        )


ViewerAction = Callable[[TableView], TableView]
"""What a page does: to the game, or to what it looks at."""
