"""Commands that tell exact values."""

import math
import time

from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.engine.solver.sums.sums import is_sum
from linage_bot.gtp.engine import GtpEngine, commands
from linage_bot.gtp.job import Job
from protocol.errors import CommandFailed

_DEFAULT_SECONDS = 10.0


@commands.named("linage-solve")
def linage_solve(engine: GtpEngine, seconds: float | None = None) -> Job:
    """Tell the exact score of the position and every best move, as one line of JSON.

    Ends when all is proven, after SECONDS (10), or when it is stopped; empty boards that take
    longer are looked up in the table of solved boards. `exact`: whether the score
    and the best moves are proven; `score`: V - H under best play, komi not counted, or null;
    `bounds` of it in any case; `to_move`, `best`, `moves` (a vertex or `pass` and its score) and
    `regions`, each with its `points`, its `owner`, its score alone as `black_first` and
    `white_first`, and if small its `mean`, its `temperature` and its `value` in canonical form. In
    other games than Linage the score is First's points less Second's, or 1 and -1 in games that
    count none, and small boards only can be solved. Fails with `cannot solve` for stones that were
    set up as no game can leave them.
    """
    most = engine.most_seconds
    if seconds is None:
        seconds = min(_DEFAULT_SECONDS, most)
    if not (seconds >= 0 and math.isfinite(seconds)):
        raise CommandFailed("syntax error: SECONDS is a number from 0 up")
    if seconds > most:
        raise CommandFailed(f"syntax error: SECONDS is at most {most:.12g} on this server")
    position = engine.position

    plain = None if is_sum(position) else position.game

    def run(job: Job) -> str:
        if not wait_for_solver(job.stopped, plain):
            raise CommandFailed("cannot solve: stopped while the solver was being loaded")
        from linage_bot.engine.solver.effort import Effort
        from linage_bot.engine.solver.keeping import regions_kept
        from linage_bot.engine.solver.methods import new_arena, solving_in
        from linage_bot.engine.solver.report import report_from_table, report_on, to_json

        report = report_from_table(position)
        if report is not None:
            return to_json(report)
        effort = Effort(job.stopped, time.monotonic() + seconds)
        try:
            arena = new_arena(position)
        except NotSolvable as error:
            raise CommandFailed(f"cannot solve: {error}") from None
        with regions_kept(arena):
            return to_json(report_on(solving_in(arena, position), position, effort))

    return Job(run, ends_by_itself=True)
