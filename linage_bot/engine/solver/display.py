"""Drawings of a position with the proven values of its moves, as text and as SVG."""

from linage_bot.drawing import Picture, as_text
from linage_bot.engine.solver.report import SolverReport, score_words
from linage_bot.rules.game import PASS, Move


def shown(report: SolverReport) -> str:
    """Return the board as text, with the best placements starred."""
    return as_text(report.position, starred=_best(report))


def picture(report: SolverReport) -> Picture:
    """Return the board with circles around the best placements, and the losses on the others."""
    position, proven, best = report.position, report.proven, _best(report)
    labels = {}
    if proven.points and proven.lead is not None:
        labels = {
            move: f"{span.low - proven.lead:+g}"
            for move, span in proven.moves.items()
            if move != PASS and span.exact and move not in best
        }
    mover = position.game.players[position.to_move]
    words = f"{mover} to move: {score_words(report)}"
    if PASS in proven.best:
        words += "; a pass is best, too" if best else "; a pass is best"
    caption = f"{position.game.name} {position.game.board}, {words}"
    return Picture(position, caption, marks=dict.fromkeys(best, "circle"), labels=labels)


def _best(report: SolverReport) -> list[Move]:
    return [move for move in report.proven.best if move != PASS]
