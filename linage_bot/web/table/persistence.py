"""The text form of a table's game, with its full tree and state, which outlives the server.

The facts of the game are SGF. The nodes of the tree keep their numbers, so that a page that was
open finds its viewed node again.
"""

import json
from collections.abc import Iterator
from typing import Any

import attrs

from linage_bot.records import (
    BadRecord,
    EarlyEnd,
    MoveTree,
    Node,
    Study,
    UnplayableBranch,
    study_from_sgf,
    to_sgf,
)
from linage_bot.rules.game import Player
from linage_bot.settings.match import ClockSettings
from linage_bot.web.table.annotated import AnnotatedTree
from linage_bot.web.table.clock import TableClock
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.pie import Pie, Sides
from linage_bot.web.table.seats import Seat, Seats


def written(course: TableGame) -> str:
    """Return all of a table's game as text; the pages' views are not part of it."""
    facts, pie, conceded = course.ground.facts, course.pie, course.conceded
    told = {
        "facts": to_sgf(facts),
        "given": facts.given,  # SGF without moves cannot hold this number
        "nodes": [_written(number, node) for number, node in course.tree.walk()],
        "at": course.at,
        "seats": course.seats,
        "pie": None if pie is None else attrs.asdict(pie),
        "conceded": None if conceded is None else str(conceded),
        "paused": course.paused,
        "reviewed": course.reviewed,
        "floor": course.floor,
        "company": course.company and [_chair(chair) for chair in course.company.chairs],
        "sides": None if course.sides is None else attrs.asdict(course.sides),
        "time": None if course.time is None else attrs.asdict(course.time),
        "clock": None if course.clock is None else course.clock.written(),
        "pace": course.pace_seconds,
    }
    return json.dumps(told, separators=(",", ":"))


def read(text: str) -> TableGame:
    """Return the game from its text, which is slow for long games. Raise `ValueError`."""
    try:
        told = json.loads(text)
        facts = study_from_sgf(told["facts"].encode()).facts
        tree = MoveTree.numbered(_nodes(told["nodes"]))
        first, second = told["seats"]
        return TableGame(
            ground=AnnotatedTree.of(Study(attrs.evolve(facts, given=told["given"]), tree)),
            at=told["at"],
            seats=(first, second),
            pie=None if told["pie"] is None else Pie(**told["pie"]),
            conceded=EarlyEnd.of(told["conceded"]),
            paused=told["paused"],
            reviewed=None if told["reviewed"] is None else tuple(told["reviewed"]),
            floor=told["floor"],
            company=None if told["company"] is None else _company(*told["company"]),
            sides=_sides(told.get("sides")),
            time=None if told.get("time") is None else ClockSettings(**told["time"]),
            clock=None if told.get("clock") is None else TableClock.read(told["clock"]),
            pace_seconds=told.get("pace", 0.0),
        )
    except (KeyError, TypeError, AttributeError, BadRecord) as error:
        raise ValueError(f"not a game of ours: {error!r:.200}") from None


def _chair(chair: Seat | None) -> list[str] | None:
    return None if chair is None else [chair.invitation, chair.holder]


def _company(*chairs: list[str] | None) -> Seats:
    first, second = (None if words is None else Seat(*words) for words in chairs)
    return Seats((first, second))


def _written(number: int, node: Node) -> list[Any]:
    """Return a node as a short list; empty fields at its end are omitted."""
    closed = node.closed and [node.closed.reason, _text(node.closed.sgf)]
    foreign = [[name, [_text(value) for value in values]] for name, values in node.foreign]
    fields = [number, node.parent, node.move, node.comment, foreign, closed]
    while len(fields) > 3 and not fields[-1]:
        fields.pop()
    return fields


def _sides(told: dict[str, Any] | None) -> Sides | None:
    return None if told is None else Sides(**told | {"chosen": Player(told["chosen"])})


def _nodes(rows: list[list[Any]]) -> Iterator[tuple[int, Node]]:
    for number, parent, move, *more in rows:
        usual: list[Any] = ["", [], None]
        comment, foreign, closed = more + usual[len(more) :]
        node = Node(
            move=move,
            parent=parent,
            comment=comment,
            foreign=tuple((name, tuple(map(_bytes, values))) for name, values in foreign),
            closed=closed and UnplayableBranch(closed[0], _bytes(closed[1])),
        )
        yield number, node


def _text(raw: bytes) -> str:
    """Return the bytes of a file as text, even if they are not UTF-8."""
    return raw.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
