"""What a page needs to draw a table, as JSON's types. Points are numbers, a pass is -1."""

import math
from typing import Any

import attrs

from linage_bot.engine.search import loading
from linage_bot.engine.solver import loading as solver
from linage_bot.engine.solver.known import Proven
from linage_bot.engine.solver.solved import alike
from linage_bot.review import words
from linage_bot.review.facts import MoveReview
from linage_bot.rules import GAMES
from linage_bot.rules.boards import HexBoard, Points, bits
from linage_bot.rules.game import Game, Obstacle, Option, Player, Position, Result, format_option
from linage_bot.teaching import examples_of, explained, lesson_of
from linage_bot.web.course import Course, Seat
from linage_bot.web.errors import Refused
from linage_bot.web.links import to_link
from linage_bot.web.reviewer import Underway
from linage_bot.web.session import Session

Json = dict[str, Any]


def kinds(chosen: Game, seats: tuple[Seat, Seat]) -> Json:
    """What can be played, for the form of a new game, and what to propose there."""
    kinds = []
    for kind in GAMES.values():
        options = {name: _option(option) for name, option in kind.options().items()}
        teaches = lesson_of(kind) is not None
        kinds.append(game(kind.configure()) | {"options": options, "lesson": teaches})
    return {
        "games": kinds,
        "chosen": game(chosen),
        "seats": list(seats),
    }


def _option(option: Option) -> Json:
    choices = ("on", "off") if isinstance(option.default, bool) else option.choices
    return attrs.asdict(option) | {"default": format_option(option.default), "choices": choices}


def game(game: Game) -> Json:
    """A game with its board, komi and options."""
    return {
        "id": game.id,
        "name": game.name,
        "players": list(game.players),
        "size": game.board.size,
        "columns": game.board.columns,
        "rows": game.board.rows,
        "hex": isinstance(game.board, HexBoard),
        "komi": game.komi,
        "komiStep": game.komi_step,
        "pie": game.pie,
        "options": game.settings(),
        "oneColour": game.one_colour,
        "countsPoints": game.counts_points,
    }


def table(session: Session) -> Json:
    """Everything about a session but what is thought of its positions."""
    course = session.course
    tree, viewed, pie, line = course.tree, course.viewed, course.pie, course.line
    path = tree.path(viewed)
    moves = tree.moves(path)
    return {
        "revision": session.revision,
        "game": game(course.game),
        "seats": list(course.seats),
        "pie": None if pie is None else {"offered": pie.offered, "engine": pie.acts is not None},
        "at": course.at,
        "played": len(course.now.moves),
        "viewed": viewed,
        "number": len(moves),
        "line": list(line),
        "position": position(course.positions[viewed]),
        "last": moves[-1] if moves else None,
        "comment": tree[viewed].comment,
        "closed": None if (closed := tree[viewed].closed) is None else closed.reason,
        "over": course.over,
        "result": _outcome(course),
        "turn": None if course.over else "engine" if course.engine_to_move else "person",
        "paused": course.paused,
        "trouble": session.trouble,
        "canUndo": course.can_undo,
        "canRedo": course.can_redo,
        "analysing": course.analysing,
        "ownership": course.ownership,
        "link": to_link(course.so_far()),
    }


def tree(session: Session) -> Json:
    """All moves, the main line first, and who makes the first.

    Each node is `[place, parent, move, whether something is said there, whether it is closed]`.
    """
    course = session.course
    nodes = [
        [at, node.parent, node.move, bool(node.comment), node.closed is not None]
        for at, node in course.tree.walk()
    ]
    return {"begins": int(course.study.facts.to_move), "nodes": nodes}


def compiling(session: Session) -> Json | None:
    """What is being compiled for a table, how far it is, 0 to 1, and for how many seconds still.

    That may be another game, before this one's turn comes.
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


def rules(course: Course) -> Json:
    """How to play the game at hand, its pie too as long as nobody has chosen a side.

    `examples` are pictures, each behind the paragraph of its number.
    """
    paragraphs = explained(course.game, pie=course.pie is not None)
    return {
        "rules": [paragraph.text for paragraph in paragraphs],
        "examples": [
            {"after": number, "name": each.name, "alt": each.picture.caption, "words": each.words}
            for number, paragraph in enumerate(paragraphs)
            for each in paragraph.examples
        ],
    }


def picture(course: Course, name: str) -> str:
    """A picture of the rules of the game at hand, as SVG; raises `Refused`."""
    for example in examples_of(course.game):
        if example.name == name:
            return example.picture.svg()
    raise Refused(404, "there is no such picture")


def _outcome(course: Course) -> Json | None:
    """How a game that is over has ended."""
    conceded = course.conceded
    if conceded is not None:
        lost = _LOST[conceded.reason]
        return {"winner": int(conceded.loser.other), "margin": None, "lost": lost}
    return None if course.result is None else attrs.asdict(course.result)


_LOST = {"R": "resigned", "T": "lost on time", "F": "forfeited the game"}


def position(position: Position) -> Json:
    """A position with what may be played, and why the rest may not."""
    tally = position.tally()
    return {
        "first": list(bits(position.first)),
        "second": list(bits(position.second)),
        "toMove": int(position.to_move),
        "legal": list(bits(position.placements())),
        "mayPass": position.may_pass(),
        "noPass": position.why_illegal(-1),
        "refused": _refused(position),
        "areas": [
            {**attrs.asdict(area), "points": list(bits(area.points))} for area in position.areas()
        ],
        "scores": position.scores(),
        "tally": None if tally is None else attrs.asdict(tally),
        "standing": attrs.asdict(position.result()),
        "over": position.over,
    }


def _refused(position: Position) -> list[Json]:
    """The empty points where no stone may be placed now: why, and what on the board that is about.

    Points with one reason about the same points stand together.
    """
    refused: dict[Obstacle, list[int]] = {}
    closed: Points = 0 if position.over else position.empty & ~position.placements()
    for point in bits(closed):
        obstacle = position.obstacle(point)
        if obstacle is not None:
            refused.setdefault(obstacle, []).append(point)
    return [
        {"reason": obstacle.reason, "about": list(bits(obstacle.points)), "points": points}
        for obstacle, points in refused.items()
    ]


def analysis(session: Session) -> Json:
    """What is thought and proven of the position looked at.

    Win rates and leads are First's, but for those of the candidates: theirs are the mover's.
    """
    at = session.course.viewed
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
    """What moves are proven to get their player, the best first, those alike by symmetry together.

    A value is exact or a bound from above; nothing is told before all best moves are known.
    """
    if proven is None or not proven.exact or not proven.moves:
        return []
    told = [
        {"moves": list(same), "most": proven.of(same[0]).high, "exact": proven.of(same[0]).exact}
        for same in alike(position, proven.moves)
    ]
    return sorted(told, key=lambda each: (-each["most"], not each["exact"]))


def graph(session: Session) -> Json:
    """First's win rate and lead wherever the line in sight was thought about, and at its end.

    `points` holds `[index of the place in the line, win rate, lead]`.
    """
    line, known = session.course.line, session.notebook.graph
    points = [
        [index, round(known[at][0], 4), round(known[at][1], 2)]
        for index, at in enumerate(line)
        if at in known
    ]
    end = session.course.positions[line[-1]]
    if end.over:
        points.append([len(line) - 1, *_final(end.result())])
    return {"points": points}


def review(session: Session) -> Json | None:
    """How far a review is, or what it has found; None if there is none.

    `line` are the places of its positions, `points` is as in a graph, and the mistakes come as
    `linage-bot analyze` orders them, each with the place where another move would have been better.
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


def _final(result: Result) -> tuple[float, float]:
    """The result as First's win rate and lead."""
    if result.winner is None:
        return 0.5, 0.0
    first = result.winner is Player.FIRST
    return float(first), (result.margin or 0.0) * (1 if first else -1)
