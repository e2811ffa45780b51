"""A review as one HTML page; its template says how, this what."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from linage_bot.drawing import Picture
from linage_bot.drawing.html import describe_game, render
from linage_bot.review import diagrams, graph, words
from linage_bot.review.facts import MoveReview, Review
from linage_bot.review.heading import facts, title
from linage_bot.review.summary import PHASES
from linage_bot.rules.game import Player


def to_html(review: Review) -> str:
    """The page: what was played, how it went, where it went wrong, and every move."""
    last = Picture(review.positions[-1], last=review.record.moves[-1]).svg(styled=False)
    return render(
        "review.html",
        review=review,
        title=title(review),
        described=describe_game(review.record.game),
        players=tuple(Player),
        facts=list(facts(review)),
        last=Markup(last),
        graphs=list(_graphs(review)),
        # Whether more than the end of the game is proven.
        proven=review.exact_from is not None and review.exact_from < len(review.moves),
        costs=_costs,
        diagrams=diagrams,
        shares=[share for _, share in PHASES],
        words=words,
    )


def _graphs(review: Review) -> Iterator[tuple[str, Markup]]:
    """Headings and graphs."""
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
    curve = graph.Curve(
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


def _costs(move: MoveReview) -> Iterator[tuple[str, str]]:
    """What a mistake cost, with what it is measured in."""
    if move.win_loss >= 0.0005:
        yield words.percent(move.win_loss), "of win rate"
    if move.score_loss is not None and move.score_loss >= 0.05:
        text = words.score_loss(move)
        yield text, "point" if text == "1" else "points"
