"""GoGui boards of exact values: what each region is worth, and what a move in it is worth."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.engine.solver.sums.sums import as_sum
from linage_bot.gtp.engine import GtpEngine, commands
from linage_bot.gtp.graphics import value_board
from linage_bot.gtp.job import Job
from linage_bot.rules.boards import Point, bits
from protocol.errors import CommandFailed

if TYPE_CHECKING:
    from linage_bot.engine.solver.report import RegionReport

_SECONDS = 2.0


@commands.named("linage-region_values")
def linage_region_values(engine: GtpEngine) -> Job:
    """Show for each point what its region is worth, V - H, as far as that is known in 2 seconds.

    Its points for an owned region, the mean for a small one; for a larger one its exact values
    with Vertical and with Horizontal moving first, as `+4/-4`, or `?`.
    """
    return _region_board(engine, _value)


@commands.named("linage-temperatures")
def linage_temperatures(engine: GtpEngine) -> Job:
    """Show for each point what a move in its region is worth: its temperature, where it is known.

    That is in free regions of at most 12 points; `?` in larger ones.
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


def _region_board(engine: GtpEngine, label: Callable[[RegionReport], str | None]) -> Job:
    try:
        position = as_sum(engine.position)
    except NotSolvable as error:
        raise CommandFailed(f"cannot solve: {error}") from None

    def run(job: Job) -> str:
        if not wait_for_solver(job.stopped):
            raise CommandFailed("cannot solve: stopped while the solver was being loaded")
        from linage_bot.engine.solver.effort import Effort
        from linage_bot.engine.solver.keeping import regions_kept
        from linage_bot.engine.solver.report import report_on_regions
        from linage_bot.engine.solver.sums.arena import Arena

        effort = Effort(job.stopped, time.monotonic() + _SECONDS)
        arena = Arena(position.game.line)
        with regions_kept(arena):
            regions = report_on_regions(position, arena, effort)
        labels: dict[Point, str | None] = {
            point: label(region) for region in regions for point in bits(region.area.points)
        }
        return value_board(position.game.board, labels)

    return Job(run, ends_by_itself=True)
