"""The values that the shipped table proves for the first positions of a game."""

import math
from typing import Any

import attrs
import pytest

from linage_bot.engine.solver.proven_values import Interval, ProvenValues, known, listed, with_mover
from linage_bot.engine.solver.solved_boards import REPLIES, TABLE, alike, replies, solved_board
from linage_bot.engine.tables import read_table
from linage_bot.rules import GAMES
from linage_bot.rules.boards import SquareBoard
from linage_bot.rules.game import PASS, Game, Player
from linage_bot.rules.history import History


def game(name: str, size: str, komi: float | None = None, **options: str) -> Game:
    return GAMES[name].configure(size, komi, options)


@pytest.mark.parametrize(
    ("board", "first", "second"),
    [
        (game("linage", "5"), 6.5, 7.5),
        (game("linage", "5", 7.0), 0.0, 14.0),
        (game("linage", "5", 9.5, edition="2016"), -2.5, 16.5),
        (game("linage", "6"), -0.5, 0.5),
        (game("linage", "6x5", 0.0), -3.0, 8.0),
        (game("linage", "3x5", 0.5, button="on"), 5.0, 0.0),
        (game("linage-two-color", "4", 0.0), 3.0, 3.0),
        (game("linage-parity", "5"), 1.0, 1.0),
        (game("leblin", "4"), 1.0, None),
        (game("leblin", "4x3"), 1.0, None),
    ],
)
def test_an_empty_board_is_known_with_komi_to_whoever_moves(
    board: Game, first: float, second: float | None
) -> None:
    """An empty board's best moves have its exact value, and every other move has less."""
    start = board.start()
    for player, lead in ((Player.FIRST, first), (Player.SECOND, second)):
        if lead is None:
            continue
        position = start if player is Player.FIRST else start.after(PASS)
        if player is Player.SECOND:  # no player has passed
            position = attrs.evolve(start, to_move=player)
        proven = known(position)
        assert proven is not None
        assert proven.lead == lead
        solved = solved_board(board, player)
        assert solved is not None
        assert set(proven.best) == set(solved.best)
        assert listed(position) == solved
        for move in position.moves():
            assert proven.of(move).exact == (move in solved.best or move in solved.moves)
            assert proven.of(move).high <= lead - (0 if move in solved.best else 0.5)


@pytest.mark.parametrize(("name", "size"), [("linage", "5"), ("linage", "6"), ("leblin", "4")])
def test_after_one_move_the_value_is_known_or_a_bound(name: str, size: str) -> None:
    """A best move keeps the value, and any other move leaves the opponent more."""
    start = game(name, size).start()
    before = known(start)
    assert before is not None
    assert before.lead is not None
    for move in start.moves():
        after = known(start.after(move))
        assert after is not None
        if before.of(move).exact:
            assert after.lead == -before.of(move).low
        else:
            assert after.lead is None
            assert after.value.low > -before.lead
        assert bool(after.best) == bool(replies(start.game, Player.FIRST, move))


@pytest.mark.parametrize("row", read_table(REPLIES), ids=lambda row: f"{row['game']}-{row['size']}")
def test_replies_agree_with_the_values_of_first_moves(row: dict[str, Any]) -> None:
    """The best reply to each first move has that move's value, on the board and on its side."""
    board = GAMES[row["game"]].configure(row["size"], None, row["options"])
    boards = [board]
    if isinstance(board.board, SquareBoard):
        size = f"{board.board.rows}x{board.board.columns}"
        boards.append(GAMES[row["game"]].configure(size, None, row["options"]))
    for player in Player if "second" in row else [Player.FIRST]:
        for game_ in boards:
            start = with_mover(game_.start(), player)
            before = known(start)
            assert before is not None
            for move in start.moves():
                position = start.after(move)
                after = known(position)
                assert after is not None
                assert after.lead == -before.of(move).low
                assert set(after.moves) == set(position.moves())
                assert all(after.of(reply).exact for reply in after.moves)
                assert after.best


@pytest.mark.parametrize("row", read_table(TABLE), ids=lambda row: f"{row['game']}-{row['size']}")
def test_scores_of_first_moves_agree_with_one_another(row: dict[str, Any]) -> None:
    """Symmetric first moves have equal scores, and none exceeds the best, for either player."""
    board = GAMES[row["game"]].configure(row["size"], None, row["options"])
    for player in Player:
        if solved_board(board, player) is None:
            continue
        start = with_mover(board.start(), player)
        proven = known(start)
        assert proven is not None
        for same in alike(start, start.moves()):
            (span,) = {proven.of(move) for move in same}
            assert span.exact == (proven.of(same[0]).low == proven.lead) or span.high < proven.lead
            assert span.exact or "moves" not in row["first"]


@pytest.mark.parametrize(("name", "size"), [("linage", "5"), ("linage-parity", "4")])
def test_who_placed_a_stone_has_no_meaning_where_the_rules_say_so(name: str, size: str) -> None:
    """Set-up stones count as the first player's, for either player to move."""
    start = game(name, size).start()
    for player in Player:
        opened = with_mover(start, player)
        for move in opened.moves():
            if move != PASS:
                turn = player.other
                other = History(start.game, setup=[(turn, move)], begins=turn).position
                assert known(other) == known(opened.after(move))
                assert known(other) is not None


def test_other_positions_and_boards_are_not_known() -> None:
    """No value is known after two stones, for an unsolved board or after the end of a game."""
    start = game("linage", "5").start()
    assert known(start.play(0).play(24)) is None
    assert known(start.play(PASS).play(PASS)) is None
    assert known(game("linage", "9").start()) is None
    assert known(game("gardar", "4").start()) is None
    assert listed(start.play(PASS)) is None


def test_two_proofs_together_prove_all_that_either_does() -> None:
    """Two proofs combined have the narrower bounds of each."""
    one = ProvenValues(Interval(-3, 5), {1: Interval(-3, 5), 2: Interval(high=1)}, points=True)
    other = ProvenValues(Interval(2, 7), {1: Interval(2, 2)}, points=True)
    both = one.together(other)
    assert both.value == Interval(2, 5)
    assert both.moves == {1: Interval(2, 2), 2: Interval(-math.inf, 1)}
    assert one.together(None) is one
    assert both.value.win_rate == 1.0
    assert Interval(-1, 0).win_rate is None
    assert Interval(0, 0).win_rate == 0.5
