"""The data that a page needs to draw a table, as JSON types. Points are numbers, a pass is -1."""

from typing import Any

import attrs

from linage_bot.rules import GAMES
from linage_bot.rules.boards import HexBoard, Points, bits
from linage_bot.rules.game import Game, Obstacle, Player, Position
from linage_bot.rules.options import Option, format_option
from linage_bot.settings.playing import LEVELS
from linage_bot.teaching import examples_of, explained, lesson_of
from linage_bot.web.table.errors import HttpError
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.links import to_link
from linage_bot.web.table.pie import PlayerKind
from linage_bot.web.table.view import FOLLOWING, View
from linage_bot.web.thinking.session import Session

Json = dict[str, Any]


def kinds(chosen: Game, seats: tuple[PlayerKind, PlayerKind]) -> Json:
    """Return the games and options for the form of a new game, with the preselected ones."""
    kinds = []
    for kind in GAMES.values():
        options = {name: _option(option) for name, option in kind.options().items()}
        teaches = lesson_of(kind) is not None
        kinds.append(game(kind.configure()) | {"options": options, "lesson": teaches})
    return {
        "games": kinds,
        "chosen": game(chosen),
        "seats": list(seats),
        "levels": len(LEVELS),
    }


def _option(option: Option) -> Json:
    choices = ("on", "off") if isinstance(option.default, bool) else option.choices
    return attrs.asdict(option) | {"default": format_option(option.default), "choices": choices}


def game(game: Game) -> Json:
    """Return a game with its board, komi and options."""
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


def table(session: Session, sight: View = FOLLOWING, seat: int | None = None) -> Json:
    """Return everything about a session as a page sees it, except the analysis of its positions.

    `seat` is the number of its person's seat at a shared table; None: a viewer without a seat.
    """
    course = session.course
    tree, viewed, pie = course.tree, sight.viewed(course), course.pie
    path = tree.path(viewed)
    moves = tree.moves(path)
    return {
        "revision": revision(session, sight, seat),
        "game": game(course.game),
        "seats": list(course.seats),
        "pie": None if pie is None else {"offered": pie.offered, "engine": pie.acts is not None},
        "sides": None if course.sides is None else attrs.asdict(course.sides),
        "at": course.at,
        "played": len(course.now.moves),
        "viewed": viewed,
        "number": len(moves),
        "line": list(course.line(viewed)),
        "position": position(course.positions[viewed]),
        "last": moves[-1] if moves else None,
        "comment": tree[viewed].comment,
        "closed": None if (closed := tree[viewed].closed) is None else closed.reason,
        "over": course.over,
        "result": _outcome(course),
        "ending": _ending(course),
        "turn": _turn(course, seat),
        "company": _company(session, seat),
        "paused": course.paused,
        "time": time(course),
        "pace": course.pace_seconds,
        "trouble": session.trouble,
        "canUndo": course.can_undo,
        "canRedo": course.can_redo,
        "analysing": sight.analysing,
        "ownership": sight.ownership,
        "link": to_link(course.so_far()),
    }


def _turn(course: TableGame, seat: int | None) -> str | None:
    """Return the side to act: an engine, a person at the page or another person at a shared table.

    None if the game is over.
    """
    if course.over:
        return None
    if course.engine_to_move is not None:
        return "engine"
    return "person" if course.company is None or course.turn == seat else "other"


def _company(session: Session, seat: int | None) -> Json | None:
    """Return the seats of a shared table, the people present, and the number of viewers.

    None if the table is not shared.
    """
    course = session.course
    company = course.company
    if company is None:
        return None
    seats = [company.seat_of(onlooker.holder) for onlooker in session.onlookers]
    return {
        "you": seat,
        "chairs": [
            None if chair is None else {"taken": chair.holder != "", "here": number in seats}
            for number, chair in enumerate(company.chairs)
        ],
        "looking": seats.count(None),
        "closed": course.closed,
    }


def revision(session: Session, sight: View, seat: int | None) -> str:
    """Return an identifier of the table as a page sees it, which changes with any difference."""
    place = "" if sight.looked_at is None else sight.looked_at
    wishes = f"{sight.analysing:d}{sight.ownership:d}"
    return f"{session.birth}-{session.revision}-{place}-{wishes}-{seat}"


def tree(session: Session) -> Json:
    """Return all moves, the main line first, and the player who moves first.

    Each node is `[node, parent, move, whether it has a comment, whether it is unplayable]`.
    """
    course = session.course
    nodes = [
        [at, node.parent, node.move, bool(node.comment), node.closed is not None]
        for at, node in course.tree.walk()
    ]
    return {"begins": int(course.ground.facts.to_move), "nodes": nodes}


def time(course: TableGame) -> Json | None:
    """Return both players' time settings, as in a request for a new game; None without clocks."""
    if course.clock is None:
        return None
    settings = course.clock.settings
    return {
        "main": settings.main_seconds,
        "increment": settings.increment_seconds,
        "period": settings.period_seconds,
        "periods": settings.periods,
    }


def clock(session: Session) -> Json | None:
    """Return the time left on the clocks, and the player whose clock runs; None without clocks."""
    clock, now = session.course.clock, session.now
    if clock is None:
        return None
    return {
        "left": [attrs.asdict(clock.shown(player, now)) for player in Player],
        "runs": None if clock.since is None else int(clock.mover),
        "period": clock.settings.period_seconds,
        "periods": clock.settings.periods,
    }


def rules(course: TableGame) -> Json:
    """Return the rules of the current game, including its pie as long as no side is chosen.

    `examples` are pictures, each placed after the paragraph of its number.
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


def picture(course: TableGame, name: str) -> str:
    """Return a picture of the rules of the current game, as SVG. Raise `HttpError` if unknown."""
    for example in examples_of(course.game):
        if example.name == name:
            return example.picture.svg()
    raise HttpError(404, "there is no such picture")


def _outcome(course: TableGame) -> Json | None:
    """Return the result of a game that is over; None before."""
    conceded = course.conceded
    if conceded is not None:
        lost = _LOST[conceded.reason]
        return {"winner": int(conceded.loser.other), "margin": None, "lost": lost}
    return None if course.result is None else attrs.asdict(course.result)


def _ending(course: TableGame) -> Json | None:
    """Return the reason why a game ended and its final count; None if it is not over."""
    if not course.over:
        return None
    position = course.position
    tally = position.tally()
    return {
        "reason": position.ending(),
        "counted": [
            attrs.asdict(each) | {"points": list(bits(each.points))} for each in position.counted()
        ],
        "scores": position.scores(),
        "words": None if tally is None else tally.words,
    }


_LOST = {"R": "resigned", "T": "lost on time", "F": "forfeited the game"}


def position(position: Position) -> Json:
    """Return a position with its legal moves, and the reasons why other points are illegal."""
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
    """Return the empty points where no stone may be placed, each group with its reason.

    A group has one reason about the same points of the board.
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
