"""The messages for lessons, puzzles and set-up positions, as frozen classes like in `wire`."""

import attrs

from linage_bot.engine.puzzles.puzzle import PuzzleStep
from linage_bot.rules.game import Move, Player
from linage_bot.web.messages.wire import GameMessage, PositionMessage


@attrs.frozen(kw_only=True)
class LessonAnswerMessage:
    """The answer to some moves in a lesson, with the position afterwards if they are right."""

    moves: tuple[Move, ...]
    right: bool
    words: str
    about: tuple[int, ...]
    position: PositionMessage | None = None
    last: Move | None = None


@attrs.frozen(kw_only=True)
class LessonStepMessage:
    """A step of a lesson: a position with a task, and an answer for each possible move."""

    title: str
    words: str
    task: str
    board: GameMessage
    position: PositionMessage
    last: Move | None
    answers: tuple[LessonAnswerMessage, ...]


@attrs.frozen
class LessonMessage:
    """The first lesson of a game; the page needs no rules for it."""

    game: str
    name: str
    steps: tuple[LessonStepMessage, ...]


@attrs.frozen
class PuzzleTitleMessage:
    """A puzzle in the list of all."""

    name: str
    size: str
    grade: int


@attrs.frozen
class PuzzleGameMessage:
    """A game with its puzzles, the easier ones first."""

    id: str
    name: str
    puzzles: tuple[PuzzleTitleMessage, ...]


@attrs.frozen
class PuzzleListMessage:
    """The list of all puzzles by game."""

    games: tuple[PuzzleGameMessage, ...]


@attrs.frozen(kw_only=True)
class PuzzleMessage:
    """A puzzle with all that a page needs to play it."""

    name: str
    game: GameMessage
    to_move: Player
    grade: int
    link: str
    steps: tuple[PuzzleStep, ...]


@attrs.frozen
class SetUpMessage:
    """A position that a link describes, and its last move."""

    game: GameMessage
    position: PositionMessage
    last: Move | None
