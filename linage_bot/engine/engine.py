"""Choosing a move: proof, search, levels, and thinking in the opponent's time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any, Self

import attrs

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.decision import Decision, decide
from linage_bot.engine.forks import watch_forks
from linage_bot.engine.limits import Limits
from linage_bot.engine.proving import (
    ANALYSIS_SECONDS,
    PROOF_SHARE,
    avoid_refuted,
    bounds,
    prove_beside,
    prove_move,
    share_time,
)
from linage_bot.engine.search.loading import begin, wait_for_kernel
from linage_bot.engine.solver.known import Proven, ended
from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.engine.solver.proof import Proof, Solver
from linage_bot.engine.tree_search import TreeSearch
from linage_bot.rules.game import PASS, Game, Move, Position
from linage_bot.rules.history import History
from linage_bot.settings.checks import check_limit
from linage_bot.settings.playing import PlaySettings

_CHECKED_SHARE = 0.5  # of the time left to search, for looking at the replies to what was found


class Engine:
    """Chooses moves for one game after another, and keeps what it found out from move to move.

    With a seed, one thread and a limit on visits, the same calls give the same moves.

    One thread at a time, but for `close`. What searches may wait for the end of pondering; what
    only changes how to play tells it to stop, and waits for nothing.
    """

    def __init__(self, settings: PlaySettings | None = None, **changes: Any) -> None:
        """How to play: `settings`, by default those of `PlaySettings`, with `changes` of them.

        Raises `TypeError` for a change of what is no setting, `ValueError` for one out of bounds.
        """
        self._search = TreeSearch((settings or PlaySettings()).changed(**changes))
        self._solver = Solver()  # for moves
        self._proof: Proof | None = None  # for analyses
        watch_forks(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def settings(self) -> PlaySettings:
        """How it plays; `configure` changes that."""
        return self._search.settings

    def configure(self, settings: PlaySettings) -> None:
        """Play differently from now on; a new seed begins its sequence anew."""
        self.forget()
        self._search.configure(settings)

    def new_game(self) -> None:
        """Begin the sequence of random numbers anew, so that games with a seed repeat."""
        self.forget()
        self._search.seeds.seed(self.settings.seed)

    def forget(self) -> None:
        """Tell what searches in the background to stop, and begin the next search from nothing."""
        self._search.forget()
        self._forget_proofs()

    def _forget_proofs(self) -> None:
        self._solver, self._proof = Solver(), None

    def close(self) -> None:
        """Search no more, and keep nothing; at any time, from any thread.

        A search that runs has to be stopped by who began it; neither a search nor a proof begins
        any more.
        """
        self._search.close()
        self._forget_proofs()

    def forked(self) -> None:
        """Begin anew in a forked child where a thread that it lacks was searching or proving."""
        if self._search.forked():
            self._forget_proofs()

    def play(
        self,
        history: History,
        limits: Limits | None = None,
        stopped: threading.Event | None = None,
        *,
        may_resign: bool = True,
        moves: tuple[Move, ...] | None = None,
        report: Report | None = None,
    ) -> Decision:
        """The move to play; with `stopped` set early, the best found so far, but a legal one.

        Without limits those of the settings hold. Only `moves` are considered if they are given;
        the rest is as for `analyse`. Any legal move where no search could begin.

        A move back to where the game has been counts as a draw, as in `analyse`, and is played if
        all others look worse; what was played here the last two times is played at once.
        """
        limits, stopped = limits or Limits.of(self.settings), stopped or threading.Event()
        position = history.position
        unknown = Analysis(position=position)
        if position.over:  # what match runners accept then
            return Decision(PASS, unknown)
        moves = _fewer(position, moves)
        legal = position.moves() if moves is None else moves
        if len(legal) == 1:
            return Decision(legal[0], unknown)
        proof = sure = None
        if moves is None and self._may_prove:
            self._search.stop_pondering()
            repeatable = limits.bounded_by_visits and self.settings.seed is not None
            with self._search.busy():
                proof, limits = prove_move(self._solver, position, limits, stopped, wait=repeatable)
        proven = None if proof is None else proof.proven
        if proven is not None and proven.good:
            good = _placements(proven.good) or proven.good
            sure = Decision(good[0], Analysis.of_proof(position, proven), exact=True)
            found = proof is not None and proof.searched
            if proven.value.low >= 0 or (found and len(good) == 1):
                return sure
            # Lost: the search knows which of the best moves opponents answer wrongly.
            moves = good if found and len(good) < len(_placements(legal)) else None
        played = history.played_here() if moves is None else ()
        again = len(played) > 1 and played[-1] == played[-2]  # so it led back the second time
        if again and played[-1] in history.ways_back():
            return Decision(played[-1], unknown, back=True)
        thinking = None
        if limits.visits != 0:
            ahead = proof is not None and proof.partial
            limits, left = limits.apart(_CHECKED_SHARE if ahead else 0.0)
            thinking = self._search.search(
                history, limits, stopped, moves, report, proven=proven, for_move=True
            )
            if ahead and thinking is not None and thinking.visits:
                with self._search.busy():
                    avoid_refuted(self._solver, thinking, left, stopped)
        if thinking is None or thinking.visits == 0:
            return sure or Decision(self._search.seeds.choice(_placements(legal) or legal), unknown)
        may_end = moves is None
        return decide(history, thinking, self.settings, may_resign=may_resign, may_end=may_end)

    @property
    def _may_prove(self) -> bool:
        """Whether the solver is wanted, and the engine not closed."""
        return self._search.uses_solver and not self._search.closed

    def prove(
        self,
        position: Position,
        seconds: float,
        stopped: threading.Event | None = None,
        *,
        wait: bool = True,
    ) -> Proven | None:
        """Return what can be proven of a position, by the table of solved boards or in the time.

        What is out of reach in so many seconds is not begun. An analysis of the position that
        follows tells what was proven. The time begins when the compiled code is ready; do not
        `wait` for it to do without. None if nothing is proven, or with the solver off.
        """
        self._search.stop_pondering()
        proof = self._proof_of(position, seconds)
        if proof is None:
            return None
        self._prove_for(
            proof, Limits(seconds=seconds), stopped or threading.Event(), 1.0, wait=wait
        )
        return proof.proven

    def analyse(
        self,
        history: History,
        limits: Limits | None = None,
        stopped: threading.Event | None = None,
        *,
        moves: tuple[Move, ...] | None = None,
        report: Report | None = None,
        proofs: bool = True,
        proof_share: float = PROOF_SHARE,
        proof_seconds: float | None = None,
        wait: bool = True,
    ) -> Analysis:
        """Return what is proven of the position, and what a search thinks of it.

        A proof that is within reach gets `proof_share` of the time and comes first; where limits
        say only visits, it gets a number of nodes. `proof_seconds` are what a proof may take in
        all, perhaps over several calls; then they are the limit where the others say only visits.
        Its code is waited for unless a clock runs or `wait` is False. Without any limits the proof
        runs beside the search. Without `proofs` it is what the search alone thinks, to be compared
        with its like.

        Without candidates if the game is over, or if the search could not begin: it was stopped
        before, or the limit of patience came, or the engine was closed. What is proven is told.

        Without limits those of the settings hold. Only `moves` are considered if they are given:
        raises `ValueError` for one that is not legal, and for none. A move back to where the game
        has been counts as a draw, for the opponent can go round again, and who wins can do so
        without.

        What an earlier search found out is kept if `history` goes on from its position. The time
        limit begins when the compiled code is ready; where a clock runs, it is a share of what
        is left then.
        """
        limits, stopped = limits or Limits.of(self.settings), stopped or threading.Event()
        position = history.position
        if position.over:
            return Analysis.of_proof(position, ended(position))
        moves = _fewer(position, moves)
        self._search.stop_pondering()
        if proof_seconds is None and limits.endless:
            proof_seconds = ANALYSIS_SECONDS
        given = bounds(limits, proof_share) if proof_seconds is None else (proof_seconds, None)
        proof = self._proof_of(position, *given) if proofs else None
        if proof is None:
            thinking = self._search.search(history, limits, stopped, moves, report)
            return thinking.analysis(proofs=proofs) if thinking else Analysis(position=position)
        if limits.endless:
            return self._analyse_beside(history, proof, stopped, moves, report)
        wait = wait and limits.clock_seconds is None
        limits = self._prove_for(proof, limits, stopped, proof_share, wait=wait)
        began = time.monotonic()
        thinking = self._search.search(history, limits, stopped, moves, report, proven=proof.proven)
        if thinking is None:
            return Analysis(position=position).proven_by(proof.proven)
        found = thinking.analysis()
        left = limits.less(time.monotonic() - began)  # by a search that had nothing more to do
        if proof_share and left.seconds and not stopped.is_set():
            self._prove_for(proof, left, stopped, 1.0, wait=False)
        return attrs.evolve(
            found.proven_by(proof.proven), settled=found.settled and not self.proving
        )

    def _analyse_beside(
        self,
        history: History,
        proof: Proof,
        stopped: threading.Event,
        moves: tuple[Move, ...] | None,
        report: Report | None,
    ) -> Analysis:
        """Search and prove until stopped, or until all is known; tell of both together."""

        def tell(analysis: Analysis) -> None:
            if report is not None and not stopped.is_set():
                report.call(analysis.proven_by(proof.proven))

        position = history.position
        if proof.proven is not None:  # before the search begins, which may take long
            tell(Analysis.of_proof(position, proof.proven).only(moves))
        prover = prove_beside(proof, stopped)
        each = None if report is None else Report(tell, report.interval_seconds)
        thinking = self._search.search(history, Limits(), stopped, moves, each, proven=proof.proven)
        found = Analysis(position=position)
        if thinking is not None:
            found = thinking.analysis()
            if not prover.wait(0):
                tell(found)
        prover.wait()
        return found.proven_by(proof.proven)

    def _prove_for(
        self, proof: Proof, limits: Limits, stopped: threading.Event, share: float, *, wait: bool
    ) -> Limits:
        """Go on with a proof for a share of the time; return the limits that are left."""
        with self._search.busy():
            return share_time(proof, limits, stopped, share, wait=wait)

    @property
    def proving(self) -> bool:
        """Whether more can be proven of the position that was analysed last."""
        proof = self._proof
        return proof is not None and not proof.finished

    def _proof_of(
        self, position: Position, seconds: float | None, nodes: int | None = None
    ) -> Proof | None:
        """Return a proof for analyses: the one there is unless more time may bring more."""
        if not self._may_prove:
            return None
        kept = self._proof
        if kept is None or kept.position != position or kept.given_less(seconds, nodes):
            solver = None if kept is None else kept.solver
            self._proof = Proof(position, seconds, nodes, solver=solver)
        return self._proof

    def analysis(
        self,
        history: History,
        *,
        interval_seconds: float = 1.0,
        visits: int | None = None,
        proofs: bool = True,
        proof_share: float = PROOF_SHARE,
        proof_seconds: float = ANALYSIS_SECONDS,
    ) -> Iterator[Analysis]:
        """Return what is thought and proven of the position, again and again, each time a bit more.

        The last one is that to which more thinking would add nothing, or from before the engine
        was asked for another search. With `visits` it is the one that `analyse` with this limit
        alone finds; `proofs` and the others as there. Raises `ValueError` for a bad interval or
        visits.
        """
        check_limit("interval_seconds", interval_seconds)
        proof = None
        if proofs and not history.position.over:
            proof = self._proof_of(history.position, proof_seconds)
        return self._updates(history, Limits(visits, interval_seconds), proof, proof_share, proofs)

    def _updates(
        self,
        history: History,
        limits: Limits,
        proof: Proof | None,
        proof_share: float,
        proofs: bool,
    ) -> Iterator[Analysis]:
        visits, stopped = limits.visits, threading.Event()
        left, _ = limits.apart(0.0 if proof is None else proof_share)
        thinking = None if history.position.over else self._search.search(history, left, stopped)
        searches = self._search.count
        while thinking is not None:
            analysis, before = thinking.analysis(proofs=proofs), thinking.visits
            if proof is not None:
                share = 1.0 if analysis.settled else proof_share
                left = self._prove_for(proof, limits, stopped, share, wait=analysis.settled)
                settled = analysis.settled and proof.finished
                analysis = attrs.evolve(analysis.proven_by(proof.proven), settled=settled)
            yield analysis
            # Another search may have gone on with the tree, and be growing it now.
            if (
                self._search.closed
                or self._search.count != searches
                or (visits is None and analysis.settled)
            ):
                return
            with self._search.busy():
                thinking.run(left, stopped)
            if visits is not None and thinking.visits == before:
                return

    def prepare(self, game: Game) -> None:
        """Get the compiled code in the background: a game against the clock is about to begin."""
        begin(game)

    def compile(self, game: Game, stopped: threading.Event) -> None:
        """Wait for the compiled code of the search, and of the proofs if these are wanted.

        Returns early when `stopped`; raises whatever loading raised.
        """
        if wait_for_kernel(game, stopped) is not None and self._search.uses_solver:
            wait_for_solver(game, stopped)

    def ponder(self, history: History) -> None:
        """Search in the background, about the opponent's move, until anything else is asked."""
        self._search.ponder(history)


def _placements(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    return tuple(move for move in moves if move != PASS)


def _fewer(position: Position, moves: tuple[Move, ...] | None) -> tuple[Move, ...] | None:
    """The moves to consider; None if they are all that are legal. Raises `ValueError`."""
    if moves is None:
        return None
    legal, wanted = set(position.moves()), set(moves)
    if not wanted or not wanted <= legal:
        raise ValueError(f"moves to consider: {moves} are not some of {sorted(legal)}")
    return None if wanted == legal else moves
