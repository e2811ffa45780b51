"""The data of a table that a page receives."""

import pytest

from linage_bot.records.record import Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Game
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.messages.table import (
    new_game_form,
    position_message,
    table_message,
    tree_message,
)
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.links import from_link
from linage_bot.web.table.moves import resign
from linage_bot.web.table.view import FOLLOWING
from linage_bot.web.thinking.session import Session
from tests.linage_bot.web.room import received


def table(game: Game, *moves: int) -> Session:
    return Session(TableGame.of(Record(game, moves=moves), (None, 3)), PlaySettings())


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_told_in_json(name: str) -> None:
    """Every game and its options can be sent as JSON."""
    game = GAMES[name].configure()
    told = received(table_message(table(game, 40)))
    assert told["line"] == [0, 1]
    assert received(tree_message(table(game, 40)))["nodes"][1] == [
        1,
        0,
        40,
        False,
        False,
    ]
    assert told["position"]["first"] == [40]
    assert told["turn"] == "engine"
    kinds = received(new_game_form(game, (None, 3)))
    kind = next(each for each in kinds["games"] if each["id"] == name)
    assert set(kind["options"]) == set(game.options())
    assert kinds["chosen"]["size"] == game.default_size


def test_closed_points_are_told_by_the_rule_that_closes_them() -> None:
    """A closed point comes with the rule that forbids it and the stones concerned."""
    told = received(position_message(GAMES["linage"].configure("3").start().play(4).play(0)))
    reason = "a region would be left without a line of 3 points"
    assert {each["reason"] for each in told["refused"]} == {reason}
    about = {point: each["about"] for each in told["refused"] for point in each["points"]}
    # B2 and A1 have stones: each of these would leave others alone, or cut off from their line.
    assert about == {2: [1], 5: [1, 2], 6: [3], 7: [3, 6], 8: [1, 2, 3, 5, 6, 7]}
    assert set(told["legal"]) == {1, 3}


def test_points_closed_for_one_reason_stand_together() -> None:
    """Points that are closed for the same reason are grouped."""
    game = GAMES["linage"].configure("7")
    position = game.start()
    for vertex in ("C1", "C2", "C3", "C4", "C5", "C6", "C7"):
        position = position.play(game.board.point(vertex))
    (owned,) = (
        each
        for each in received(position_message(position))["refused"]
        if "owned" in each["reason"]
    )
    assert owned["points"] == owned["about"] == [7 * row + c for row in range(7) for c in (0, 1)]


def test_nothing_is_refused_where_nothing_can_be_done() -> None:
    """A finished game has neither legal nor refused moves."""
    told = received(position_message(GAMES["linage"].configure("3").start().play(PASS).play(PASS)))
    assert (told["over"], told["legal"], told["refused"]) == (True, [], [])


def test_a_game_given_up_keeps_its_end() -> None:
    """The result of a resigned or timed-out game is shown and kept in its link."""
    game = GAMES["leblin"].configure("5")
    record = Record(game, moves=(12,), result="B+T")
    session = Session(TableGame.of(record, (None, None)), PlaySettings())
    told = received(table_message(session))
    assert told["result"] == {"winner": 0, "margin": None, "lost": "lost on time"}
    assert told["turn"] is None
    again = Session(TableGame.of(from_link(told["link"]), (None, None)), PlaySettings())
    assert received(table_message(again))["result"] == told["result"]


def test_the_end_is_told_with_what_counts() -> None:
    """The end of a game is shown with its scored items, and without a reason after resignation."""
    session = table(GAMES["linage"].configure("3"), PASS)
    assert received(table_message(session, FOLLOWING))["ending"] is None
    told = received(table_message(table(GAMES["linage"].configure("3"), PASS, PASS)))["ending"]
    assert told["reason"] == "Two passes in a row ended the game."
    assert told["counted"][-1] == {"words": "komi", "owner": 1, "value": 0.5, "points": []}
    assert told["scores"] == [0, 0.5]
    session.do(resign)
    assert received(table_message(session, FOLLOWING))["ending"]["reason"] == ""
