"""The progress and result of a review of the current game, which is made in time slices."""

from functools import partial
from typing import Self

import attrs

from linage_bot.jobs.sticky import StickyObject
from linage_bot.records.record import Record
from linage_bot.review import Review, reviewing
from linage_bot.review.facts import MoveReview
from linage_bot.review.judging import DEFAULT_VISITS, ReviewCache
from linage_bot.settings.playing import PlaySettings

SLICE_SECONDS = 0.2
_SEED = 1  # the same as in `linage-bot analyze`


@attrs.frozen
class ReviewProgress:
    """The progress of a review: its current activity, and the steps done of at most `total`."""

    doing: str
    done: int
    total: int


@attrs.frozen
class ReviewResult:
    """The result of one slice of a review, and the searches found since the last slice."""

    state: ReviewProgress | Review
    found: ReviewCache


class ReviewJob:
    """A running review, kept where its slices run; it continues from earlier findings."""

    def __init__(self, record: Record, settings: PlaySettings, found: ReviewCache) -> None:
        self._found = found.copy()
        self._sent = found.copy()
        self._step = ReviewProgress("searching", 0, len(record.moves))
        self._at_once = 1
        self._work = reviewing(
            record,
            settings,
            self._progressed,
            slice_seconds=SLICE_SECONDS,
            found=self._found,
            at_once=lambda: self._at_once,
        )

    def _progressed(self, doing: str, done: int, total: int) -> None:
        self._step = ReviewProgress(doing, done, total)

    def run(self, processors: int) -> ReviewResult:
        """Continue the review for one slice, on so many processors. Raise the search's errors."""
        state: ReviewProgress | Review
        self._at_once = processors
        try:
            next(self._work)
            state = self._step
        except StopIteration as end:
            state = end.value
        new = self._found.since(self._sent)
        self._sent.add(new)
        return ReviewResult(state, new)


class Reviewer:
    """The state of a review at its table; the slow part is a `ReviewJob`, kept where it runs.

    `line` holds the nodes of its positions in the tree.
    """

    def __init__(self, line: tuple[int, ...], record: Record, settings: PlaySettings) -> None:
        visits = min(settings.visits or DEFAULT_VISITS, DEFAULT_VISITS)
        how = PlaySettings(visits=visits, threads=settings.threads, seed=_SEED)
        self.line = line
        self._arguments = line, record, settings
        self.state: ReviewProgress | Review = ReviewProgress("searching", 0, len(record.moves))
        self._found = ReviewCache()
        self.judging = StickyObject(partial(ReviewJob, record, how, self._found))

    @property
    def finished(self) -> bool:
        """Whether the review is complete."""
        return isinstance(self.state, Review)

    def judged_at(self, node: int) -> MoveReview | None:
        """Return the judgement of the move made at a node; None if there is none yet."""
        if not isinstance(self.state, Review) or node not in self.line[:-1]:
            return None
        return self.state.moves[self.line.index(node)]

    def restarted(self) -> Self:
        """Return the same review before its start; only its inputs take up memory."""
        return type(self)(*self._arguments)

    def accept(self, judged: ReviewResult) -> None:
        """Store the result of a slice."""
        self.state = judged.state
        self._found.add(judged.found)
