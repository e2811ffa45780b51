"""Puzzles and set-up positions for a page: they need no table and are not stored."""

import functools
from typing import Any

from linage_bot.engine.puzzles.puzzle import shipped_puzzles
from linage_bot.records.record import BadRecord, Record
from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import IllegalMove
from linage_bot.rules.history import History, ImpossibleSetup
from linage_bot.web.messages.exercises import (
    PuzzleGameMessage,
    PuzzleListMessage,
    PuzzleMessage,
    PuzzleTitleMessage,
    SetUpMessage,
)
from linage_bot.web.messages.table import game_message, position_message
from linage_bot.web.table.errors import ActionRefused, HttpError
from linage_bot.web.table.links import from_link, to_link

MOST_MOVES = 100  # of a requested position: puzzles have fewer


@functools.cache
def contents() -> PuzzleListMessage:
    """Return the list of all puzzles by game, the easier ones first, without their positions."""
    games = (PuzzleGameMessage(kind.id, kind.name, _titles(kind.id)) for kind in GAMES.values())
    return PuzzleListMessage(tuple(each for each in games if each.puzzles))


def _titles(game: str) -> tuple[PuzzleTitleMessage, ...]:
    return tuple(
        PuzzleTitleMessage(each.name, each.game.board.size, each.grade)
        for each in shipped_puzzles().values()
        if each.game.id == game
    )


def puzzle(name: str) -> PuzzleMessage:
    """Return a puzzle with all that a page needs to play it. Raise `HttpError` if there is none.

    It has no komi, so that its values are the points on the board.
    """
    found = shipped_puzzles().get(name)
    if found is None:
        raise HttpError(404, "there is no such puzzle")
    plain = found.without_komi()
    return PuzzleMessage(
        name=found.name,
        game=game_message(plain.game),
        to_move=plain.to_move,
        grade=plain.grade,
        link=to_link(Record.of(plain.history())),
        steps=plain.steps,
    )


def position(fields: dict[str, Any]) -> SetUpMessage:
    """Return the position that the `link` of a request describes, for drawing it.

    Raise `ActionRefused` with the rule that makes the stones impossible or forbids a move.
    """
    link = fields.get("link")
    if not isinstance(link, str):
        raise HttpError(400, "link must be text")
    try:
        record = from_link(link)
        if len(record.moves) > MOST_MOVES:
            raise ActionRefused(f"only {MOST_MOVES} moves are shown here")
        history = History(record.game, setup=record.setup, begins=record.to_move)
        for move in record.moves:
            history = history.play(move)
    except ImpossibleSetup as error:
        raise ActionRefused(error.reason, tuple(bits(error.points))) from None
    except (BadRecord, IllegalMove) as error:
        raise ActionRefused(error.reason) from None
    return SetUpMessage(
        game=game_message(history.game),
        position=position_message(history.position),
        last=history.moves[-1] if history.moves else None,
    )
