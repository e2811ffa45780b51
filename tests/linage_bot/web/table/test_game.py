"""Actions at a table: moves, undo, variations and pies."""

from collections.abc import Callable
from typing import Any

import attrs
import pytest

from linage_bot.records.reading import study_from_sgf
from linage_bot.records.record import BadRecord, EarlyEnd, Record
from linage_bot.records.writing import to_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Move, Player
from linage_bot.web.table.actions import ACTIONS
from linage_bot.web.table.errors import ActionRefused
from linage_bot.web.table.game import MOST_NODES, Change, TableGame
from linage_bot.web.table.moves import can_redo, can_undo, offer
from linage_bot.web.table.pie import Sides
from linage_bot.web.table.variations import MOST_COMMENT_BYTES
from linage_bot.web.table.view import FOLLOWING, View
from tests.linage_bot.web.room import ENGINE, PERSON, change, new_game


@attrs.frozen
class Desk:
    """A table as one page sees it, with all properties of its game."""

    game: TableGame
    view: View = FOLLOWING

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    @property
    def viewed(self) -> int:
        """The node that is viewed."""
        return self.view.viewed(self.game)

    @property
    def can_undo(self) -> bool:
        return can_undo(self.game)

    @property
    def can_redo(self) -> bool:
        return can_redo(self.game)


def act(word: str, *fields: Any) -> Callable[[Desk], Desk]:
    """Return an action of the page by its name in a request."""
    action = ACTIONS[word](*fields)
    return lambda desk: Desk(*action.apply(desk.game, desk.view))


def by_engine(change: Change) -> Callable[[Desk], Desk]:
    """Return a change of the game that the page has not asked for."""

    def changed(desk: Desk) -> Desk:
        game = change(desk.game)
        return Desk(game, desk.view.after(desk.game, game))

    return changed


def done(table: TableGame | Desk, *actions: Callable[[Any], Any]) -> Desk:
    """Return the table after these actions."""
    desk = Desk(table) if isinstance(table, TableGame) else table
    for each in actions:
        desk = each(desk)
    return desk


def played(*moves: int) -> Desk:
    return done(new_game(), *(act("play", move, number) for number, move in enumerate(moves)))


def check_declined(
    table: TableGame | Desk, *actions: Callable[[Any], Any], match: str | None = None
) -> None:
    for each in actions:
        with pytest.raises(ActionRefused, match=match):
            each(done(table))


def test_persons_play_in_turn_and_the_rules_are_kept() -> None:
    """Moves are played in turn, and illegal ones are refused with the rule's words."""
    game = played(12, 0)
    assert game.now.moves == (12, 0)
    check_declined(game, act("play", 0, 2), match="there is a stone on this point")
    check_declined(game, act("play", 25, 2), match="no such point")


def test_a_click_on_a_page_that_is_behind_is_declined() -> None:
    """A move from an outdated page is refused, so a double click plays once."""
    check_declined(played(12), act("play", 0, 0), match="the game has continued")


def test_nobody_moves_for_an_engine_that_is_not_held() -> None:
    """A person may move for an engine only while it is paused."""
    game = done(new_game("linage", "5", PERSON, ENGINE), act("play", 12, 0))
    check_declined(game, act("play", 0, 1), match="it is the engine's turn")
    game = done(game, act("pause", True), act("play", 0, 1))
    assert done(game, act("undo")).node == 1


def test_undo_goes_back_to_a_persons_turn() -> None:
    """Undo goes back, and redo forward, to a person's turn."""
    game = new_game("linage", "5", PERSON, ENGINE, moves=(12, 0, 24, 4))
    game = done(game, act("undo"))
    assert game.node == 2
    game = done(game, act("undo"))
    assert (game.node, game.can_undo) == (0, False)
    check_declined(game, act("undo"), match="nothing to undo")
    game = done(game, act("redo"), act("redo"))
    assert (game.node, game.can_redo) == (4, False)
    check_declined(game, act("redo"), match="nothing to redo")


def test_an_engine_that_begins_keeps_its_first_move() -> None:
    """An engine's opening move cannot be undone."""
    assert not can_undo(new_game("linage", "5", ENGINE, PERSON, moves=(12,)))


def test_a_resigned_game_is_over_and_can_be_taken_up_again() -> None:
    """Undo after a resignation resumes the game without taking back a move."""
    game = done(new_game("leblin", "5", PERSON, ENGINE), act("resign"))
    assert (game.over, game.conceded, game.result) == (True, EarlyEnd(Player.FIRST), None)
    check_declined(game, act("resign"), act("play", 3, 0))
    assert done(game, act("undo"), act("play", 3, 0)).node == 1


@pytest.mark.parametrize("result", ["B+R", "W+Resign", "B+T", "W+F"])
def test_a_record_that_was_given_up_opens_finished(result: str) -> None:
    """A record that ended by resignation or on time opens as finished; undo resumes it."""
    record = Record(GAMES["leblin"].configure("5"), moves=(12,), result=result)
    game = TableGame.of(record, (ENGINE, ENGINE))
    assert (game.over, game.engine_to_move) == (True, None)
    check_declined(game, act("play", 3, 1), match="the game is over")
    game = done(game, act("undo"))
    assert (game.over, game.engine_to_move, game.paused) == (False, ENGINE, True)


def test_a_record_that_ended_by_the_rules_has_their_result() -> None:
    """A game that ended by the rules has their result, not the one in its file."""
    record = Record(GAMES["linage"].configure("5"), moves=(PASS, PASS), result="B+R")
    game = TableGame.of(record, (PERSON, PERSON))
    assert (game.over, game.conceded, str(game.result)) == (True, None, "W+0.5")


def test_engines_alone_cannot_be_made_to_resign() -> None:
    """A game between two engines cannot be resigned."""
    check_declined(new_game("leblin", "5", ENGINE, ENGINE), act("resign"), match="only engines")


def test_looking_back_changes_nothing_and_playing_on_goes_there() -> None:
    """Viewing an earlier move changes nothing; playing on makes it the current position."""
    game = done(played(12, 0, 24), act("look", 1))
    assert (game.viewed, game.node) == (1, 3)
    game = done(game, act("play-on"))
    assert (game.viewed, game.node, game.can_redo) == (1, 1, True)
    game = done(game, act("play", 4, 1))
    assert game.now.moves == (12, 4)
    check_declined(game, act("look", -1), act("look", 9))


def test_looking_back_nothing_is_taken_back_or_made_again() -> None:
    """Undo and redo are refused while another move or a variation is viewed."""
    game = done(played(12, 0, 24), act("undo"), act("look", 1))
    check_declined(game, act("undo"), act("redo"), match="you are looking at move 1:")
    aside = done(game, act("play", 4, 1))
    check_declined(aside, act("undo"), act("redo"), match="at move 2 of a variation:")
    assert done(game, act("look", 2), act("undo")).node == 1


def test_a_game_ends_by_its_rules() -> None:
    """After two passes the game is over and further moves are refused."""
    game = played(PASS, PASS)
    assert (game.over, game.engine_to_move) == (True, None)
    check_declined(game, act("play", 3, 2), match="the game is over")


def test_a_komi_pie_is_offered_by_one_and_eaten_by_the_other() -> None:
    """In a komi pie one player offers a komi and the other one chooses, before any other action."""
    game = new_game(pie=True)
    check_declined(
        game,
        act("play", 3, 0),
        act("choose", Player.FIRST),
        act("resign"),
        act("play-on"),
    )
    check_declined(game, act("offer", 0.3), match="multiple of")
    game = done(game, act("offer", 3.5))
    check_declined(game, act("offer", 4.5), act("play", 3, 0))
    game = done(game, act("choose", Player.SECOND))
    assert (game.rules.komi, game.pie) == (3.5, None)
    assert game.sides == Sides(Player.SECOND, chooser=PERSON, offerer=PERSON)
    assert done(game, act("play", 3, 0)).node == 1


def test_a_stone_pie_is_a_stone_that_stays() -> None:
    """The stone of a pie cannot be undone, and its player does not choose."""
    game = done(new_game("leblin", "5", pie=True), act("play", 12, 0))
    check_declined(game, act("play", 3, 1), match="pie comes first")
    game = done(game, act("choose", Player.SECOND))
    assert (game.now.moves, game.can_undo) == ((12,), False)


def test_a_pie_of_an_engine_is_not_eaten_for_it() -> None:
    """A person can neither offer nor choose for an engine."""
    game = new_game("linage", "5", ENGINE, PERSON, pie=True)
    check_declined(game, act("offer", 3.5), match="it is the engine's turn")
    offered = offer(new_game("linage", "5", PERSON, ENGINE, pie=True), 3.5)
    check_declined(offered, act("choose", Player.FIRST), match="it is the engine's turn")


def test_sides_change_hands_in_the_middle_of_a_game() -> None:
    """A seat may change from a person to an engine and back."""
    game = done(played(12), act("sit", Player.SECOND, 3))
    assert game.engine_to_move == 3
    assert done(game, act("sit", Player.SECOND, PERSON)).engine_to_move is None


def test_moves_made_again_lead_to_the_same_positions() -> None:
    """Repeated moves lead to the same nodes and positions."""
    game = played(12, 0, 24)
    again = done(game, act("undo"), act("undo"), act("play", 0, 1))
    assert (again.node, again.tree, again.positions) == (2, game.tree, game.positions)
    assert all(again.positions[node] is game.positions[node] for node in game.positions)


STUDY = study_from_sgf(
    b"(;SZ[5]RU[linage]PB[Ann]PW[Bob]DT[2020-02-02]RE[B+R]ON[2 given moves]C[start]"
    b";B[cc];W[ae]C[good](;B[aa]C[bad])(;B[ee];W[bb]C[alt]))"
)
START, FIRST, SECOND, THIRD, OTHER, LAST = range(6)  # its nodes in this order


def opened(*seats: int | None) -> TableGame:
    """Return the study's table, with two people unless other seats are given."""
    first, second = seats or (PERSON, PERSON)
    return TableGame.of(STUDY, (first, second))


def said(game: TableGame) -> dict[tuple[int, ...], str]:
    """The comments by the moves that lead to them."""
    tree = game.to_save().tree
    return {tree.moves(tree.path(n)): node.comment for n, node in tree.walk() if node.comment}


def test_another_move_at_an_earlier_position_makes_a_variation() -> None:
    """A different move at an earlier position starts a variation and leaves the game unchanged."""
    game = done(new_game("linage", "5", PERSON, ENGINE, moves=(12, 0, 24, 4)), act("look", 1))
    game = done(game, act("play", 4, 1), act("play", 20, 5), act("play", PASS, 6))
    assert (game.node, game.now.moves, game.engine_to_move) == (4, (12, 0, 24, 4), None)
    assert game.history(game.viewed).moves == (12, 4, 20, PASS)
    assert done(game, act("look", 1), act("play", 4, 1)).viewed == 5, "which is there already"
    assert done(game, act("look", 1), act("play", 0, 1)).viewed == 2, "the game's own move"
    check_declined(game, act("play", 20, 7), match="there is a stone on this point")
    check_declined(game, act("play", 20, 1), match="the game has continued")


def test_an_engine_moves_in_the_game_while_a_variation_is_looked_at() -> None:
    """An engine moves in the game while the page keeps viewing a variation."""
    game = done(new_game("linage", "5", PERSON, ENGINE), act("play", 12, 0), act("look", 0))
    game = done(game, act("play", 4, 0), by_engine(change("play", 0, 1, by_engine=True)))
    assert game.now.moves == (12, 0)
    assert game.history(game.viewed).moves == (4,)


def test_what_is_taken_back_becomes_a_variation_of_what_is_played_then() -> None:
    """Moves that were undone remain as a variation of the moves played later."""
    game = done(played(12, 0, 24), act("undo"), act("undo"), act("play", 4, 1))
    assert game.to_save().record.moves == (12, 4)
    assert game.tree.moves(game.tree.line(3)) == (12, 0, 24)


def test_playing_on_from_a_variation_makes_it_the_game() -> None:
    """Playing on from a variation makes it the game, with the engine paused."""
    game = done(opened(PERSON, ENGINE), act("look", OTHER), act("play-on"))
    assert (game.over, game.node, game.paused) == (False, OTHER, True)
    assert game.to_save().record.moves == (12, 0, 4, 16)
    assert (game.to_save().facts.result, game.can_redo) == (None, True)


def test_a_variation_is_made_the_main_line() -> None:
    """A variation can become the main line; this drops the recorded result but keeps the view."""
    game = done(opened(), act("look", OTHER), act("promote", OTHER))
    assert (game.node, game.viewed, game.conceded) == (LAST, OTHER, None)
    saved = game.to_save()
    assert (saved.record.moves, saved.facts.result, saved.facts.given) == ((12, 0, 4, 16), None, 2)
    again = done(game, act("promote", THIRD))
    assert again.to_save().record.moves == (12, 0, 20)
    assert said(again) == said(opened())


def test_a_place_is_deleted_with_all_behind_it() -> None:
    """Deleting a node deletes all that follows it, and shortens the game if needed."""
    game = done(opened(), act("look", LAST), act("delete", OTHER))
    assert (game.viewed, len(game.tree), game.conceded) == (
        SECOND,
        4,
        EarlyEnd(Player.SECOND),
    )
    assert game.to_save().facts.result == "B+R"
    game = done(opened(), act("delete", SECOND))
    assert (game.node, game.viewed, game.over, len(game.tree)) == (FIRST, FIRST, False, 2)
    assert set(game.positions) == {START, FIRST}
    assert game.to_save().facts.given == 1
    check_declined(game, act("delete", START), match="the start stays")
    check_declined(game, act("delete", LAST), act("comment", LAST, ""), match="not here any more")


def test_the_stone_of_a_pie_is_not_deleted() -> None:
    """The stone of a pie can be neither deleted nor replaced by another main line."""
    game = done(new_game("leblin", "5", pie=True), act("play", 12, 0))
    check_declined(game, act("delete", 1), act("promote", 1), match="pie comes first")
    game = done(game, act("choose", Player.SECOND), act("look", 0), act("play", 3, 0))
    check_declined(game, act("delete", 1), match="the start stays")
    check_declined(game, act("promote", 2), match="the pie's stone stays")
    assert done(game, act("play-on")).node == 1


def test_words_are_said_of_any_position() -> None:
    """Any position may have a comment of limited size; invalid characters are replaced."""
    game = done(opened(), act("comment", START, ""), act("comment", LAST, "so\r\n\ud800"))
    assert said(game) == {(12, 0): "good", (12, 0, 20): "bad", (12, 0, 4, 16): "so\n?"}
    assert done(game, act("comment", FIRST, "x" * (MOST_COMMENT_BYTES - 100)))
    check_declined(game, act("comment", FIRST, "x" * MOST_COMMENT_BYTES), match="too long")


def test_a_study_is_saved_as_it_was_opened() -> None:
    """Viewing a study does not change it; an engine that takes a seat is named."""
    game = done(opened(), act("look", LAST), act("look", START))
    assert game.to_save() == STUDY
    assert done(game, act("sit", Player.SECOND, 3)).to_save().facts.players == (
        "Ann",
        "linage-bot level 3",
    )
    unfinished = study_from_sgf(b"(;SZ[5]RU[linage]RE[W+7];B[cc])")
    assert TableGame.of(unfinished, (PERSON, PERSON)).to_save() == unfinished


def test_a_resignation_that_is_taken_back_is_not_saved() -> None:
    """An undone resignation or result is not saved."""
    assert done(opened(), act("undo")).to_save().facts.result is None
    game = done(played(PASS, PASS))
    assert game.to_save().facts.result == "W+0.5"
    assert done(game, act("undo"), act("play", 12, 1)).to_save().facts.result is None


def test_the_game_so_far_knows_no_variations() -> None:
    """The game so far contains no variations and no undone moves."""
    game = done(opened(), act("undo"), act("undo"))
    assert (game.so_far().moves, game.so_far().comments) == ((12, 0), {0: "start", 2: "good"})


def test_a_note_without_a_move_is_a_place_of_its_own() -> None:
    """A note without a move is a node of its own and does not change the turn."""
    study = study_from_sgf(b"(;SZ[5]RU[linage];B[cc];C[note](;W[aa])(;C[alt];W[bb]))")
    game = TableGame.of(study, (PERSON, PERSON))
    assert game.history(2) == game.history(1)
    assert done(game, act("undo")).now.moves == (12,)
    assert done(game, act("undo"), act("undo")).now.moves == ()
    assert game.to_save() == study


def test_a_closed_variation_is_looked_at_and_deleted_but_not_played() -> None:
    """An unplayable variation can be viewed and deleted but not played or commented on."""
    study = study_from_sgf(b"(;SZ[5]RU[linage];B[cc](;W[aa])(;W[cc]C[no]))")
    game = done(TableGame.of(study, (PERSON, PERSON)), act("look", 3))
    assert game.history(3).moves == (12,)
    check_declined(
        game,
        *(
            act("play", 4, 3),
            act("play-on"),
            act("promote", 3),
            act("comment", 3, "yes"),
        ),
        match="this variation cannot be played",
    )
    assert game.to_save() == study
    assert len(done(game, act("delete", 3)).tree) == 3


CLOSED_ALONE = b"(;SZ[5]RU[linage];B[cc];W[aa](;B[bb])(;B[cc]))"
CLOSED_BEHIND_A_VARIATION = b"(;SZ[5]RU[linage];B[cc](;W[bb])(;W[aa](;B[cc])(;B[bb])(;B[dd])))"


@pytest.mark.parametrize(
    ("sgf", "actions", "moves"),
    [
        (CLOSED_ALONE, [act("delete", 3)], (12, 20)),
        (CLOSED_ALONE, [act("delete", 3), act("play", 24, 2)], (12, 20, 24)),
        (CLOSED_ALONE, [act("delete", 3), act("undo"), act("redo")], (12, 20)),
        (CLOSED_BEHIND_A_VARIATION, [act("promote", 3)], (12, 20, 16)),
        (CLOSED_BEHIND_A_VARIATION, [act("look", 3), act("play-on")], (12, 20, 16)),
        (
            CLOSED_BEHIND_A_VARIATION,
            [act("promote", 3), act("delete", 5), act("delete", 6)],
            (12, 20),
        ),
    ],
)
def test_a_closed_variation_never_becomes_the_game(
    sgf: bytes, actions: list[Callable[[Any], Any]], moves: tuple[Move, ...]
) -> None:
    """An unplayable variation never becomes the main line through deleting or promoting others."""
    game = done(TableGame.of(study_from_sgf(sgf), (PERSON, PERSON)), *actions)
    saved = game.to_save()
    assert saved.record.moves == moves
    loaded = study_from_sgf(to_sgf(saved).encode())
    assert (loaded.tree, loaded.record.moves) == (saved.tree, moves)
    assert [node.closed is not None for _, node in loaded.tree.walk()].count(True) == 1
    while game.can_redo:
        game = done(game, act("redo"))
    assert game.now.moves == moves


def test_a_tree_is_bounded() -> None:
    """A tree has a maximum size; deleting a variation makes room."""
    with pytest.raises(BadRecord, match=f"more than {MOST_NODES} moves"):
        new_game(moves=(PASS,) * (MOST_NODES + 1))
    notes = "".join(f"(;C[{n}])" for n in range(MOST_NODES - 1))
    study = study_from_sgf(f"(;SZ[5]RU[linage];B[cc]{notes})".encode())
    game = done(TableGame.of(study, (PERSON, PERSON)), act("look", 1))
    check_declined(game, act("play", 0, 1), match="delete a variation first")
    assert done(game, act("delete", 5), act("play", 0, 1)).now.moves == (12,)
