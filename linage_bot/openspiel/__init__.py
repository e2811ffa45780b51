"""The games as OpenSpiel games; importing this package registers them (docs/openspiel.md).

It uses only the public names of `linage_bot`, and needs the extra `openspiel`. Each game of `GAMES`
is registered by its id, as `python_linage` or `python_linage_two_color`.
"""

try:
    import pyspiel  # noqa: F401 - only checks that it is installed
except ModuleNotFoundError as _error:
    from protocol.transport.installing import install_command

    _remedy = install_command("linage-bot[openspiel]")
    raise ModuleNotFoundError(
        f"linage_bot.openspiel needs {_error.name}: {_remedy}", name=_error.name
    ) from None

from linage_bot.openspiel.bot import EngineBot
from linage_bot.openspiel.games import SpielGame, SpielState, register

register()

__all__ = ["EngineBot", "SpielGame", "SpielState"]
