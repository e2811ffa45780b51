"""The referee: our rules decide legality, the end of a game, and the winner."""

import pytest

from linage_bot.arena.referee import Ending, MoveRecorder, Referee, by_claims, forfeit
from linage_bot.rules.game import Player
from linage_bot.rules.linage import Linage
from linage_bot.rules.parity_linage import ParityLinage

GAME = Linage.configure("3", 0.5)


def judged(*answers, **options):
    """Return the referee and its ruling on the last answer; no earlier one may end the game."""
    referee = Referee(options.pop("game", GAME), **options)
    for answer in answers[:-1]:
        assert referee.judge(answer) is None
    return referee, referee.judge(answers[-1])


def test_moves_are_taken_in_any_case_and_kept_as_vertices():
    """Moves may have any case and blanks around them; records use one spelling."""
    referee, ending = judged("a1", " PASS ", "B1")
    assert ending is None
    assert referee.moves == ["A1", "pass", "B1"]
    assert referee.to_move is Player.SECOND


def test_the_game_ends_by_the_rules_of_the_game():
    """Two passes end a game of Linage with the score by the rules."""
    referee, ending = judged("B1", "pass", "pass")
    assert referee.history.position.over
    assert ending == Ending(Player.SECOND, "W+0.5", "score")


def test_equal_scores_are_a_draw_written_0():
    """A draw is written as in SGF files and has no winner."""
    _, ending = judged("pass", "pass", game=Linage.configure("3", 0.0))
    assert ending == Ending(None, "0", "score")


def test_a_result_without_points_has_only_a_winner():
    """A result of Parity Linage is `B+` or `W+`."""
    _, ending = judged("pass", "pass", game=ParityLinage.configure("5"))
    assert ending.result in ("B+", "W+")


def test_resigning_gives_the_game_to_the_opponent():
    """A resignation counts in any letter case and with any score."""
    _, ending = judged("A1", "Resign")
    assert ending == Ending(Player.FIRST, "B+R", "resignation")


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (["A1", "A1"], "illegal move A1: there is a stone on this point"),
        (["A1", "sideways"], "'sideways' is not a move"),
        (["A1", ""], "'' is not a move"),
        (["A1", "D4"], "'D4' is not a move"),
        (["A1", "x" * 500], f"'{'x' * 37}...' is not a move"),
    ],
)
def test_what_is_no_legal_move_forfeits_the_game(answers, reason):
    """The reason quotes it, cut to 40 characters; it is not among the moves."""
    referee, ending = judged(*answers)
    assert ending == Ending(Player.FIRST, "B+F", "forfeit", reason)
    assert referee.moves == ["A1"]


def test_a_move_limit_ends_the_game_with_the_score_as_it_stands():
    """A game at the move limit is an adjudication that names the number of moves."""
    referee, ending = judged("A1", "pass", max_moves=2)
    assert (ending.how, ending.result) == ("adjudication", str(referee.history.position.result()))
    assert ending.reason == "scored after 2 moves"


def test_an_end_by_the_rules_comes_before_the_move_limit():
    """A game that ends by the rules at the move limit is no adjudication."""
    _, ending = judged("pass", "pass", max_moves=2)
    assert ending.how == "score"


def test_opening_moves_stand_on_the_board_before_the_first_answer():
    """Opening moves are the record's first moves and decide the turn."""
    referee = Referee(GAME, opening=(0, 4))
    assert referee.moves == ["A1", "B2"]
    assert referee.to_move is Player.FIRST


def test_a_loss_on_time_is_marked_so():
    """A loss on time has a T; other forfeits have an F."""
    assert forfeit(Player.SECOND, "too slow", on_time=True).result == "B+T"
    assert forfeit(Player.FIRST, "died").result == "W+F"


def test_a_witness_checks_nothing_and_ends_with_two_passes():
    """A stone upon a stone is taken down, too; a limit on moves ends the game as well."""
    witness = MoveRecorder(GAME, (0,), None)
    for answer in ("a1", "A1", "pass", "b3"):
        assert witness.judge(answer) is None
    assert witness.moves == ["A1", "A1", "A1", "pass", "B3"]
    assert witness.judge("pass") is None
    assert witness.judge("PASS").how == "score"
    assert MoveRecorder(GAME, (), 1).judge("A1").how == "adjudication"


def test_a_witness_still_wants_moves():
    """A word that is no vertex forfeits, and a resignation loses the game."""
    assert MoveRecorder(GAME, (), None).judge("resign").result == "W+R"
    assert MoveRecorder(GAME, (), None).judge("Z99").reason == "'Z99' is not a move"


@pytest.mark.parametrize(
    ("claims", "result", "winner"),
    [
        (("B+3", "b+3.0"), "B+3", Player.FIRST),
        (("W+", "W+2"), "W+", Player.SECOND),
        (("0", "Draw"), "0", None),
        (("B+3", "W+3"), "0", None),
        (("B+3", None), "0", None),
    ],
)
def test_without_a_referee_the_engines_must_agree(claims, result, winner):
    """If the engines disagree or one is silent, there is no winner."""
    ending = by_claims(claims)
    assert (ending.result, ending.winner) == (result, winner)
