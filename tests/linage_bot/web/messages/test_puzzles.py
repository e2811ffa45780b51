"""The data of puzzles and set-up positions that pages receive."""

from typing import Any

import attrs
import pytest

from linage_bot.engine.puzzles.puzzle import shipped_puzzles
from linage_bot.rules import GAMES
from linage_bot.web.messages import puzzles
from linage_bot.web.messages.table import game_message
from linage_bot.web.table.errors import ActionRefused, HttpError
from linage_bot.web.table.links import from_link
from tests.linage_bot.web.room import received


def position(link: str) -> Any:
    return received(puzzles.position({"link": link}))


def test_the_contents_name_every_puzzle_with_its_grade() -> None:
    """The contents list every puzzle with its grade, by game and from easy to hard."""
    games = received(puzzles.contents())["games"]
    assert [game["id"] for game in games] == [
        "linage",
        "linage-two-color",
        "linage-parity",
        "leblin",
    ]
    listed = [each for game in games for each in game["puzzles"]]
    assert {each["name"]: each["grade"] for each in listed} == {
        name: each.grade for name, each in shipped_puzzles().items()
    }
    for game in games:
        grades = [each["grade"] for each in game["puzzles"]]
        assert grades == sorted(grades)


def test_a_puzzle_is_told_whole() -> None:
    """A puzzle has its link and marks each legal move of each step as best or wrong."""
    for name, puzzle in shipped_puzzles().items():
        told = received(puzzles.puzzle(name))
        plain = puzzle.history().position
        plain = attrs.evolve(plain, game=plain.game.with_komi(0))
        assert from_link(told["link"]).history().position == plain
        assert told["toMove"] == puzzle.to_move
        assert told["game"] == received(game_message(plain.game))
        komi = puzzle.to_move.sign * puzzle.game.komi if puzzle.game.counts_points else 0
        leads = [step.lead + komi for step in puzzle.steps]
        assert [step["lead"] for step in told["steps"]] == leads
        for step, position in zip(told["steps"], puzzle.positions(), strict=True):
            assert {step["best"], *map(int, step["wrong"])} == set(position.moves())
    with pytest.raises(HttpError, match="no such puzzle"):
        puzzles.puzzle("linage-0")


def test_a_position_is_told_with_the_moves_made_from_it() -> None:
    """A set-up position is shown after the moves in its link, without a table."""
    told = position("game=linage&size=3&first=bb&turn=second&moves=aa--")
    start = GAMES["linage"].configure("3").start()
    assert told["position"]["first"] == [4]
    assert told["position"]["second"] == [0]
    assert told["position"]["toMove"] == 1
    assert told["last"] == -1
    assert told["game"] == received(game_message(start.game))


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("game=linage&size=3&first=abba", "a region has no line of 3 points"),
        ("game=linage&size=3&first=bb&moves=aacb", "a region would be left without a line"),
        ("game=linage&size=3&moves=aaaa", "there is a stone on this point"),
        ("game=linage-parity&size=3&n=1&first=abba", "a region breaks the condition"),
        ("game=leblin&size=3&first=aabb&second=abbaacca", "a group has no lifeline"),
        ("game=leblin&size=3&moves=--", "without passing"),
        ("game=linage&size=99", "size"),
        ("game=linage&size=3&first=zz", "two letters"),
        ("game=linage&size=9&moves=" + "--" * 101, "only 100 moves"),
        ("nonsense", "link"),
    ],
)
def test_what_cannot_be_is_declined_with_the_rule(link: str, reason: str) -> None:
    """An impossible position is refused with the rule that it breaks."""
    with pytest.raises(ActionRefused) as caught:
        position(link)
    assert reason in caught.value.reason


def test_a_position_is_asked_for_in_text() -> None:
    """A request for a position without a link in text is refused."""
    for fields in ({}, {"link": 3}, {"link": ["game=linage"]}):
        with pytest.raises(HttpError, match="link"):
            puzzles.position(fields)
