"""A position solved move by move, each move once, by the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING

from linage_bot.engine.solver.effort import Effort
from linage_bot.engine.solver.known import Proven, Span
from linage_bot.engine.solver.methods import new_arena, solving_in
from linage_bot.engine.solver.report import SolverReport
from linage_bot.engine.solver.solved import alike
from linage_bot.rules.game import Move, Position

if TYPE_CHECKING:
    from linage_bot.engine.cluster import Crew

Answer = tuple[Span, int]  # what is proven of the lead of the player to move, and the nodes


def solve_with(
    crew: Crew,
    position: Position,
    *,
    most_bytes: int,
    threads: int,
    told: Callable[[Move, Span], None],
) -> SolverReport:
    """The score of every move of a position that is not over, and so what the position is worth.

    Of moves alike by symmetry one is asked for; `told` hears of each. A worker has so many threads,
    and so much memory for its table. Raises `ClusterGone`.
    """
    spans: dict[Move, Span] = {}
    nodes = 0
    with ThreadPoolExecutor(crew.at_once) as pool:
        asked: dict[Future[Answer], tuple[Move, ...]] = {}
        for same in alike(position, position.moves()):
            key = crew.new_key("solve")
            child = position.after(same[0])
            work = pool.submit(crew.ask, key, solved, key, child, most_bytes, threads)
            asked[work] = same
        try:
            for work in as_completed(asked):
                span, more = work.result()
                nodes += more
                spans |= dict.fromkeys(asked[work], Span(-span.high, -span.low))
                told(asked[work][0], spans[asked[work][0]])
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    value = Span(
        max(span.low for span in spans.values()), max(span.high for span in spans.values())
    )
    moves = {move: spans[move] for move in position.moves()}
    proven = Proven(value, moves, position.game.counts_points)
    return SolverReport(position=position, proven=proven, nodes=nodes)


def solved(key: str, position: Position, most_bytes: int, threads: int) -> Answer:
    """What a worker does with one move: the lead in the position after it."""
    from linage_bot.engine.cluster import stopping  # needs Dask

    solving = solving_in(new_arena(position, most_bytes, threads), position)
    with stopping(key) as stopped:
        solving.find_score(Effort(stopped))
    return solving.proven(position).value, solving.nodes
