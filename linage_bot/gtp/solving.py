"""Commands that report exact values: of the position, and of each region on a board for GoGui."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from linage_bot.engine.command_job import CommandJob
from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.engine.solver.methods import check_regions, new_arena, solving_in
from linage_bot.gtp.engine import GtpEngine, commands
from linage_bot.gtp.graphics import value_board
from linage_bot.rules.boards import Point, bits
from linage_bot.rules.game import Game
from protocol.session.errors import CommandFailed

if TYPE_CHECKING:
    from linage_bot.engine.solver.report import RegionReport

_DEFAULT_SECONDS = 10.0
_REGION_SECONDS = 2.0


@commands.named("linage-solve")
def linage_solve(engine: GtpEngine, seconds: float | None = None) -> CommandJob:
    """Return the exact score of the position and every best move, as one line of JSON.

    The search ends when everything is proven, after SECONDS (10 by default), or at `stop`. Large
    solved boards are looked up in a table. The keys of the answer:

    - `exact`: whether the score and the best moves are proven
    - `score`: the score under best play, without komi, or null; it is Vertical's points minus
      Horizontal's, in other games First's minus Second's, or 1 and -1 in games without points
    - `bounds`: bounds of the score, also if it is not proven
    - `to_move`, `best`: the player to move, and the best moves
    - `moves`: each move, a vertex or `pass`, with its score
    - `regions`: each region with its `points`, its `owner`, and its own score as `black_first` and
      `white_first`; a small one also with its `mean`, its `temperature` and its `value` in
      canonical form; in Parity Linage with its `nimber` and `parity`, or null

    Only small boards of the other games can be solved. Fails with `cannot solve` if the stones were
    set up in a way that no game can reach.
    """
    most = engine.most_seconds
    if seconds is None:
        seconds = min(_DEFAULT_SECONDS, most)
    if not (seconds >= 0 and math.isfinite(seconds)):
        raise CommandFailed("syntax error: SECONDS must be a number from 0 up")
    if seconds > most:
        raise CommandFailed(f"syntax error: SECONDS is at most {most:.12g} on this server")
    position = engine.position

    def run(job: CommandJob) -> str:
        _wait_for_solver(job, position.game)
        from linage_bot.engine.solver.budgets import SearchBudget
        from linage_bot.engine.solver.persistence import regions_kept
        from linage_bot.engine.solver.report import report_from_table, report_on, to_json

        report = report_from_table(position)
        if report is not None:
            return to_json(report)
        effort = SearchBudget(job.stopped, time.monotonic() + seconds)
        try:
            arena = new_arena(position)
        except NotSolvable as error:
            raise CommandFailed(f"cannot solve: {error}") from None
        with regions_kept(arena):
            return to_json(report_on(solving_in(arena, position), position, effort))

    return CommandJob(run, ends_by_itself=True)


@commands.named("linage-region_values")
def linage_region_values(engine: GtpEngine) -> CommandJob:
    """Show for each point the value of its region, V - H, if it can be found in 2 seconds.

    The value of an owned region is the number of its points, and the value of a small free region
    is its mean. A larger one shows its exact values with Vertical and with Horizontal moving first,
    as `+4/-4`, or `?` if they were not found.
    """
    return _region_board(engine, _value)


@commands.named("linage-temperatures")
def linage_temperatures(engine: GtpEngine) -> CommandJob:
    """Show for each point the value of a move in its region: its temperature, if it is known.

    It is known in free regions of at most 12 points; larger ones show `?`.
    """
    return _region_board(engine, _temperature)


def _value(region: RegionReport) -> str:
    if region.heat is not None:
        return f"{region.heat[0]:+.3g}"
    if region.first.exact and region.second.exact:
        return f"{region.first.low:+d}/{region.second.low:+d}"
    return "?"


def _temperature(region: RegionReport) -> str | None:
    if region.area.owner is not None:
        return None
    return "?" if region.heat is None else f"{region.heat[1]:.3g}"


def _region_board(engine: GtpEngine, label: Callable[[RegionReport], str | None]) -> CommandJob:
    try:
        check_regions(engine.game)
    except NotSolvable as error:
        raise CommandFailed(f"cannot solve: {error}") from None
    position = engine.position

    def run(job: CommandJob) -> str:
        _wait_for_solver(job, position.game)
        from linage_bot.engine.solver.budgets import SearchBudget
        from linage_bot.engine.solver.report import region_values

        effort = SearchBudget(job.stopped, time.monotonic() + _REGION_SECONDS)
        regions = region_values(position, effort)
        labels: dict[Point, str | None] = {
            point: label(region) for region in regions for point in bits(region.area.points)
        }
        return value_board(position.game.board, labels)

    return CommandJob(run, ends_by_itself=True)


def _wait_for_solver(job: CommandJob, game: Game) -> None:
    if not wait_for_solver(game, job.stopped):
        raise CommandFailed("cannot solve: stopped while the solver was being loaded")
