"""Messages about a table's searches, as JSON types: analysis, graph, review and compilation."""

import math

import attrs

from linage_bot.engine.search import loading
from linage_bot.engine.solver import loading as solver
from linage_bot.engine.solver.known import Proven
from linage_bot.engine.solver.solved import alike
from linage_bot.review import words
from linage_bot.review.facts import MoveReview
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player, Position
from linage_bot.web.messages.table import Json
from linage_bot.web.table.view import FOLLOWING, View
from linage_bot.web.thinking.reviewer import Underway
from linage_bot.web.thinking.session import Session


def compiling(session: Session) -> Json | None:
    """Return the compilation that a table waits for: its subject, share and seconds left.

    The share is 0 to 1. The subject may be another game that is compiled first. None if nothing is
    compiled.
    """
    games = [session.course.game]
    if session.waits:
        games += [kind.configure() for kind in GAMES.values()]
    found = [(game.name, loading.compiling(game)) for game in games]
    found += [("the solver", solver.compiling(game)) for game in games]
    for what, seen in found:
        if seen is not None:
            left = math.ceil(seen.seconds_left)
            return {"what": what, "share": round(seen.share, 3), "seconds": left}
    return None


def analysis(session: Session, sight: View = FOLLOWING) -> Json:
    """Return the analysis of the position that a page views, searched and proven.

    Win rates and leads are from First's side, but those of the candidates from the mover's.
    """
    at = sight.viewed(session.course)
    position = session.course.positions[at]
    told = session.notebook.told(at, position)
    own = told.seen_by(position.to_move)
    seen = [each for each in own.candidates if each.visits]
    return {
        "at": at,
        "visits": told.visits,
        "winRate": told.win_rate,
        "lead": told.lead,
        "exact": told.proven.low if told.proven.exact else None,
        "best": list(told.best),
        "settled": told.settled,
        "candidates": [attrs.asdict(each) for each in seen[:40]],
        "ownership": told.owners and [round(mean, 2) for mean in told.owners],
        "values": _values(position, session.notebook.proven(at, position)),
    }


def _values(position: Position, proven: Proven | None) -> list[Json]:
    """Return the proven values of moves, the best first, with symmetric moves together.

    A value is exact or an upper bound for the player to move. The list is empty until all best
    moves are known.
    """
    if proven is None or not proven.exact or not proven.moves:
        return []
    told = [
        {"moves": list(same), "most": proven.of(same[0]).high, "exact": proven.of(same[0]).exact}
        for same in alike(position, proven.moves)
    ]
    return sorted(told, key=lambda each: (-each["most"], not each["exact"]))


def graph(session: Session, sight: View = FOLLOWING) -> Json:
    """Return First's win rate and lead at the analysed nodes of the viewed line, and at its end.

    `points` holds `[index of the node in the line, win rate, lead]`.
    """
    course = session.course
    line, known = course.line(sight.viewed(course)), session.notebook.graph
    points = [
        [index, round(known[at][0], 4), round(known[at][1], 2)]
        for index, at in enumerate(line)
        if at in known
    ]
    end = course.positions[line[-1]]
    if end.over:
        final = end.result()
        rate, lead = final.win_rate_of(Player.FIRST), final.lead_of(Player.FIRST)
        points.append([len(line) - 1, rate, lead])
    return {"points": points}


def review(session: Session) -> Json | None:
    """Return the progress or the result of a review; None if there is none.

    `line` holds the nodes of its positions, and `points` is as in a graph. The mistakes come in the
    order of `linage-bot analyze`, each with the node where another move would have been better.
    """
    reviewer = session.reviewer
    if reviewer is None:
        return None
    told = reviewer.told
    if isinstance(told, Underway):
        return attrs.asdict(told)
    points = [
        [index, round(value.win_rate, 4), round(value.score or 0.0, 2)]
        for index, value in enumerate(told.values)
    ]
    return {
        "line": list(reviewer.line),
        "points": points,
        "verdicts": [words.verdict(told.record.game, value) for value in told.values],
        "mistakes": [_mistake(reviewer.line, told.moves[number - 1]) for number in told.mistakes],
        "given": sum(move.given for move in told.moves),
        "exactFrom": told.exact_from,
        "visits": told.settings.visits,
    }


def _mistake(line: tuple[int, ...], move: MoveReview) -> Json:
    return {
        "number": move.number,
        "at": line[move.number - 1],
        "player": int(move.player),
        "move": move.move,
        "best": list(move.line),
        "played": [move.move, *move.reply],
        "costs": [f"{cost} {unit}" for cost, unit in words.costs(move)],
    }
