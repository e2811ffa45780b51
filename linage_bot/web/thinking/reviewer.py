"""A review of the game at hand, made in slices: how far it is, and what it has found."""

from functools import partial
from typing import Self

import attrs

from linage_bot.jobs.sticky import StickyObject
from linage_bot.records import Record
from linage_bot.review import Review, reviewing
from linage_bot.review.judging import DEFAULT_VISITS, FoundOut
from linage_bot.settings.playing import PlaySettings

SLICE_SECONDS = 0.2
_SEED = 1  # as that of `linage-bot analyze`


@attrs.frozen
class Underway:
    """How far a review is: what is done now, and so many of at most so many steps of it."""

    doing: str
    done: int
    total: int


@attrs.frozen
class ReviewResult:
    """What a slice of a review came to, and what has been found out that was not told before."""

    told: Underway | Review
    found: FoundOut


class ReviewJob:
    """A review being made, where it is made; it goes on from what another one found out."""

    def __init__(self, record: Record, settings: PlaySettings, found: FoundOut) -> None:
        self._found = found.copy()
        self._told = found.copy()
        self._step = Underway("searching", 0, len(record.moves))
        self._work = reviewing(
            record, settings, self._progressed, slice_seconds=SLICE_SECONDS, found=self._found
        )

    def _progressed(self, doing: str, done: int, total: int) -> None:
        self._step = Underway(doing, done, total)

    def run(self) -> ReviewResult:
        """Go on for a slice; raises what the search raises."""
        told: Underway | Review
        try:
            next(self._work)
            told = self._step
        except StopIteration as end:
            told = end.value
        new = self._found.since(self._told)
        self._told.add(new)
        return ReviewResult(told, new)


class Reviewer:
    """A review as far as it is known at its table; what takes long is done where it is kept.

    `line` are the places of its positions in the tree.
    """

    def __init__(self, line: tuple[int, ...], record: Record, settings: PlaySettings) -> None:
        visits = min(settings.visits or DEFAULT_VISITS, DEFAULT_VISITS)
        how = PlaySettings(visits=visits, threads=settings.threads, seed=_SEED)
        self.line = line
        self._told_to = line, record, settings
        self.told: Underway | Review = Underway("searching", 0, len(record.moves))
        self._found = FoundOut()
        self.judging = StickyObject(partial(ReviewJob, record, how, self._found))

    @property
    def through(self) -> bool:
        """Whether there is nothing more to do."""
        return isinstance(self.told, Review)

    def anew(self) -> Self:
        """Another one that has not begun: nothing but what it is to do takes up memory."""
        return type(self)(*self._told_to)

    def accept(self, judged: ReviewResult) -> None:
        """Take what a slice came to."""
        self.told = judged.told
        self._found.add(judged.found)
