"""An event as one HTML page with every table, plot, game and forfeit; `write_page` writes it."""

import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
from markupsafe import Markup

from linage_bot.arena.rating_information import RatingInformation
from linage_bot.arena.ratings import Rating, rate
from linage_bot.arena.records import FORFEIT, GameRecord
from linage_bot.arena.standings import Crosstable
from linage_bot.arena.statistics import Estimate, PentanomialCounts, bounds, llr
from linage_bot.drawing import Picture
from linage_bot.drawing.description import describe_game
from linage_bot.drawing.html import may_replace, render
from linage_bot.drawing.steps import changes, steps
from linage_bot.match import plots
from linage_bot.match.report import advantage, comparison, describe, rating_words, repeats_line
from linage_bot.match.store import write_sgf
from linage_bot.settings.checks import SettingFault, file_under, make_folder
from linage_bot.settings.files import write_whole
from linage_bot.settings.match import MatchSettings

PAGE_NAME: Final = "index.html"


def check_folder(folder: Path) -> None:
    """Check before any game that a page can be written into a folder, and create the folder.

    Raises `SettingFault`, also when the folder holds a page that another program made.
    """
    make_folder("--report", folder)
    page = folder / PAGE_NAME
    with file_under("--report", page):
        if not may_replace(page):
            reason = f"{page} exists and is not our report; choose another folder"
            raise SettingFault("--report", reason)


def write_page(settings: MatchSettings, records: Sequence[GameRecord], folder: Path) -> Path:
    """Write the page and the games' SGF files into a folder; return the page's path.

    Raises `OSError` when the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    records = sorted(records, key=lambda record: record.number)
    for record in records:
        write_sgf(record, settings.name, folder)
    page = folder / PAGE_NAME
    write_whole(page, _page(settings, records).encode())
    return page


def _page(settings: MatchSettings, records: Sequence[GameRecord]) -> str:
    names = settings.names
    ratings = rate(names, records, settings.anchors)
    several = len(names) > 2
    times = {name: _time_by_move(name, records) for name in names}
    return render(
        "match.html",
        title=settings.name or " – ".join(names),
        games="; ".join(describe_game(game.configure()) for game in settings.all_games),
        tournament=settings.tournament,
        names=names,
        records=records,
        standings=Crosstable(names, records).rows(),
        repeats=repeats_line(records),
        comparison=[] if several else _comparison(settings, records),
        cross=_cross_table(records),
        ratings=ratings.ratings if several else (),
        ratings_plot=plots.ratings(ratings) if several else None,
        advantage=advantage(ratings),
        progress=list(
            _ratings_over_time(settings, records) if several else _elo_over_time(settings, records)
        ),
        lengths=plots.lengths([len(record.moves) for record in records]),
        times=plots.curves("Time used", times, "own move", "mean seconds"),
        forfeits=[record for record in records if record.ending == FORFEIT],
        describe=describe,
        game_of=_game_of,
        rating_words=rating_words,
    )


def _comparison(settings: MatchSettings, records: Sequence[GameRecord]) -> list[str]:
    pairs = PentanomialCounts.of(settings.names[0], settings.names[1], records)
    return list(comparison(settings, pairs)) or [
        "No opening has been played from both sides yet, so the difference is not known."
    ]


def _cross_table(records: Sequence[GameRecord]) -> dict[tuple[str, str], str]:
    """Return the points and games of each engine against each other one: `3.5/6`."""
    points: dict[tuple[str, str], list[float]] = {}
    for record in records:
        for name, other in (record.players, record.players[::-1]):
            points.setdefault((name, other), []).append(record.points(name))
    return {pair: f"{sum(own):g}/{len(own)}" for pair, own in points.items()}


Progress = Iterator[tuple[str, Markup | None, str]]
"""A heading, a plot, and the text to show where there is nothing to plot."""


def _ratings_over_time(settings: MatchSettings, records: Sequence[GameRecord]) -> Progress:
    """Yield the measured ratings at twenty moments."""
    steps = sorted({max(1, len(records) * step // 20) for step in range(1, 21)})
    lists = [rate(settings.names, records[:step], settings.anchors) for step in steps]
    found = [{r.name: _measured(r) for r in each.ratings} for each in lists]
    series = {name: [each[name] for each in found] for name in settings.names}
    plot = plots.curves("Ratings over time", series, "twentieths of the event", "Elo")
    few = "No ratings over time: there are too few games, or they are too one-sided."
    yield "Ratings over time", plot, few


def _measured(rating: Rating) -> float:
    return rating.elo if rating.knowledge is RatingInformation.MEASURED else math.nan


def _elo_over_time(settings: MatchSettings, records: Sequence[GameRecord]) -> Progress:
    """Yield Elo and LLR after each pair."""
    first, second = settings.names
    pairs, test = PentanomialCounts.of(first, second), settings.sprt
    elos: list[Estimate] = []
    llrs: list[Estimate] = []
    games: list[int] = []
    for record in records:
        pairs.add(record)
        if pairs.pairs > len(games):
            games.append(record.number)
            elos.append(pairs.elo())
            if test is not None:
                llrs.append(Estimate(*[llr(test, pairs)] * 3))
    plot = plots.over_pairs(f"Elo of {first} over {second}", "Elo", elos, games)
    few = "No plot yet: it needs two pairs of games with an interval"
    if math.isinf(pairs.elo().value):
        winner = settings.names[pairs.elo().value < 0]
        few += f"; as {winner} has won every pair, Elo has a bound at one end only"
    yield "Elo over time", plot, f"{few}."
    if test is not None:
        plot = plots.over_pairs("LLR over time", "LLR", llrs, games, bounds(test))
        yield "LLR over time", plot, "There are no two pairs yet."


def _time_by_move(name: str, records: Sequence[GameRecord]) -> list[float]:
    """Return the mean time of an engine's first own move, its second, and so on."""
    by_move: list[list[float]] = []
    for record in records:
        if name in record.players:
            for number, seconds in enumerate(record.own_seconds(name)):
                if number == len(by_move):
                    by_move.append([])
                by_move[number].append(seconds)
    return [sum(each) / len(each) for each in by_move]


@attrs.frozen
class _Shown:
    """A game on the page: its last position, and the viewer's data."""

    picture: Markup
    steps: dict[str, Any]


def _game_of(record: GameRecord) -> _Shown | None:
    """Return a game for the page; None if it broke our rules, as games without a referee may."""
    sgf = record.sgf_record()
    try:
        positions = sgf.history().positions
    except ValueError:
        return None
    last = sgf.moves[-1] if sgf.moves else None
    return _Shown(
        Markup(Picture(positions[-1], last=last).svg(styled=False)),
        steps(
            sgf.game,
            changes(positions),
            sgf.moves,
            ["The start", *_move_lines(record)],
            sgf.comments,
        ),
    )


def _move_lines(record: GameRecord) -> Iterator[str]:
    """Yield each move in words: `12. ten (Vertical): C3, 0.05 s`."""
    roles = record.rules.game().players
    given = [", given"] * record.opening_moves
    spent = [f", {seconds:.2f} s" for seconds in record.seconds]
    notes = itertools.chain(given, spent, itertools.repeat(""))
    for number, (move, note) in enumerate(zip(record.moves, notes, strict=False)):
        side = number % 2
        yield f"{number + 1}. {record.players[side]} ({roles[side]}): {move}{note}"
