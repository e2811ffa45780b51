"""The arena for sums: questions for exact values, the stored results and the search threads.

An arena serves one length of lines. It keeps its results in a store, which grows up to a limit of
memory; beyond that, results that took little work are replaced. Between two slices of the search no
thread is running: then the store grows and is written to disk.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from linage_bot.engine.solver.budgets import (
    FALSE,
    OUT_OF_ROOM,
    TRUE,
    Array,
    SearchArena,
    SearchBudget,
    parts,
)
from linage_bot.engine.solver.method import DEFAULT_BYTES
from linage_bot.engine.solver.sums.records import MARKS
from linage_bot.engine.solver.sums.regions import KnownRegions
from linage_bot.engine.solver.sums.searcher import Searcher
from linage_bot.engine.solver.sums.store import BUCKET, ENTRY, move_entries, new_store
from linage_bot.engine.worker import starting_threads

_FEWEST_BUCKETS = 1 << 8
_BUCKET_BYTES = 8 * BUCKET
_WELL_FILLED = 4  # entries of eight in a bucket; with more on average, some bucket pairs are full
_ALONE = 100  # nodes that one thread searches before others join
_FOREVER = 1 << 62  # entries


class Arena(SearchArena):
    """The results about regions and sums, with the threads that search for more."""

    kept = ENTRY

    def __init__(self, line: int, most_bytes: int = DEFAULT_BYTES, threads: int = 1) -> None:
        """Create an arena for one length of lines.

        The store takes at most a quarter of `most_bytes` before it grows for the last time, to
        three quarters. The small regions and the stack take some megabytes more for each thread.
        """
        self.line = line
        self._most_buckets = max(1, 3 * most_bytes // 4 // _BUCKET_BYTES)
        self._marks = np.zeros(MARKS if threads > 1 else 1, np.uint64)
        self.regions = KnownRegions(
            line, new_store(min(_FEWEST_BUCKETS, self._most_buckets)), self._marks
        )
        super().__init__(f"line-{line}", self.regions.head, most_bytes)
        self._threads = threads
        self._searchers = [Searcher(self.regions)]
        self._pool: ThreadPoolExecutor | None = None  # None unless a question takes long
        self._expect_entries()

    @property
    def nodes(self) -> int:
        """The number of positions whose moves have been examined by any thread so far."""
        return sum(searcher.nodes for searcher in self._searchers)

    @property
    def entries(self) -> int:
        """The number of regions and sums in the store."""
        return int(np.count_nonzero(self.regions.store[1::2]))

    @property
    def bytes(self) -> int:
        """The size of the arrays, in bytes."""
        return self.regions.store.nbytes + sum(searcher.bytes for searcher in self._searchers)

    def known(self) -> Iterator[Array]:
        """Return the entries of the store in no particular order.

        Small regions are not included, as they are soon found again.
        """
        for entries in parts(self.regions.store.view(ENTRY)):
            yield entries[entries["data"] != 0]

    def resume(self, known: Iterable[Array]) -> None:
        """Add all results of another arena to those of this one."""
        taken = self.entries
        for entries in known:
            self._make_room_for(taken + len(entries))
            taken += move_entries(entries.view(np.uint64), self.regions.store)
        self._expect_entries()

    def learn(self, regions: Array) -> None:
        """Add the bounds of regions that `KnownRegions.kept` of another arena returned."""
        self._make_room_for(self.entries + len(regions))
        self.regions.learn(regions)
        self._expect_entries()

    def at_least(self, tokens: Sequence[int], target: int, effort: SearchBudget) -> bool:
        """Return whether V - H of a sum is at least the target.

        Vertical is to move, without a pass before. Raises `OutOfTime`.
        """
        self._add_searchers()
        self._marks[:] = 0
        for searcher in self._searchers:
            searcher.ask(
                [self.regions.token_in(token, searcher.regions) for token in tokens], target
            )
        try:
            return self._answer(effort) == TRUE
        finally:
            if self._pool is not None:
                self._pool.shutdown()
                self._pool = None

    def _add_searchers(self) -> None:
        """Create searchers until there is one for each thread."""
        while len(self._searchers) < self._threads:
            regions = KnownRegions(self.line, self.regions.store, self._marks)
            self._searchers.append(Searcher(regions))
            self._expect_entries()

    def _advance(self, nodes: int) -> int:
        if len(self._searchers) == 1:
            return self._searchers[0].advance(nodes)
        if self._pool is None:  # one thread answers most questions at once
            self._pool = ThreadPoolExecutor(len(self._searchers) - 1)
            return self._searchers[0].advance(min(nodes, _ALONE))
        # Helper threads do not acquire `PROCESSORS`: a caller that asks for threads has them.
        share = -(-nodes // len(self._searchers))
        self._marks[0] = 0
        with starting_threads():
            others = [self._pool.submit(self._work, each, share) for each in self._searchers[1:]]
        found = {self._work(self._searchers[0], share), *(each.result() for each in others)}
        answers = found & {TRUE, FALSE}
        assert len(answers) < 2, "threads disagree"
        return next(iter(answers or (found & {OUT_OF_ROOM} or found)))

    def _work(self, searcher: Searcher, nodes: int) -> int:
        """Search one thread's part of a slice, then stop the other threads.

        The slice ends when the first thread is done, so that no thread waits for the slowest one.
        """
        try:
            return searcher.advance(nodes)
        finally:
            self._marks[0] = 1

    def _make_room(self) -> None:
        self._grow_to(2 * self._buckets)
        self._expect_entries()

    def _make_room_for(self, entries: int) -> None:
        """Grow the store, at least to twice its size, if this many entries fill it too much.

        It is then filled to half of `_WELL_FILLED` at most.
        """
        buckets = 2 * entries // _WELL_FILLED
        if buckets > self._buckets:
            self._grow_to(max(buckets, 2 * self._buckets))

    @property
    def _buckets(self) -> int:
        return len(self.regions.store) // BUCKET

    def _grow_to(self, buckets: int) -> None:
        """Grow the store to a number of buckets, or to as many as the limit of memory allows.

        The old store and the new one together stay within the limit, so the last step is a large
        one.
        """
        if 3 * buckets > self._most_buckets:
            buckets = self._most_buckets
        while _BUCKET_BYTES * buckets > self.regions.store.nbytes:
            try:
                store = new_store(buckets)
            except MemoryError:  # the machine has less memory than allowed: try half
                buckets = self._most_buckets = buckets // 2
                continue
            self._move_entries(store)
            for searcher in self._searchers:
                searcher.regions.store = store

    def _move_entries(self, store: Array) -> None:
        """Copy all entries into a larger store; each thread copies a part of the buckets.

        Threads help because memory is slow when it is first touched. Two threads may choose the
        same place at once: then an entry is lost, which costs time but never changes an answer.
        """
        parts = np.array_split(self.regions.store.reshape(-1, BUCKET), self._threads)
        with ThreadPoolExecutor(self._threads) as pool, starting_threads():
            moving = [pool.submit(move_entries, part.reshape(-1), store) for part in parts]
        for each in moving:
            each.result()

    def _expect_entries(self) -> None:
        """Set the number of entries that the searchers may add before the store grows.

        A store that may not grow takes any number.
        """
        most = _FOREVER
        if self._buckets < self._most_buckets:
            most = _WELL_FILLED * self._buckets - self.entries
        for searcher in self._searchers:
            searcher.expect(most // len(self._searchers))
