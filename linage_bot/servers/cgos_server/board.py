"""A game as HTML: the board after one of its moves, and links to step to the others."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Final

from linage_bot.game import PASS, Game, Move, Player, Position
from linage_bot.pictures import Picture
from linage_bot.servers.cgos_server.html import Html, element, joined, link
from linage_bot.servers.cgos_server.rows import GameRow, MoveRow

_KEPT_GAMES: Final = 8
_MOST_TOLD: Final = 1e9  # of what players tell; Python cannot print all that JSON can hold


class Replays:
    """The positions of the games that were looked at last.

    Some games have thousands of moves, and whoever steps through one asks for each position.
    """

    def __init__(self, game: Game) -> None:
        self._start = game.start()
        self._kept: OrderedDict[int, list[Position]] = OrderedDict()

    def position(self, number: int, moves: Sequence[MoveRow], ply: int) -> Position:
        """A game's position after some of its moves."""
        positions = self._kept.setdefault(number, [self._start])
        self._kept.move_to_end(number)
        if len(self._kept) > _KEPT_GAMES:
            self._kept.popitem(last=False)
        for move in moves[len(positions) - 1 : ply]:
            positions.append(positions[-1].after(_move(self._start.game, move)))
        return positions[ply]


def _move(game: Game, move: MoveRow) -> Move:
    return PASS if move.move == "pass" else game.board.point(move.move)


def game_body(position: Position, row: GameRow, moves: Sequence[MoveRow], ply: int) -> Html:
    """The board after `ply` moves, the facts of the game and all its moves."""
    last = _move(position.game, moves[ply - 1]) if ply else None
    diagram = Html(Picture(position, last=last).svg(styled=False))
    picture = element("div", joined([diagram, _steps(row, moves, ply)]))
    side = element("div", joined([_facts(position.game, row, moves, ply), _moves(row, moves, ply)]))
    return element("div", joined([picture, side]), "game")


def _steps(row: GameRow, moves: Sequence[MoveRow], ply: int) -> Html:
    last = len(moves)
    steps = (("First", 0), ("Back", ply - 1), ("Next", ply + 1), ("Last", last))

    def step(name: str, to: int) -> Html:
        if not 0 <= to <= last or to == ply:
            return element("span", name)
        return link(_path(row, to), name)

    return element("nav", joined(step(*each) for each in steps), "steps")


def _path(row: GameRow, ply: int) -> str:
    return f"/games/{row.number}/{ply}"


def _facts(game: Game, row: GameRow, moves: Sequence[MoveRow], ply: int) -> Html:
    clocks = [row.first_ms, row.second_ms]
    for number, move in enumerate(moves[:ply]):
        clocks[number % 2] = move.ms_left
    facts: list[tuple[str, object]] = []
    for player, name, rating in (
        (Player.FIRST, row.first, row.first_rating),
        (Player.SECOND, row.second, row.second_rating),
    ):
        person = joined([link(f"/players/{name}", name), f" ({rating}), {_time(clocks[player])}"])
        facts.append((f"{game.players[player]} ({player.letter.upper()})", person))
    facts.append(("Move", f"{ply} of {len(moves)}"))
    facts.append(("Began", f"{row.began.replace('T', ' ')} UTC"))
    if row.result is None:
        facts.append(("Result", "being played"))
    else:
        facts.append(("Result", row.result + (f": {row.reason}" if row.reason else "")))
    facts += _analysis(moves, ply)
    facts.append(("Record", link(f"/games/{row.number}.sgf", "SGF")))
    return element(
        "dl", joined(joined([element("dt", name), element("dd", fact)]) for name, fact in facts)
    )


def _analysis(moves: Sequence[MoveRow], ply: int) -> Iterator[tuple[str, object]]:
    """What the player who made the last move thought of it, as far as it told."""
    if not ply or not moves[ply - 1].analysis:
        return
    told = json.loads(moves[ply - 1].analysis)  # only what could be read was kept
    shapes = {"winrate": "Win rate {:.0%}", "score": "score {:+.1f}", "visits": "{:.0f} visits"}
    words = [
        shape.format(told[key])
        for key, shape in shapes.items()
        if isinstance(told.get(key), int | float) and abs(told[key]) <= _MOST_TOLD
    ]
    if words:
        yield "Its player", ", ".join(words)
    if isinstance(told.get("comment"), str):
        yield "Comment", told["comment"][:200]


def _moves(row: GameRow, moves: Sequence[MoveRow], ply: int) -> Html:
    def item(number: int, move: str) -> Html:
        place = element("span", move, "here") if number == ply else link(_path(row, number), move)
        return element("li", joined([element("b", number), place], " "))

    items = (item(number, move.move) for number, move in enumerate(moves, 1))
    return element("ol", joined(items), "moves")


def _time(milliseconds: int) -> str:
    """`4:05` for minutes and seconds."""
    minutes, seconds = divmod(max(0, milliseconds) // 1000, 60)
    return f"{minutes}:{seconds:02d} left"
