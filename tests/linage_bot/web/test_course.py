"""A game with moves taken back and made again."""

import pytest

from linage_bot.records import BadRecord, Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, IllegalMove
from linage_bot.web.course import MOST_MOVES, Course

GAME = GAMES["linage"].configure("5")


def course(*moves: int) -> Course:
    return Course.of(Record(GAME, moves=moves))


def test_a_record_is_played_to_its_end() -> None:
    played = course(12, 0, PASS)
    assert (played.at, played.moves) == (3, (12, 0, PASS))
    assert played.position == GAME.start().play(12).play(0).play(PASS)


def test_an_illegal_move_changes_nothing() -> None:
    played = course(12)
    with pytest.raises(IllegalMove, match="there is a stone on this point"):
        played.play(12)
    assert played == course(12)


def test_moves_made_again_lead_to_the_same_positions() -> None:
    """What is known of a position stays true when it is left and come back to."""
    played = course(12, 0, 24)
    again = played.to(1).play(0)
    assert again.at == 2
    assert again.positions is played.positions
    assert again.record.moves == (12, 0, 24)


def test_another_move_forgets_those_taken_back() -> None:
    other = course(12, 0, 24).to(1).play(4)
    assert other.record.moves == (12, 4)
    assert len(other.positions) == 3


def test_what_is_saved_ends_where_the_game_is() -> None:
    record = Record(GAME, moves=(12, 0), comments={1: "good", 2: "bad"}, date="2020-02-02")
    saved = Course.of(record).to(1).to_save(("A", "B"), "B+R")
    assert (saved.moves, saved.comments, saved.players) == ((12,), {1: "good"}, ("A", "B"))
    assert (saved.result, saved.date) == ("B+R", "2020-02-02")


def test_a_record_without_end_is_refused() -> None:
    with pytest.raises(BadRecord, match=f"only {MOST_MOVES} moves"):
        course(*[PASS] * (MOST_MOVES + 1))
