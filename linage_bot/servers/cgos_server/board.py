"""A game as HTML: the board after one of its moves, and links to step to the others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from linage_bot import pictures
from linage_bot.game import PASS, Game, Player, Position
from linage_bot.servers.cgos_server.html import Html, element, joined, link
from linage_bot.servers.cgos_server.store import GameRow, MoveRow


def game_body(game: Game, row: GameRow, moves: Sequence[MoveRow], ply: int) -> Html:
    """The board after `ply` moves, the facts of the game and all its moves."""
    position: Position = game.start()
    last = None
    for move in moves[:ply]:
        last = PASS if move.move == "pass" else game.board.point(move.move)
        position = position.after(last)
    picture = element(
        "div", joined([Html(pictures.as_svg(position, last=last)), _steps(row, moves, ply)])
    )
    side = element("div", joined([_facts(game, row, moves, ply), _moves(row, moves, ply)]))
    return element("div", joined([picture, side]), "game")


def _steps(row: GameRow, moves: Sequence[MoveRow], ply: int) -> Html:
    """First, back, on, last."""
    last = len(moves)
    steps = (("⏮", 0, "first"), ("◀", ply - 1, "back"), ("▶", ply + 1, "on"), ("⏭", last, "last"))

    def step(sign: str, to: int, name: str) -> Html:
        label = Html(f'<abbr title="{name}">{sign}</abbr>')
        if not 0 <= to <= last or to == ply:
            return element("span", sign)
        return link(_path(row, to), label)

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
        facts.append((game.players[player], person))
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
    told = json.loads(moves[ply - 1].analysis)  # ours: only what could be read was kept
    for key, name in (("winrate", "Win rate"), ("score", "Score"), ("visits", "Visits")):
        if isinstance(told.get(key), int | float):
            yield name, f"{told[key]:g}"
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
