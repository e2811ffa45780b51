"""An event on a terminal: finished games scroll by above a display of the current state.

It is drawn when something has happened, four times a second at most, and by no thread of its own.
Engines of ours may have to compile their game first; their progress is read from the cache that
they share. Nothing is compiled here.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.live import Live as Screen
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text
from twisted.internet.task import LoopingCall

from linage_bot.arena.records import GameRecord, Key
from linage_bot.arena.referee import MoveRecorder, Referee
from linage_bot.arena.statistics import bounds, llr
from linage_bot.engine.search.loading import compiled, compiling
from linage_bot.engine.solver.loading import compiling as compiling_solver
from linage_bot.match.play import Watch
from linage_bot.match.report import TextReport, comparison, score_table
from linage_bot.match.schedule import Task
from linage_bot.match.store import EventStore
from linage_bot.rules.game import Game

_BAR_WIDTH: Final = 40
_PAUSE_SECONDS: Final = 0.25


class LiveTable(TextReport):
    """The lines of the event, and a display below them that changes."""

    def __init__(self, console: Console, store: EventStore, reactor: Any) -> None:
        super().__init__(console, store)
        self._running: dict[Key, str] = {}  # the display lines of games in progress
        self._now = reactor.seconds
        self._begun: float | None = None  # when the first game began
        self._uncompiled: dict[str, Game] = {}
        self._compiling: list[Table] = []
        self._looking = LoopingCall(self._look)
        self._looking.clock = reactor
        self._before = len(store.records)
        self._screen = Screen(
            console=console, get_renderable=self.picture, transient=True, auto_refresh=False
        )
        self._drawn = 0.0

    def event_begins(self, games: Sequence[Game]) -> None:
        """Print a line as usual; then start the display."""
        super().event_begins(games)
        if not self._store.over:
            self._screen.start()
            self._uncompiled = {game.name: game for game in games if not compiled(game)}
            if self._uncompiled:
                self._looking.start(_PAUSE_SECONDS)

    def watch(self, task: Task) -> Watch:
        """Show a game that begins, and return the function that shows its moves."""
        players = " – ".join(self._settings.names[index] for index in task.engines)

        def show(moves: Sequence[str]) -> None:
            last = moves[-1] if moves else ""
            words = f"game {task.number}  {players}  move {len(moves)}  {last}"
            self._running[task.key] = words

        def move_played(referee: Referee | MoveRecorder) -> None:
            show(referee.moves)
            if self._now() - self._drawn > _PAUSE_SECONDS:
                self._draw()

        show(())
        if self._begun is None:
            self._begun = self._now()
        return move_played

    def game_finished(self, record: GameRecord) -> None:
        """Print a line as usual; the game disappears from the display."""
        self._running.pop(record.key, None)
        super().game_finished(record)
        self._draw()

    def close(self) -> None:
        """Remove the display."""
        if self._looking.running:
            self._looking.stop()
        self._screen.stop()

    def picture(self) -> RenderableType:
        """Return the current content of the display."""
        parts: list[RenderableType] = [score_table(self._store.table.rows(), pretty=True)]
        if len(self._settings.names) == 2:
            pairs = self._store.pairs
            parts += map(Text, comparison(self._settings, pairs))
            if (test := self._settings.sprt) is not None:
                (lower, upper), now = bounds(test), llr(test, pairs)
                parts.append(_bar(now - lower, upper - lower, f"LLR {now:+z.2f}"))
        parts += self._compiling
        parts += (Text(words, style="dim") for words in self._running.values())
        played = len(self._store.records)
        parts.append(_bar(played, self._total, f"{played}/{self._total}  {self._time_left()}"))
        return Group(*parts)

    def _look(self) -> None:
        """Update the progress of the games that some engine is compiling."""
        before = self._compiling
        self._compiling = [
            _bar(seen.share, 1, f"compiling {name}, about {seen.seconds_left:.0f} s left")
            for name, game in self._uncompiled.items()
            if (seen := compiling(game) or compiling_solver(game)) is not None
        ]
        if before or self._compiling:
            self._draw()

    def _draw(self) -> None:
        self._drawn = self._now()
        if self._screen.is_started:
            self._screen.refresh()

    def _time_left(self) -> str:
        played = len(self._store.records)
        if self._begun is None or played == self._before:
            return ""
        a_game = (self._now() - self._begun) / (played - self._before)
        left = timedelta(seconds=round(a_game * (self._total - played)))
        return f"{left} left"


def _bar(done: float, total: float, words: str) -> Table:
    """Return a progress bar with words after it."""
    grid = Table.grid(padding=(0, 1))
    completed = max(0.0, min(done, total))
    grid.add_row(ProgressBar(total=total, completed=completed, width=_BAR_WIDTH), Text(words))
    return grid
