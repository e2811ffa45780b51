"""Each page has its own view, which stays put while others play, look and delete."""

import pytest

from linage_bot.web.messages.events import send_changes
from linage_bot.web.messages.table import table_message
from linage_bot.web.table.actions import (
    Delete,
    LookAt,
    PlayMove,
    PlayOn,
    Redo,
    SwitchAnalysis,
    Undo,
)
from linage_bot.web.table.errors import ActionRefused
from linage_bot.web.thinking.session import Session
from linage_bot.web.thinking.tasks import Analyse, QuickSearch
from tests.linage_bot.web.room import ENGINE, PERSON, SETTINGS, add_page, new_game, think


def table(*moves: int, size: str = "5") -> Session:
    """Return a session with two pages."""
    session = Session(new_game(size=size, moves=moves), SETTINGS)
    add_page(session)
    add_page(session)
    send_changes(session)
    return session


def viewed(session: Session) -> list[int]:
    return [each.view.viewed(session.game) for each in session.viewers]


def test_a_page_that_looks_back_stays_there_while_others_play() -> None:
    """A page at an earlier move stays there, and a page at the last move follows the game."""
    session = table(12, 0)
    one, two = session.viewers
    session.act(LookAt(1), one)
    assert viewed(session) == [1, 2]
    session.act(PlayMove(24, 2), two)
    assert viewed(session) == [1, 3]
    session.act(Undo(), two)
    assert viewed(session) == [1, 2]
    session.act(LookAt(2), one)
    session.act(Redo(), two)
    assert viewed(session) == [3, 3], "the last position is the game, wherever it goes"


def test_a_variation_is_in_view_of_who_plays_it_alone() -> None:
    """A variation is viewed only by the page that plays it, until another page opens it."""
    session = table(12, 0)
    one, two = session.viewers
    session.act(LookAt(1), one)
    session.act(PlayMove(4, 1), one)
    assert viewed(session) == [3, 2]
    assert table_message(session, one.view).line == (0, 1, 3)
    assert table_message(session, two.view).line == (0, 1, 2)
    session.act(LookAt(3), two)
    session.act(PlayOn(), two)
    assert (viewed(session), session.game.node) == ([3, 3], 3)


def test_what_is_deleted_is_looked_at_no_more() -> None:
    """Pages that view a deleted position move to the nearest one before it."""
    session = table(12, 0, 24)
    one, two = session.viewers
    session.act(LookAt(2), one)
    session.act(Delete(1), two)
    assert viewed(session) == [0, 0]
    session.act(PlayMove(7, 0), two)
    assert viewed(session) == [4, 4], "it was taken to the game"


def test_a_click_is_meant_for_the_position_in_view() -> None:
    """A move from a page that is behind the game is refused and starts no variation."""
    session = table(12)
    one, two = session.viewers
    session.act(PlayMove(0, 1), one)
    with pytest.raises(ActionRefused, match="the game has continued"):
        session.act(PlayMove(4, 1), two)
    assert len(session.game.tree) == 3


def test_each_is_told_what_it_looks_at() -> None:
    """Each page gets the data of its own view only."""
    session = table(12, 0)
    one, two = session.viewers
    for each in session.viewers:
        each.stream.heard.clear()
    session.act(LookAt(1), one)
    session.act(SwitchAnalysis(on=True, ownership=False), one)
    think(session)
    send_changes(session)
    heard = dict(one.stream.heard)
    assert (heard["table"]["viewed"], heard["table"]["analysing"]) == (1, True)
    assert heard["analysis"]["node"] == 1
    assert two.stream.heard == []
    send_changes(session)
    assert [kind for kind, _ in one.stream.heard[3:]] == ["analysis", "graph"]


def test_all_that_is_looked_at_is_thought_about_in_turn() -> None:
    """Every viewed position is searched in turn, each with one tree shared by its pages."""
    session = table(12, 0, size="9")  # so large that no search is finished during the test
    add_page(session)
    for node, each in zip((1, 2, 2), session.viewers, strict=True):
        session.act(LookAt(node), each)
        session.act(SwitchAnalysis(on=True, ownership=False), each)
    tasks = [think(session) for _ in range(16)]
    analysed = [task for task in tasks if isinstance(task, Analyse)]
    counts = [sum(task.node == node for task in analysed) for node in (1, 2)]
    assert min(counts) > 1
    assert abs(counts[0] - counts[1]) <= 1
    assert len({task.engine for task in analysed if task.node == 1}) == 1
    assert len({task.engine for task in analysed}) == 2
    assert {task.node for task in tasks if isinstance(task, QuickSearch)} == {0}


def test_a_page_goes_on_with_the_tree_that_it_had() -> None:
    """An analysis keeps its tree when the page moves to the next position."""
    session = table()
    one, two = session.viewers
    session.act(SwitchAnalysis(on=True, ownership=False), one)
    first = think(session)
    session.act(PlayMove(12, 0), two)
    second = think(session)
    assert isinstance(first, Analyse)
    assert isinstance(second, Analyse)
    assert (second.engine, second.node) == (first.engine, 1)
    for move in range(6):
        session.act(LookAt(0), two)
        session.act(PlayMove(move, 0), two)
    for node in range(8):
        add_page(session, looked_at=node, analysing=True)
    tasks = [think(session) for _ in range(9)]
    assert {task.node for task in tasks if isinstance(task, Analyse)} == set(range(8))


def test_an_engine_plays_while_pages_look_elsewhere() -> None:
    """Pages that view an earlier move stay there while an engine plays."""
    session = Session(new_game("linage", "5", PERSON, ENGINE), SETTINGS)
    add_page(session)
    session.act(PlayMove(12, 0), session.viewers[0])
    session.act(LookAt(0), session.viewers[0])
    think(session)
    assert (session.game.node, viewed(session)) == (2, [0])
