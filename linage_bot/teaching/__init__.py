"""The games taught: a first lesson to play, and rules with pictures, a module for each game."""

import importlib
import importlib.util
from types import ModuleType

from linage_bot.rules.game import Game
from linage_bot.teaching.lesson import Answer, Lesson, Step, answer

__all__ = ["Answer", "Lesson", "Step", "answer", "lesson_of"]


def lesson_of(kind: type[Game]) -> Lesson | None:
    """The first lesson of a game; None if it has none."""
    module = _module(kind)
    found = getattr(module, "LESSON", None)
    assert found is None or isinstance(found, Lesson)
    return found


def _module(kind: type[Game]) -> ModuleType | None:
    """What teaches a game: the module here that has the name of the game's in `rules`."""
    name = f"{__name__}.{kind.__module__.rpartition('.')[2]}"
    return None if importlib.util.find_spec(name) is None else importlib.import_module(name)
