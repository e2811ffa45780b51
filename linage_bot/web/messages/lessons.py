"""A first lesson for a page: its positions, with an answer for each possible move."""

import functools

from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, Move, Position
from linage_bot.teaching import Answer, Step, answer, lesson_of
from linage_bot.web.messages import table as view
from linage_bot.web.table.errors import HttpError

Json = view.Json


@functools.cache
def lesson(name: str) -> Json:
    """Return the first lesson of a game with all its answers. Raise `HttpError` if there is none.

    The page needs no rules for it, and no game on the server.
    """
    found = lesson_of(GAMES[name]) if name in GAMES else None
    if found is None:
        raise HttpError(404, "there is no such lesson")
    return {"game": name, "name": found.game.name, "steps": [_step(step) for step in found.steps]}


def _step(step: Step) -> Json:
    position = step.position
    board = position.game.board
    last = board.point(step.last) if step.last else None
    moves = [*bits(board.points), *((PASS,) if position.may_pass() else ())]
    answers: dict[Answer, list[Move]] = {}
    for move in moves:
        answers.setdefault(answer(step, move), []).append(move)
    return {
        "title": step.title,
        "words": step.words,
        "task": step.task,
        "board": view.game(position.game),
        **_shown(position, last),
        "answers": [_answer(step, each, moves) for each, moves in answers.items()],
    }


def _answer(step: Step, answer: Answer, moves: list[Move]) -> Json:
    told = {
        "moves": moves,
        "right": answer.right,
        "words": answer.words,
        "about": list(bits(answer.points)),
    }
    if answer.after is not None:
        # Moves that lead to different positions are different answers.
        told |= _shown(answer.after, step.replies[-1] if step.replies else moves[0])
    return told


def _shown(position: Position, last: Move | None) -> Json:
    return {"position": view.position(position), "last": last}
