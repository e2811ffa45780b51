"""Analyses of one position, each from a longer search and proof than the one before."""

import threading
from collections.abc import Iterator

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.limits import Limits
from linage_bot.engine.proving import share_time
from linage_bot.engine.solver.proof import Proof
from linage_bot.engine.tree_search import TreeSearch
from linage_bot.rules.history import History


def updates(
    search: TreeSearch,
    history: History,
    limits: Limits,
    proof: Proof | None,
    proof_share: float,
    stopped: threading.Event,
    *,
    proofs: bool,
) -> Iterator[Analysis]:
    """Yield an analysis after every `limits.seconds`; between them the engine may be called.

    End when further search would add nothing, after another search of the engine, after its
    `close`, or when `stopped` is set.
    """
    thinking, searches = None, 0
    left, _ = limits.split(0.0 if proof is None else proof_share)
    analysis = Analysis(position=history.position)
    while not stopped.is_set():
        with search.calls.alone():
            if thinking is None:
                thinking = search.search(history, left, stopped)
                searches = search.count
                if thinking is None:
                    return
            else:
                # Another search may have taken over the tree, and pondering be growing it now.
                ended = limits.visits is None and analysis.settled
                if search.calls.closed or search.count != searches or ended:
                    return
                before, measured = thinking.visits, thinking.measuring
                thinking.run(left, stopped, measure_lead=True)
                if limits.visits is not None and thinking.visits == before and not measured:
                    return
            if thinking.measuring:  # so that the lead depends on the visits alone
                continue
            analysis = thinking.analysis(proofs=proofs)
            if proof is not None:
                share = 1.0 if analysis.settled else proof_share
                left = share_time(proof, limits, stopped, share, wait=analysis.settled)
                settled = analysis.settled and proof.finished
                analysis = attrs.evolve(analysis.proven_by(proof.proven), settled=settled)
        yield analysis
