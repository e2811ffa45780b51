"""A table: what persons do there, how far it can be taken back, and pies."""

from operator import methodcaller as deed

import pytest

from linage_bot.records import BadRecord, Concession, Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Player
from linage_bot.web.course import MOST_MOVES, Course, Deed
from linage_bot.web.errors import Declined
from tests.linage_bot.web.room import ENGINE, PERSON, new_course


def done(course: Course, *deeds: Deed) -> Course:
    """The table after all of them."""
    for each in deeds:
        course = each(course)
    return course


def played(*moves: int) -> Course:
    return done(new_course(), *(deed("play", move, number) for number, move in enumerate(moves, 1)))


def check_declined(course: Course, *deeds: Deed, match: str | None = None) -> None:
    for each in deeds:
        with pytest.raises(Declined, match=match):
            each(course)


def test_persons_play_in_turn_and_the_rules_are_kept() -> None:
    """What the rules forbid is declined in their words."""
    course = played(12, 0)
    assert course.now.moves == (12, 0)
    check_declined(course, deed("play", 0, 3), match="there is a stone on this point")
    check_declined(course, deed("play", 25, 3), match="no such point")


def test_a_click_on_a_page_that_is_behind_is_declined() -> None:
    """A double click does not play twice."""
    check_declined(played(12), deed("play", 0, 1), match="moved on")


def test_nobody_moves_for_an_engine_that_is_not_held() -> None:
    """While it is held one may, and take back single moves."""
    course = done(new_course("linage", "5", PERSON, ENGINE), deed("play", 12, 1))
    check_declined(course, deed("play", 0, 2), match="it is the engine's turn")
    course = done(course, deed("pause", True), deed("play", 0, 2))
    assert done(course, deed("undo")).at == 1


def test_undo_goes_back_to_a_persons_turn() -> None:
    """And redo forward to one."""
    course = new_course("linage", "5", PERSON, ENGINE, moves=(12, 0, 24, 4))
    course = done(course, deed("undo"))
    assert course.at == 2
    course = done(course, deed("undo"))
    assert (course.at, course.can_undo) == (0, False)
    check_declined(course, deed("undo"), match="nothing to take back")
    course = done(course, deed("redo"), deed("redo"))
    assert (course.at, course.can_redo) == (4, False)
    check_declined(course, deed("redo"), match="nothing to make again")


def test_an_engine_that_begins_keeps_its_first_move() -> None:
    """There is no turn of a person before it."""
    assert not new_course("linage", "5", ENGINE, PERSON, moves=(12,)).can_undo


def test_a_resigned_game_is_over_and_can_be_taken_up_again() -> None:
    """By Undo, which takes back no move then."""
    course = done(new_course("leblin", "5", PERSON, ENGINE), deed("resign"))
    assert (course.over, course.conceded, course.result) == (True, Concession(Player.FIRST), None)
    check_declined(course, deed("resign"), deed("play", 3, 1))
    assert done(course, deed("undo"), deed("play", 3, 1)).at == 1


@pytest.mark.parametrize("result", ["B+R", "W+Resign", "B+T", "W+F"])
def test_a_record_that_was_given_up_opens_finished(result: str) -> None:
    """No engine goes on with it, until it is taken up again."""
    record = Record(GAMES["leblin"].configure("5"), moves=(12,), result=result)
    course = Course.of(record, (ENGINE, ENGINE))
    assert (course.over, course.engine_to_move) == (True, None)
    check_declined(course, deed("play", 3, 2), match="the game is over")
    course = done(course, deed("undo"))
    assert (course.over, course.engine_to_move, course.paused) == (False, ENGINE, True)


def test_a_record_that_ended_by_the_rules_has_their_result() -> None:
    """Whatever it says besides."""
    record = Record(GAMES["linage"].configure("5"), moves=(PASS, PASS), result="B+R")
    course = Course.of(record, (PERSON, PERSON))
    assert (course.over, course.conceded, str(course.result)) == (True, None, "W+0.5")


def test_engines_alone_cannot_be_made_to_resign() -> None:
    """Nobody is there to give up."""
    check_declined(new_course("leblin", "5", ENGINE, ENGINE), deed("resign"), match="only engines")


def test_looking_back_changes_nothing_and_playing_on_goes_there() -> None:
    """The moves behind can be made again, until another one is played."""
    course = done(played(12, 0, 24), deed("look", 1))
    assert (course.viewed, course.at) == (1, 3)
    course = done(course, deed("play_on"))
    assert (course.viewed, course.at, course.can_redo) == (1, 1, True)
    course = done(course, deed("play", 4, 2))
    assert course.history.moves == (12, 4)
    check_declined(course, deed("look", -1), deed("look", 3))


def test_looking_back_nothing_is_taken_back_or_made_again() -> None:
    """The moves that would come or go are not those in sight."""
    course = done(played(12, 0, 24), deed("undo"), deed("look", 1))
    check_declined(
        course, deed("undo"), deed("redo"), deed("play", PASS, 3), match="you are looking at move 1"
    )
    assert done(course, deed("look", 2), deed("undo")).at == 1


def test_a_game_ends_by_its_rules() -> None:
    """Nobody is to move then."""
    course = played(PASS, PASS)
    assert (course.over, course.engine_to_move) == (True, None)
    check_declined(course, deed("play", 3, 3), match="the game is over")


def test_a_komi_pie_is_offered_by_one_and_eaten_by_the_other() -> None:
    """Nothing else can be done before."""
    course = new_course(pie=True)
    check_declined(
        course, deed("play", 3, 1), deed("choose", Player.FIRST), deed("resign"), deed("play_on")
    )
    check_declined(course, deed("offer", 0.3), match="multiple of")
    course = done(course, deed("offer", 3.5))
    check_declined(course, deed("offer", 4.5), deed("play", 3, 1))
    course = done(course, deed("choose", Player.SECOND))
    assert (course.game.komi, course.pie) == (3.5, None)
    assert done(course, deed("play", 3, 1)).at == 1


def test_a_stone_pie_is_a_stone_that_stays() -> None:
    """Who places it does not choose, and it cannot be taken back."""
    course = done(new_course("leblin", "5", pie=True), deed("play", 12, 1))
    check_declined(course, deed("play", 3, 2), match="pie comes first")
    course = done(course, deed("choose", Player.SECOND))
    assert (course.now.moves, course.can_undo) == ((12,), False)


def test_a_pie_of_an_engine_is_not_eaten_for_it() -> None:
    """Neither offered nor chosen."""
    course = new_course("linage", "5", ENGINE, PERSON, pie=True)
    check_declined(course, deed("offer", 3.5), match="it is the engine's turn")
    offered = new_course("linage", "5", PERSON, ENGINE, pie=True).offer(3.5)
    check_declined(offered, deed("choose", Player.FIRST), match="it is the engine's turn")


def test_sides_change_hands_in_the_middle_of_a_game() -> None:
    """An engine may go on for a person, and back."""
    course = done(played(12), deed("sit", Player.SECOND, 3))
    assert course.engine_to_move == 3
    assert done(course, deed("sit", Player.SECOND, PERSON)).engine_to_move is None


def test_moves_made_again_lead_to_the_same_positions() -> None:
    """What is known of a position stays true when it is left and come back to."""
    course = played(12, 0, 24)
    again = done(course, deed("undo"), deed("undo"), deed("play", 0, 2))
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
    saved = done(
        Course.of(record, (PERSON, ENGINE)), deed("undo"), deed("undo"), deed("redo")
    ).to_save()
    assert (saved.moves, saved.comments) == ((12, 0), {1: "good", 2: "bad"})
    saved = done(
        Course.of(record, (PERSON, PERSON)), deed("undo"), deed("undo"), deed("play", 4, 2)
    ).to_save()
    assert (saved.moves, saved.comments) == ((12, 4), {1: "good"})
    assert (saved.players, saved.result) == (("person", "person"), None)
    assert saved.date == "2020-02-02"


def test_a_record_without_end_is_refused() -> None:
    """Each move costs memory as long as the game is kept."""
    with pytest.raises(BadRecord, match=f"only {MOST_MOVES} moves"):
        new_course(moves=(PASS,) * (MOST_MOVES + 1))
