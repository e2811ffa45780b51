"""An event as lines and a table on the user's screen; plain text where it is not a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from linage_bot.arena.rating_information import RatingInformation
from linage_bot.arena.records import FORFEIT, RESIGNATION, SCORE, GameRecord
from linage_bot.arena.standings import Standing
from linage_bot.arena.statistics import Estimate, PentanomialCounts, bounds, llr, verdict
from linage_bot.drawing.description import describe_game
from linage_bot.match.play import Watch
from linage_bot.match.schedule import Task, total
from linage_bot.match.store import EventStore
from linage_bot.rules.game import Game
from linage_bot.settings.match import MatchSettings

if TYPE_CHECKING:
    from linage_bot.arena.ratings import Rating, RatingList

_SHOWN_SCORES: Final = 4
_MANY_REPEATS: Final = 6  # games in succession: three pairs of a match
_ADVICE: Final = (
    "For other games give [openings], or more of them, or remove the engines' fixed seeds"
)


class TextReport:
    """A text report: a line for each game as it ends, and tables in the end."""

    def __init__(self, console: Console, store: EventStore) -> None:
        self._console = console
        self._store = store
        self._settings = store.settings
        self._total = total(store.settings)
        self._warned = False  # about games that repeat

    def event_begins(self, games: Sequence[Game]) -> None:
        """Print the event's games, engines and progress."""
        title = f"{self._settings.name}: " if self._settings.name else ""
        kind = "" if self._settings.tournament == "match" else f" ({self._settings.tournament})"
        self._print_line(
            f"{title}{'; '.join(map(describe_game, games))}: {' – '.join(self._settings.names)}"
            f"{kind}, {_count(self._total, 'game')}; records in {self._store.folder}"
        )
        played = _count(len(self._store.records), "game")
        left = self._total - len(self._store.records)
        gone = ", ".join(self._store.withdrawn)
        over = self._store.over
        if self._store.decided:
            self._print_line(f"{played} already played, and the test is decided; the result:")
        elif self._store.exhausted:
            self._print_line(f"{played} already played, and the last ones only repeat; the result:")
        elif over and left and gone:
            self._print_line(f"{played} already played, and none left without {gone}; the result:")
        elif over:
            self._print_line("All games of this event have been played; the result:")
        elif self._store.records:
            self._print_line(f"{played} already played, {'at most ' if gone else ''}{left} to go")

    def game_finished(self, record: GameRecord) -> None:
        """Print one line: the players, the result and its cause, and the score so far."""
        rows = self._store.table.rows()
        score = ", ".join(f"{row.name} {row.points:g}" for row in rows[:_SHOWN_SCORES])
        style = "yellow" if record.ending == FORFEIT else None
        self._print_line(
            f"{record.number:{len(str(self._total))}}/{self._total}"
            f"  {' – '.join(record.players)}  {record.result}  {describe(record)}"
            f"  [{score}{', …' if len(rows) > _SHOWN_SCORES else ''}]",
            style,
        )
        self._warn_of_repeats()

    def _warn_of_repeats(self) -> None:
        """Print once how to avoid it if the last games only repeat earlier ones."""
        count = self._store.repeats_in_succession
        if count >= _MANY_REPEATS and not self._warned:
            self._warned = True
            self._print_line(f"The last {count} games repeat earlier ones. {_ADVICE}", "yellow")
        if self._store.exhausted:
            self._print_line(
                f"The test ends undecided after {count} such games in succession", "yellow"
            )

    def watch(self, task: Task) -> Watch | None:
        """Return None: the lines do not follow the moves of a game."""

    def close(self) -> None:
        """Do nothing: the lines have no display to remove."""

    def report_written(self, page: Path) -> None:
        """Print the path of the page."""
        self._print_line(f"Report: {page}")

    def engine_withdrawn(self, name: str) -> None:
        """Print one line."""
        games = _count(self._settings.max_failures, "game")
        self._print_line(f"{name} is withdrawn: it failed in {games} in succession")

    def event_ended(self, interrupted: bool) -> None:
        """Print the tables, and the results of the two sides."""
        records = list(self._store.records.values())
        self._print_table(score_table(self._store.table.rows(), self._console.is_terminal))
        decided = [record.winner for record in records if record.winner is not None]
        self._print_line(
            f"First won {decided.count(0)}, Second {decided.count(1)},"
            f" drawn {len(records) - len(decided)}"
        )
        if (line := repeats_line(records)) is not None:
            self._print_line(line, "yellow")
        if len(self._settings.engines) > 2:
            from linage_bot.arena.ratings import rate  # imports NumPy, long after the start

            ratings = rate(self._settings.names, records, self._settings.anchors)
            self._print_table(rating_table(ratings, self._console.is_terminal))
            self._print_line(advantage(ratings))
        else:
            for line in comparison(self._settings, self._store.pairs):
                self._print_line(line)
        if disputed := [str(record.number) for record in records if record.disputed]:
            self._print_line(
                f"The engines' scores differ from ours in game {', '.join(disputed)}", "yellow"
            )
        if interrupted:
            self._print_line("Interrupted. Run the same command again to play the missing games.")

    def _print_table(self, table: Table) -> None:
        # Nothing is folded outside a terminal, for a program may read it.
        self._console.print(table, width=None if self._console.is_terminal else 160)

    def _print_line(self, line: str, style: str | None = None) -> None:
        # Some lines contain the engines' own text, which must not reach the terminal as commands.
        text = "".join(letter if letter.isprintable() else " " for letter in line)
        self._console.print(Text(text, style=style or ""), soft_wrap=True)


def repeats_line(records: Sequence[GameRecord]) -> str | None:
    """Return the number of games that repeat an earlier one, with advice; None if none does."""
    count = sum(record.repeats > 0 for record in records)
    if not count:
        return None
    one = count == 1
    return (
        f"{count} of {len(records)} games {'repeats' if one else 'repeat'} an earlier one move for"
        f" move and {'adds' if one else 'add'} nothing to the figures below. {_ADVICE}"
    )


def comparison(settings: MatchSettings, pairs: PentanomialCounts) -> Iterator[str]:
    """Yield lines that compare two engines, as far as there are finished pairs."""
    first, second = settings.names
    if not pairs.pairs:
        return
    elo, normalized = pairs.elo(), pairs.normalized_elo()
    # Where Elo has no two ends, normalized Elo has them only by an asymptote that is far away.
    both = math.isfinite(elo.error) and math.isfinite(normalized.error)
    words = f", normalized Elo {_interval(normalized)}" if both else ""
    yield (
        f"{first} – {second}: Elo {_interval(elo)}{words},"
        f" better with {100 * pairs.superiority():.1f} % certainty"
    )
    if math.isinf(elo.value):
        winner = settings.names[elo.value < 0]
        yield f"{winner} has won every pair 2–0, so there is no upper bound on the difference"
    counts = " ".join(map(str, pairs.counts))
    repeated = f"; not counted, because they repeat earlier ones: {pairs.repeated}"
    yield (
        f"Pairs with 0, ½, 1, 1½, 2 points for {first}: {counts}"
        f"{repeated if pairs.repeated else ''}"
    )
    if (test := settings.sprt) is not None:
        lower, upper = bounds(test)
        yield (
            f"SPRT {test.elo0:g} to {test.elo1:g} {test.model} Elo: {verdict(test, pairs).value},"
            f" LLR {llr(test, pairs):z.2f} ({lower:.2f} to {upper:.2f})"
        )


def advantage(ratings: RatingList) -> str:
    """Return the advantage of moving first in words, or that the games do not determine it."""
    error = ratings.advantage_error
    if math.isfinite(error):
        return f"Moving first is worth {ratings.advantage:+z.1f} ± {error:.1f} Elo"
    return "The games do not determine the advantage of moving first"


def rating_words(rating: Rating) -> tuple[str, str]:
    """Return a rating and its 95 % error: `12.3` and `4.5`, or `at least 12.3`, or `not known`.

    The error may be `not known`, too; it is empty where there is none.
    """
    elo, knowledge = f"{rating.elo:z.1f}", rating.knowledge
    if knowledge is RatingInformation.MEASURED:
        return elo, f"{rating.error:.1f}" if math.isfinite(rating.error) else "not known"
    return (
        knowledge.value if knowledge is RatingInformation.UNKNOWN else f"{knowledge.value} {elo}",
        "",
    )


def _interval(estimate: Estimate) -> str:
    """Return `+12.3 ± 4.5`, or the only bound where one side has won almost everything."""
    if math.isfinite(estimate.error):
        return f"{estimate.value:+z.1f} ± {estimate.error:.1f}"
    known = [f"{estimate.value:+z.1f}"] if math.isfinite(estimate.value) else []
    if math.isfinite(estimate.low):
        known.append(f"at least {estimate.low:+z.1f} (95 %)")
    elif math.isfinite(estimate.high):
        known.append(f"at most {estimate.high:+z.1f} (95 %)")
    else:
        known.append("without bounds so far")
    return ", ".join(known)


def describe(record: GameRecord) -> str:
    """Return a game's ending: `quick wins by 3.5 after 24 moves, 1.2 s`."""
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
    repeats = f", repeats game {record.repeats}" if record.repeats else ""
    moves = _count(len(record.moves), "move")
    return f"{how} ({moves}, {record.duration_seconds:.1f} s){repeats}"


def score_table(rows: Sequence[Standing], pretty: bool) -> Table:
    """Return a table of the engines, the best first; with a column for repeats if there are any."""
    headings = "engine games won lost drawn points % first second forfeits s/move"
    repeated = any(row.repeated for row in rows)
    table = new_table(f"{headings} repeats" if repeated else headings, pretty)
    for row in rows:
        share = f"{100 * row.share:.1f}" if row.games else "–"
        counts = (row.games, row.won, row.lost, row.drawn)
        points = (f"{row.points:g}", share, f"{row.as_first:g}", f"{row.as_second:g}")
        last = [str(row.forfeited), f"{row.seconds_per_move:.3f}"]
        if repeated:
            last.append(str(row.repeated))
        table.add_row(Text(row.name), *map(str, counts), *points, *last)
    return table


def rating_table(ratings: RatingList, pretty: bool) -> Table:
    """Return the rating list with 95 % errors."""
    table = new_table("engine Elo ± games", pretty)
    for row in ratings.ratings:
        table.add_row(Text(row.name), *rating_words(row), str(row.games))
    return table


def new_table(headings: str, pretty: bool) -> Table:
    """Return a table without rows: names in the first column, numbers in the others."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    if pretty:
        table = Table(box=box.SIMPLE_HEAD, padding=0)
    first, *others = headings.split()
    table.add_column(first, overflow="fold")
    for heading in others:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
