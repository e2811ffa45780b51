"""The facts for programs: complete, documented, and the same every time."""

import json
from pathlib import Path

import pytest

from linage_bot.review.plain import FORMAT, to_json
from tests.linage_bot.review.games import RECORDS

DOCUMENT = Path(__file__).parents[3] / "docs" / "analyze.md"


@pytest.mark.parametrize("game", sorted(RECORDS))
def test_the_facts_are_those_of_the_review(judged, game):
    """Values, losses, phases and mistakes, with moves as vertices."""
    found = judged(game)
    read = json.loads(to_json(found))
    assert read["format"] == FORMAT
    assert read["game"]["id"] == game
    assert read["players"] == {"black": "Ann", "white": "Ben"}
    assert read["exact_from"] == found.exact_from
    assert read["mistakes"] == list(found.mistakes)
    board = found.record.game.board
    for fact, move in zip(read["moves"], found.moves, strict=True):
        point = -1 if fact["move"] == "pass" else board.point(fact["move"])
        assert point == move.move
        assert fact["player"] == move.player.colour
        assert fact["after"]["win_rate"] == pytest.approx(move.after.win_rate, abs=1e-6)
        assert fact["loss"]["win_rate"] == pytest.approx(move.win_loss, abs=1e-6)
        assert fact["loss"]["exact"] == move.exact
        assert (fact["after"]["score"] is None) == (not found.record.game.counts_points)
    for fact, phase in zip(read["phases"], found.phases, strict=True):
        assert (fact["name"], fact["first"], fact["last"]) == (phase.name, phase.first, phase.last)
        assert fact["white"]["moves"] == phase.players[1].moves


def keys(value):
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


def test_every_key_is_documented(judged):
    """The documentation explains every key of the JSON."""
    text = DOCUMENT.read_text(encoding="utf-8")
    read = json.loads(to_json(judged("linage")))
    options = set(read["game"].pop("options"))
    assert {key for key in keys(read) if f"`{key}`" not in text} == set()
    assert options == {"line", "button", "edition"}
