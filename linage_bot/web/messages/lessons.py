"""A first lesson for a page: its positions, with an answer for each possible move."""

import functools

import attrs

from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, Move
from linage_bot.teaching import Answer, Step, answer, lesson_of
from linage_bot.web.messages.exercises import LessonAnswerMessage, LessonMessage, LessonStepMessage
from linage_bot.web.messages.table import game_message, position_message
from linage_bot.web.table.errors import HttpError


@functools.cache
def lesson(name: str) -> LessonMessage:
    """Return the first lesson of a game with all its answers. Raise `HttpError` if there is none.

    The page needs no rules for it, and no game on the server.
    """
    found = lesson_of(GAMES[name]) if name in GAMES else None
    if found is None:
        raise HttpError(404, "there is no such lesson")
    return LessonMessage(name, found.game.name, tuple(_step(step) for step in found.steps))


def _step(step: Step) -> LessonStepMessage:
    position = step.position
    board = position.game.board
    last = board.point(step.last) if step.last else None
    moves = [*bits(board.points), *((PASS,) if position.may_pass() else ())]
    answers: dict[Answer, list[Move]] = {}
    for move in moves:
        answers.setdefault(answer(step, move), []).append(move)
    return LessonStepMessage(
        title=step.title,
        words=step.words,
        task=step.task,
        board=game_message(position.game),
        position=position_message(position),
        last=last,
        answers=tuple(_answer(step, each, moves) for each, moves in answers.items()),
    )


def _answer(step: Step, answer: Answer, moves: list[Move]) -> LessonAnswerMessage:
    message = LessonAnswerMessage(
        moves=tuple(moves),
        right=answer.right,
        words=answer.words,
        about=tuple(bits(answer.points)),
    )
    if answer.after is None:
        return message
    # Moves that lead to different positions are different answers.
    last = step.replies[-1] if step.replies else moves[0]
    return attrs.evolve(message, position=position_message(answer.after), last=last)
