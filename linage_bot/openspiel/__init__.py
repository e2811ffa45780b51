"""The games as OpenSpiel games; importing this package registers them (docs/openspiel.md).

It uses only the public names of `linage_bot`, and needs the extra `openspiel`. Each game of `GAMES`
is registered by its id, as `python_linage` or `python_linage_two_color`.
"""

try:
    import pyspiel  # noqa: F401 - only checks that it is installed
except ModuleNotFoundError as _error:
    from protocol.transport.installing import missing_package

    _reason = missing_package("linage_bot.openspiel", _error.name, "linage-bot[openspiel]")
    raise ModuleNotFoundError(_reason, name=_error.name) from None

from linage_bot.openspiel.bot import EngineBot
from linage_bot.openspiel.games import SpielGame, SpielState, register

register()

__all__ = ["EngineBot", "SpielGame", "SpielState"]
