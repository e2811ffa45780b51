"""The games inside OpenSpiel: importing this registers them; docs/openspiel.md shows the rest.

It stands on `import linage_bot` alone, and needs the extra `openspiel`. Each game of `GAMES` is
registered by its id, as `python_linage` or `python_linage_two_color`.
"""

try:
    import pyspiel  # noqa: F401 - only looked for
except ModuleNotFoundError as _error:
    raise ModuleNotFoundError(
        f"linage_bot.openspiel needs {_error.name}: pip install 'linage-bot[openspiel]'",
        name=_error.name,
    ) from None

from linage_bot.openspiel.bot import EngineBot
from linage_bot.openspiel.games import SpielGame, SpielState, register

register()

__all__ = ["EngineBot", "SpielGame", "SpielState"]
