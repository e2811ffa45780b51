"""The data from which a page plays a lesson."""

import pytest

from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS
from linage_bot.teaching import lesson_of
from linage_bot.web.messages.lessons import lesson
from linage_bot.web.messages.table import new_game_form
from linage_bot.web.table.errors import HttpError
from tests.linage_bot.web.room import received


@pytest.mark.parametrize("name", GAMES)
def test_every_click_has_one_answer(name: str) -> None:
    """Every legal point and pass of a lesson has one answer, and right moves lead to a position."""
    told = received(lesson(name))
    assert told["name"] == GAMES[name].name
    taught = lesson_of(GAMES[name])
    assert taught is not None
    assert [step["title"] for step in told["steps"]] == [step.title for step in taught.steps]
    for shown, step in zip(told["steps"], taught.steps, strict=True):
        board = step.position.game.board
        moves = sorted(move for each in shown["answers"] for move in each["moves"])
        assert moves == sorted([*bits(board.points), *([PASS] if step.position.may_pass() else [])])
        assert shown["position"]["first"] == list(bits(step.position.first))
        assert shown["board"]["columns"] == board.columns
        for each in shown["answers"]:
            if each["position"] is not None:
                assert each["right"]
                (move,) = each["moves"]
                assert each["last"] == (step.replies or (move,))[-1]
        assert any(each["right"] for each in shown["answers"])


def test_there_is_no_lesson_of_what_there_is_not() -> None:
    """A lesson for an unknown game gives status 404."""
    with pytest.raises(HttpError) as caught:
        lesson("go")
    assert caught.value.status == 404


def test_a_page_is_told_which_games_have_lessons() -> None:
    """The list of games says which ones have a lesson."""
    kinds = received(new_game_form(GAMES["linage"].configure(), (None, None)))
    assert all(kind["lesson"] for kind in kinds["games"])
