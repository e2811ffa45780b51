"""The engine's GTP commands, on `protocol.gtp.commands`: a module for each subject, one table.

`engine` holds the state they act on; `board`, `rules`, `moves`, `pie`, `analysis`, `gogui_menu`,
`clocks`, `records`, `parameters` and `solving` contain the commands.
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
