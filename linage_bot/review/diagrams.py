"""The diagrams of one move: what was played and what would have been better."""

from markupsafe import Markup

from linage_bot.drawing import Mark, Picture
from linage_bot.review.facts import MoveReview, Review
from linage_bot.rules.game import PASS

MOST_SHOWN = 7  # moves of a line in a diagram


def played(review: Review, move: MoveReview) -> Markup:
    """The position before the move, with the move and what should have followed, numbered."""
    return _diagram(review, move, (move.move, *move.reply), {})


def better(review: Review, move: MoveReview) -> Markup:
    """The same with the best move and its line; a cross is where the move was played."""
    crossed: dict[int, Mark] = {} if move.move == PASS else {move.move: "cross"}
    return _diagram(review, move, move.line, crossed)


def _diagram(
    review: Review, move: MoveReview, line: tuple[int, ...], marks: dict[int, Mark]
) -> Markup:
    shown = line[:MOST_SHOWN]
    picture = Picture(
        review.positions[move.number - 1],
        last=review.record.moves[move.number - 2] if move.number > 1 else None,
        line=shown,
        marks={point: mark for point, mark in marks.items() if point not in shown},
    )
    return Markup(picture.svg(styled=False))
