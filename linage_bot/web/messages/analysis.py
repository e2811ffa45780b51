"""Messages about a table's searches: analysis, graph, review and compilation."""

import math

from linage_bot.engine.search import loading
from linage_bot.engine.solver import loading as solver
from linage_bot.engine.solver.proven_values import ProvenValues
from linage_bot.engine.solver.solved_boards import alike
from linage_bot.review import words
from linage_bot.review.facts import MoveReview
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player, Position
from linage_bot.web.messages.wire import (
    AnalysisMessage,
    CompileProgressMessage,
    GraphMessage,
    MistakeMessage,
    MoveValueMessage,
    ReviewMessage,
)
from linage_bot.web.table.view import FOLLOWING, View
from linage_bot.web.thinking.reviewer import ReviewProgress
from linage_bot.web.thinking.session import Session

_MOST_CANDIDATES = 40


def compiling_message(session: Session) -> CompileProgressMessage | None:
    """Return the compilation that a table waits for: its subject, share and seconds left.

    The share is 0 to 1. The subject may be another game that is compiled first. None if nothing is
    compiled.
    """
    games = [session.game.rules]
    if session.waits:
        games += [kind.configure() for kind in GAMES.values()]
    found = [(game.name, loading.compiling(game)) for game in games]
    found += [("the solver", solver.compiling(game)) for game in games]
    for what, seen in found:
        if seen is not None:
            left = math.ceil(seen.seconds_left)
            return CompileProgressMessage(what, round(seen.share, 3), left)
    return None


def analysis_message(session: Session, view: View = FOLLOWING) -> AnalysisMessage:
    """Return the analysis of the position that a page views, searched and proven."""
    node = view.viewed(session.game)
    position = session.game.positions[node]
    analysis = session.cache.analysis(node, position)
    own = analysis.seen_by(position.to_move)
    seen = [each for each in own.candidates if each.visits]
    owners = analysis.owners
    return AnalysisMessage(
        node=node,
        visits=analysis.visits,
        win_rate=analysis.win_rate,
        lead=analysis.lead,
        exact=analysis.proven.low if analysis.proven.exact else None,
        best=analysis.best,
        estimated=analysis.estimated,
        settled=analysis.settled,
        candidates=tuple(seen[:_MOST_CANDIDATES]),
        ownership=None if owners is None else tuple(round(mean, 2) for mean in owners),
        values=_values(position, session.cache.proven(node, position)),
    )


def _values(position: Position, proven: ProvenValues | None) -> tuple[MoveValueMessage, ...]:
    """Return the proven values of moves, the best first, with symmetric moves together.

    There are none until all best moves are known.
    """
    if proven is None or not proven.exact or not proven.moves:
        return ()
    told = [
        MoveValueMessage(tuple(same), proven.of(same[0]).high, proven.of(same[0]).exact)
        for same in alike(position, proven.moves)
    ]
    return tuple(sorted(told, key=lambda each: (-each.most, not each.exact)))


def graph_message(session: Session, view: View = FOLLOWING) -> GraphMessage:
    """Return First's win rate and lead at the analysed nodes of the viewed line, and at its end."""
    game = session.game
    line, known = game.line(view.viewed(game)), session.cache.graph
    points = [
        (index, round(known[node][0], 4), round(known[node][1], 2))
        for index, node in enumerate(line)
        if node in known
    ]
    end = game.positions[line[-1]]
    if end.over:
        final = end.result()
        rate, lead = final.win_rate_of(Player.FIRST), final.lead_of(Player.FIRST)
        points.append((len(line) - 1, rate, lead))
    return GraphMessage(tuple(points))


def review_message(session: Session) -> ReviewMessage | ReviewProgress | None:
    """Return the progress or the result of a review; None if there is none.

    The mistakes come in the order of `linage-bot analyze`.
    """
    reviewer = session.reviewer
    if reviewer is None:
        return None
    state = reviewer.state
    if isinstance(state, ReviewProgress):
        return state
    points = tuple(
        (index, round(value.win_rate, 4), round(value.score or 0.0, 2))
        for index, value in enumerate(state.values)
    )
    return ReviewMessage(
        line=reviewer.line,
        points=points,
        verdicts=tuple(words.verdict(state.record.game, value) for value in state.values),
        mistakes=tuple(_mistake(reviewer.line, state.moves[each - 1]) for each in state.mistakes),
        given=sum(move.given for move in state.moves),
        exact_from=state.exact_from,
        visits=state.settings.visits,
    )


def _mistake(line: tuple[int, ...], move: MoveReview) -> MistakeMessage:
    return MistakeMessage(
        number=move.number,
        node=line[move.number - 1],
        player=move.player,
        move=move.move,
        best=move.line,
        played=(move.move, *move.reply),
        costs=tuple(f"{cost} {unit}" for cost, unit in words.costs(move)),
    )
