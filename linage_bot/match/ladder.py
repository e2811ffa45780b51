"""`linage-bot ladder`: the reports about an engine's rating on the user's screen."""

from collections.abc import Sequence
from typing import cast

from rich.console import Console
from rich.text import Text

from linage_bot.arena.records import FORFEIT, GameRecord
from linage_bot.drawing.description import describe_game
from linage_bot.match.ladder_order import ladder_of
from linage_bot.match.report import TextReport, describe, new_table, repeats_line
from linage_bot.match.store import EventStore
from linage_bot.rules.game import Game
from linage_bot.settings.ladder import LadderEvent


class LadderLines(TextReport):
    """A line for each game with the rating so far; in the end a line for each rung."""

    def __init__(self, console: Console, store: EventStore) -> None:
        super().__init__(console, store)
        self._event = cast(LadderEvent, store.settings)
        self._ladder = ladder_of(self._event, store.records.values())

    def event_begins(self, games: Sequence[Game]) -> None:
        """Print the rated engine, the range of its rungs, and the goal."""
        goal, rungs = self._event.ladder, list(self._ladder.rungs.values())
        lowest, highest = (f"{rung.name} ({rung.elo:.0f})" for rung in (rungs[0], rungs[-1]))
        self._print_line(
            f"{'; '.join(map(describe_game, games))}: {self._ladder.name} against {len(rungs)}"
            f" rungs from {lowest} to {highest}, until the error is at most ± {goal.error:g},"
            f" at most {goal.games} games; records in {self._store.folder}"
        )
        if self._store.records:
            self._print_line(f"{len(self._store.records)} games already played: {self._rating()}")

    def game_finished(self, record: GameRecord) -> None:
        """Print one line: the players, the ending, and the rating so far."""
        self._ladder.add(record)
        self._print_line(
            f"{len(self._store.records):4}  {' – '.join(record.players)}  {record.result}"
            f"  {describe(record)}  [{self._rating()}]",
            "yellow" if record.ending == FORFEIT else None,
        )
        self._warn_of_repeats()

    def event_ended(self, interrupted: bool) -> None:
        """Print a line for each rung, then the rating."""
        table = new_table("rung Elo ± games points expected", self._console.is_terminal)
        rating = self._ladder.rating()
        for rung in reversed(self._ladder.rungs.values()):
            points, games = self._ladder.score(rung.name)
            expected = games / (1 + 10 ** ((rung.elo - rating.elo) / 400))
            numbers = f"{rung.elo:.0f}", f"{rung.error:.0f}", f"{games:.0f}"
            scores = (f"{points:g}", f"{expected:.1f}") if games else ("–", "–")
            table.add_row(Text(rung.name), *numbers, *scores)
        if (line := repeats_line(list(self._store.records.values()))) is not None:
            self._print_line(line, "yellow")
        self._print_table(table)
        self._print_line(f"{self._rating()} after {rating.games} games")
        goal = self._event.ladder
        if interrupted:
            self._print_line("Interrupted. Run the same command again to continue.")
        elif rating.error > goal.error or rating.at_least or rating.at_most:
            self._print_line(
                f"These rungs and {rating.games} games do not determine the rating any better."
            )
        if rating.games:
            self._print_line(f"Moving first is worth {rating.advantage:+.0f} Elo")

    def _rating(self) -> str:
        return f"{self._ladder.name} {self._ladder.rating().words}"
