"""Proofs within a move's time or beside a search, once the compiled code is ready."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import TYPE_CHECKING

from linage_bot.engine.limits import DEFAULT_SECONDS, Limits
from linage_bot.engine.search.loading import begin, wait_for_kernel
from linage_bot.engine.solver.loading import solver_ready, wait_for_solver
from linage_bot.engine.solver.proof import Goal, Proof, Solver
from linage_bot.engine.solver.proven_values import Interval, ProvenValues, known
from linage_bot.engine.worker import Worker
from linage_bot.rules.game import Game, Position

if TYPE_CHECKING:
    from linage_bot.engine.search.think import Search

ANALYSIS_SECONDS = 20.0  # of proofs beside an analysis without an end
_MOVES_SECONDS = 300.0  # of these if the value is known, so that the moves' estimates contradict it
PROOF_SHARE = 0.5  # of an analysis
_SLICE_SECONDS = 0.5
_POLL_SECONDS = 0.02  # for code that is being loaded
_REFUTING_SHARE = 0.5  # of the time left for refutations, for each move that is checked
_MOST_REFUTED = 50
_NODES = 5_000  # where there is a limit on visits, at least,
_NODES_PER_VISIT = 0.5  # and for many visits: together they take as long as a quarter of them
_BRIEF_NODES = 20_000  # of an analysis, at least: a tenth of a second,
_BRIEF_NODES_PER_VISIT = 40  # but with few visits less: about as long as their search and report
_SOON_SECONDS = 1.0  # the longest expected proof that is waited for without a clock


def prove_move(
    solver: Solver, position: Position, limits: Limits, stopped: threading.Event, *, wait: bool
) -> tuple[Proof, Limits]:
    """Return the proof of a good move as far as it got, and the limits that are left.

    `wait`: wait for code that is not ready yet, so that the result is repeatable.
    """
    game = position.game
    forecast = solver.forecast(game)
    seconds, nodes = bounds(limits, forecast.share)
    proof = Proof(position, seconds, nodes, goal=Goal.MOVE, solver=solver, hope=forecast.hope)
    if proof.finished:
        if proof.near:
            code_ready(game)  # starts to load the code if it is not ready
        return proof, limits
    # Wait for shared code; code compiled for one game alone takes too long for fast moves.
    patient = (
        not limits.bounded_by_visits
        and limits.clock_seconds is None
        and (forecast.code_is_shared or (seconds or 0.0) >= forecast.share * _SOON_SECONDS)
        and proof.takes(_SOON_SECONDS)
    )
    if not code_there(game, stopped, wait=wait or patient):
        return proof, limits
    started = time.monotonic()
    proof.run(stopped)
    return proof, limits.less(time.monotonic() - started)


def avoid_refuted(
    solver: Solver, thinking: Search, limits: Limits, stopped: threading.Event
) -> None:
    """Check whether the opponent can be proven to win after the move that looks best.

    If so, record that the move loses, and check the next best one while there is time.
    """
    for _ in range(_MOST_REFUTED):
        best = thinking.searched()[0]
        bounded = limits.seconds or limits.bounded_by_visits
        if best.certain is not None or stopped.is_set() or not bounded:
            return
        started = time.monotonic()
        seconds, nodes = bounds(limits, _REFUTING_SHARE)
        after = thinking.position.after(best.move)
        proof = Proof(after, seconds, nodes, goal=Goal.MOVE, solver=solver)
        if not proof.finished and code_ready(after.game):
            proof.run(stopped)
        if proof.proven is None or proof.proven.value.low <= 0:
            return
        lost = ProvenValues(Interval(), {best.move: Interval(-1, -1)}, points=False)
        thinking.learn(lost.together(thinking.proven), for_move=True)
        limits = limits.less(time.monotonic() - started)


def share_time(
    proof: Proof, limits: Limits, stopped: threading.Event, share: float, *, wait: bool = False
) -> Limits:
    """Continue a proof for a share of the time, and return the limits that are left.

    If the limits bound only visits, the proof uses all of its own budget. `wait`: wait for code
    that is not ready yet; the wait does not count against the time.
    """
    if proof.finished or not share or not code_there(proof.position.game, stopped, wait=wait):
        return limits
    started = time.monotonic()
    proof.run(stopped, None if limits.seconds is None else share * limits.seconds)
    return limits.less(time.monotonic() - started)


def analysis_seconds(position: Position) -> float:
    """Return how long an analysis without an end may prove a position, in seconds."""
    proven = known(position)
    open_moves = proven is not None and proven.value.exact and not proven.best
    return _MOVES_SECONDS if open_moves else ANALYSIS_SECONDS


def prove_beside(proof: Proof, stopped: threading.Event) -> Worker[None]:
    """Start a proof on another thread; wait for it if it is likely to take at most a second."""
    prover = Worker(partial(continue_proof, proof), name="proof", stopped=stopped)
    prover.begin()
    if not proof.finished and proof.takes(_SOON_SECONDS) and code_ready(proof.position.game):
        prover.wait(_SOON_SECONDS)
    return prover


def continue_proof(proof: Proof, stopped: threading.Event) -> None:
    """Continue a proof, updating its `proven`, until it is finished or `stopped` is set."""
    while not proof.finished and not stopped.is_set():
        if code_ready(proof.position.game):
            proof.run(stopped, _SLICE_SECONDS)
        else:
            stopped.wait(_POLL_SECONDS)


def code_ready(game: Game) -> bool:
    """Return whether the solver's code is ready; otherwise load it, after the search's code."""
    return begin(game).loaded is not None and solver_ready(game)


def code_there(game: Game, stopped: threading.Event, *, wait: bool) -> bool:
    """Return whether the code is ready, after waiting for it if `wait` is set."""
    return wait_for_code(game, stopped) if wait else code_ready(game)


def wait_for_code(game: Game, stopped: threading.Event) -> bool:
    """Wait for the search's code and the solver; return False if `stopped` came first."""
    return wait_for_kernel(game, stopped) is not None and wait_for_solver(game, stopped)


def bounds(limits: Limits, share: float, *, brief: bool = False) -> tuple[float | None, int | None]:
    """Return the seconds and nodes that a proof may take, with this share of the time.

    None: no such limit. A limit on visits bounds the nodes even if there is a time limit, too.
    `brief`: this may be one of thousands of analyses, so with few visits their number counts.
    """
    if not share:
        return 0.0, 0
    seconds = nodes = None
    if limits.visits is not None:
        fewest = min(_BRIEF_NODES, _BRIEF_NODES_PER_VISIT * limits.visits) if brief else _NODES
        nodes = max(fewest, int(_NODES_PER_VISIT * limits.visits))
    if not limits.bounded_by_visits:
        seconds = share * (DEFAULT_SECONDS if limits.seconds is None else limits.seconds)
    return seconds, nodes
