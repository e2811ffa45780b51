"""A table: what persons and engines do there, pies, and what is thought about."""

import threading

import pytest

from linage_bot.engine.engine import AgentSettings
from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.records import Concession, Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Player
from linage_bot.web.course import Course
from linage_bot.web.errors import Declined
from linage_bot.web.seats import Seat
from linage_bot.web.session import Session
from linage_bot.web.tasks import Analyse, ChooseMove, ChooseSide, Glance, OfferPie

PERSON, ENGINE = Seat(), Seat(1)
SETTINGS = AgentSettings(visits=20, seed=1)


def table(game: str = "linage", size: str = "5", *seats: Seat, pie: bool = False) -> Session:
    record = Record(GAMES[game].configure(size))
    first, second = seats or (PERSON, PERSON)
    return Session(Course.of(record), (first, second), SETTINGS, with_pie=pie)


def think(session: Session) -> object:
    """Do what the session wants thought, and hand it back."""
    task = session.wanted()
    assert task is not None
    session.accept(task, task.run(threading.Event(), lambda _thought: None))
    return task


def test_persons_play_in_turn_and_the_rules_are_kept() -> None:
    session = table()
    session.play(12, 1)
    session.play(0, 2)
    assert session.course.moves == (12, 0)
    with pytest.raises(Declined, match="there is a stone on this point"):
        session.play(0, 3)
    assert session.course.moves == (12, 0)


def test_a_click_on_a_page_that_is_behind_is_declined() -> None:
    """A double click does not play twice."""
    session = table()
    session.play(12, 1)
    with pytest.raises(Declined, match="moved on"):
        session.play(0, 1)


def test_the_engine_moves_when_it_is_its_turn_and_only_then() -> None:
    session = table("linage", "5", PERSON, ENGINE)
    assert session.wanted() is None
    session.play(12, 1)
    with pytest.raises(Declined, match="it is the engine's turn"):
        session.play(0, 2)
    assert isinstance(think(session), ChooseMove)
    assert session.course.at == 2
    assert session.wanted() is None


def test_what_the_engine_thought_of_a_move_taken_back_is_dropped() -> None:
    session = table("linage", "5", PERSON, ENGINE)
    session.play(12, 1)
    task = session.wanted()
    assert task is not None
    found = task.run(threading.Event(), lambda _thought: None)
    session.undo()
    assert not session.still_wanted(task)
    session.accept(task, found)
    assert session.course.moves == ()


def test_undo_goes_back_to_a_persons_turn() -> None:
    session = table("linage", "5", PERSON, ENGINE)
    for move in (12, 0):
        session.play(move, session.course.at + 1)
        think(session)
    session.undo()
    assert session.course.at == 2
    session.undo()
    assert session.course.at == 0
    assert not session.can_undo
    with pytest.raises(Declined, match="nothing to take back"):
        session.undo()
    session.redo()
    assert session.course.at == 2
    session.redo()
    assert (session.course.at, session.can_redo) == (4, False)


def test_an_engine_that_begins_keeps_its_first_move() -> None:
    session = table("linage", "5", ENGINE, PERSON)
    think(session)
    assert not session.can_undo


def test_a_held_engine_does_not_move_and_can_be_moved_for() -> None:
    session = table("linage", "5", PERSON, ENGINE)
    session.play(12, 1)
    session.pause(True)
    assert session.wanted() is None
    session.play(0, 2)
    session.undo()
    assert session.course.at == 1
    session.pause(False)
    assert isinstance(session.wanted(), ChooseMove)


def test_engines_play_each_other_only_while_somebody_looks() -> None:
    session = table("linage", "4", ENGINE, ENGINE)
    assert session.wanted() is None
    session.watchers = 1
    for _ in range(100):
        if session.over:
            break
        think(session)
    assert session.course.position.over
    assert session.result == session.course.position.result()


def test_a_weak_engine_does_not_find_what_the_analysis_thought() -> None:
    session = table("linage", "5", ENGINE, PERSON)
    session.watchers, session.notebook.on, session.paused = 1, True, True
    think(session)
    session.pause(False)
    task = session.wanted()
    assert isinstance(task, ChooseMove)
    assert task.engine is not session.notebook.engine


def test_a_resigned_game_is_over_and_can_be_taken_up_again() -> None:
    session = table("leblin", "5", PERSON, ENGINE)
    session.resign()
    assert (session.over, session.conceded, session.result) == (
        True,
        Concession(Player.FIRST),
        None,
    )
    for deed in (session.resign, lambda: session.play(3, 1)):
        with pytest.raises(Declined):
            deed()
    session.undo()
    assert not session.over
    session.play(3, 1)


@pytest.mark.parametrize("result", ["B+R", "W+Resign", "B+T", "W+F"])
def test_a_record_that_was_given_up_opens_finished(result: str) -> None:
    """No engine goes on with it, until it is taken up again."""
    record = Record(GAMES["leblin"].configure("5"), moves=(12,), result=result)
    session = Session(Course.of(record), (ENGINE, ENGINE), SETTINGS)
    session.watchers = 1
    assert (session.over, session.mover, session.wanted()) == (True, None, None)
    with pytest.raises(Declined, match="the game is over"):
        session.play(3, 2)
    session.undo()
    session.pause(False)
    assert isinstance(session.wanted(), ChooseMove)


def test_a_record_that_ended_by_the_rules_has_their_result() -> None:
    """Whatever it says besides."""
    record = Record(GAMES["linage"].configure("5"), moves=(PASS, PASS), result="B+R")
    session = Session(Course.of(record), (PERSON, PERSON), SETTINGS)
    assert (session.over, session.conceded) == (True, None)
    assert str(session.result) == "W+0.5"


def test_engines_alone_cannot_be_made_to_resign() -> None:
    with pytest.raises(Declined, match="only engines"):
        table("leblin", "5", ENGINE, ENGINE).resign()


def test_looking_back_changes_nothing_and_playing_on_goes_there() -> None:
    session = table()
    for number, move in enumerate((12, 0, 24), 1):
        session.play(move, number)
    session.look(1)
    assert (session.viewed, session.course.at) == (1, 3)
    with pytest.raises(Declined, match="you are looking at move 1"):
        session.play(4, 4)
    session.play_on()
    assert (session.viewed, session.course.at, session.can_redo) == (1, 1, True)
    session.play(4, 2)
    assert session.course.record.moves == (12, 4)
    for at in (-1, 3):
        with pytest.raises(Declined):
            session.look(at)


def test_looking_back_nothing_is_taken_back_or_made_again() -> None:
    """The moves that would come or go are not those in sight."""
    session = table()
    for number, move in enumerate((12, 0, 24), 1):
        session.play(move, number)
    session.undo()
    session.look(1)
    for deed in (session.undo, session.redo, lambda: session.play(PASS, 3)):
        with pytest.raises(Declined, match="you are looking at move 1"):
            deed()
    assert (session.viewed, session.course.at) == (1, 2)
    session.look(2)
    session.undo()
    assert session.course.at == 1


def test_a_game_ends_by_its_rules() -> None:
    session = table()
    session.play(PASS, 1)
    session.play(PASS, 2)
    assert (session.over, session.mover) == (True, None)
    with pytest.raises(Declined, match="the game is over"):
        session.play(3, 3)


def test_a_komi_pie_is_offered_by_one_and_eaten_by_the_other() -> None:
    session = table(pie=True)
    for deed in (lambda: session.play(3, 1), lambda: session.choose_side(Player.FIRST)):
        with pytest.raises(Declined):
            deed()
    with pytest.raises(Declined, match="multiple of"):
        session.offer_komi(0.3)
    session.offer_komi(3.5)
    with pytest.raises(Declined):
        session.offer_komi(4.5)
    session.choose_side(Player.SECOND)
    assert (session.game.komi, session.pie) == (3.5, None)
    session.play(3, 1)


@pytest.mark.parametrize(("game", "floor"), [("linage", 0), ("leblin", 1)])
def test_engines_take_part_in_pies(game: str, floor: int) -> None:
    """The side that is chosen is the chooser's; the pie's stone stays."""
    one, two = Seat(1), Seat(2)
    session = table(game, "4", one, two, pie=True)
    session.watchers = 1
    assert isinstance(think(session), OfferPie)
    assert session.pie is not None
    assert session.course.at == floor
    assert isinstance(think(session), ChooseSide)
    assert session.pie is None
    assert set(session.seats) == {one, two}


def test_a_person_divides_with_a_stone_and_the_engine_chooses() -> None:
    session = table("leblin", "5", PERSON, ENGINE, pie=True)
    session.play(12, 1)
    with pytest.raises(Declined, match="pie comes first"):
        session.play(3, 2)
    think(session)
    engine = session.seats.index(ENGINE)
    assert (session.mover == ENGINE) is (engine == Player.SECOND)
    if session.mover == ENGINE:
        think(session)
    assert not session.can_undo, "the pie's stone and the engine's answer stay"
    assert session.course.moves[0] == 12


def test_an_analysis_begins_with_the_position_and_fills_the_graph() -> None:
    session = table("linage", "4")
    session.play(5, 1)
    session.notebook.on = True
    assert session.wanted() is None, "nobody looks"
    session.watchers = 1
    assert isinstance(think(session), Analyse)
    kinds = {type(think(session)) for _ in range(6) if session.wanted() is not None}
    assert Glance in kinds
    assert set(session.notebook.thoughts) == {0, 1}
    session.notebook.on = False
    assert session.wanted() is None


def test_small_positions_of_linage_are_proven() -> None:
    """As the player to move sees it: own points less the opponent's, with komi."""
    assert wait_for_solver(threading.Event())
    session = table("linage", "4")
    session.watchers, session.notebook.on = 1, True
    session.play(5, 1)
    while 1 not in session.notebook.proofs or session.notebook.proofs[1].lead is None:
        think(session)
    proof = session.notebook.proofs[1]
    assert proof.lead == 10.5
    assert proof.best
    assert all(proof.moves[move].low == proof.lead for move in proof.best)


def test_another_move_forgets_what_was_thought_of_the_old_one() -> None:
    session = table("linage", "4")
    session.watchers, session.notebook.on = 1, True
    session.play(5, 1)
    think(session)
    assert 1 in session.notebook.thoughts
    session.undo()
    assert 1 in session.notebook.thoughts
    session.play(6, 1)
    assert 1 not in session.notebook.thoughts


def test_a_failed_search_holds_the_engine_until_somebody_asks_for_it() -> None:
    session = table("linage", "5", ENGINE, PERSON)
    session.fail("out of memory")
    assert session.wanted() is None
    session.pause(False)
    assert (session.trouble, type(session.wanted())) == (None, ChooseMove)


def test_sides_change_hands_in_the_middle_of_a_game() -> None:
    session = table()
    session.play(12, 1)
    session.sit(Player.SECOND, Seat(1))
    assert isinstance(session.wanted(), ChooseMove)
    session.sit(Player.SECOND, PERSON)
    assert session.wanted() is None
