"""An event as one HTML page with every table, plot, game and forfeit; `write_page` writes it."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from linage_bot.document import describe_game, document, table
from linage_bot.match import plots
from linage_bot.match.event import sequential_test
from linage_bot.match.ratings import Knowledge, Rating, RatingList, rate
from linage_bot.match.records import FORFEIT, GameRecord
from linage_bot.match.report import advantage, comparison, describe, rating_words
from linage_bot.match.settings import MatchSettings
from linage_bot.match.standings import Table
from linage_bot.match.statistics import Estimate, Pairs
from linage_bot.pictures import Picture
from linage_bot.records import replay, to_sgf

PAGE_NAME: Final = "index.html"

_STYLE: Final = """
.games { display: grid; grid-template-columns: repeat(auto-fill, minmax(17em, 1fr)); gap: 1.5em; }
.games svg { width: 100%; height: auto; }
"""


def write_page(settings: MatchSettings, records: Sequence[GameRecord], folder: Path) -> Path:
    """Write the page and the games' SGF files into a folder; return the page's path.

    Raises `OSError` when the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    records = sorted(records, key=lambda record: record.number)
    for record in records:
        text = to_sgf(record.sgf_record(settings.name))
        (folder / _sgf_name(record)).write_text(text, encoding="utf-8")
    title = settings.name or " – ".join(settings.names)
    body = "\n".join((f"<h1>{html.escape(title)}</h1>", *_sections(settings, records)))
    page = folder / PAGE_NAME
    page.write_text(document(title, body, _STYLE), encoding="utf-8")
    return page


def _sections(settings: MatchSettings, records: Sequence[GameRecord]) -> Iterator[str]:
    games = "; ".join(describe_game(game.configure()) for game in settings.all_games)
    yield f"<p>{html.escape(games)}. {len(records)} games, {html.escape(settings.tournament)}.</p>"
    yield "<h2>Score</h2>"
    yield _score(settings, records)
    if len(settings.names) == 2:
        pairs = Pairs(settings.names[0], settings.names[1], records).counts
        lines = list(comparison(settings, pairs)) or [_NO_PAIR]
        yield "".join(f"<p>{html.escape(line)}</p>" for line in lines)
    yield "<h2>Cross table</h2>"
    yield _cross_table(settings.names, records)
    if not records:
        return
    ratings = rate(settings.names, records, settings.anchors)
    if len(settings.names) > 2:
        yield "<h2>Ratings</h2>"
        yield _ratings(ratings)
        yield _plot(plots.ratings(ratings), "The results are too one-sided for ratings.")
    yield f"<p>{advantage(ratings)}.</p>"
    yield from _progress(settings, records)
    yield "<h2>Length and time</h2>"
    lengths = [len(record.moves) for record in records]
    all_alike = f"All games have the same length, {lengths[0]} moves."
    yield _plot(plots.lengths(lengths), all_alike if len(records) > 1 else "")
    times = {name: _time_by_move(name, records) for name in settings.names}
    plot = plots.curves("Time used", times, "own move", "mean seconds")
    yield _plot(plot, "Nobody has made two moves of its own in a game.")
    forfeits = [record for record in records if record.ending == FORFEIT]
    if forfeits:
        yield "<h2>Forfeits</h2>"
        yield from map(_forfeit, forfeits)
    yield "<h2>Games</h2>"
    yield f'<div class="games">{"".join(map(_game, records))}</div>'


_NO_PAIR: Final = (
    "No opening has been played from both sides yet, so nothing is known of the difference."
)


def _plot(plot: str | None, otherwise: str) -> str:
    """A plot, or a sentence where there is nothing to plot."""
    return plot or f"<p>{html.escape(otherwise)}</p>"


def _score(settings: MatchSettings, records: Sequence[GameRecord]) -> str:
    words = "engine games won lost drawn points first second forfeits s/move longest"
    return table(
        words.split(),
        (
            (
                row.name,
                row.games,
                row.won,
                row.lost,
                row.drawn,
                f"{row.points:g}",
                f"{row.as_first:g}",
                f"{row.as_second:g}",
                row.forfeited,
                f"{row.seconds_per_move:.3f}",
                f"{row.longest_seconds:.2f}",
            )
            for row in Table(settings.names, records).rows()
        ),
    )


def _cross_table(names: Sequence[str], records: Sequence[GameRecord]) -> str:
    """Points of the one at the left against the one above, and in how many games."""
    points: dict[tuple[str, str], list[float]] = {}
    for record in records:
        for name, other in (record.players, record.players[::-1]):
            points.setdefault((name, other), []).append(record.points(name))

    def cell(name: str, other: str) -> str:
        own = points.get((name, other))
        return "" if own is None else f"{sum(own):g}/{len(own)}"

    return table(("", *names), ((name, *(cell(name, other) for other in names)) for name in names))


def _ratings(ratings: RatingList) -> str:
    def row(rating: Rating) -> tuple[object, ...]:
        elo, error = rating_words(rating)
        return rating.name, elo, error and f"± {error}", rating.games

    return table(("engine", "Elo", "95 %", "games"), map(row, ratings.ratings))


def _progress(settings: MatchSettings, records: Sequence[GameRecord]) -> Iterator[str]:
    """Elo and LLR after each pair; for more than two engines their ratings at twenty moments."""
    names = settings.names
    if len(names) > 2:
        steps = sorted({max(1, len(records) * step // 20) for step in range(1, 21)})
        lists = [rate(names, records[:step], settings.anchors) for step in steps]
        found = [{r.name: _measured(r) for r in each.ratings} for each in lists]
        series = {name: [each[name] for each in found] for name in names}
        yield "<h2>Ratings over time</h2>"
        plot = plots.curves("Ratings over time", series, "twentieths of the event", "Elo")
        yield _plot(plot, "Too few games to rate anybody twice.")
        return
    pairs = Pairs(names[0], names[1])
    elos: list[Estimate] = []
    llrs: list[float] = []
    test = None if settings.sprt is None else sequential_test(settings.sprt)
    for record in records:
        pairs.add(record)
        counts = pairs.counts
        if counts.pairs > len(elos):
            elos.append(counts.elo())
            llrs.append(0.0 if test is None else test.llr(counts))
    yield "<h2>Elo over time</h2>"
    plot = plots.estimates(f"Elo of {names[0]} over {names[1]}", elos)
    yield _plot(plot, "Two pairs of games with an interval are needed before there is a plot.")
    if test is not None:
        yield "<h2>LLR over time</h2>"
        yield _plot(plots.walk(llrs, test.lower, test.upper), "There are no two pairs yet.")


def _measured(rating: Rating) -> float:
    return rating.elo if rating.knowledge is Knowledge.MEASURED else math.nan


def _time_by_move(name: str, records: Sequence[GameRecord]) -> list[float]:
    """The mean time of an engine's first own move, its second, and so on."""
    by_move: list[list[float]] = []
    for record in records:
        if name in record.players:
            side = record.players.index(name)
            own = record.seconds[(side - record.opening_moves) % 2 :: 2]
            for number, seconds in enumerate(own):
                if number == len(by_move):
                    by_move.append([])
                by_move[number].append(seconds)
    return [sum(each) / len(each) for each in by_move]


def _sgf_name(record: GameRecord) -> str:
    return f"{record.number:04d}.sgf"


def _title(record: GameRecord) -> str:
    players = html.escape(" – ".join(record.players))
    return f'<a href="{_sgf_name(record)}">Game {record.number}</a>: {players}'


def _forfeit(record: GameRecord) -> str:
    log = html.escape("\n".join(record.log))
    return f"<h3>{_title(record)}</h3><p>{html.escape(describe(record))}</p><pre>{log}</pre>"


def _game(record: GameRecord) -> str:
    sgf = record.sgf_record()
    last = sgf.moves[-1] if sgf.moves else None
    try:
        diagram = Picture(replay(sgf)[-1], last=last).svg(styled=False)
    except ValueError:  # played without a referee
        diagram = "<p>The moves do not follow our rules.</p>"
    words = html.escape(f"{record.result}: {describe(record)}")
    return f"<figure>{diagram}<figcaption>{_title(record)}<br>{words}</figcaption></figure>"
