"""A table: what persons do there, how far it can be taken back, and pies."""

import pytest

from linage_bot.records import BadRecord, Concession, Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Player
from linage_bot.web.actions import (
    Deed,
    Look,
    OfferKomi,
    Pause,
    Play,
    PlayOn,
    Redo,
    Resign,
    Sit,
    TakeSide,
    Undo,
)
from linage_bot.web.course import MOST_MOVES, Course
from linage_bot.web.errors import Declined
from linage_bot.web.seats import Seat
from tests.linage_bot.web.room import ENGINE, PERSON, new_course


def done(course: Course, *deeds: Deed) -> Course:
    """The table after all of them."""
    for deed in deeds:
        course = course.do(deed)
    return course


def played(*moves: int) -> Course:
    return done(new_course(), *(Play(move, number) for number, move in enumerate(moves, 1)))


def check_declined(course: Course, *deeds: Deed, match: str | None = None) -> None:
    for deed in deeds:
        with pytest.raises(Declined, match=match):
            course.do(deed)


def test_persons_play_in_turn_and_the_rules_are_kept() -> None:
    """What the rules forbid is declined in their words."""
    course = played(12, 0)
    assert course.now.moves == (12, 0)
    check_declined(course, Play(0, 3), match="there is a stone on this point")
    check_declined(course, Play(25, 3), match="no such point")


def test_a_click_on_a_page_that_is_behind_is_declined() -> None:
    """A double click does not play twice."""
    check_declined(played(12), Play(0, 1), match="moved on")


def test_nobody_moves_for_an_engine_that_is_not_held() -> None:
    """While it is held one may, and take back single moves."""
    course = done(new_course("linage", "5", PERSON, ENGINE), Play(12, 1))
    check_declined(course, Play(0, 2), match="it is the engine's turn")
    course = done(course, Pause(True), Play(0, 2))
    assert done(course, Undo()).at == 1


def test_undo_goes_back_to_a_persons_turn() -> None:
    """And redo forward to one."""
    course = new_course("linage", "5", PERSON, ENGINE, moves=(12, 0, 24, 4))
    course = done(course, Undo())
    assert course.at == 2
    course = done(course, Undo())
    assert (course.at, course.can_undo) == (0, False)
    check_declined(course, Undo(), match="nothing to take back")
    course = done(course, Redo(), Redo())
    assert (course.at, course.can_redo) == (4, False)
    check_declined(course, Redo(), match="nothing to make again")


def test_an_engine_that_begins_keeps_its_first_move() -> None:
    """There is no turn of a person before it."""
    assert not new_course("linage", "5", ENGINE, PERSON, moves=(12,)).can_undo


def test_a_resigned_game_is_over_and_can_be_taken_up_again() -> None:
    """By Undo, which takes back no move then."""
    course = done(new_course("leblin", "5", PERSON, ENGINE), Resign())
    assert (course.over, course.conceded, course.result) == (True, Concession(Player.FIRST), None)
    check_declined(course, Resign(), Play(3, 1))
    assert done(course, Undo(), Play(3, 1)).at == 1


@pytest.mark.parametrize("result", ["B+R", "W+Resign", "B+T", "W+F"])
def test_a_record_that_was_given_up_opens_finished(result: str) -> None:
    """No engine goes on with it, until it is taken up again."""
    record = Record(GAMES["leblin"].configure("5"), moves=(12,), result=result)
    course = Course.of(record, (ENGINE, ENGINE))
    assert (course.over, course.mover) == (True, None)
    check_declined(course, Play(3, 2), match="the game is over")
    course = done(course, Undo())
    assert (course.over, course.mover, course.paused) == (False, ENGINE, True)


def test_a_record_that_ended_by_the_rules_has_their_result() -> None:
    """Whatever it says besides."""
    record = Record(GAMES["linage"].configure("5"), moves=(PASS, PASS), result="B+R")
    course = Course.of(record, (PERSON, PERSON))
    assert (course.over, course.conceded, str(course.result)) == (True, None, "W+0.5")


def test_engines_alone_cannot_be_made_to_resign() -> None:
    """Nobody is there to give up."""
    check_declined(new_course("leblin", "5", ENGINE, ENGINE), Resign(), match="only engines")


def test_looking_back_changes_nothing_and_playing_on_goes_there() -> None:
    """The moves behind can be made again, until another one is played."""
    course = done(played(12, 0, 24), Look(1))
    assert (course.viewed, course.at) == (1, 3)
    course = done(course, PlayOn())
    assert (course.viewed, course.at, course.can_redo) == (1, 1, True)
    course = done(course, Play(4, 2))
    assert course.history.moves == (12, 4)
    check_declined(course, Look(-1), Look(3))


def test_looking_back_nothing_is_taken_back_or_made_again() -> None:
    """The moves that would come or go are not those in sight."""
    course = done(played(12, 0, 24), Undo(), Look(1))
    check_declined(course, Undo(), Redo(), Play(PASS, 3), match="you are looking at move 1")
    assert done(course, Look(2), Undo()).at == 1


def test_a_game_ends_by_its_rules() -> None:
    """Nobody is to move then."""
    course = played(PASS, PASS)
    assert (course.over, course.mover) == (True, None)
    check_declined(course, Play(3, 3), match="the game is over")


def test_a_komi_pie_is_offered_by_one_and_eaten_by_the_other() -> None:
    """Nothing else can be done before."""
    course = new_course(pie=True)
    check_declined(course, Play(3, 1), TakeSide(Player.FIRST), Resign(), PlayOn())
    check_declined(course, OfferKomi(0.3), match="multiple of")
    course = done(course, OfferKomi(3.5))
    check_declined(course, OfferKomi(4.5), Play(3, 1))
    course = done(course, TakeSide(Player.SECOND))
    assert (course.game.komi, course.pie) == (3.5, None)
    assert done(course, Play(3, 1)).at == 1


def test_a_stone_pie_is_a_stone_that_stays() -> None:
    """Who places it does not choose, and it cannot be taken back."""
    course = done(new_course("leblin", "5", pie=True), Play(12, 1))
    check_declined(course, Play(3, 2), match="pie comes first")
    course = done(course, TakeSide(Player.SECOND))
    assert (course.now.moves, course.can_undo) == ((12,), False)


def test_a_pie_of_an_engine_is_not_eaten_for_it() -> None:
    """Neither offered nor chosen."""
    course = new_course("linage", "5", ENGINE, PERSON, pie=True)
    check_declined(course, OfferKomi(3.5), match="it is the engine's turn")
    offered = new_course("linage", "5", PERSON, ENGINE, pie=True).do(OfferKomi(3.5))
    check_declined(offered, TakeSide(Player.FIRST), match="it is the engine's turn")


def test_sides_change_hands_in_the_middle_of_a_game() -> None:
    """An engine may go on for a person, and back."""
    course = done(played(12), Sit(Player.SECOND, Seat(3)))
    assert course.mover == Seat(3)
    assert done(course, Sit(Player.SECOND, PERSON)).mover == PERSON


def test_moves_made_again_lead_to_the_same_positions() -> None:
    """What is known of a position stays true when it is left and come back to."""
    course = played(12, 0, 24)
    again = done(course, Undo(), Undo(), Play(0, 2))
    assert (again.at, again.history.moves) == (2, (12, 0, 24))
    assert again.history.positions is course.history.positions


def test_what_is_saved_ends_where_the_game_is() -> None:
    """With what was said until then, and who plays now."""
    record = Record(
        GAMES["linage"].configure("5"),
        moves=(12, 0),
        comments={1: "good", 2: "bad"},
        date="2020-02-02",
        result="B+R",
    )
    saved = done(Course.of(record, (PERSON, ENGINE)), Undo(), Undo(), Redo()).to_save()
    assert (saved.moves, saved.comments) == ((12, 0), {1: "good", 2: "bad"})
    saved = done(Course.of(record, (PERSON, PERSON)), Undo(), Undo(), Play(4, 2)).to_save()
    assert (saved.moves, saved.comments) == ((12, 4), {1: "good"})
    assert (saved.players, saved.result) == (("person", "person"), None)
    assert saved.date == "2020-02-02"


def test_a_record_without_end_is_refused() -> None:
    """Each move costs memory as long as the game is kept."""
    with pytest.raises(BadRecord, match=f"only {MOST_MOVES} moves"):
        new_course(moves=(PASS,) * (MOST_MOVES + 1))
