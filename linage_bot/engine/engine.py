"""The engine, which chooses moves by proof and search, with levels and pondering."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from typing import Self, Unpack

import attrs

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.calls import exclusive
from linage_bot.engine.decision import Decision, decide
from linage_bot.engine.forks import watch_forks
from linage_bot.engine.jit.progress import OnCompile, reporting_to
from linage_bot.engine.limits import Limits
from linage_bot.engine.proving import (
    PROOF_SHARE,
    analysis_seconds,
    avoid_refuted,
    bounds,
    prove_beside,
    prove_move,
    share_time,
)
from linage_bot.engine.search.loading import begin, wait_for_kernel
from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.engine.solver.proof import Proof, Solver
from linage_bot.engine.solver.proven_values import ProvenValues, ended
from linage_bot.engine.tree_search import TreeSearch
from linage_bot.engine.updates import updates
from linage_bot.rules.arguments import check_given, check_type
from linage_bot.rules.game import PASS, Game, Move, Position
from linage_bot.rules.history import History, position_of
from linage_bot.settings.checks import check_limit
from linage_bot.settings.playing import PlayChanges, PlaySettings

_CHECKED_SHARE = 0.5  # of the time left to search, for proofs of the replies to the best moves


class Engine:
    """A player of one game after another that keeps its search tree and proofs between moves.

    With a seed, one thread and a limit on visits, the same calls give the same moves.

    Methods that search raise `RuntimeError` if another thread's search has not returned, and
    `EngineClosed` after `close`. They may wait for pondering to end; methods that only change
    settings signal it to stop, and never wait.
    """

    def __init__(
        self,
        settings: PlaySettings | None = None,
        *,
        on_compile: OnCompile | None = None,
        **changes: Unpack[PlayChanges],
    ) -> None:
        """Create an engine with `settings`, by default those of `PlaySettings`, and `changes`.

        Raises `TypeError` for an unknown setting, `ValueError` for a value out of bounds.

        While a call waits for code that this machine compiles, it calls `on_compile` about ten
        times a second with the progress, and once more at the end. An exception raised there ends
        the call.

        The settings:

        visits: the limit on the visits of a search for a move, beside the level's; None: no limit.
        seconds: the limit on the time of a search for a move; None: no limit, but 5 seconds for a
            search that has no other limit.
        threads: the number of threads of one search.
        nodes: the limit on the nodes in memory; beyond it the least visited are removed.
        seed: the start of the random numbers; None: another one every time.
        resign_rate: the win rate below which the engine resigns; None: it never does.
        level: the strength, from 0, random play, to 27, full strength; a limit on visits, too.
        ponder: whether to search while the opponent does.
        search: the kind of search, "rave" or "uct", the plain one.
        solver: whether to prove values and use knowledge about regions, if the level does.
        network: a network that helps the search; None: there is none.
        """
        settings = PlaySettings() if settings is None else settings
        check_type("settings", settings, PlaySettings)
        if on_compile is not None and not callable(on_compile):
            raise TypeError(f"on_compile: expected a function, not {type(on_compile).__name__}")
        self._on_compile = on_compile
        self._search = TreeSearch(settings.changed(**changes), on_compile)
        self.calls = self._search.calls
        self._solver = Solver()  # for moves
        self._proof: Proof | None = None  # for analyses
        watch_forks(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def settings(self) -> PlaySettings:
        """The current settings; `configure` changes them."""
        return self._search.settings

    def configure(self, settings: PlaySettings) -> None:
        """Change the settings and forget the search; a new seed restarts the random numbers."""
        check_type("settings", settings, PlaySettings)
        self.forget()
        self._search.configure(settings)

    def new_game(self) -> None:
        """Forget the last game and restart the random numbers, so that games with a seed repeat."""
        self.forget()
        self._search.seeds.seed(self.settings.seed)

    def forget(self) -> None:
        """Signal pondering to stop, and discard the search tree and the proofs."""
        self._search.forget()
        self._forget_proofs()

    def _forget_proofs(self) -> None:
        self._solver, self._proof = Solver(), None

    def close(self) -> None:
        """Stop pondering and discard the tree and the proofs; at any time, from any thread.

        No search and no proof starts after this. A running search has to be stopped by its caller.
        """
        self._search.close()
        self._forget_proofs()

    def forked(self) -> None:
        """Discard the tree and the proofs in a forked child if a lost thread was using them."""
        if self._search.forked():
            self._forget_proofs()

    @exclusive
    def play(
        self,
        history: History | Position,
        limits: Limits | None = None,
        stopped: threading.Event | None = None,
        *,
        may_resign: bool = True,
        moves: Iterable[Move | str] | None = None,
        report: Report | None = None,
    ) -> Decision:
        """Return the move to play; if `stopped` is set early, the best legal move found so far.

        Without limits those of the settings apply. Only `moves` are considered if they are given;
        the rest is as for `analyse`. If no search could start, any legal move is returned.

        A move back to an earlier position counts as a draw, as in `analyse`, and is played if all
        others look worse. If the same such move was played here the last two times, it is repeated
        without a search.
        """
        history, limits, stopped = self._checked(history, limits, stopped, report)
        position = history.position
        if position.over:  # match runners accept a pass here
            return Decision(PASS, Analysis.of_proof(position, ended(position)))
        unknown = Analysis(position=position)
        moves = _fewer(position, moves)
        legal = position.moves() if moves is None else moves
        if len(legal) == 1:
            return Decision(legal[0], unknown)
        proof = sure = None
        if moves is None and self._may_prove:
            self._search.stop_pondering()
            repeatable = limits.bounded_by_visits and self.settings.seed is not None
            proof, limits = prove_move(self._solver, position, limits, stopped, wait=repeatable)
        proven = None if proof is None else proof.proven
        if proven is not None and proven.good:
            good = _placements(proven.good) or proven.good
            sure = Decision(good[0], Analysis.of_proof(position, proven), exact=True)
            found = proof is not None and proof.searched
            if proven.value.low >= 0 or (found and len(good) == 1):
                return sure
            # Lost: the search finds which of the best moves opponents answer wrongly.
            moves = good if found and len(good) < len(_placements(legal)) else None
        played = history.played_here() if moves is None else ()
        again = len(played) > 1 and played[-1] == played[-2]  # the move has led back here before
        if again and played[-1] in history.ways_back():
            return Decision(played[-1], unknown, back=True)
        thinking = None
        if limits.visits != 0:
            ahead = proof is not None and proof.partial
            limits, left = limits.split(_CHECKED_SHARE if ahead else 0.0)
            thinking = self._search.search(
                history, limits, stopped, moves, report, proven=proven, for_move=True
            )
            if ahead and thinking is not None and thinking.visits:
                avoid_refuted(self._solver, thinking, left, stopped)
        if thinking is None or thinking.visits == 0:
            return sure or Decision(self._search.seeds.choice(_placements(legal) or legal), unknown)
        may_end = moves is None
        return decide(history, thinking, self.settings, may_resign=may_resign, may_end=may_end)

    def _checked(
        self,
        history: History | Position,
        limits: Limits | None,
        stopped: threading.Event | None,
        report: Report | None,
    ) -> tuple[History, Limits, threading.Event]:
        """Return the arguments of a search with their defaults; raises `TypeError`."""
        check_given(Limits, limits=limits)
        check_given(threading.Event, stopped=stopped)
        check_given(Report, report=report)
        return History.of(history), limits or Limits.of(self.settings), stopped or threading.Event()

    @property
    def _may_prove(self) -> bool:
        """Whether the settings use the solver, and the engine is not closed."""
        return self._search.uses_solver and not self.calls.closed

    @exclusive
    def prove(
        self,
        position: Position | History,
        seconds: float,
        stopped: threading.Event | None = None,
        *,
        wait: bool = True,
    ) -> ProvenValues | None:
        """Return a position's values proven by the table of solved boards or a proof in the time.

        A proof that is out of reach in this many seconds is not started. A later analysis of the
        position includes the result. The time starts when the compiled code is ready; without
        `wait`, code that is not ready is not used. None if nothing is proven or the solver is off.
        """
        position, limits = position_of(position), Limits(seconds=seconds)
        self._search.stop_pondering()
        proof = self._proof_of(position, limits.seconds)
        if proof is None:
            return None
        share_time(proof, limits, stopped or threading.Event(), 1.0, wait=wait)
        return proof.proven

    @exclusive
    def analyse(
        self,
        history: History | Position,
        limits: Limits | None = None,
        stopped: threading.Event | None = None,
        *,
        moves: Iterable[Move | str] | None = None,
        report: Report | None = None,
        proofs: bool = True,
        proof_share: float = PROOF_SHARE,
        proof_seconds: float | None = None,
        wait: bool = True,
        threads: int | None = None,
    ) -> Analysis:
        """Return the analysis of a position by a proof and a search.

        A proof that is within reach gets `proof_share` of the time and comes first; if the limits
        bound only visits, their number limits its nodes. `proof_seconds` is the total time of a
        proof, perhaps over several calls; it is then also the proof's limit if the others bound
        only visits. The solver's code is waited for unless a clock runs or `wait` is False. Without
        any limits the proof runs beside the search. Without `proofs` the result is the search's
        alone, for comparison with other searches. `threads` replaces that of the settings.

        There are no candidates if the game is over, or if the search could not start: it was
        already stopped, the wait for compiled code timed out, or the engine was closed. Proven
        values are included even then.

        Without limits those of the settings apply. Only `moves` are considered if they are given:
        raises `ValueError` if one is illegal, or if there are none, or for a number of threads out
        of bounds. A move back to an earlier position counts as a draw: the opponent can repeat the
        cycle, and a player with a winning move does not need to go back.

        The tree of an earlier search is reused if `history` continues from its position. The time
        limit starts when the compiled code is ready; if a clock runs, it is a share of the time
        left then.
        """
        history, limits, stopped = self._checked(history, limits, stopped, report)
        check_limit("proof_share", proof_share, most=1)
        if proof_seconds is not None:
            check_limit("proof_seconds", proof_seconds)
        if threads is not None:
            self.settings.changed(threads=threads)  # checks it
        position = history.position
        if position.over:
            return Analysis.of_proof(position, ended(position))
        moves = _fewer(position, moves)
        self._search.stop_pondering()
        if proof_seconds is None and limits.unlimited:
            proof_seconds = analysis_seconds(position)
        given: tuple[float | None, int | None] = (proof_seconds, None)
        if proof_seconds is None:
            given = bounds(limits, proof_share, brief=True)
        proof = self._proof_of(position, *given) if proofs else None
        if proof is None:
            thinking = self._search.search(history, limits, stopped, moves, report, threads=threads)
            return thinking.analysis(proofs=proofs) if thinking else Analysis(position=position)
        if limits.unlimited:
            return self._analyse_beside(history, proof, stopped, moves, report, threads)
        wait = wait and limits.clock_seconds is None
        limits = share_time(proof, limits, stopped, proof_share, wait=wait)
        began = time.monotonic()
        thinking = self._search.search(
            history, limits, stopped, moves, report, proven=proof.proven, threads=threads
        )
        if thinking is None:
            return Analysis(position=position).proven_by(proof.proven)
        found = thinking.analysis()
        left = limits.less(time.monotonic() - began)  # by a search that was settled early
        if proof_share and left.seconds and not stopped.is_set():
            share_time(proof, left, stopped, 1.0, wait=False)
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
        threads: int | None,
    ) -> Analysis:
        """Search and prove until stopped or settled; report and return the combined analysis."""

        def report_combined(analysis: Analysis) -> None:
            if report is not None and not stopped.is_set():
                report.call(analysis.proven_by(proof.proven))

        position = history.position
        if proof.proven is not None:  # before the search starts, which may take a while
            report_combined(Analysis.of_proof(position, proof.proven).only(moves))
        prover = prove_beside(proof, stopped)
        each = None if report is None else Report(report_combined, report.interval_seconds)
        thinking = self._search.search(
            history, Limits(), stopped, moves, each, proven=proof.proven, threads=threads
        )
        found = Analysis(position=position)
        if thinking is not None:
            found = thinking.analysis()
            if not prover.wait(0):
                report_combined(found)
        prover.wait()
        return found.proven_by(proof.proven)

    @property
    def proving(self) -> bool:
        """Whether the proof of the last analysed position is unfinished."""
        proof = self._proof
        return proof is not None and not proof.finished

    def _proof_of(
        self, position: Position, seconds: float | None, nodes: int | None = None
    ) -> Proof | None:
        """Return a proof for analyses, reusing the last one unless it was given less effort.

        None if the solver is off or the engine is closed.
        """
        if not self._may_prove:
            return None
        kept = self._proof
        if kept is None or kept.position != position or kept.exceeded_by(seconds, nodes):
            solver = None if kept is None else kept.solver
            self._proof = Proof(position, seconds, nodes, solver=solver)
        return self._proof

    @exclusive
    def analysis(
        self,
        history: History | Position,
        *,
        interval_seconds: float = 1.0,
        visits: int | None = None,
        proofs: bool = True,
        proof_share: float = PROOF_SHARE,
        proof_seconds: float | None = None,
        stopped: threading.Event | None = None,
    ) -> Iterator[Analysis]:
        """Return an iterator of analyses of the position, each from a longer search and proof.

        It ends when further search would add nothing, when the engine starts another search or is
        closed, or when `stopped` is set. With `visits` its last analysis is that of `analyse` with
        this limit alone; `proofs` and the rest are as there. A proof has 20 seconds by default,
        and 300 where the table of solved boards knows the value but no move that reaches it. Raises
        `ValueError` for an invalid interval or visits.
        """
        check_limit("interval_seconds", interval_seconds)
        check_limit("proof_share", proof_share, most=1)
        limits = Limits(visits, interval_seconds)
        history, limits, stopped = self._checked(history, limits, stopped, None)
        position = history.position
        if proof_seconds is None:
            proof_seconds = analysis_seconds(position)
        check_limit("proof_seconds", proof_seconds)
        if position.over:
            return iter((Analysis.of_proof(position, ended(position)),))
        proof = self._proof_of(position, proof_seconds) if proofs else None
        return updates(self._search, history, limits, proof, proof_share, stopped, proofs=proofs)

    def prepare(self, game: Game) -> None:
        """Start loading the compiled code in the background, before a timed game begins."""
        check_type("game", game, Game)
        begin(game)

    def compile(self, game: Game, stopped: threading.Event) -> None:
        """Wait for the compiled code of the search, and of the solver if the settings use it.

        Returns early when `stopped` is set; raises any exception of the loading.
        """
        with reporting_to(self._on_compile):
            if wait_for_kernel(game, stopped) is not None and self._search.uses_solver:
                wait_for_solver(game, stopped)

    def ponder(self, history: History | Position) -> None:
        """Search the opponent's moves in the background until the next search or stop.

        A closed engine does not.
        """
        with self.calls.alone():
            self._search.ponder(History.of(history))


def _placements(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    return tuple(move for move in moves if move != PASS)


def _fewer(position: Position, moves: Iterable[Move | str] | None) -> tuple[Move, ...] | None:
    """Return the moves to consider, or None for all legal ones.

    Raises `ValueError` if one is illegal, or if there are none.
    """
    if moves is None:
        return None
    moves = position.game.parse_moves(moves)
    legal, wanted = set(position.moves()), set(moves)
    if not wanted or not wanted <= legal:
        raise ValueError(
            f"moves to consider: {moves} are not all legal; the legal moves are {sorted(legal)}"
        )
    return None if wanted == legal else moves
