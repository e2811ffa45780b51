"""Reports of proven values of a position, as JSON for programs and as text for people.

A score is First's points minus Second's (in Linage V - H), without komi. In games that count no
points it is 1 if First wins and -1 if Second wins.
"""

from __future__ import annotations

import contextlib
import json
from typing import Any

import attrs

from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.errors import NotSolvable, OutOfTime
from linage_bot.engine.solver.nimbers.arena import NimberArena
from linage_bot.engine.solver.persistence import regions_kept
from linage_bot.engine.solver.proven_values import Interval, ProvenValues, known, listed, with_mover
from linage_bot.engine.solver.solving import Solving, ValueBounds
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.solving import SumSolving
from linage_bot.engine.solver.sums.sums import as_sum, cells
from linage_bot.rules.game import Area, Player, Position
from linage_bot.rules.linage import LinagePosition

_AT_ONCE_NODES = 300_000  # boards that need no more are solved again, not looked up


@attrs.frozen
class RegionReport:
    """A region, its owner, and V - H if it is played alone, with either player moving first.

    `heat` and `value`, the value in canonical form, are known only if the region is small or owned.
    """

    area: Area
    first: ValueBounds
    second: ValueBounds
    heat: tuple[float, float] | None  # mean and temperature
    value: str | None


@attrs.frozen
class NimberReport:
    """A region of Parity Linage with its nimber and parity; both None if they took too long."""

    area: Area
    nimber: int | None
    parity: int | None


@attrs.frozen(kw_only=True)
class SolverReport:
    """The proven values of a position with its komi, and of its regions if it is a sum of them."""

    position: Position
    proven: ProvenValues
    nodes: int
    regions: tuple[RegionReport | NimberReport, ...] = ()
    from_table: bool = False  # instead of being solved now
    other: SolverReport | None = None  # with the other player to move, if asked for and known

    def __str__(self) -> str:
        """Return the report as text, as `linage-bot solve` prints it."""
        return to_text(self)

    @property
    def score(self) -> Interval:
        """The score of the position."""
        return self.score_of(self.proven.value)

    def score_of(self, lead: Interval) -> Interval:
        """Return the score, without komi, for a lead of the player to move, which includes komi."""
        komi = self.position.game.komi
        if self.position.to_move is Player.FIRST:
            return Interval(komi + lead.low, komi + lead.high)
        return Interval(komi - lead.high, komi - lead.low)


def report_score(solving: Solving, position: Position, effort: SearchBudget) -> SolverReport:
    """Prove the score alone, as far as time allows, and report it without any moves."""
    solving.find_score(effort)
    value = attrs.evolve(solving.proven(position), moves={})
    return SolverReport(position=position, proven=value, nodes=solving.nodes)


def report_on(solving: Solving, position: Position, effort: SearchBudget) -> SolverReport:
    """Solve a position as far as time allows and report the proven values, komi included."""
    solving.run(effort)
    regions: tuple[RegionReport | NimberReport, ...] = ()
    if isinstance(solving, SumSolving):
        regions = report_on_regions(solving.position, solving.arena, effort)
    elif isinstance(solving.arena, NimberArena):
        # These are extra information: they may take as many nodes again as the solution itself.
        most = attrs.evolve(effort, last_node=solving.arena.nodes + solving.nodes)
        regions = tuple(_nimber(area, solving.arena, most) for area in position.areas())
    proven = solving.proven(position)
    return SolverReport(position=position, proven=proven, nodes=solving.nodes, regions=regions)


def report_from_table(position: Position) -> SolverReport | None:
    """Return the table's report on an empty board that takes long to solve; None otherwise.

    Other positions are solved again, because a new solution gives more detail.
    """
    report, other = _from_table(position), other_to_move(position)
    if report is None or other is None:
        return report
    return attrs.evolve(report, other=_from_table(other))


def _from_table(position: Position) -> SolverReport | None:
    solved, proven = listed(position), known(position)
    if solved is None or proven is None or solved.nodes <= _AT_ONCE_NODES:
        return None
    return SolverReport(position=position, proven=proven, nodes=solved.nodes, from_table=True)


def other_to_move(position: Position) -> Position | None:
    """Return the position with the other player to move; None if there is no such position."""
    if position.over:
        return None
    try:
        return with_mover(position, position.to_move.other)
    except NotSolvable:
        return None


def region_values(position: Position, effort: SearchBudget) -> tuple[RegionReport, ...]:
    """Return the values of each region of a sum as far as time allows, and store them.

    Later runs use the stored values. Raises `NotSolvable` if the position is not a sum of regions.
    """
    here = as_sum(position)
    arena = Arena(here.game.line)
    with regions_kept(arena):
        return report_on_regions(here, arena, effort)


def report_on_regions(
    position: LinagePosition, arena: Arena, effort: SearchBudget
) -> tuple[RegionReport, ...]:
    """Return the values of each region as far as time allows; small regions come first."""
    found = {
        area: _region(position, area, arena, effort)
        for area in sorted(position.areas(), key=lambda area: area.points.bit_count())
    }
    return tuple(found[area] for area in position.areas())


def _region(
    position: LinagePosition, area: Area, arena: Arena, effort: SearchBudget
) -> RegionReport:
    points = area.points.bit_count()
    if area.owner is not None:
        worth = area.owner.sign * points
        bounds = ValueBounds(worth, worth)
        return RegionReport(area, bounds, bounds, (float(worth), 0.0), str(worth))
    token = arena.regions.token(cells(position, area.points))
    if token is None:  # too wide to search
        bounds = ValueBounds(1 - points, points - 1)
        return RegionReport(area, bounds, bounds, None, None)
    value = arena.regions.written(token)  # appraises it, so that the rest is known at once
    heat = None if value is None else arena.regions.heat(token)
    low, high, second_low, second_high = arena.regions.bounds(token)
    first, second = ValueBounds(low, high), ValueBounds(second_low, second_high)
    negative = arena.regions.negated(token)
    with contextlib.suppress(OutOfTime):
        first.narrow_to_value(lambda target: arena.at_least([token], target, effort))
        second.narrow_to_value(lambda target: not arena.at_least([negative], 1 - target, effort))
    return RegionReport(area, first, second, heat, value)


def _nimber(area: Area, arena: NimberArena, effort: SearchBudget) -> NimberReport:
    try:
        return NimberReport(area, *divmod(arena.worth(area.points, effort), 2))
    except OutOfTime:
        return NimberReport(area, None, None)


def to_json(report: SolverReport) -> str:
    """Return the report as one line of JSON.

    `exact`: whether the score and all best moves are proven, or the score if no moves were to be
    proven. `score` is null until it is proven; `bounds` always holds. `moves` lists the moves whose
    score is proven, `best` those that are proven to be best. `mean`, `temperature` and `value`, the
    canonical form, of a region are null if it is large. Regions of Parity Linage have `nimber` and
    `parity` instead, null if they took too long.
    """
    position, proven, score = report.position, report.proven, report.score
    return json.dumps(
        {
            "exact": proven.exact,
            "to_move": position.to_move.colour,
            "score": _points(score.low) if score.exact else None,
            "bounds": [_points(score.low), _points(score.high)],
            "best": [position.name_of(move) for move in proven.best],
            "moves": {
                position.name_of(move): _points(report.score_of(span).low)
                for move, span in proven.moves.items()
                if span.exact
            },
            "regions": [_region_json(position, region) for region in report.regions],
            "nodes": report.nodes,
        }
    )


def _points(score: float) -> float:
    """Return a score as people write it: whole points without a fraction."""
    return int(score) if score == int(score) else score


def _region_json(position: Position, region: RegionReport | NimberReport) -> dict[str, Any]:
    points = {"points": position.game.board.vertices(region.area.points)}
    if isinstance(region, NimberReport):
        return points | {"nimber": region.nimber, "parity": region.parity}
    mean, temperature = region.heat or (None, None)
    return points | {
        "owner": None if region.area.owner is None else region.area.owner.colour,
        "black_first": region.first.low if region.first.exact else None,
        "white_first": region.second.low if region.second.exact else None,
        "mean": mean,
        "temperature": temperature,
        "value": region.value,
    }


def to_text(report: SolverReport) -> str:
    """Return the report as text for people, with the winner under the game's komi."""
    position = report.position
    game = position.game
    mover = game.players[position.to_move]
    lines = [f"{game.name} {game.board}, {mover} to move: {score_words(report)}"]
    if game.counts_points:
        lines.append(_winner(report))
    if not report.proven.exact:
        lines.append("not everything is proven; the proven part follows")
    names = ", ".join(position.name_of(move) for move in report.proven.best)
    if names:
        lines.append(f"best: {names}")
    lines += _losses(report)
    lines += [_region_words(position, region) for region in report.regions]
    source = "from the table of solved boards, " if report.from_table else ""
    lines.append(f"{source}{report.nodes} nodes")
    if report.other is not None:
        mover = game.players[report.other.position.to_move]
        lines.append(f"with {mover} to move: {score_words(report.other)}")
    return "\n".join(lines)


def score_words(report: SolverReport) -> str:
    """Return the score in words, or its bounds if it is not proven."""
    players, score = report.position.game.players, report.score
    if report.position.game.counts_points:
        return f"{players[0][0]} - {players[1][0]} = {_words(score)}"
    if not score.exact:
        return "the winner is not proven"
    return f"{players[Player(score.low < 0)]} wins" if score.low else "a draw"


def _words(bounds: Interval | ValueBounds) -> str:
    return f"{bounds.low:+g}" if bounds.exact else f"{bounds.low:+g} to {bounds.high:+g}"


def _winner(report: SolverReport) -> str:
    """Return a sentence with the winner under best play with the game's komi, if proven."""
    game = report.position.game
    low, high = report.score.low - game.komi, report.score.high - game.komi
    rule = f"with komi {game.komi:g}"
    if low == high == 0:
        return f"{rule}: a draw"
    if low > 0 or high < 0:
        player = Player.FIRST if low > 0 else Player.SECOND
        least, most = sorted((abs(low), abs(high)))
        margin = f"{least:g}" if least == most else f"{least:g} to {most:g}"
        return f"{rule}: {game.players[player]} wins by {margin}"
    return f"{rule}: the winner is not proven"


def _losses(report: SolverReport) -> list[str]:
    """Return lines that list the moves that are not best by their loss, the smallest first."""
    proven = report.proven
    if proven.lead is None:
        return []
    names: dict[float, list[str]] = {}
    for move, span in proven.moves.items():
        if span.exact and move not in proven.best:
            names.setdefault(proven.lead - span.low, []).append(report.position.name_of(move))
    words = "loses {0:g}: {1}" if proven.points else "loses: {1}"
    return [words.format(loss, ", ".join(names[loss])) for loss in sorted(names)]


def _region_words(position: Position, region: RegionReport | NimberReport) -> str:
    size = region.area.points.bit_count()
    place = f"region of {size} point{'' if size == 1 else 's'} at {_place(position, region.area)}"
    if isinstance(region, NimberReport):
        if region.nimber is None:
            return f"{place}, whose nimber is not known"
        return f"{place}: nimber {region.nimber}, parity {region.parity}"
    if region.area.owner is not None:
        return f"{position.game.players[region.area.owner]}'s {place}"
    first, second = position.game.players
    facts = [f"{first} first {_words(region.first)}", f"{second} first {_words(region.second)}"]
    if region.heat is not None:
        mean, temperature = region.heat
        facts += [f"mean {mean:g}", f"temperature {temperature:g}"]
    if region.value is not None:
        facts.append(f"value {region.value}")
    return f"free {place}: {', '.join(facts)}"


def _place(position: Position, area: Area) -> str:
    """Return the vertex that names a region for people: its first one in the order of moves."""
    return position.game.board.vertices(area.points)[0]
