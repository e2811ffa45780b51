"""The engine's commands, on `protocol.commands`: one module a subject, one table for all.

`engine` holds the state they act on; `board`, `rules`, `moves`, `pie`, `analysis`, `gogui_menu`,
`region_boards`, `clocks`, `records`, `parameters`, `solving` and `cgos` are the commands, by what
they are about.
"""

from linage_bot.gtp.analysis import commands as analysis
from linage_bot.gtp.board import commands as board
from linage_bot.gtp.cgos import commands as cgos
from linage_bot.gtp.clocks import commands as clocks
from linage_bot.gtp.engine import GtpEngine
from linage_bot.gtp.gogui_menu import commands as gogui_menu
from linage_bot.gtp.moves import commands as moves
from linage_bot.gtp.parameters import commands as parameters
from linage_bot.gtp.pie import commands as pie
from linage_bot.gtp.records import commands as records
from linage_bot.gtp.region_boards import commands as region_boards
from linage_bot.gtp.rules import commands as rules
from linage_bot.gtp.solving import commands as solving
from protocol.commands import CommandTable

COMMANDS = CommandTable[GtpEngine]()
for _table in (
    board,
    moves,
    pie,
    clocks,
    rules,
    records,
    analysis,
    gogui_menu,
    region_boards,
    parameters,
    solving,
    cgos,
):
    COMMANDS.include(_table)

__all__ = ["COMMANDS", "GtpEngine"]
