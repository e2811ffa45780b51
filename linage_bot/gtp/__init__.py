"""The engine's commands, on `protocol.gtp.commands`: one module a subject, one table for all.

`engine` holds the state they act on; `board`, `rules`, `moves`, `pie`, `analysis`, `gogui_menu`,
`clocks`, `records`, `parameters` and `solving` are the commands, by what they are about.
"""

from linage_bot.gtp import (  # noqa: F401 - each registers its commands
    analysis,
    board,
    clocks,
    gogui_menu,
    moves,
    parameters,
    pie,
    records,
    rules,
    solving,
)
from linage_bot.gtp.engine import GtpEngine, commands

__all__ = ["GtpEngine", "commands"]
