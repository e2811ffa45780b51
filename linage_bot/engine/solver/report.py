"""What is proven of a position, for programs and for people.

Scores are First's points less Second's, in Linage V - H, komi not counted; 1 and -1 for the winner
and the loser in games that count no points.
"""

from __future__ import annotations

import contextlib
import functools
import json
from typing import TYPE_CHECKING, Any

import attrs

from linage_bot.engine.solver.errors import OutOfTime
from linage_bot.engine.solver.solved import Solved
from linage_bot.engine.solver.sums.arena import Allowance, Arena
from linage_bot.engine.solver.sums.solving import Bounds, Solving, region_value, region_values
from linage_bot.engine.solver.sums.sums import cells, sign_of
from linage_bot.engine.solver.values.thermographs import MOST_POINTS, Thermograph, Thermographs
from linage_bot.rules.game import Area, Move, Player, Position
from linage_bot.rules.linage import LinagePosition

if TYPE_CHECKING:
    from linage_bot.engine.solver.alphabeta.plain import PlainSolving


@attrs.frozen
class RegionReport:
    """A region, its owner, and V - H of a free one alone, with either player moving first.

    Its thermograph, if there was time, and its value in canonical form are those of a small region.
    """

    area: Area
    first: Bounds
    second: Bounds
    thermograph: Thermograph | None
    value: str | None


@attrs.frozen
class Report:
    """What is proven of a position; `per_point` says in what parts of a point scores are told."""

    position: Position
    score: Bounds
    exact: bool
    best: tuple[Move, ...]
    moves: dict[Move, Bounds]
    regions: tuple[RegionReport, ...]
    nodes: int
    per_point: int = 1
    from_table: bool = False  # and not solved now

    def points(self, value: int) -> float:
        """A score in points."""
        return value // self.per_point if value % self.per_point == 0 else value / self.per_point


def report_on(solving: Solving, arena: Arena, allowance: Allowance) -> Report:
    """Solve as far as time allows and say what is proven."""
    solving.run(allowance)
    regions = report_on_regions(solving.position, arena, allowance)
    return proven(solving, solving.position, regions)


def proven(
    solving: Solving | PlainSolving,
    position: Position,
    regions: tuple[RegionReport, ...] = (),
) -> Report:
    """What is proven by now, told of the position as the user has it, komi and all."""
    sign = sign_of(position.to_move)
    return Report(
        position,
        _as_score(solving.value, sign),
        solving.exact,
        tuple(solving.best),
        {move: _as_score(bounds, sign) for move, bounds in solving.moves.items()},
        regions,
        solving.nodes,
        solving.per_point,
    )


def report_from_table(position: Position, solved: Solved) -> Report:
    """What the table of solved boards says of an empty board."""
    per_point = 1 if solved.score == int(solved.score) else 2
    score = Bounds(int(per_point * solved.score), int(per_point * solved.score))
    moves = dict.fromkeys(solved.best, score)
    return Report(position, score, True, solved.best, moves, (), solved.nodes, per_point, True)


def report_on_regions(
    position: LinagePosition, arena: Arena, allowance: Allowance
) -> tuple[RegionReport, ...]:
    """What is proven of each region within the time, which small regions are given first."""
    thermographs = Thermographs(position.game.line, functools.partial(_check, allowance))
    found = {
        area: _region(position, area, arena, thermographs, allowance)
        for area in sorted(position.areas(), key=lambda area: area.points.bit_count())
    }
    return tuple(found[area] for area in position.areas())


def _as_score(bounds: Bounds, sign: int) -> Bounds:
    """Bounds on V - H from bounds on what the player to move gets."""
    return Bounds(bounds.low, bounds.high) if sign > 0 else Bounds(-bounds.high, -bounds.low)


def _check(allowance: Allowance) -> None:
    if allowance.used_up:
        raise OutOfTime


def _region(
    position: LinagePosition,
    area: Area,
    arena: Arena,
    thermographs: Thermographs,
    allowance: Allowance,
) -> RegionReport:
    if area.owner is None:
        value = region_value(arena, position, area.points)  # and with it the next, in no time
        first, second = region_values(arena, position, area.points, allowance)
    else:
        worth = sign_of(area.owner) * area.points.bit_count()
        first = second = Bounds(worth, worth)
        value = str(worth)
    thermograph = None
    if area.owner is not None or area.points.bit_count() <= MOST_POINTS:
        with contextlib.suppress(OutOfTime):
            thermograph = thermographs.of(cells(position, area.points))
    return RegionReport(area, first, second, thermograph, value)


def to_json(report: Report) -> str:
    """One line of JSON.

    `exact`: whether the score and all best moves are proven. `score` is null until it is; `bounds`
    holds in any case. `moves` holds the moves whose score is proven, `best` those proven best.
    `mean` and `temperature` of a region are null where it is large or time ran out, `value`, its
    canonical form, where it is large.
    """
    position = report.position
    return json.dumps(
        {
            "exact": report.exact,
            "to_move": position.to_move.colour,
            "score": report.points(report.score.low) if report.score.exact else None,
            "bounds": [report.points(report.score.low), report.points(report.score.high)],
            "best": [position.name_of(move) for move in report.best],
            "moves": {
                position.name_of(move): report.points(bounds.low)
                for move, bounds in report.moves.items()
                if bounds.exact
            },
            "regions": [_region_json(position, region) for region in report.regions],
            "nodes": report.nodes,
        }
    )


def _region_json(position: Position, region: RegionReport) -> dict[str, Any]:
    thermograph = region.thermograph
    return {
        "points": position.game.board.vertices(region.area.points),
        "owner": None if region.area.owner is None else region.area.owner.colour,
        "black_first": _known(region.first),
        "white_first": _known(region.second),
        "mean": None if thermograph is None else float(thermograph.mean),
        "temperature": None if thermograph is None else float(thermograph.temperature),
        "value": region.value,
    }


def _known(bounds: Bounds) -> int | None:
    return bounds.low if bounds.exact else None


def to_text(report: Report) -> str:
    """The same for people, with the winner under the game's komi."""
    position = report.position
    game = position.game
    mover = game.players[position.to_move]
    lines = [f"{game.name} {game.board}, {mover} to move: {score_words(report)}"]
    if game.counts_points:
        lines.append(_winner(report))
    if not report.exact:
        lines.append("not everything is proven; what is, follows")
    names = ", ".join(position.name_of(move) for move in report.best)
    if names:
        lines.append(f"best: {names}")
    lines += _losses(report)
    lines += [_region_words(position, region) for region in report.regions]
    if report.from_table:
        lines.append(f"from the table of solved boards, {report.nodes} nodes")
    else:
        lines.append(f"{report.nodes} nodes")
    return "\n".join(lines)


def score_words(report: Report) -> str:
    """The score, or what is proven of it."""
    players, score = report.position.game.players, report.score
    if report.position.game.counts_points:
        low, high = report.points(score.low), report.points(score.high)
        words = f"{low:+g}" if score.exact else f"{low:+g} to {high:+g}"
        return f"{players[0][0]} - {players[1][0]} = {words}"
    if not score.exact:
        return "who wins is not proven"
    return f"{players[Player(score.low < 0)]} wins" if score.low else "a draw"


def _words(bounds: Bounds) -> str:
    return f"{bounds.low:+d}" if bounds.exact else f"{bounds.low:+d} to {bounds.high:+d}"


def _winner(report: Report) -> str:
    """Who wins under best play, as far as it is proven."""
    game = report.position.game
    low, high = (
        report.points(bound) - game.komi for bound in (report.score.low, report.score.high)
    )
    rule = f"with komi {game.komi:g}"
    if low == high == 0:
        return f"{rule}: a draw"
    if low > 0 or high < 0:
        player = Player.FIRST if low > 0 else Player.SECOND
        least, most = sorted((abs(low), abs(high)))
        margin = f"{least:g}" if least == most else f"{least:g} to {most:g}"
        return f"{rule}: {game.players[player]} wins by {margin}"
    return f"{rule}: who wins is not proven"


def _losses(report: Report) -> list[str]:
    """The other moves with what they lose, best first."""
    if not report.score.exact:
        return []
    worse = [
        (report.points(abs(bounds.low - report.score.low)), report.position.name_of(move))
        for move, bounds in report.moves.items()
        if bounds.exact and move not in report.best
    ]
    losses = sorted({loss for loss, _ in worse})
    lines = []
    for loss in losses:
        points = f" {loss:g}" if report.position.game.counts_points else ""
        names = ", ".join(name for each, name in worse if each == loss)
        lines.append(f"loses{points}: {names}")
    return lines


def _region_words(position: Position, region: RegionReport) -> str:
    vertices = " ".join(position.game.board.vertices(region.area.points))
    if region.area.owner is not None:
        owner = position.game.players[region.area.owner]
        return f"{owner}'s region of {region.area.points.bit_count()}: {vertices}"
    first, second = position.game.players
    facts = [f"{first} first {_words(region.first)}", f"{second} first {_words(region.second)}"]
    if region.thermograph is not None:
        facts.append(f"mean {float(region.thermograph.mean):g}")
        facts.append(f"temperature {float(region.thermograph.temperature):g}")
    if region.value is not None:
        facts.append(f"value {region.value}")
    return f"free region of {region.area.points.bit_count()}: {', '.join(facts)}: {vertices}"
