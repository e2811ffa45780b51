"""Lessons: positions in which a learner makes one move each, judged by the rules.

The rules alone determine the effect of a move; a step only defines the wanted outcome, and explains
in words the point to learn.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from linage_bot.rules.boards import Points
from linage_bot.rules.game import PASS, Game, Move, Position

Words = str | Callable[[Position], str]
"""A comment on the position after a move: a text, or a function of the position."""


@attrs.frozen(kw_only=True)
class Step:
    """A step of a lesson: one point to learn, and one move to make.

    A move is right if `wanted` accepts the position after it. In a step about forbidden stones,
    which has no `wanted`, every empty point on which the rules forbid a stone is right.
    """

    title: str
    words: str  # the explanation; a new term is put between asterisks
    task: str
    position: Position
    wanted: Callable[[Position], bool] | None
    praise: Words  # for a right move
    missed: Words  # for a legal but wrong move
    replies: tuple[Move, ...] = ()  # played after the right move
    last: str = ""  # the point of the previous move, if it matters


@attrs.frozen
class Lesson:
    """A lesson on a game in a few steps, from its first term to the end and the count."""

    game: type[Game]
    steps: tuple[Step, ...]


@attrs.frozen
class Answer:
    """The feedback to a learner on a move."""

    right: bool
    words: str
    points: Points = 0  # to which the rule that forbids it refers
    after: Position | None = None  # the position to show next; None: unchanged


def answer(step: Step, move: Move) -> Answer:
    """Return the feedback on a move in a step."""
    position = step.position
    obstacle = position.obstacle(move)
    if obstacle is not None:
        reason = _sentence(obstacle.reason)
        if step.wanted is None and move != PASS and position.empty >> move & 1:
            return Answer(True, f"{reason} {_text(step.praise, position)}", obstacle.points)
        return Answer(False, reason, obstacle.points)
    after = position.play(move)
    if step.wanted is None or not step.wanted(after):
        missed = "This step needs a stone, not a pass." if move == PASS else step.missed
        return Answer(False, _text(missed, after))
    for reply in step.replies:
        after = after.play(reply)
    return Answer(True, _text(step.praise, after), after=after)


def _text(words: Words, position: Position) -> str:
    return words if isinstance(words, str) else words(position)


def _sentence(reason: str) -> str:
    return f"{reason[0].upper()}{reason[1:]}."
