"""What goes on at all participants, below the log on a terminal; elsewhere the log has to do."""

import logging
import sys
from collections.abc import Callable, Sequence
from typing import Final

from rich.console import Console
from rich.live import Live as Screen
from rich.table import Table

from linage_bot.servers.cgos_client.live import told
from linage_bot.servers.cgos_client.participant import Participant

_PAUSE_SECONDS: Final = 0.25


class StatusLine:
    """Drawn when something has changed, four times a second at most, by no thread of its own."""

    def __init__(self, participants: Sequence[Participant], now: Callable[[], float]) -> None:
        self._participants = participants
        self._now = now
        self._console = Console(stderr=True)
        self._screen = Screen(
            console=self._console, get_renderable=self.picture, transient=True, auto_refresh=False
        )
        self._drawn = 0.0

    def start(self) -> None:
        """Begin to draw, if standard error is a terminal; log lines then appear above."""
        if self._console.is_terminal:
            self._screen.start()  # which takes over standard error
            for handler in logging.getLogger().handlers:
                if isinstance(handler, logging.StreamHandler):
                    handler.setStream(sys.stderr)

    def changed(self) -> None:
        """Draw again, unless that was done a moment ago."""
        if self._screen.is_started and self._now() - self._drawn >= _PAUSE_SECONDS:
            self._drawn = self._now()
            self._screen.refresh()

    def close(self) -> None:
        """Take the status away."""
        self._screen.stop()

    def picture(self) -> Table:
        """One row for each participant."""
        table = Table.grid(padding=(0, 2))
        for participant in self._participants:
            table.add_row(participant.name, *words(participant))
        return table


def words(participant: Participant) -> tuple[str, str]:
    """What a participant is at, and what it has won."""
    game = participant.game
    if game is None:
        return participant.stage.value, told(participant.tally)
    clock = "" if participant.ms_left is None else f", {max(0, participant.ms_left) // 1000} s left"
    stage = "" if participant.stage.value == "playing" else f" ({participant.stage.value})"
    opponent = f"{game.colour.name_} against {game.opponent.name}"
    doing = f"game {game.setup.number}, {opponent}, move {len(game.moves)}{clock}{stage}"
    return doing, told(participant.tally)
