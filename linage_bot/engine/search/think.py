"""Thinking about one position: trees grown in short slices until a limit is met.

Several threads grow a tree each, with different seeds, and their visits are added up (root
parallelism). The code of a slice is compiled and releases the GIL; between slices, which last about
ten milliseconds, clocks are read, the order to stop is obeyed and progress is reported.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable, Iterator, Sequence

import attrs

from linage_bot.engine.analysis import Analysis, Candidate, Report, rank
from linage_bot.engine.kernels.contract import Kernel
from linage_bot.engine.kernels.tuning import Tuning
from linage_bot.engine.limits import Limits
from linage_bot.engine.processors import PROCESSORS
from linage_bot.engine.search.tree import MOST_VISITS, Tree
from linage_bot.engine.solver.known import Proven
from linage_bot.rules.game import Move, Player, Position
from linage_bot.settings.playing import MOST_NODES

_SLICE_SECONDS = 0.01
_FIRST_SLICE = 16  # visits


class Thinking:
    """A search of one position, and after `follow` of a later one; one thread at a time."""

    def __init__(
        self,
        kernel: Kernel,
        position: Position,
        moves: Sequence[Move],
        seed: int,
        threads: int = 1,
        tuning: Tuning | None = None,
        most_nodes: int = MOST_NODES,
    ) -> None:
        """`moves` are the moves to consider, at least one; `tuning` is the kernel's if None.

        The threads share `most_nodes`.
        """
        self.position = position
        self.proven: Proven | None = None  # of the position, by others than this search
        self.endless = kernel.endless
        self._trees = [
            Tree(
                kernel,
                position,
                moves,
                seed + number,
                tuning=tuning,
                most_nodes=most_nodes // threads,
            )
            for number in range(threads)
        ]

    @property
    def visits(self) -> int:
        """Playouts so far."""
        return sum(tree.visits for tree in self._trees)

    @property
    def win_rate(self) -> float:
        """The share of all playouts that the player to move won; some visit is needed."""
        seen = self.searched()
        return sum(each.visits * each.win_rate for each in seen) / sum(each.visits for each in seen)

    @property
    def nodes(self) -> int:
        """Nodes in the trees."""
        return sum(tree.nodes for tree in self._trees)

    def follow(self, moves: Sequence[Move], position: Position) -> bool:
        """Go on from the position after these moves with what is known of it.

        Returns False if that is nothing; this search is of no use then.
        """
        self.position, self.proven = position, None
        return all(tree.follow(moves, position) for tree in self._trees)

    def run(
        self,
        limits: Limits,
        stopped: threading.Event,
        report: Report | None = None,
        *,
        for_move: bool = False,
    ) -> None:
        """Think until a limit is met or `stopped` is set, and report at every interval.

        With `for_move` and a limit of time alone, stop as soon as no other move can become the most
        visited, and use the extra time only as long as another one looks better. A first short
        slice is done in any case, so that no time at all still gives a thought. Raises what
        the report's call raises.
        """
        began = time.monotonic()
        deadline = math.inf if limits.seconds is None else began + limits.seconds
        extra = limits.extra_seconds if for_move else 0.0
        over = threading.Event()

        def slices(tree: Tree, visits: int | None, report: Report | None) -> Iterator[None]:
            slice_, before, told = _FIRST_SLICE, tree.visits, began
            while True:
                now = time.monotonic()
                until = deadline + (extra if extra and tree.contested else 0.0)
                if tree.visits > before and (now >= until or stopped.is_set() or over.is_set()):
                    return
                if tree.certain or tree.visits >= MOST_VISITS:
                    over.set()  # nobody needs to think on
                    return
                if visits is not None:
                    slice_ = min(slice_, visits - tree.visits)
                    if slice_ <= 0:
                        return
                tree.grow(slice_, for_move=for_move)
                seconds = time.monotonic() - now
                left = until - now - seconds
                if for_move and visits is None and left > 0:
                    rate = (tree.visits - before) / (now + seconds - began)
                    if tree.lead > rate * left:
                        return
                slice_ = max(1, min(2 * slice_, int(slice_ * _SLICE_SECONDS / max(seconds, 1e-6))))
                if report is not None and time.monotonic() >= told + report.interval_seconds:
                    report.call(self.analysis())
                    told = time.monotonic()
                yield

        def grow(tree: Tree, visits: int | None, report: Report | None) -> None:
            PROCESSORS.share(slices(tree, visits, report))

        shares = self._shares(limits)
        others = [
            threading.Thread(target=grow, args=(tree, share, None), daemon=True)
            for tree, share in zip(self._trees[1:], shares[1:], strict=True)
        ]
        for thread in others:
            thread.start()
        try:
            grow(self._trees[0], shares[0], report)
        except BaseException:
            over.set()
            raise
        finally:
            for thread in others:
                thread.join()

    def _shares(self, limits: Limits) -> list[int | None]:
        """How many visits each tree is to reach."""
        count = len(self._trees)
        if limits.visits is None:
            return [None] * count
        return [(limits.visits + number) // count for number in reversed(range(count))]

    def analysis(self, *, proofs: bool = True) -> Analysis:
        """What the search thinks now, with what others have proven in place of what it guesses."""
        found = tuple(self.searched())
        certain = bool(found) and found[0].certain is not None
        own = Analysis(
            position=self.position,
            candidates=found,
            visits=self.visits,
            nodes=self.nodes,
            settled=certain or self.visits >= MOST_VISITS,
            viewer=self.position.to_move,
        )
        return own.proven_by(self.proven if proofs else None).seen_by(Player.FIRST)

    def searched(self) -> list[Candidate]:
        """The moves as the player to move sees them: certain wins first, then the most visited."""
        if len(self._trees) == 1:
            return self._trees[0].candidates()
        by_move: dict[Move, list[Candidate]] = {}
        for tree in self._trees:
            for candidate in tree.candidates():
                by_move.setdefault(candidate.move, []).append(candidate)
        merged = [_merged(same) for same in by_move.values()]
        return sorted(merged, key=rank)


def _merged(same: Iterable[Candidate]) -> Candidate:
    """One move as all trees see it, with the line of the tree that looked most.

    What one tree knows for certain stands.
    """
    same = sorted(same, key=lambda each: (each.certain is None, -each.visits))
    visits = sum(each.visits for each in same)
    if visits == 0 or same[0].certain is not None:
        return attrs.evolve(same[0], visits=visits)
    return attrs.evolve(
        same[0],
        visits=visits,
        win_rate=sum(each.visits * each.win_rate for each in same) / visits,
        lead=sum(each.visits * each.lead for each in same) / visits,
    )
