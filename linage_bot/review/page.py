"""A review as one HTML page: the values that its template lays out."""

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from linage_bot.drawing import Mark, Picture
from linage_bot.drawing.html import render
from linage_bot.drawing.steps import changes, steps
from linage_bot.review import graph, words
from linage_bot.review.facts import MoveReview, Review
from linage_bot.review.record_page import heading
from linage_bot.review.summary import PHASES
from linage_bot.rules.game import PASS, Move
from linage_bot.settings.playing import PlaySettings
from linage_bot.version import __version__

MOST_SHOWN = 7  # moves of a line in a diagram


def to_html(review: Review) -> str:
    """Return the page: the game, its course, its mistakes, and every move."""
    return render(
        "review.html",
        review=review,
        record=review.record,
        **heading(review.record, review.positions[-1]),
        engine=_engine(review.settings),
        steps=_steps(review),
        graphs=list(_graphs(review)),
        # Whether more than the end of the game is proven.
        proven=review.exact_from is not None and review.exact_from < len(review.moves),
        costs=words.costs,
        most_shown=MOST_SHOWN,
        diagram=_diagram,
        shares=[share for _, share in PHASES],
        words=words,
    )


def _engine(settings: PlaySettings) -> str:
    limits = []
    if settings.visits is not None:
        limits.append(f"{settings.visits:,} visits")
    if settings.seconds is not None:
        limits.append(f"{settings.seconds:g} s")
    threads = "" if settings.threads == 1 else f", {settings.threads} threads"
    return (
        f"linage-bot {__version__}, {' or '.join(limits)} a search{threads}, seed {settings.seed}"
    )


def _graphs(review: Review) -> Iterator[tuple[str, Markup]]:
    """Yield headings and graphs."""
    first, values = review.record.game.players[0], review.values
    rates = [2 * value.win_rate - 1 for value in values]
    ticks = ((1.0, "100"), (0.5, ""), (0.0, "50"), (-0.5, ""), (-1.0, "0"))
    yield _graph(review, f"Win rate of {first} in percent", rates, 1.0, ticks)
    scores = [value.score for value in values if value.score is not None]
    if scores:
        most = graph.round_up(max(map(abs, scores)))
        heights = (most, most / 2, 0.0, -most / 2, -most)
        labels = [(height, words.signed(height)) for height in heights]
        yield _graph(review, f"Lead of {first} in points", scores, most, labels)


def _graph(
    review: Review,
    name: str,
    values: list[float],
    most: float,
    ticks: Sequence[tuple[float, str]],
) -> tuple[str, Markup]:
    curve = graph.ValueGraph(
        name,
        values,
        most,
        ticks,
        hints=[_hint(review, number) for number in range(len(values))],
        phases={phase.name: phase.first - 1 for phase in review.phases},
        marked=review.mistakes,
        exact_from=review.exact_from,
    )
    return name, graph.graph(curve)


def _hint(review: Review, number: int) -> str:
    position, value = review.positions[number], review.values[number]
    what = "the start"
    if number:
        move = review.moves[number - 1]
        what = f"{number}. {position.game.players[move.player]} {position.name_of(move.move)}"
    return f"{what}: {words.verdict(position.game, value)}"


def _steps(review: Review) -> dict[str, Any]:
    """Return the game for the viewer: the values of positions, costs of mistakes, and comments."""
    notes = dict(review.record.comments)
    for number in review.mistakes:
        move = review.moves[number - 1]
        cost = " and ".join(f"{cost} {unit}" for cost, unit in words.costs(move))
        better = words.names(review.record.game, move.line[:MOST_SHOWN])
        comment = notes.get(number, "")
        notes[number] = f"It cost {cost}. Better: {better}" + (f"\n{comment}" if comment else "")
    hints = [_hint(review, number) for number in range(len(review.positions))]
    return steps(review.record.game, changes(review.positions), review.record.moves, hints, notes)


def _diagram(
    review: Review, move: MoveReview, line: tuple[Move, ...], *, crossed: bool = False
) -> Markup:
    """Return the position before a move with a numbered line from there; a cross marks the move.

    Where the line plays there, too, there is no cross.
    """
    shown = line[:MOST_SHOWN]
    marks: dict[Move, Mark] = {}
    if crossed and move.move not in (PASS, *shown):
        marks[move.move] = "cross"
    last = review.record.moves[move.number - 2] if move.number > 1 else None
    picture = Picture(review.positions[move.number - 1], last=last, line=shown, marks=marks)
    return Markup(picture.svg(styled=False))
