"""Teaching material: a first lesson and illustrated rules, in one module for each game.

It is named like the module of the game's rules; a game of another package names it itself, in
`Game.teaching_module`.
"""

import importlib
import importlib.util
from types import ModuleType

from linage_bot.rules.game import Game
from linage_bot.teaching.example import Example, Paragraph
from linage_bot.teaching.lesson import Answer, Lesson, Step, answer

__all__ = [
    "Answer",
    "Example",
    "Lesson",
    "Paragraph",
    "Step",
    "aim_of",
    "answer",
    "examples_of",
    "explained",
    "lesson_of",
]


def aim_of(kind: type[Game]) -> str:
    """Return the aim of a game in one sentence; empty if there is none."""
    return str(getattr(_module(kind), "AIM", ""))


def lesson_of(kind: type[Game]) -> Lesson | None:
    """Return the first lesson of a game; None if it has none."""
    module = _module(kind)
    found = getattr(module, "LESSON", None)
    assert found is None or isinstance(found, Lesson)
    return found


def examples_of(game: Game) -> tuple[Example, ...]:
    """Return the pictures that illustrate the rules of a game with its options."""
    module = _module(type(game))
    return () if module is None else tuple(module.examples(game))


def explained(game: Game, *, pie: bool) -> tuple[Paragraph, ...]:
    """Return the illustrated rules of a game with its options; `pie`: including its pie."""
    examples = examples_of(game)
    texts = [*game.rules(), *([game.pie_in_words()] if pie else [])]
    return tuple(
        Paragraph(text, tuple(each for each in examples if each.after in text)) for text in texts
    )


def _module(kind: type[Game]) -> ModuleType | None:
    """Return the game's module here, or the one that it names; None if there is none."""
    name = kind.module_in(__name__, kind.teaching_module)
    if name is None or importlib.util.find_spec(name) is None:
        return None
    return importlib.import_module(name)
