"""The search of one position: a tree grows in short slices until a limit is reached.

One thread grows the tree, and others play for it (`flights`). The code of a slice is compiled and
releases the GIL. Between slices, which take about ten milliseconds, clocks and the stop event are
checked and progress is reported.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator, Sequence

import attrs

from linage_bot.engine.analysis import Analysis, Candidate, Report, mean_of_visits
from linage_bot.engine.calibration import calibrated
from linage_bot.engine.kernels.contract import Kernel
from linage_bot.engine.kernels.tuning import Tuning
from linage_bot.engine.limits import Limits
from linage_bot.engine.processors import PROCESSORS
from linage_bot.engine.search.layout import FEWEST_NODES
from linage_bot.engine.search.leads import LeadSearch
from linage_bot.engine.search.tree import MOST_VISITS, Tree
from linage_bot.engine.solver.proven_values import ProvenValues
from linage_bot.rules.game import Game, Move, Player, Position
from linage_bot.settings.network import Network
from linage_bot.settings.playing import MOST_NODES

MOST_FLIGHTS = 10
"""Flights under way at most: the strength with more was not measured in every game."""

_SLICE_SECONDS = 0.01
_FIRST_SLICE = 16  # visits
_REST_SECONDS = 0.0005  # pause if there is nothing to play
_PROBE_SECONDS = 0.05  # of a helper's work, until it is known whether it has a processor
# Of a processor, below which other programs need it. Windows measures a thread's time too roughly.
_OWN_SHARE = 0.0 if sys.platform == "win32" else 0.9
_BUSY_SECONDS = 1.0  # for which helpers then leave the processors to other programs


def flights_for(kernel: Kernel, tuning: Tuning, threads: int) -> tuple[int, int]:
    """Return the number of flights that are under way with this many threads, and their playouts.

    Each of several threads has one flight that it plays and one that waits. The more threads there
    are, the more playouts a flight needs, so that one thread can provide the others with flights.
    """
    if threads == 1:
        return 1, tuning.plays
    plays = 8 if threads >= 12 else 5 if threads >= 8 else min(1 << (threads - 2), 4)
    return min(2 * threads + 2, MOST_FLIGHTS), min(max(plays, tuning.plays), kernel.most_plays)


class Search:
    """A search of one position, and after `follow` of a later one; used by one thread at a time."""

    def __init__(
        self,
        kernel: Kernel,
        position: Position,
        moves: Sequence[Move],
        seed: int,
        threads: int = 1,
        tuning: Tuning | None = None,
        most_nodes: int = MOST_NODES,
        forced_draws: Sequence[Move] = (),
        network: Network | None = None,
        *,
        calibrates: bool = False,
    ) -> None:
        """Create a search among `moves`, at least one; `tuning` is the kernel's if None.

        With `calibrates`, its analyses have calibrated win rates (`engine.calibration`), and `run`
        can measure the lead. Moves in `forced_draws` count as draws, whether or not the rules
        agree. `threads` is the number of threads of a run that is given no other. Raises
        `NetworkFailed` if the network cannot evaluate this game.
        """
        self.position, self.forced_draws = position, forced_draws
        self.proven: ProvenValues | None = None  # of the position, by a proof outside this search
        self.prolongable = kernel.prolongable
        self._calibrates = calibrates
        self._busy_until = 0.0  # by the monotonic clock: other programs need the processors
        self._kernel, self._seed = kernel, seed
        self._tuning = tuning or kernel.tuning_for(position.game.board)
        self._lead = self._lead_search(moves)
        self._threads = threads
        self._tree = Tree(
            kernel,
            position,
            moves,
            seed,
            self._tuning,
            most_nodes,
            forced_draws=forced_draws,
            network=network,
        )

    @property
    def visits(self) -> int:
        """The number of playouts so far."""
        return self._tree.visits

    @property
    def win_rate(self) -> float:
        """The share of all playouts that the player to move won; needs at least one visit."""
        seen = self.searched()
        return sum(each.visits * each.win_rate for each in seen) / sum(each.visits for each in seen)

    @property
    def nodes(self) -> int:
        """The number of nodes in the tree."""
        return self._tree.nodes

    def learn(self, proven: ProvenValues | None, *, for_move: bool) -> None:
        """Take over values that were proven outside this search.

        With `for_move`, moves that are proven to lose are no longer searched, unless all moves
        lose.
        """
        self.proven = proven
        if for_move and proven is not None:
            lost = [move for move in proven.moves if proven.of(move).high < 0]
            self._tree.mark_lost(lost)

    def follow(
        self, moves: Sequence[Move], position: Position, forced_draws: Sequence[Move] = ()
    ) -> bool:
        """Continue from the position after these moves with the results for it.

        Return False if there are none; this search is useless then.
        """
        self.position, self.forced_draws, self.proven = position, forced_draws, None
        self._lead = self._lead_search(position.moves())
        return self._tree.follow(moves, position, forced_draws)

    def run(
        self,
        limits: Limits,
        stopped: threading.Event,
        report: Report | None = None,
        *,
        threads: int | None = None,
        for_move: bool = False,
        measure_lead: bool = False,
    ) -> None:
        """Search until a limit is reached or `stopped` is set, and report at every interval.

        The tree depends on `threads`, by default those of the search, but not on whether all of
        them find idle processors. With `measure_lead`, some more visits at other komis measure the
        lead (`search.leads`). With `for_move` and a limit on time alone, stop as soon as no other
        move can become the most visited, and use the extra time only as long as another one looks
        better. A first short slice always runs, so that there is a result even without any time.
        Raises the exceptions of the report's call and of the network.
        """
        over = threading.Event()
        helpers: list[threading.Thread] = []
        count = self._threads if threads is None else threads
        lag, plays = flights_for(self._kernel, self._tuning, count)
        self._tree.set_flights(lag, plays)
        try:
            with contextlib.suppress(RuntimeError):  # the system has no more threads: do without
                for _ in range(min(count, lag) - 1):
                    helper = threading.Thread(
                        target=self._play_flights, args=(over,), name="helper"
                    )
                    helper.daemon = True
                    helper.start()
                    helpers.append(helper)
            lead = self._lead if measure_lead else None
            PROCESSORS.share(self._slices(limits, stopped, report, lead, for_move=for_move))
        finally:
            over.set()
            for helper in helpers:
                helper.join()

    def _slices(
        self,
        limits: Limits,
        stopped: threading.Event,
        report: Report | None,
        lead: LeadSearch | None,
        *,
        for_move: bool,
    ) -> Iterator[None]:
        """Grow the tree for `run`, and yield between slices."""
        tree, visits = self._tree, limits.visits
        before = tree.visits
        began = reported_at = time.monotonic()
        deadline = began + (limits.ceiling_seconds if limits.seconds is None else limits.seconds)
        extra = limits.extra_seconds if for_move else 0.0
        slice_ = _FIRST_SLICE
        while True:
            now = time.monotonic()
            until = deadline + (extra if extra and tree.contested else 0.0)
            if tree.visits > before and (now >= until or stopped.is_set()):
                break
            if tree.certain or tree.visits >= MOST_VISITS:
                break
            if lead is not None and lead.measuring:
                if now >= until or stopped.is_set():
                    break
                lead.grow(slice_)
                slice_ = _next_slice(slice_, time.monotonic() - now)
                yield
                continue
            if visits is not None:
                slice_ = min(slice_, visits - tree.visits - tree.in_flight)
                if slice_ <= 0:
                    break
            if lead is not None and lead.next_at > tree.visits + tree.in_flight:
                slice_ = min(slice_, lead.next_at - tree.visits - tree.in_flight)
            tree.grow(slice_, visits or MOST_VISITS, for_move=for_move, to_end=False)
            seconds = time.monotonic() - now
            left = until - now - seconds
            spent = now + seconds - began
            if for_move and visits is None and left > 0 and spent > _SLICE_SECONDS:
                rate = (tree.visits - before) / spent
                if tree.lead > rate * left:
                    break
            slice_ = _next_slice(slice_, seconds)
            if lead is not None and tree.visits + tree.in_flight >= lead.next_at:
                mean = mean_of_visits(self.searched(), lambda each: each.lead) or 0.0
                lead.begin(tree.visits, mean)  # before the report at these visits
                yield
                continue
            if report is not None and time.monotonic() >= reported_at + report.interval_seconds:
                report.call(self.analysis())
                reported_at = time.monotonic()
            yield
        tree.grow(0, for_move=for_move)

    @property
    def measuring(self) -> bool:
        """Whether a measurement of the lead is under way, which the next `run` continues."""
        return self._lead is not None and self._lead.measuring

    def _lead_search(self, moves: Sequence[Move]) -> LeadSearch | None:
        """Return new measurements of the position's lead; None if it has none to measure."""
        position, game = self.position, self.position.game
        if not self._calibrates or not game.counts_points or game.komi_step is None:
            return None
        kernel, tuning, draws = self._kernel, self._tuning, self.forced_draws
        seed = self._seed + 1

        def tree_at(other: Game, number: int) -> Tree:  # without `self`: a cycle would live longer
            there, own = attrs.evolve(position, game=other), seed + number
            return Tree(kernel, there, moves, own, tuning, FEWEST_NODES, forced_draws=draws)

        return LeadSearch(game, position.to_move, tree_at)

    def _play_flights(self, over: threading.Event) -> None:
        """Play for the tree on an idle processor until the search is over.

        A helper without a processor of its own would keep the tree's thread waiting for its
        flights, and the search would be slower than without help.
        """
        helper, most = self._tree.playout_worker(), _FIRST_SLICE
        rest = spent = 0.0
        shared = list[bool]()  # by slice: whether another program also used the processor
        while not over.wait(max(rest, self._busy_until - time.monotonic())):
            with PROCESSORS.if_idle() as idle:
                began, before = time.monotonic(), time.thread_time()
                played = helper(most) if idle else 0
                seconds, worked = time.monotonic() - began, time.thread_time() - before
            rest = 0.0
            if not idle:
                rest = _SLICE_SECONDS
            elif played == most:
                most = _next_slice(most, seconds)
            elif not played:
                rest = _REST_SECONDS
            if seconds >= _SLICE_SECONDS / 2:
                spent += seconds
                shared.append(worked < _OWN_SHARE * seconds)
            if spent >= _PROBE_SECONDS:
                if 2 * sum(shared) > len(shared):  # not just one that waited for the interpreter
                    self._busy_until = time.monotonic() + _BUSY_SECONDS
                spent, shared = 0.0, []

    def analysis(
        self, searched: Sequence[Candidate] | None = None, *, proofs: bool = True
    ) -> Analysis:
        """Return the current evaluation, in which values proven by others replace estimates.

        `searched` are the moves of `searched`, where the caller has them: they cost milliseconds.
        """
        own = Analysis(
            position=self.position,
            candidates=tuple(self.searched() if searched is None else searched),
            visits=self.visits,
            nodes=self.nodes,
            settled=self._tree.certain or self.visits >= MOST_VISITS,
            viewer=self.position.to_move,
        )
        if self._calibrates:
            own = calibrated(own)
        if self._lead is not None and self._lead.lead is not None:
            own = own.with_lead(self._lead.lead)
        return own.proven_by(self.proven if proofs else None).seen_by(Player.FIRST)

    def searched(self) -> list[Candidate]:
        """Return the moves from the mover's view: certain wins first, then the most visited."""
        return self._tree.candidates()


def _next_slice(visits: int, seconds: float) -> int:
    """Return the visits for the next slice if these took so long; at most twice as many."""
    return max(1, min(2 * visits, int(visits * _SLICE_SECONDS / max(seconds, 1e-6))))
