"""A lesson: positions that a learner plays, one move each, judged by the rules.

What a move does is asked of the rules alone; a step only says which outcome it wants, and in words
what is to be learnt from it.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from linage_bot.rules.boards import Points
from linage_bot.rules.game import PASS, Game, Move, Position

Words = str | Callable[[Position], str]
"""What is said of the position after a move: a text, or one that follows from the position."""


@attrs.frozen(kw_only=True)
class Step:
    """One thing to learn, and one move to make.

    A move is right if it leads where `wanted` says; in a step about refused stones, the one without
    `wanted`, every empty point is right on which the rules forbid a stone.
    """

    title: str
    words: str  # what is to be known; a new word stands between asterisks
    task: str
    position: Position
    wanted: Callable[[Position], bool] | None
    praise: Words  # of a right move
    missed: Words  # of a legal one that is not
    replies: tuple[Move, ...] = ()  # what is played after the right move
    last: str = ""  # the point of the move before, if it matters


@attrs.frozen
class Lesson:
    """A game taught in a few steps, from its first word to the end and the count."""

    game: type[Game]
    steps: tuple[Step, ...]


@attrs.frozen
class Answer:
    """What a learner is told of a move."""

    right: bool
    words: str
    points: Points = 0  # what the rules speak of that forbid it
    after: Position | None = None  # the position to be shown then; None: as it was


def answer(step: Step, move: Move) -> Answer:
    """What is to be said of a move in a step."""
    position = step.position
    obstacle = position.obstacle(move)
    if obstacle is not None:
        reason = _sentence(obstacle.reason)
        if step.wanted is None and move != PASS and position.empty >> move & 1:
            return Answer(True, f"{reason} {_said(step.praise, position)}", obstacle.points)
        return Answer(False, reason, obstacle.points)
    after = position.play(move)
    if step.wanted is None or not step.wanted(after):
        missed = "Not a pass: a stone is asked for here." if move == PASS else step.missed
        return Answer(False, _said(missed, after))
    for reply in step.replies:
        after = after.play(reply)
    return Answer(True, _said(step.praise, after), after=after)


def _said(words: Words, position: Position) -> str:
    return words if isinstance(words, str) else words(position)


def _sentence(reason: str) -> str:
    return f"{reason[0].upper()}{reason[1:]}."
