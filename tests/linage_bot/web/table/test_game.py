"""Actions at a table: moves, undo, variations and pies."""

from collections.abc import Callable
from operator import methodcaller as deed
from typing import Any

import pytest

from linage_bot.records import BadRecord, EarlyEnd, Record, study_from_sgf, to_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Move, Player
from linage_bot.web.table.annotated import MOST_NODES, MOST_WORDS
from linage_bot.web.table.errors import ActionRefused
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.pie import Sides
from linage_bot.web.table.view import TableView
from tests.linage_bot.web.room import ENGINE, PERSON, new_course


class Desk(TableView):
    """A table as one page sees it, with all its properties and actions."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.course, name)
        if not callable(found) or name in ("to_save", "so_far"):
            return found
        return lambda *words: self.do(deed(name, *words))


def done(table: TableGame | Desk, *deeds: Callable[[Any], Any]) -> Desk:
    """Return the table after these actions."""
    desk = Desk(table) if isinstance(table, TableGame) else table
    for each in deeds:
        desk = each(desk)
    return desk


def played(*moves: int) -> Desk:
    return done(new_course(), *(deed("play", move, number) for number, move in enumerate(moves)))


def check_declined(
    table: TableGame | Desk, *deeds: Callable[[Any], Any], match: str | None = None
) -> None:
    for each in deeds:
        with pytest.raises(ActionRefused, match=match):
            each(done(table))


def test_persons_play_in_turn_and_the_rules_are_kept() -> None:
    """Moves are played in turn, and illegal ones are refused with the rule's words."""
    course = played(12, 0)
    assert course.now.moves == (12, 0)
    check_declined(course, deed("play", 0, 2), match="there is a stone on this point")
    check_declined(course, deed("play", 25, 2), match="no such point")


def test_a_click_on_a_page_that_is_behind_is_declined() -> None:
    """A move from an outdated page is refused, so a double click plays once."""
    check_declined(played(12), deed("play", 0, 0), match="moved on")


def test_nobody_moves_for_an_engine_that_is_not_held() -> None:
    """A person may move for an engine only while it is paused."""
    course = done(new_course("linage", "5", PERSON, ENGINE), deed("play", 12, 0))
    check_declined(course, deed("play", 0, 1), match="it is the engine's turn")
    course = done(course, deed("pause", True), deed("play", 0, 1))
    assert done(course, deed("undo")).at == 1


def test_undo_goes_back_to_a_persons_turn() -> None:
    """Undo goes back, and redo forward, to a person's turn."""
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
    """An engine's opening move cannot be undone."""
    assert not new_course("linage", "5", ENGINE, PERSON, moves=(12,)).can_undo


def test_a_resigned_game_is_over_and_can_be_taken_up_again() -> None:
    """Undo after a resignation resumes the game without taking back a move."""
    course = done(new_course("leblin", "5", PERSON, ENGINE), deed("resign"))
    assert (course.over, course.conceded, course.result) == (True, EarlyEnd(Player.FIRST), None)
    check_declined(course, deed("resign"), deed("play", 3, 0))
    assert done(course, deed("undo"), deed("play", 3, 0)).at == 1


@pytest.mark.parametrize("result", ["B+R", "W+Resign", "B+T", "W+F"])
def test_a_record_that_was_given_up_opens_finished(result: str) -> None:
    """A record that ended by resignation or on time opens as finished; undo resumes it."""
    record = Record(GAMES["leblin"].configure("5"), moves=(12,), result=result)
    course = TableGame.of(record, (ENGINE, ENGINE))
    assert (course.over, course.engine_to_move) == (True, None)
    check_declined(course, deed("play", 3, 1), match="the game is over")
    course = done(course, deed("undo"))
    assert (course.over, course.engine_to_move, course.paused) == (False, ENGINE, True)


def test_a_record_that_ended_by_the_rules_has_their_result() -> None:
    """A game that ended by the rules has their result, not the one in its file."""
    record = Record(GAMES["linage"].configure("5"), moves=(PASS, PASS), result="B+R")
    course = TableGame.of(record, (PERSON, PERSON))
    assert (course.over, course.conceded, str(course.result)) == (True, None, "W+0.5")


def test_engines_alone_cannot_be_made_to_resign() -> None:
    """A game between two engines cannot be resigned."""
    check_declined(new_course("leblin", "5", ENGINE, ENGINE), deed("resign"), match="only engines")


def test_looking_back_changes_nothing_and_playing_on_goes_there() -> None:
    """Viewing an earlier move changes nothing; playing on makes it the current position."""
    course = done(played(12, 0, 24), deed("look", 1))
    assert (course.viewed, course.at) == (1, 3)
    course = done(course, deed("play_on"))
    assert (course.viewed, course.at, course.can_redo) == (1, 1, True)
    course = done(course, deed("play", 4, 1))
    assert course.now.moves == (12, 4)
    check_declined(course, deed("look", -1), deed("look", 9))


def test_looking_back_nothing_is_taken_back_or_made_again() -> None:
    """Undo and redo are refused while another move or a variation is viewed."""
    course = done(played(12, 0, 24), deed("undo"), deed("look", 1))
    check_declined(course, deed("undo"), deed("redo"), match="you are looking at move 1:")
    aside = done(course, deed("play", 4, 1))
    check_declined(aside, deed("undo"), deed("redo"), match="at move 2 of a variation:")
    assert done(course, deed("look", 2), deed("undo")).at == 1


def test_a_game_ends_by_its_rules() -> None:
    """After two passes the game is over and further moves are refused."""
    course = played(PASS, PASS)
    assert (course.over, course.engine_to_move) == (True, None)
    check_declined(course, deed("play", 3, 2), match="the game is over")


def test_a_komi_pie_is_offered_by_one_and_eaten_by_the_other() -> None:
    """In a komi pie one player offers a komi and the other one chooses, before any other action."""
    course = new_course(pie=True)
    check_declined(
        course, deed("play", 3, 0), deed("choose", Player.FIRST), deed("resign"), deed("play_on")
    )
    check_declined(course, deed("offer", 0.3), match="multiple of")
    course = done(course, deed("offer", 3.5))
    check_declined(course, deed("offer", 4.5), deed("play", 3, 0))
    course = done(course, deed("choose", Player.SECOND))
    assert (course.game.komi, course.pie) == (3.5, None)
    assert course.sides == Sides(Player.SECOND, chooser=PERSON, offerer=PERSON)
    assert done(course, deed("play", 3, 0)).at == 1


def test_a_stone_pie_is_a_stone_that_stays() -> None:
    """The stone of a pie cannot be undone, and its player does not choose."""
    course = done(new_course("leblin", "5", pie=True), deed("play", 12, 0))
    check_declined(course, deed("play", 3, 1), match="pie comes first")
    course = done(course, deed("choose", Player.SECOND))
    assert (course.now.moves, course.can_undo) == ((12,), False)


def test_a_pie_of_an_engine_is_not_eaten_for_it() -> None:
    """A person can neither offer nor choose for an engine."""
    course = new_course("linage", "5", ENGINE, PERSON, pie=True)
    check_declined(course, deed("offer", 3.5), match="it is the engine's turn")
    offered = new_course("linage", "5", PERSON, ENGINE, pie=True).offer(3.5)
    check_declined(offered, deed("choose", Player.FIRST), match="it is the engine's turn")


def test_sides_change_hands_in_the_middle_of_a_game() -> None:
    """A seat may change from a person to an engine and back."""
    course = done(played(12), deed("sit", Player.SECOND, 3))
    assert course.engine_to_move == 3
    assert done(course, deed("sit", Player.SECOND, PERSON)).engine_to_move is None


def test_moves_made_again_lead_to_the_same_positions() -> None:
    """Repeated moves lead to the same nodes and positions."""
    course = played(12, 0, 24)
    again = done(course, deed("undo"), deed("undo"), deed("play", 0, 1))
    assert (again.at, again.tree, again.positions) == (2, course.tree, course.positions)
    assert all(again.positions[at] is course.positions[at] for at in course.positions)


STUDY = study_from_sgf(
    b"(;SZ[5]RU[linage]PB[Ann]PW[Bob]DT[2020-02-02]RE[B+R]ON[2 given moves]C[start]"
    b";B[cc];W[ae]C[good](;B[aa]C[bad])(;B[ee];W[bb]C[alt]))"
)
START, FIRST, SECOND, THIRD, OTHER, LAST = range(6)  # its nodes in this order


def opened(*seats: int | None) -> TableGame:
    """Return the study's table, with two people unless other seats are given."""
    first, second = seats or (PERSON, PERSON)
    return TableGame.of(STUDY, (first, second))


def said(course: TableGame) -> dict[tuple[int, ...], str]:
    """The comments by the moves that lead to them."""
    tree = course.to_save().tree
    return {tree.moves(tree.path(at)): node.comment for at, node in tree.walk() if node.comment}


def test_another_move_at_an_earlier_position_makes_a_variation() -> None:
    """A different move at an earlier position starts a variation and leaves the game unchanged."""
    course = done(new_course("linage", "5", PERSON, ENGINE, moves=(12, 0, 24, 4)), deed("look", 1))
    course = done(course, deed("play", 4, 1), deed("play", 20, 5), deed("play", PASS, 6))
    assert (course.at, course.now.moves, course.engine_to_move) == (4, (12, 0, 24, 4), None)
    assert course.ground.history(course.viewed).moves == (12, 4, 20, PASS)
    assert done(course, deed("look", 1), deed("play", 4, 1)).viewed == 5, "which is there already"
    assert done(course, deed("look", 1), deed("play", 0, 1)).viewed == 2, "the game's own move"
    check_declined(course, deed("play", 20, 7), match="there is a stone on this point")
    check_declined(course, deed("play", 20, 1), match="moved on")


def test_an_engine_moves_in_the_game_while_a_variation_is_looked_at() -> None:
    """An engine moves in the game while the page keeps viewing a variation."""
    course = done(new_course("linage", "5", PERSON, ENGINE), deed("play", 12, 0), deed("look", 0))
    course = done(course, deed("play", 4, 0), deed("do", deed("play", 0, 1, by_engine=True)))
    assert course.now.moves == (12, 0)
    assert course.ground.history(course.viewed).moves == (4,)


def test_what_is_taken_back_becomes_a_variation_of_what_is_played_then() -> None:
    """Moves that were undone remain as a variation of the moves played later."""
    course = done(played(12, 0, 24), deed("undo"), deed("undo"), deed("play", 4, 1))
    assert course.to_save().record.moves == (12, 4)
    assert course.tree.moves(course.tree.line(3)) == (12, 0, 24)


def test_playing_on_from_a_variation_makes_it_the_game() -> None:
    """Playing on from a variation makes it the game, with the engine paused."""
    course = done(opened(PERSON, ENGINE), deed("look", OTHER), deed("play_on"))
    assert (course.over, course.at, course.paused) == (False, OTHER, True)
    assert course.to_save().record.moves == (12, 0, 4, 16)
    assert (course.to_save().facts.result, course.can_redo) == (None, True)


def test_a_variation_is_made_the_main_line() -> None:
    """A variation can become the main line; this drops the recorded result but keeps the view."""
    course = done(opened(), deed("look", OTHER), deed("promote", OTHER))
    assert (course.at, course.viewed, course.conceded) == (LAST, OTHER, None)
    saved = course.to_save()
    assert (saved.record.moves, saved.facts.result, saved.facts.given) == ((12, 0, 4, 16), None, 2)
    again = done(course, deed("promote", THIRD))
    assert again.to_save().record.moves == (12, 0, 20)
    assert said(again) == said(opened())


def test_a_place_is_deleted_with_all_behind_it() -> None:
    """Deleting a node deletes all that follows it, and shortens the game if needed."""
    course = done(opened(), deed("look", LAST), deed("delete", OTHER))
    assert (course.viewed, len(course.tree), course.conceded) == (
        SECOND,
        4,
        EarlyEnd(Player.SECOND),
    )
    assert course.to_save().facts.result == "B+R"
    course = done(opened(), deed("delete", SECOND))
    assert (course.at, course.viewed, course.over, len(course.tree)) == (FIRST, FIRST, False, 2)
    assert set(course.positions) == {START, FIRST}
    assert course.to_save().facts.given == 1
    check_declined(course, deed("delete", START), match="the start stays")
    check_declined(
        course, deed("delete", LAST), deed("comment", LAST, ""), match="not here any more"
    )


def test_the_stone_of_a_pie_is_not_deleted() -> None:
    """The stone of a pie can be neither deleted nor replaced by another main line."""
    course = done(new_course("leblin", "5", pie=True), deed("play", 12, 0))
    check_declined(course, deed("delete", 1), deed("promote", 1), match="pie comes first")
    course = done(course, deed("choose", Player.SECOND), deed("look", 0), deed("play", 3, 0))
    check_declined(course, deed("delete", 1), match="the start stays")
    check_declined(course, deed("promote", 2), match="the pie's stone stays")
    assert done(course, deed("play_on")).at == 1


def test_words_are_said_of_any_position() -> None:
    """Any position may have a comment of limited size; invalid characters are replaced."""
    course = done(opened(), deed("comment", START, ""), deed("comment", LAST, "so\r\n\ud800"))
    assert said(course) == {(12, 0): "good", (12, 0, 20): "bad", (12, 0, 4, 16): "so\n?"}
    assert done(course, deed("comment", FIRST, "x" * (MOST_WORDS - 100)))
    check_declined(course, deed("comment", FIRST, "x" * MOST_WORDS), match="no room")


def test_a_study_is_saved_as_it_was_opened() -> None:
    """Viewing a study does not change it; an engine that takes a seat is named."""
    course = done(opened(), deed("look", LAST), deed("look", START))
    assert course.to_save() == STUDY
    assert done(course, deed("sit", Player.SECOND, 3)).to_save().facts.players == (
        "Ann",
        "linage-bot level 3",
    )
    unfinished = study_from_sgf(b"(;SZ[5]RU[linage]RE[W+7];B[cc])")
    assert TableGame.of(unfinished, (PERSON, PERSON)).to_save() == unfinished


def test_a_resignation_that_is_taken_back_is_not_saved() -> None:
    """An undone resignation or result is not saved."""
    assert done(opened(), deed("undo")).to_save().facts.result is None
    course = done(played(PASS, PASS))
    assert course.to_save().facts.result == "W+0.5"
    assert done(course, deed("undo"), deed("play", 12, 1)).to_save().facts.result is None


def test_the_game_so_far_knows_no_variations() -> None:
    """The game so far contains no variations and no undone moves."""
    course = done(opened(), deed("undo"), deed("undo"))
    assert (course.so_far().moves, course.so_far().comments) == ((12, 0), {0: "start", 2: "good"})


def test_a_note_without_a_move_is_a_place_of_its_own() -> None:
    """A note without a move is a node of its own and does not change the turn."""
    study = study_from_sgf(b"(;SZ[5]RU[linage];B[cc];C[note](;W[aa])(;C[alt];W[bb]))")
    course = TableGame.of(study, (PERSON, PERSON))
    assert course.ground.history(2) == course.ground.history(1)
    assert done(course, deed("undo")).now.moves == (12,)
    assert done(course, deed("undo"), deed("undo")).now.moves == ()
    assert course.to_save() == study


def test_a_closed_variation_is_looked_at_and_deleted_but_not_played() -> None:
    """An unplayable variation can be viewed and deleted but not played or commented on."""
    study = study_from_sgf(b"(;SZ[5]RU[linage];B[cc](;W[aa])(;W[cc]C[no]))")
    course = done(TableGame.of(study, (PERSON, PERSON)), deed("look", 3))
    assert course.ground.history(3).moves == (12,)
    check_declined(
        course,
        *(deed("play", 4, 3), deed("play_on"), deed("promote", 3), deed("comment", 3, "yes")),
        match="this variation cannot be played",
    )
    assert course.to_save() == study
    assert len(done(course, deed("delete", 3)).tree) == 3


CLOSED_ALONE = b"(;SZ[5]RU[linage];B[cc];W[aa](;B[bb])(;B[cc]))"
CLOSED_BEHIND_A_VARIATION = b"(;SZ[5]RU[linage];B[cc](;W[bb])(;W[aa](;B[cc])(;B[bb])(;B[dd])))"


@pytest.mark.parametrize(
    ("sgf", "deeds", "moves"),
    [
        (CLOSED_ALONE, [deed("delete", 3)], (12, 20)),
        (CLOSED_ALONE, [deed("delete", 3), deed("play", 24, 2)], (12, 20, 24)),
        (CLOSED_ALONE, [deed("delete", 3), deed("undo"), deed("redo")], (12, 20)),
        (CLOSED_BEHIND_A_VARIATION, [deed("promote", 3)], (12, 20, 16)),
        (CLOSED_BEHIND_A_VARIATION, [deed("play_on", 3)], (12, 20, 16)),
        (
            CLOSED_BEHIND_A_VARIATION,
            [deed("promote", 3), deed("delete", 5), deed("delete", 6)],
            (12, 20),
        ),
    ],
)
def test_a_closed_variation_never_becomes_the_game(
    sgf: bytes, deeds: list[Callable[[Any], Any]], moves: tuple[Move, ...]
) -> None:
    """An unplayable variation never becomes the main line through deleting or promoting others."""
    course = TableGame.of(study_from_sgf(sgf), (PERSON, PERSON))
    for each in deeds:
        course = each(course)
    saved = course.to_save()
    assert saved.record.moves == moves
    loaded = study_from_sgf(to_sgf(saved).encode())
    assert (loaded.tree, loaded.record.moves) == (saved.tree, moves)
    assert [node.closed is not None for _, node in loaded.tree.walk()].count(True) == 1
    while course.can_redo:
        course = course.redo()
    assert course.now.moves == moves


def test_a_tree_is_bounded() -> None:
    """A tree has a maximum size; deleting a variation makes room."""
    with pytest.raises(BadRecord, match=f"more than {MOST_NODES} moves"):
        new_course(moves=(PASS,) * (MOST_NODES + 1))
    notes = "".join(f"(;C[{n}])" for n in range(MOST_NODES - 1))
    study = study_from_sgf(f"(;SZ[5]RU[linage];B[cc]{notes})".encode())
    course = done(TableGame.of(study, (PERSON, PERSON)), deed("look", 1))
    check_declined(course, deed("play", 0, 1), match="delete a variation first")
    assert done(course, deed("delete", 5), deed("play", 0, 1)).now.moves == (12,)
