"""A review of the game at hand, made in slices: how far it is, and what it has found."""

from typing import Self

import attrs

from linage_bot.records import Record
from linage_bot.review import Review, reviewing
from linage_bot.review.judging import DEFAULT_VISITS
from linage_bot.settings.playing import PlaySettings

SLICE_SECONDS = 0.2
_SEED = 1  # as that of `linage-bot analyze`


@attrs.frozen
class Underway:
    """How far a review is: what is done now, and so many of at most so many steps of it."""

    doing: str
    done: int
    total: int


class Reviewer:
    """Judges a game; `run` on one thread at a time, all else on the reactor's.

    `line` are the places of its positions in the tree.
    """

    def __init__(self, line: tuple[int, ...], record: Record, settings: PlaySettings) -> None:
        visits = min(settings.visits or DEFAULT_VISITS, DEFAULT_VISITS)
        how = PlaySettings(visits=visits, threads=settings.threads, seed=_SEED)
        self.line = line
        self._told_to = line, record, settings
        self.told: Underway | Review = Underway("searching", 0, len(record.moves))
        self._step: Underway = self.told
        self._work = reviewing(record, how, self._progressed, slice_seconds=SLICE_SECONDS)

    @property
    def through(self) -> bool:
        """Whether there is nothing more to do."""
        return isinstance(self.told, Review)

    def anew(self) -> Self:
        """Another one that has not begun: nothing but what it is to do takes up memory."""
        return type(self)(*self._told_to)

    def _progressed(self, doing: str, done: int, total: int) -> None:
        self._step = Underway(doing, done, total)

    def run(self) -> Underway | Review:
        """Go on for a slice; raises what the search raises."""
        try:
            next(self._work)
        except StopIteration as end:
            found: Review = end.value
            return found
        return self._step
