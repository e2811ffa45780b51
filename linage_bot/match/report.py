"""An event as lines and a table on the user's screen; plain text where it is not a terminal."""

from __future__ import annotations

import attrs
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from linage_bot.boards import HexBoard
from linage_bot.game import Game
from linage_bot.match.records import FORFEIT, RESIGNATION, SCORE, GameRecord
from linage_bot.match.settings import MatchSettings
from linage_bot.match.standings import standings
from linage_bot.match.store import Store


@attrs.define
class Lines:
    """A line for each game as it ends, a table in the end."""

    console: Console
    settings: MatchSettings
    store: Store

    def event_begins(self, game: Game, missing: int) -> None:
        """Say what is going to be played."""
        board = game.board
        size = f"{board.columns}x{board.rows}"
        if isinstance(board, HexBoard):
            size = f"side {board.side}"
        komi = "" if game.komi_step is None else f", komi {game.komi:g}"
        title = f"{self.settings.name}: " if self.settings.name else ""
        total = self.settings.games
        self._say(
            f"{title}{game.name} {size}{komi}: {' – '.join(self.settings.names)},"
            f" {_count(total, 'game')}; records in {self.store.folder}"
        )
        if not missing:
            self._say("Every game of this event has been played; its result is:")
        elif missing < total:
            self._say(f"{_count(total - missing, 'game')} played before, {missing} to go")

    def game_finished(self, record: GameRecord) -> None:
        """One line: who against whom, the result and how it came about, and the score so far."""
        score = ", ".join(
            f"{standing.name} {standing.points:g}"
            for standing in standings(self.settings.names, self.store.records.values())
        )
        style = "yellow" if record.ending == FORFEIT else None
        width = len(str(self.settings.games))
        self._say(
            f"{record.number:{width}}/{self.settings.games}  {' – '.join(record.players)}"
            f"  {record.result}  {describe(record)}  [{score}]",
            style,
        )

    def engine_withdrawn(self, name: str, failures: int) -> None:
        """One line."""
        self._say(f"{name} is withdrawn: it failed in {_count(failures, 'game')} in succession")

    def event_ended(self, interrupted: bool) -> None:
        """The table, and what the sides have made of it."""
        records = list(self.store.records.values())
        pretty = self.console.is_terminal
        width = None if pretty else 160  # nothing is folded that a program may read
        self.console.print(score_table(self.settings, records, pretty), width=width)
        decided = [record.winner for record in records if record.winner is not None]
        self._say(
            f"First won {decided.count(0)}, Second {decided.count(1)},"
            f" drawn {len(records) - len(decided)}"
        )
        if disputed := [str(record.number) for record in records if record.disputed]:
            self._say(f"An engine counted otherwise in game {', '.join(disputed)}", "yellow")
        if interrupted:
            self._say("Interrupted. The same command continues with the games that are missing.")

    def _say(self, line: str, style: str | None = None) -> None:
        # What engines say is part of some lines; it must not reach the terminal as commands.
        text = "".join(letter if letter.isprintable() else " " for letter in line)
        self.console.print(Text(text, style=style or ""), soft_wrap=True)


def describe(record: GameRecord) -> str:
    """How a game ended: `quick wins by 3.5 after 24 moves, 1.2 s`."""
    winner = None if record.winner is None else record.players[record.winner]
    loser = None if record.winner is None else record.players[1 - record.winner]
    if winner is None:
        how = "drawn"
    elif record.ending == FORFEIT:
        how = f"{loser} forfeits: {record.reason}"
    elif record.ending == RESIGNATION:
        how = f"{loser} resigns"
    else:
        margin = record.result[2:]
        how = f"{winner} wins by {margin}" if margin else f"{winner} wins"
    if record.ending not in (SCORE, FORFEIT, RESIGNATION) and record.reason:
        how += f", {record.reason}"
    return f"{how} ({_count(len(record.moves), 'move')}, {record.duration_seconds:.1f} s)"


def score_table(settings: MatchSettings, records: list[GameRecord], pretty: bool) -> Table:
    """The engines, the best first."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    if pretty:
        table = Table(box=box.SIMPLE_HEAD, padding=0)
    table.add_column("engine", overflow="fold")
    headings = "games won lost drawn points % first second forfeits s/move"
    for heading in headings.split():
        table.add_column(heading, justify="right", no_wrap=True)
    for row in standings(settings.names, records):
        share = f"{100 * row.points / row.games:.1f}" if row.games else "–"
        counts = (row.games, row.won, row.lost, row.drawn)
        points = (f"{row.points:g}", share, f"{row.as_first:g}", f"{row.as_second:g}")
        last = (str(row.forfeited), f"{row.seconds_per_move:.3f}")
        table.add_row(Text(row.name), *map(str, counts), *points, *last)
    return table


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
