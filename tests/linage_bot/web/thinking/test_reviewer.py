"""A review of the current game: searched in slices, reported to pages, and kept."""

import pickle
import threading
from typing import Any

import pytest

from linage_bot.engine.engine import Engine
from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.jobs import sticky
from linage_bot.records.reading import from_sgf, study_from_sgf
from linage_bot.records.record import Record
from linage_bot.review import review_game
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Player
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.messages.analysis import review_message
from linage_bot.web.messages.events import send_changes, send_everything
from linage_bot.web.table import edits
from linage_bot.web.table.actions import LookAt, SwitchAnalysis
from linage_bot.web.table.errors import ActionRefused
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.moves import play
from linage_bot.web.thinking.questions import Attempt
from linage_bot.web.thinking.scheduler import SearchScheduler
from linage_bot.web.thinking.session import Session
from linage_bot.web.thinking.tasks import Analyse, ChooseMove, Judge
from tests.linage_bot.review.games import RECORDS
from tests.linage_bot.web.room import (
    ENGINE,
    PERSON,
    Page,
    Reactor,
    Searches,
    act,
    add_page,
    after,
    change,
    new_game,
    new_scheduler,
    received,
    think,
)

VISITS = 100
GIVEN = RECORDS["linage"].replace("SZ[5]", "SZ[5]ON[3 given moves]")


def opened(text: str) -> Session:
    """Return a session of a file with one page and a review in progress."""
    game = TableGame.of(study_from_sgf(text.encode()), (PERSON, PERSON))
    return watched(game)


def watched(game: TableGame) -> Session:
    session = Session(game, PlaySettings(visits=VISITS))
    add_page(session)
    session.do(change("review", True))
    return session


def through(session: Session) -> Any:
    """Finish the review and return the result that pages get."""
    while session.wanted() is not None:
        assert isinstance(think(session), Judge)
    return received(review_message(session))


@pytest.mark.parametrize("text", [RECORDS["linage"], RECORDS["leblin"], GIVEN])
def test_it_finds_what_the_command_finds(text: str) -> None:
    """A review on the page finds the same values and mistakes as the command does."""
    session = opened(text)
    told = through(session)
    found = review_game(from_sgf(text.encode()), PlaySettings(visits=VISITS, seed=1))
    assert [each["number"] for each in told["mistakes"]] == list(found.mistakes)
    assert [each["best"] for each in told["mistakes"]] == [
        list(found.moves[number - 1].line) for number in found.mistakes
    ]
    assert [point[1] for point in told["points"]] == [round(v.win_rate, 4) for v in found.values]
    assert (told["given"], told["exactFrom"]) == (found.record.given, found.exact_from)
    for each in told["mistakes"]:
        assert session.game.history(each["node"]).position.to_move == each["player"]
        assert each["costs"]
        assert each["number"] > found.record.given


def test_a_review_that_is_lost_goes_on_from_what_it_had_found_out() -> None:
    """A review that loses its worker continues from its intermediate results."""
    session = opened(RECORDS["linage"])
    slices = 0
    while (task := session.wanted()) is not None:
        if slices % 4 == 0:
            sticky._known.clear()
        slices += 1
        session.accept(task, pickle.loads(pickle.dumps(task)).run(threading.Event()))
    assert received(review_message(session)) == through(opened(RECORDS["linage"]))
    assert slices < 100


def test_the_game_is_judged_and_not_its_variations() -> None:
    """A review covers the main line only, even while a variation is viewed."""
    session = opened("(;SZ[4]RU[leblin];B[aa];C[note](;W[bb];B[dd])(;W[cb]))")
    act(session, LookAt(5))
    told = through(session)
    assert (told["line"], len(told["points"])) == ([0, 1, 3, 4], 4)


def test_it_takes_turns_with_an_analysis_and_an_engine_goes_first() -> None:
    """A review alternates with an analysis, and an engine's move comes first."""
    session = opened(RECORDS["leblin"])
    act(session, SwitchAnalysis(on=True, ownership=False))
    kinds = [type(think(session)) for _ in range(6)]
    assert kinds.count(Judge) == 3
    assert Analyse in kinds
    session = watched(new_game("linage", "5", PERSON, ENGINE, moves=(12,)))
    assert isinstance(think(session), ChooseMove)
    assert isinstance(think(session), Judge)


def test_others_get_their_turns_meanwhile() -> None:
    """Two reviews take scheduler, one slice each."""
    searches = Searches()
    scheduler: SearchScheduler = new_scheduler(searches, Reactor(), at_once=1)
    sessions = [opened(RECORDS["leblin"]), opened(RECORDS["gardar"])]
    for session in sessions:
        scheduler.update(session)
    order = []
    for _ in range(6):
        (search,) = searches.running
        order.append(next(each for each in sessions if scheduler.is_searching(each)))
        searches.finish(search.task.run(search.stopped))
    assert order == sessions * 3


def test_pages_hear_how_far_it_is_and_then_what_it_found() -> None:
    """Pages get the progress of a review and its result, each once; later pages get the result."""
    session = opened(RECORDS["leblin"])
    page = session.viewers[0].stream
    assert isinstance(page, Page)
    while session.wanted() is not None:
        think(session)
        send_changes(session)
    heard = [value for kind, value in page.heard if kind == "review"]
    for doing, total in (("proving", 13), ("searching", 12)):
        steps = [each["done"] for each in heard[:-1] if each["doing"] == doing]
        assert steps == sorted(steps)
        assert {each["total"] for each in heard[:-1] if each["doing"] == doing} == {total}
    assert heard[-1] == received(review_message(session))
    send_changes(session)
    assert len([kind for kind, _ in page.heard if kind == "review"]) == len(heard)
    late = add_page(session)
    send_everything(session, session.viewers[-1])
    assert ("review", heard[-1]) in late.heard


def test_it_is_stopped_and_rests_while_nobody_looks() -> None:
    """A review pauses without pages, and is discarded after a while unless it is finished."""
    session = opened(RECORDS["leblin"])
    think(session)
    task = session.wanted()
    page = session.viewers.pop()
    assert session.wanted() is None
    session.viewers.append(page)
    assert isinstance(task, Judge)
    assert session.still_wanted(task)
    session.forget()
    assert not session.still_wanted(task)
    assert through(session)["mistakes"] is not None
    kept = session.reviewer
    session.forget()
    assert session.reviewer is kept
    session.do(change("review", False))
    assert (session.wanted(), received(review_message(session))) == (None, None)


def test_it_stays_when_the_game_goes_on_and_goes_with_its_moves() -> None:
    """A review stays when the game continues and goes when one of its moves is deleted."""
    session = watched(new_game("leblin", "3", moves=(0, 4)))
    told = through(session)
    session.do(change("play", 8, 2))
    session.do(change("delete", 3))
    assert received(review_message(session)) == told
    session.do(change("delete", 2))
    assert received(review_message(session)) is None


def test_there_must_be_a_game() -> None:
    """A review needs a game with moves and a resolved pie."""
    with pytest.raises(ActionRefused, match="no moves to review yet"):
        edits.review(new_game(), True)
    with pytest.raises(ActionRefused, match="pie comes first"):
        edits.review(new_game(pie=True), True)


def test_nobody_is_blamed_for_the_stone_of_a_pie() -> None:
    """The stone of a pie counts as given, so it is never a mistake."""
    game = after(
        new_game("leblin", "5", pie=True), change("play", 12, 0), change("choose", Player.SECOND)
    )
    assert game.to_save().facts.given == 1
    assert play(game, 0, 1).so_far().given == 1


def test_a_review_that_fails_is_not_tried_again_and_again() -> None:
    """A failed review is not repeated; a finished one survives later failures."""
    session = opened(RECORDS["leblin"])
    session.fail("out of memory")
    assert (session.reviewer, session.wanted()) == (None, None)
    session = watched(TableGame.of(Record(GAMES["leblin"].configure("3"), (0,)), (PERSON, PERSON)))
    told = through(session)
    session.fail("out of memory")
    assert received(review_message(session)) == told


def checked(session: Session, node: int, move: int) -> Attempt:
    """Return the check of a move in place of a reviewed one."""
    asked = session.attempt(node, move)
    return asked if isinstance(asked, Attempt) else asked.run(threading.Event())


def test_a_better_move_is_told_from_the_mistake() -> None:
    """In place of a mistake the review's best move is right, and the move played is wrong."""
    session = opened(RECORDS["linage"])
    for mistake in through(session)["mistakes"]:
        node = mistake["node"]
        best = session.attempt(node, mistake["best"][0])
        assert isinstance(best, Attempt), "known without a search"
        assert (best.right, list(best.line)) == (True, mistake["best"])
        played = session.attempt(node, mistake["move"])
        assert isinstance(played, Attempt)
        assert not played.right
        assert list(played.line) == mistake["played"]


def test_other_moves_are_right_if_they_are_as_good_as_the_best() -> None:
    """Near the end of a game, exactly the moves that a proof calls best are right."""
    session = opened(RECORDS["linage"])
    mistake = max(through(session)["mistakes"], key=lambda each: each["number"])
    assert wait_for_solver(session.game.rules, threading.Event())
    position = session.game.positions[mistake["node"]]
    proven = Engine(PlaySettings()).prove(position, 60.0)
    assert proven is not None
    assert proven.exact
    for move in position.moves():
        attempt = checked(session, mistake["node"], move)
        assert attempt.right == (move in proven.best), position.name_of(move)
        assert attempt.proven
        assert attempt.line[0] == move
        assert (attempt.win_rate, attempt.points) == (0, 0) or not attempt.right


def test_where_nothing_is_proven_a_search_decides() -> None:
    """At the start of a game on 9x9 a pass is not as good as the best move."""
    session = opened("(;SZ[9]RU[linage:line=3;button=off;edition=current];B[ee])")
    through(session)
    best = session.reviewer.judged_at(0).best
    attempt = checked(session, 0, PASS)
    assert (attempt.right, attempt.proven) == (False, False)
    assert attempt.win_rate > 0.05
    assert attempt.line[0] == PASS
    assert checked(session, 0, best).right


def test_only_a_reviewed_move_can_be_replaced() -> None:
    """Before the review, after its last move and for illegal moves no attempt is checked."""
    session = opened(RECORDS["linage"])
    with pytest.raises(ActionRefused, match="review the game first"):
        session.attempt(0, 0)
    line = through(session)["line"]
    with pytest.raises(ActionRefused, match="review the game first"):
        session.attempt(line[-1], PASS)
    with pytest.raises(ActionRefused, match="rules forbid"):
        session.attempt(0, 99)
