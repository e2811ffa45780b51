"""The text form of a table's game, with its full tree and state, which outlives the server.

The facts of the game are SGF. The nodes of the tree keep their numbers, so that a page that was
open finds its viewed node again. The keys are those of earlier versions, whose games are still
read: `seats` are the kinds of players, `company` the people's seats, `floor` is the earliest node.
"""

import json
from collections.abc import Iterator
from typing import Any

import attrs

from linage_bot.records.reading import study_from_sgf
from linage_bot.records.record import BadRecord, EarlyEnd
from linage_bot.records.study import Study
from linage_bot.records.tree import MoveTree, Node, UnplayableBranch
from linage_bot.records.writing import to_sgf
from linage_bot.rules.game import Player
from linage_bot.settings.match import ClockSettings
from linage_bot.web.table.clock import TableClock
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.pie import Pie, Sides
from linage_bot.web.table.seats import Seat, Seats


def written(game: TableGame) -> str:
    """Return all of a table's game as text; the pages' views are not part of it."""
    facts, pie, conceded = game.facts, game.pie, game.conceded
    fields = {
        "facts": to_sgf(facts),
        "given": facts.given,  # SGF without moves cannot hold this number
        "nodes": [_written(number, node) for number, node in game.tree.walk()],
        "at": game.node,
        "seats": game.players,
        "pie": None if pie is None else attrs.asdict(pie),
        "conceded": None if conceded is None else str(conceded),
        "paused": game.paused,
        "reviewed": game.reviewed,
        "floor": game.earliest,
        "company": game.seats and [_seat(each) for each in game.seats.by_player],
        "sides": None if game.sides is None else attrs.asdict(game.sides),
        "time": None if game.time is None else attrs.asdict(game.time),
        "clock": None if game.clock is None else game.clock.written(),
        "pace": game.pace_seconds,
        "again": game.again,
    }
    return json.dumps(fields, separators=(",", ":"))


def read(text: str) -> TableGame:
    """Return the game from its text, which is slow for long games. Raise `ValueError`."""
    try:
        fields = json.loads(text)
        facts = study_from_sgf(fields["facts"].encode()).facts
        tree = MoveTree.numbered(_nodes(fields["nodes"]))
        first, second = fields["seats"]
        study = Study(attrs.evolve(facts, given=fields["given"]), tree)
        return TableGame(
            study=study,
            positions=study.positions(),
            node=fields["at"],
            players=(first, second),
            pie=None if fields["pie"] is None else Pie(**fields["pie"]),
            conceded=EarlyEnd.of(fields["conceded"]),
            paused=fields["paused"],
            reviewed=None if fields["reviewed"] is None else tuple(fields["reviewed"]),
            earliest=fields["floor"],
            seats=None if fields["company"] is None else _seats(*fields["company"]),
            sides=_sides(fields.get("sides")),
            time=None if fields.get("time") is None else ClockSettings(**fields["time"]),
            clock=None if fields.get("clock") is None else TableClock.read(fields["clock"]),
            pace_seconds=fields.get("pace", 0.0),
            again=fields.get("again", ""),
        )
    except (KeyError, TypeError, AttributeError, BadRecord) as error:
        raise ValueError(f"not a game of ours: {error!r:.200}") from None


def _seat(seat: Seat | None) -> list[str] | None:
    return None if seat is None else [seat.invitation, seat.holder, seat.name]


def _seats(*rows: list[str] | None) -> Seats:
    first, second = (None if row is None else Seat(*row) for row in rows)
    return Seats((first, second))


def _written(number: int, node: Node) -> list[Any]:
    """Return a node as a short list; empty fields at its end are omitted."""
    closed = node.closed and [node.closed.reason, _text(node.closed.sgf)]
    foreign = [[name, [_text(value) for value in values]] for name, values in node.foreign]
    fields = [number, node.parent, node.move, node.comment, foreign, closed]
    while len(fields) > 3 and not fields[-1]:
        fields.pop()
    return fields


def _sides(fields: dict[str, Any] | None) -> Sides | None:
    return None if fields is None else Sides(**fields | {"chosen": Player(fields["chosen"])})


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
