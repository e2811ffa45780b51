"""The status of all participants, below the log on a terminal; not shown elsewhere."""

import logging
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.live import Live as Screen
from rich.table import Table

from linage_bot.servers.cgos_client.live import tally_text
from linage_bot.servers.cgos_client.participant import Participant


def status_screen(participants: Sequence[Participant]) -> Screen:
    """Return a screen with a row for each participant, drawn at every `refresh` below the log."""
    console = Console(stderr=True)
    screen = Screen(
        console=console,
        get_renderable=lambda: _table(participants),
        transient=True,
        auto_refresh=False,
    )
    if console.is_terminal:
        screen.start()  # which takes over standard error
        for handler in logging.getLogger().handlers:
            if isinstance(handler, logging.StreamHandler):
                handler.setStream(sys.stderr)
    return screen


def _table(participants: Sequence[Participant]) -> Table:
    table = Table.grid(padding=(0, 2))
    for participant in participants:
        table.add_row(participant.name, _activity(participant), tally_text(participant.tally))
    return table


def _activity(participant: Participant) -> str:
    game, left = participant.game, participant.ms_left
    if game is None:
        return participant.stage.value
    clock = "" if left is None else f", {max(0, left) // 1000} s left"
    stage = "" if participant.stage.value == "playing" else f" ({participant.stage.value})"
    opponent = f"{game.colour.name.lower()} against {game.opponent.name}"
    return f"game {game.setup.number}, {opponent}, move {len(game.moves)}{clock}{stage}"
