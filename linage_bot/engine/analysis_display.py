"""An analysis in words, as a table of moves, and as a picture of the board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from linage_bot.drawing import Picture
from linage_bot.drawing.layers import escaped
from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.rules.boards import Point, bits
from linage_bot.rules.game import PASS, Player, Position

_ROWS: Final = 5
_LONGEST_LINE: Final = 8  # moves of a row
_LEAST_SHARE: Final = 0.02  # of the visits, for a meaningful win rate


def summary(analysis: Analysis) -> str:
    """Return the values of the position in a line: visits, win rate, lead and best move."""
    position = analysis.position
    words = [f"{analysis.visits} visits"]
    if analysis.win_rate is not None:
        viewer = position.game.players[analysis.viewer]
        words.append(f"{viewer}'s win rate {analysis.win_rate:.1%}")
    if analysis.lead is not None and position.game.counts_points:
        words.append(f"lead {analysis.lead:+.1f}")
    if analysis.proven.win_rate is not None:
        words.append("proven, but moves estimated" if analysis.estimated else "proven")
    if analysis.candidates:
        words.append(f"best {position.name_of(analysis.candidates[0].move)}")
    return ", ".join(words)


def table(analysis: Analysis) -> str:
    """Return the summary and a row for each of the best moves, with its expected line."""
    rows = [f"{analysis.position.game.name} {analysis.position.game.board}: {summary(analysis)}"]
    rows += [_row(analysis, each) for each in analysis.candidates[:_ROWS]]
    if len(analysis.candidates) > _ROWS:
        rows.append(f"and {len(analysis.candidates) - _ROWS} more moves")
    return "\n".join(rows)


def _row(analysis: Analysis, candidate: Candidate) -> str:
    position = analysis.position
    lead = f"{candidate.lead:+7.1f}" if position.game.counts_points else ""
    return (
        f"{candidate.visits:8} visits {candidate.win_rate:7.1%}{lead}  {_line(position, candidate)}"
    )


def _line(position: Position, candidate: Candidate) -> str:
    return " ".join(map(position.name_of, candidate.line[:_LONGEST_LINE]))


def overlays(analysis: Analysis) -> tuple[dict[Point, float], dict[Point, str]]:
    """Return the visits of each point, and the win rates in percent of those with many.

    The win rates are the viewer's.
    """
    found = [each for each in analysis.candidates if each.move != PASS and each.visits]
    enough = _LEAST_SHARE * analysis.visits
    return (
        {each.move: float(each.visits) for each in found},
        {each.move: f"{100 * each.win_rate:.0f}" for each in found if each.visits >= enough},
    )


def picture(analysis: Analysis) -> Picture:
    """Return the board with the moves' visits as colours and their win rates as labels.

    Other points have a square in the colour of their expected owner, if owners are known.
    """
    weights, rates = overlays(analysis)
    caption, owners = summary(analysis), analysis.seen_by(Player.FIRST).owners
    heat = {}
    if owners is not None:
        points = analysis.position.game.board.points
        heat = {point: owners[point] for point in bits(points) if point not in rates}
    return Picture(analysis.position, caption, labels=rates, areas=(), heat=heat, weights=weights)


def page(analysis: Analysis) -> str:
    """Return the picture and a table of the best moves beside it, as HTML."""
    position = analysis.position
    viewer = position.game.players[analysis.viewer]
    titles = ["move", f"{viewer}'s win rate", "lead", "visits", "line"]
    rows = [
        [
            position.name_of(each.move),
            f"{each.win_rate:.1%}",
            f"{each.lead:+.1f}",
            f"{each.visits}",
            _line(position, each),
        ]
        for each in analysis.candidates[:_ROWS]
    ]
    if not position.game.counts_points:
        for cells in (titles, *rows):
            del cells[2]
    parts = [
        '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">',
        picture(analysis).svg(),
    ]
    if rows:
        body = "\n".join(_table_row("td", cells) for cells in rows)
        parts += [f"<table>\n<thead>{_table_row('th', titles)}</thead>", body, "</table>"]
    return "\n".join([*parts, "</div>", ""])


def _table_row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escaped(cell)}</{tag}>' for cell in cells)}</tr>"
