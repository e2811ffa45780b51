"""A review as one HTML page: the values that its template lays out."""

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from linage_bot.drawing import Mark, Picture
from linage_bot.drawing.html import describe_game, describe_options, render
from linage_bot.drawing.steps import changes, steps
from linage_bot.records import same_result
from linage_bot.review import graph, words
from linage_bot.review.facts import MoveReview, Review
from linage_bot.review.summary import PHASES
from linage_bot.rules.game import PASS, Move, Player
from linage_bot.settings.playing import PlaySettings
from linage_bot.version import __version__

MOST_SHOWN = 7  # moves of a line in a diagram
_ENDINGS = {"R": "by resignation", "T": "on time", "F": "by forfeit"}  # SGF's


def to_html(review: Review) -> str:
    """Return the page: the game, its course, its mistakes, and every move."""
    last = Picture(review.positions[-1], last=review.record.moves[-1]).svg(styled=False)
    return render(
        "review.html",
        review=review,
        title=_title(review),
        described=describe_game(review.record.game),
        players=tuple(Player),
        facts=list(_facts(review)),
        last=Markup(last),
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


def _title(review: Review) -> str:
    """Return the players, or the game where their names are not known."""
    names = [name.strip() for name in review.record.players]
    return " – ".join(names) if all(names) else review.record.game.name


def _facts(review: Review) -> Iterator[tuple[str, str]]:
    """Yield the known facts about the game, except moves and players."""
    record = review.record
    yield "Result", _result(review)
    for name, fact in (("Event", record.event), ("Round", record.round), ("Date", record.date)):
        if fact:
            yield name, fact
    if options := describe_options(record.game):
        yield "Options", options
    yield "Analysed by", _engine(review.settings)


def _result(review: Review) -> str:
    """Return the record's result in words, and the board's own if it differs."""
    last = review.positions[-1]
    recorded, counted = review.record.result, str(last.result())
    if not recorded:
        return _outcome(review, counted) if last.over else "unfinished"
    if last.over and not same_result(recorded, counted):
        return f"{_outcome(review, recorded)}; on the board {_outcome(review, counted)}"
    return _outcome(review, recorded)


def _outcome(review: Review, result: str) -> str:
    """Return `Vertical wins by 7.5` for `B+7.5`; text that is not in SGF's form is unchanged."""
    winner, plus, margin = result.strip().partition("+")
    for player in Player:
        if plus and winner.upper() == player.letter.upper():
            role = review.record.game.players[player]
            margin = margin.strip()
            how = _ENDINGS.get(margin[:1].upper(), f"by {margin}") if margin else ""
            return f"{role} wins {how}".strip()
    return "a draw" if result.strip() in ("0", "Draw") else result


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
