"""A review as one HTML page."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import Final

from linage_bot.document import Markup, document, table
from linage_bot.game import Player
from linage_bot.review import diagrams, graph, words
from linage_bot.review.facts import Losses, MoveReview, Review
from linage_bot.review.heading import dot, heading, title
from linage_bot.review.summary import PHASES

_STYLE: Final = (
    """
h1 { margin: 1rem 0 .2rem; } h3 { margin: .2rem 0 .6rem; }
.soft, figcaption { color: var(--soft); }
.top { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 20rem); gap: 2rem; }
.mistake { display: grid; grid-template-columns: minmax(0, 14rem) 1fr; gap: 1.2rem; }
.pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.2rem; }
.pair .card { margin: 0; }
.board svg { width: 100%; height: auto; max-height: 30rem; display: block; }
.card { background: var(--paper); border-radius: 12px; padding: 1.1rem 1.2rem; margin: 0 0 1.2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.2rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
td { white-space: nowrap; } td:nth-child(2), th:nth-child(2) { text-align: left; }
.who { white-space: nowrap; }
.dot { display: inline-block; width: .75em; height: .75em; border-radius: 50%; margin-right: .4em; }
.first { background: #3f8fcf; } .second { background: #f09a2c; }
.bad { color: var(--bad); font-weight: 600; }
tr:has(:target) td { background: var(--paper); }
td :target { scroll-margin-top: 40vh; }
@media (max-width: 40rem) { .top, .mistake, .pair { grid-template-columns: minmax(0, 1fr); }
  h1 { font-size: 1.5rem; } .card { padding: .8rem; } }
"""
    + graph.STYLE
)


def to_html(review: Review) -> str:
    """The page: what was played, how it went, where it went wrong, and every move."""
    sections = (heading, _graphs, _mistakes, _phases, _endgame, _table, _explanation)
    body = "\n".join(part for section in sections for part in section(review))
    return document(title(review), f"<main>\n{body}\n</main>", _STYLE)


# ------------------------------------------------------------------------- the graphs


def _graphs(review: Review) -> Iterator[str]:
    game, values = review.record.game, review.values
    yield "<h2>How the game went</h2>"
    ticks = ((1.0, "100"), (0.5, ""), (0.0, "50"), (-0.5, ""), (-1.0, "0"))
    yield '<div class="pair">'
    rates = [2 * value.win_rate - 1 for value in values]
    yield from _graph(review, f"Win rate of {game.players[0]} in percent", rates, 1.0, ticks)
    scores = [value.score for value in values if value.score is not None]
    if scores:
        most = graph.round_up(max(map(abs, scores)))
        heights = (most, most / 2, 0.0, -most / 2, -most)
        labels = [(height, words.signed(height)) for height in heights]
        yield from _graph(review, f"Lead of {game.players[0]} in points", scores, most, labels)
    yield "</div>"
    proven = " The thick line below marks proven values." if _proves(review) else ""
    first, second = (dot(review, player) for player in Player)
    yield (
        f'<p class="soft">Above the middle {first} is ahead, below it {second}. The numbers count'
        f" moves; dots are the largest mistakes.{proven}</p>"
    )


def _graph(
    review: Review,
    name: str,
    values: list[float],
    most: float,
    ticks: Sequence[tuple[float, str]],
) -> Iterator[str]:
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
    yield f'<figure class="card"><h3>{html.escape(name)}</h3>{graph.graph(curve)}</figure>'


def _hint(review: Review, number: int) -> str:
    position, value = review.positions[number], review.values[number]
    what = "the start"
    if number:
        move = review.moves[number - 1]
        what = f"{number}. {position.game.players[move.player]} {position.name_of(move.move)}"
    return f"{what}: {words.verdict(position.game, value)}"


def _proves(review: Review) -> bool:
    """Whether more than the end of the game is proven."""
    return review.exact_from is not None and review.exact_from < len(review.moves)


# ----------------------------------------------------------------------- the mistakes


def _mistakes(review: Review) -> Iterator[str]:
    yield "<h2>The largest mistakes</h2>"
    if not review.mistakes:
        yield (
            "<p>No move can be told to be a mistake: each costs less than 5 % of win rate, or no"
            " more than the searches err by chance.</p>"
        )
    for number in review.mistakes:
        move = review.moves[number - 1]
        name = review.positions[0].name_of
        yield (
            f'<article class="card mistake" id="mistake-{number}"><div>'
            f'<h3><a href="#move-{number}">Move {number}</a>:'
            f" {name(move.move)} instead of {name(move.best)}</h3>"
            f"<p>{dot(review, move.player)}</p><p>{_why(review, move)}</p></div>"
            f'<div class="pair">{_figure(diagrams.played(review, move), _played(review, move))}'
            f"{_figure(diagrams.better(review, move), _better(review, move))}</div></article>"
        )


def _why(review: Review, move: MoveReview) -> str:
    """What a mistake cost."""
    costs = []
    if move.win_loss >= 0.0005:
        costs.append(f'<span class="bad">{words.percent(move.win_loss)}</span> of win rate')
    if move.score_loss is not None and move.score_loss >= 0.05:
        text = words.score_loss(move)
        unit = "point" if text == "1" else "points"
        costs.append(f'<span class="bad">{text}</span> {unit}')
    cost = " and ".join(costs)
    now = html.escape(words.verdict(review.record.game, move.after))
    proof = "By proof it" if move.exact else "It"
    return f"{proof} cost {cost}. After it: {now}."


def _figure(picture: str, caption: str) -> str:
    return f'<figure class="board">{picture}<figcaption>{caption}</figcaption></figure>'


def _played(review: Review, move: MoveReview) -> str:
    line = (move.move, *move.reply)[: diagrams.MOST_SHOWN]
    first, *rest = words.names(review.record.game, line).split()
    return f"Played: <b>{first}</b> {' '.join(rest)}"


def _better(review: Review, move: MoveReview) -> str:
    first, *rest = words.names(review.record.game, move.line[: diagrams.MOST_SHOWN]).split()
    proven = "; a proven line of best play" if move.exact else ""
    return f"Better: <b>{first}</b> {' '.join(rest)}{proven}"


# --------------------------------------------------------------- phases and the endgame


def _phases(review: Review) -> Iterator[str]:
    points = review.start.score is not None
    heading = ("phase", "player", "moves", "win rate lost", *(["points lost"] if points else []))

    def rows() -> Iterator[Iterator[object]]:
        for phase in review.phases:
            name = f"{phase.name}, {phase.first}–{phase.last}"
            for player, losses in zip(Player, phase.players, strict=True):
                yield iter((name, dot(review, player), *_losses(losses, points=points)))
                name = ""

    opening, middle = (words.percent(share, 0) for _, share in PHASES[:2])
    yield "<h2>Phases</h2>"
    yield table(heading, rows())
    yield (
        '<p class="soft">Losses are means per move. It is the opening while a stone may be placed'
        f" on at least {opening} of the points, the middle while on at least {middle}.</p>"
    )


def _losses(losses: Losses, *, points: bool) -> Iterator[object]:
    yield losses.moves
    yield words.percent(losses.win_loss) if losses.moves else "–"
    if points:
        yield "–" if losses.score_loss is None else f"{losses.score_loss:.2f}"


def _endgame(review: Review) -> Iterator[str]:
    start = review.exact_from
    if start is None or not _proves(review):
        return
    yield "<h2>The exact endgame</h2>"
    game, value = review.record.game, review.values[start]
    when = f"after move {start}" if start else "from the start"
    exact = [move for move in review.moves if move.exact]
    yield (
        f"<p>From the position {when} on every score is proven by the solver. With best play of"
        f" both from there <b>{html.escape(words.lead(game, value))}</b>; in the end"
        f" {html.escape(words.lead(game, review.values[-1]))}.</p>"
    )
    name = review.positions[0].name_of
    rows = (
        (
            Markup(f'<a href="#move-{move.number}">{move.number}</a>'),
            dot(review, move.player),
            name(move.move),
            name(move.best),
            words.score(move.before),
            words.score(move.after),
            words.score_loss(move),
        )
        for move in exact
        if move.score_loss
    )
    heading = ("move", "player", "played", "best", "lead before", "lead after", "points lost")
    yield table(heading, rows)
    for player in Player:
        own = [move for move in exact if move.player is player]
        lost = sum(move.score_loss or 0.0 for move in own)
        errors = sum(bool(move.score_loss) for move in own)
        yield (
            f"<p>{dot(review, player)} lost {words.points(lost)} by {errors} of"
            f" {len(own)} moves.</p>"
        )


# ---------------------------------------------------------------------- every move


def _table(review: Review) -> Iterator[str]:
    game, name = review.record.game, review.positions[0].name_of
    first, points = game.players[0], review.start.score is not None
    heading = ["move", "player", "played", f"{first}'s win rate"]
    heading += [f"{first}'s lead"] if points else []
    heading += ["win rate lost"] + (["points lost"] if points else [])
    heading += ["best", "visits", "line expected after the best"]

    def row(move: MoveReview) -> Iterator[object]:
        bad = move.number in review.mistakes
        number = f'<span id="move-{move.number}">{move.number}</span>'
        yield Markup(f'<a href="#mistake-{move.number}">{number}</a>' if bad else number)
        yield dot(review, move.player)
        yield name(move.move)
        yield words.win_rate(move.after)
        if points:
            yield words.score(move.after)
        yield Markup(f'<span class="bad">{words.loss(move)}</span>') if bad else words.loss(move)
        if points:
            yield words.score_loss(move)
        yield "given" if move.given else name(move.best) if move.best != move.move else "="
        yield _visits(move)
        line = words.names(game, move.line[1 : diagrams.MOST_SHOWN])
        yield line

    yield '<h2 id="move-0">All moves</h2>'
    yield table(heading, map(row, review.moves))


def _visits(move: MoveReview) -> str:
    """Where the value after a move comes from."""
    if move.after.exact:
        return "proven"
    return "win proven" if move.after.certain else f"{move.after.visits:,}"


def _explanation(review: Review) -> Iterator[str]:
    first = html.escape(review.record.game.players[0])
    yield f"""<details><summary>What the numbers mean</summary>
<p>Win rates and leads are {first}'s, after the move. Each position was searched by itself with the
same limits. A move's loss is the value of the best move less the value of the move played, each
taken from the search of the position after it; a move that turned out no worse than the one the
search prefers counts as best.</p>
<p>By chance alone a win rate is off by some 0.2 to 0.5 percentage points at 10,000 to 50,000
visits; how far the search misjudges a position is not known. What is marked as proven is exact:
there the win rate is the result under best play.</p></details>"""
