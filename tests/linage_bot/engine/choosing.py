"""An initial position, and an engine's move in it."""

import attrs

from linage_bot.engine.decision import Decision
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.rules import GAMES
from linage_bot.rules.history import History

FEW = Limits(visits=150)


def start(game: str = "linage", size: str = "5", komi: float | None = None):
    return GAMES[game].configure(size, komi).start()


def choose(engine: Engine, game, limits: Limits = FEW, **options) -> Decision:
    """Return the engine's decision; `game` is a history, or a position without any search."""
    so_far = game if isinstance(game, History) else History.at(attrs.evolve(game))
    return engine.play(so_far, limits, **options)
