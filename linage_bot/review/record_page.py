"""A recorded game as one HTML page: its facts, the board to step through, moves and comments."""

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from linage_bot.drawing import Picture
from linage_bot.drawing.description import describe_game, describe_options
from linage_bot.drawing.html import render
from linage_bot.drawing.steps import changes, steps
from linage_bot.records.record import Record, same_result
from linage_bot.rules.game import Player, Position

_ENDINGS = {"R": "by resignation", "T": "on time", "F": "by forfeit"}  # SGF's


def record_page(record: Record, positions: Sequence[Position]) -> str:
    """Return the page of a game with its positions, from the start to the one after each move."""
    game = record.game
    names = [positions[0].name_of(move) for move in record.moves]
    words = ["the start"] + [
        f"{number}. {game.players[record.mover(number)]} {name}"
        for number, name in enumerate(names, 1)
    ]
    return render(
        "record.html",
        record=record,
        names=names,
        steps=steps(game, changes(positions), record.moves, words, record.comments),
        **heading(record, positions[-1]),
    )


def heading(record: Record, last: Position) -> dict[str, Any]:
    """Return the template's values for the top of a page: title, facts, picture of the end."""
    names = [name.strip() for name in record.players]
    return {
        "title": " – ".join(names) if all(names) else record.game.name,
        "described": describe_game(record.game),
        "players": tuple(Player),
        "facts": list(_facts(record, last)),
        "last": Markup(
            Picture(last, last=record.moves[-1] if record.moves else None).svg(styled=False)
        ),
    }


def _facts(record: Record, last: Position) -> Iterator[tuple[str, str]]:
    """Yield the known facts about the game, except moves and players."""
    yield "Result", _result(record, last)
    for name, fact in (("Event", record.event), ("Round", record.round), ("Date", record.date)):
        if fact:
            yield name, fact
    if options := describe_options(record.game):
        yield "Options", options


def _result(record: Record, last: Position) -> str:
    """Return the record's result in words, and the board's own if it differs."""
    recorded, counted = record.result, str(last.result())
    if not recorded:
        return _outcome(record, counted) if last.over else "unfinished"
    if last.over and not same_result(recorded, counted):
        return f"{_outcome(record, recorded)}; on the board {_outcome(record, counted)}"
    return _outcome(record, recorded)


def _outcome(record: Record, result: str) -> str:
    """Return `Vertical wins by 7.5` for `B+7.5`; text that is not in SGF's form is unchanged."""
    winner, plus, margin = result.strip().partition("+")
    for player in Player:
        if plus and winner.upper() == player.letter.upper():
            role = record.game.players[player]
            margin = margin.strip()
            how = _ENDINGS.get(margin[:1].upper(), f"by {margin}") if margin else ""
            return f"{role} wins {how}".strip()
    return "a draw" if result.strip() in ("0", "Draw") else result
