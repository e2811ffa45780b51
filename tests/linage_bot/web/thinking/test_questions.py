"""Hints and losses of moves: known at once or after a short search, for one page only."""

import threading
from concurrent.futures import Future

import pytest

from linage_bot.rules.game import PASS
from linage_bot.web.http.tables import TableRegistry
from linage_bot.web.table.actions import PlayMove
from linage_bot.web.table.errors import ActionRefused
from linage_bot.web.table.moves import play
from linage_bot.web.thinking.advice import PendingQuestion
from linage_bot.web.thinking.questions import Advice, Answer, Asked, CompareMove, FindBestMove, Loss
from linage_bot.web.thinking.session import Session
from linage_bot.web.thinking.tasks import ChooseMove
from tests.linage_bot.web.room import (
    ENGINE,
    PERSON,
    SETTINGS,
    Reactor,
    Searches,
    decision,
    new_game,
    new_scheduler,
    new_session,
    new_store,
)


def thought(asked: Answer | Asked) -> Answer:
    """Return the answer that the search finds."""
    assert isinstance(asked, FindBestMove | CompareMove)
    return asked.run(threading.Event())


def test_a_solved_board_is_advised_on_at_once() -> None:
    """A hint on a solved board comes at once from the table."""
    advice = new_session("linage", "5").advice(0)
    assert isinstance(advice, Advice)
    assert (advice.certain, advice.exact) == (1.0, True)
    assert advice.lead is not None
    assert advice.lead > 0


def test_elsewhere_a_hint_is_searched_for() -> None:
    """A hint on an unsolved board is searched, with the win rate of the player to move."""
    advice = thought(new_session("leblin", "5").advice(0))
    assert isinstance(advice, Advice)
    assert advice.win_rate is not None
    assert 0 <= advice.win_rate <= 1
    assert advice.lead is None, "Leblin counts no points"


def test_the_only_move_is_no_matter_of_thought() -> None:
    """If there is only one move, the hint is that move, without a search."""
    game = new_game("linage", "3")
    while game.position.moves() != (PASS,):
        game = play(game, game.position.moves()[0], game.node)
    session = Session(game, SETTINGS)
    assert session.advice(game.node) == Advice(move=PASS, only=True)
    loss = session.loss(game.node, PASS)
    assert isinstance(loss, Loss)
    assert not loss.serious


def test_a_pass_on_a_solved_board_loses_by_proof() -> None:
    """A pass on a solved board is shown as a proven loss."""
    loss = new_session("linage", "5").loss(0, PASS)
    assert isinstance(loss, Loss)
    assert loss.proven
    assert loss.serious
    assert loss.win_rate == 1
    assert loss.points > 0
    assert loss.best is not None


def test_a_best_move_loses_nothing() -> None:
    """A best move loses nothing, so the page gives no warning."""
    session = new_session("linage", "5")
    advice = session.advice(0)
    assert isinstance(advice, Advice)
    loss = session.loss(0, advice.move)
    assert loss == Loss(win_rate=0, points=0, proven=True, best=None, serious=False)


def test_a_pass_that_gives_the_game_away_is_found_by_a_search() -> None:
    """A pass that loses the game is found by a short search where nothing is proven."""
    loss = thought(new_session("linage", "9").loss(0, PASS))
    assert isinstance(loss, Loss)
    assert loss.serious
    assert loss.best not in (None, PASS)


def test_a_pass_that_costs_nothing_is_no_matter_of_warning() -> None:
    """A pass that costs nothing gives no warning."""
    session = Session(new_game("linage", "3", moves=(4,)), SETTINGS)
    loss = session.loss(1, PASS)  # the table of replies knows it
    assert loss == Loss(win_rate=0, points=0, proven=True, best=None, serious=False)


def test_nothing_is_asked_of_what_is_over_or_not_there() -> None:
    """Hints are refused after the end, for unknown positions, and before a pie is resolved."""
    over = Session(new_game("linage", "5", moves=(PASS, PASS)), SETTINGS)
    pie = Session(new_game("linage", "5", pie=True), SETTINGS)
    for session, node, reason in ((over, 2, "over"), (over, 9, "not here"), (pie, 0, "pie")):
        with pytest.raises(ActionRefused, match=reason):
            session.advice(node)
    session = new_session("linage", "5")
    with pytest.raises(ActionRefused, match="rules forbid"):
        session.loss(0, 99)


def test_who_asks_is_answered_alone() -> None:
    """Only the page that requested a hint gets it, after the engine's move."""
    searches, reactor = Searches(), Reactor()
    scheduler = new_scheduler(searches, reactor)
    tables = TableRegistry(reactor, SETTINGS, scheduler, new_store())
    name = tables.open(new_game("leblin", "5", PERSON, ENGINE))
    tables.do(name, PlayMove(12, 0))
    answers: list[Answer] = []
    failures: list[Exception] = []
    before = tables.find(name).revision
    tables.ask(name, lambda session: session.advice(1), answers.append, failures.append)
    assert isinstance(searches.running[0].task, ChooseMove)
    searches.finish(decision(tables.find(name), 3))
    assert isinstance(searches.running[0].task, FindBestMove)
    told = Advice(move=7)
    searches.finish(told)
    assert answers == [told]
    assert tables.find(name).revision == before + 1, "the engine has moved"
    tables.ask(name, lambda session: session.advice(2), answers.append, failures.append)
    searches.finish(MemoryError("no room"))
    assert "no room" in str(failures[0])
    assert searches.running == []


def test_a_question_whose_page_has_gone_is_not_thought_about() -> None:
    """A question is dropped or its search stopped when its page leaves, and others are answered."""
    searches, reactor = Searches(), Reactor()
    tables = TableRegistry(reactor, SETTINGS, new_scheduler(searches, reactor), new_store())
    name = tables.open(new_game("leblin", "5"))
    answers: list[Answer] = []
    withdraw = [
        tables.ask(name, lambda session: session.advice(0), answers.append, print) for _ in range(3)
    ]
    withdraw[1]()
    (search,) = searches.running
    assert not search.stopped.is_set()
    withdraw[0]()
    withdraw[0]()
    assert search.stopped.is_set()
    searches.finish(Advice(move=7))
    assert answers == []
    searches.finish(Advice(move=8))
    assert answers == [Advice(move=8)]
    assert searches.running == []
    assert not tables.find(name).busy


def test_a_move_is_not_held_up_by_the_compiler() -> None:
    """Hints wait for the compiler unless the table knows the move; moves never wait for it."""
    solved, unknown = new_session("linage", "5"), new_session("leblin", "5")
    solved.code = unknown.code = Future()
    assert isinstance(solved.advice(0), Advice)
    assert isinstance(solved.loss(0, PASS), Loss)
    assert isinstance(unknown.advice(0), FindBestMove)
    with pytest.raises(ActionRefused, match="compiled"):
        unknown.loss(0, 0)


def test_not_too_much_is_asked_at_once() -> None:
    """Too many pending questions are refused with a reason."""
    session = new_session("leblin", "5")
    asked = session.advice(0)
    assert isinstance(asked, FindBestMove)
    question = PendingQuestion(asked, print, print)
    for _ in range(8):
        session.ask(question)
    with pytest.raises(ActionRefused, match="too many questions"):
        session.ask(question)
