"""A session decides which searches to run and applies their results."""

import threading

import attrs
import pytest

from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.records.tree import MoveTree, Node
from linage_bot.rules.game import Player
from linage_bot.web.table.actions import SwitchAnalysis
from linage_bot.web.table.errors import ActionRefused
from linage_bot.web.table.game import MOST_NODES
from linage_bot.web.table.moves import can_undo
from linage_bot.web.thinking.session import Session
from linage_bot.web.thinking.tasks import Analyse, ChooseMove, QuickSearch, ResolvePie
from tests.linage_bot.web.room import ENGINE, PERSON, act, add_page, change, new_session, think


def analysed(session: Session) -> Session:
    """Add a page that requests an analysis."""
    add_page(session, analysing=True)
    return session


def test_the_engine_moves_when_it_is_its_turn_and_only_then() -> None:
    """The engine moves in its turn only, and then it is the person's turn again."""
    session = new_session("linage", "5", PERSON, ENGINE)
    assert session.wanted() is None
    session.do(change("play", 12, 0))
    with pytest.raises(ActionRefused, match="it is the engine's turn"):
        session.do(change("play", 0, 1))
    assert isinstance(think(session), ChooseMove)
    assert session.game.node == 2
    assert session.wanted() is None


def test_what_the_engine_thought_of_a_move_taken_back_is_dropped() -> None:
    """A search result for a move that was undone is dropped."""
    session = new_session("linage", "5", PERSON, ENGINE)
    session.do(change("play", 12, 0))
    task = session.wanted()
    assert task is not None
    found = task.run(threading.Event())
    session.do(change("undo"))
    assert not session.still_wanted(task)
    session.accept(task, found)
    assert session.game.now.moves == ()


def test_a_held_engine_does_not_move_and_can_be_moved_for() -> None:
    """A person may move for a paused engine, which moves again when resumed."""
    session = new_session("linage", "5", PERSON, ENGINE)
    session.do(change("play", 12, 0))
    session.do(change("pause", True))
    assert session.wanted() is None
    session.do(change("play", 0, 1))
    session.do(change("undo"))
    assert session.game.node == 1
    session.do(change("pause", False))
    assert isinstance(session.wanted(), ChooseMove)


def test_engines_play_each_other_only_while_somebody_looks() -> None:
    """Two engines play each other only while a page is open."""
    session = new_session("linage", "4", ENGINE, ENGINE)
    assert session.wanted() is None
    add_page(session)
    for _ in range(100):
        if session.game.over:
            break
        think(session)
    assert session.game.position.over
    assert session.game.result == session.game.position.result()


def test_a_weak_engine_does_not_find_what_the_analysis_thought() -> None:
    """A weak engine does not use the search tree of the analysis."""
    session = new_session("linage", "5", ENGINE, PERSON)
    analysed(session).do(change("pause", True))
    think(session)
    session.do(change("pause", False))
    task = session.wanted()
    assert isinstance(task, ChooseMove)
    assert task.engine not in [each.engine for each in session.cache.analysts]


@pytest.mark.parametrize(("game", "floor"), [("linage", 0), ("leblin", 1)])
def test_engines_take_part_in_pies(game: str, floor: int) -> None:
    """Engines offer and choose in pies."""
    one, two = 1, 2
    session = new_session(game, "4", one, two, pie=True)
    add_page(session)
    assert isinstance(think(session), ResolvePie)
    assert session.game.pie is not None
    assert session.game.node == floor
    assert isinstance(think(session), ResolvePie)
    assert session.game.pie is None
    assert set(session.game.players) == {one, two}


def test_a_person_divides_with_a_stone_and_the_engine_chooses() -> None:
    """A person places the stone of a pie, the engine chooses, and the stone stays."""
    session = new_session("leblin", "5", PERSON, ENGINE, pie=True)
    session.do(change("play", 12, 0))
    with pytest.raises(ActionRefused, match="pie comes first"):
        session.do(change("play", 3, 1))
    think(session)
    engine = session.game.players.index(ENGINE)
    assert (session.game.engine_to_move == ENGINE) is (engine == Player.SECOND)
    if session.game.engine_to_move == ENGINE:
        think(session)
    assert not can_undo(session.game), "the pie's stone and the engine's answer stay"
    assert session.game.now.moves[0] == 12


def test_an_analysis_begins_with_the_position_and_fills_the_graph() -> None:
    """An analysis starts with the viewed position, then fills the graph while a page is open."""
    session = new_session("linage", "4")
    session.do(change("play", 5, 0))
    assert session.wanted() is None, "nobody looks"
    add_page(session, analysing=True)
    assert isinstance(think(session), Analyse)
    kinds = {type(think(session)) for _ in range(6) if session.wanted() is not None}
    assert QuickSearch in kinds
    assert set(session.cache.analyses) == {0, 1}
    act(session, SwitchAnalysis(on=False, ownership=False))
    assert session.wanted() is None


def test_small_positions_of_linage_are_proven() -> None:
    """A small position is proven, with a score from First's point of view that includes komi."""
    session = analysed(new_session("linage", "4"))
    assert wait_for_solver(session.game.rules, threading.Event())
    session.do(change("play", 5, 0))
    while not session.cache.analysis(1, session.game.position).best:
        think(session)
    told = session.cache.analysis(1, session.game.position)
    assert told.lead == -10.5
    assert told.best
    exact = {each.move: each.lead for each in told.candidates if each.exact}
    assert all(exact[move] == told.lead for move in told.best)


def test_what_was_thought_of_a_position_goes_when_it_is_deleted() -> None:
    """The analysis of a position is kept after an undo and dropped when it is deleted."""
    session = analysed(new_session("linage", "4"))
    session.do(change("play", 5, 0))
    think(session)
    assert 1 in session.cache.analyses
    session.do(change("undo"))
    assert 1 in session.cache.analyses
    session.do(change("play", 6, 0))
    assert 1 in session.cache.analyses
    session.do(change("delete", 1))
    assert 1 not in session.cache.analyses


def test_an_engine_that_finds_no_room_for_its_move_is_held() -> None:
    """An engine whose move does not fit into the tree is paused, and the page says why."""
    session = new_session("linage", "5", PERSON, ENGINE)
    session.do(change("play", 12, 0))
    notes = [Node(parent=None), Node(move=12, parent=0), *[Node(parent=0)] * (MOST_NODES - 1)]
    game = session.game
    positions = dict.fromkeys(range(MOST_NODES + 1), game.positions[0]) | dict(game.positions)
    study = attrs.evolve(game.study, tree=MoveTree.of(notes))
    session.do(lambda game: attrs.evolve(game, study=study, positions=positions))
    assert isinstance(think(session), ChooseMove)
    assert session.failure == f"there are {MOST_NODES} moves: delete a variation first"
    assert (session.game.node, session.wanted()) == (1, None)


def test_a_failed_search_holds_the_engine_until_somebody_asks_for_it() -> None:
    """A failed search pauses the engine until a person resumes it."""
    session = new_session("linage", "5", ENGINE, PERSON)
    session.fail("out of memory")
    assert session.wanted() is None
    session.do(change("pause", False))
    assert (session.failure, type(session.wanted())) == (None, ChooseMove)
