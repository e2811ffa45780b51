"""The analysis of a recorded game move by move, as facts, as JSON and as a page."""

from linage_bot.review.facts import Review
from linage_bot.review.judging import review_game, reviewing

__all__ = ["Review", "review_game", "reviewing"]
