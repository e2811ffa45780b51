"""A position with what is proven of its moves, drawn as text and as SVG."""

from linage_bot.drawing import Picture, as_text
from linage_bot.engine.solver.report import SolverReport, score_words
from linage_bot.rules.game import PASS, Move


def shown(report: SolverReport) -> str:
    """The board as text, best placements starred."""
    return as_text(report.position, starred=_best(report))


def picture(report: SolverReport) -> Picture:
    """The board with circles around the best placements, and on the others what they lose."""
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
