"""A player who plays an engine on `linage-bot web`, game after game, without a browser."""

from __future__ import annotations

import random
import threading
import time

from linage_bot.rules.game import PASS
from tests.e2e.web_client import WebClient, WebTable


class WebPlayer(threading.Thread):
    """Thinks for a while (exponentially distributed), places anywhere, and waits for the answer.

    Goes on until `over` is set, or until something fails, which is then among its faults.
    """

    def __init__(
        self, client: WebClient, number: int, level: int, game: str, size: str, think_seconds: float
    ) -> None:
        super().__init__(daemon=True)
        self._client = client
        self._chance = random.Random(number)
        self._level, self._game, self._size = level, game, size
        self._think_seconds = think_seconds
        self.over = threading.Event()
        self.waits: list[tuple[float, float]] = []  # when, and how long for the engine's move
        self.tables: list[WebTable] = []
        self._failure: BaseException | None = None

    @property
    def faults(self) -> list[str]:
        """The errors that the player received, and the one that ended it."""
        told = [fault for table in self.tables for fault in table.faults]
        return told if self._failure is None else [*told, repr(self._failure)]

    def run(self) -> None:
        try:
            while not self.over.is_set():
                self._play()
        except BaseException as failure:
            self._failure = failure

    def _play(self) -> None:
        with self._client.table(self._game, self._size, None, self._level).open() as table:
            self.tables.append(table)
            while not table.state["over"]:
                if self.over.wait(self._chance.expovariate(1 / self._think_seconds)):
                    return
                legal = table.state["position"]["legal"]
                began = time.monotonic()
                table.play(self._chance.choice(legal) if legal else PASS)
                table.wait(lambda: table.state["turn"] != "engine")
                self.waits.append((began, time.monotonic() - began))
