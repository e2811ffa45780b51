"""A game so far: played, taken back, followed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.rules import GAMES
from linage_bot.rules.boards import NoSuchPoint
from linage_bot.rules.game import PASS, IllegalMove, Player
from linage_bot.rules.history import History, ImpossibleSetup
from linage_bot.rules.linage import Linage
from tests.linage_bot.leblin_rounds import WINNING, played

GAME = Linage.configure("5")
B2, C3 = GAME.board.point("B2"), GAME.board.point("C3")


def test_moves_are_numbers_or_words():
    """`C3`, `c3` and the point's number are one move; `pass` is a word of any case."""
    by_words = History(GAME).play("c3").play("Pass")
    assert by_words == History(GAME).play(C3).play(PASS) == History(GAME, moves=(C3, PASS))
    assert by_words.position.to_move is Player.FIRST


def test_what_the_rules_forbid_is_refused_and_changes_nothing():
    """Illegal moves, points off the board and impossible set-ups raise an error with the reason."""
    history = History(GAME).play(C3)
    with pytest.raises(IllegalMove, match="C3: there is a stone on this point"):
        history.play(C3)
    with pytest.raises(NoSuchPoint):
        history.play("K10")
    with pytest.raises(IllegalMove):
        History(GAME, moves=(C3, C3))
    full = tuple((Player.FIRST, point) for point in range(24))
    with pytest.raises(ImpossibleSetup, match="an impossible position: ") as caught:
        History(GAME, setup=full)
    assert caught.value.points == 1 << 24  # the one free point has no line
    assert history == History(GAME).play(C3)


@pytest.mark.parametrize(
    ("stones", "words"),
    [
        (((Player.FIRST, 500),), "a stone outside the board"),
        (((Player.FIRST, C3), (Player.SECOND, C3)), "two stones on one point"),
    ],
)
def test_stones_where_no_stones_can_be_are_not_set_up(stones, words):
    """Stones off the board, or two on a point, are refused."""
    with pytest.raises(ImpossibleSetup, match=words):
        History(GAME, setup=stones)


def test_numbers_of_numpy_are_moves_as_all_others():
    """The corner of a board of more points than a word of the machine has bits."""
    history = History(Linage.configure("9"))
    corner = np.int64(80)
    assert history.play(corner) == history.play(80) == History(history.game, moves=[corner])
    assert history.position.play(corner) == history.position.play("J9") == history.play(80).position
    assert history.position.why_illegal(corner) is None
    stone = (Player.SECOND, 80)
    assert History(history.game, setup=[(Player.SECOND, corner)]) == History(
        history.game, setup=(stone,)
    )
    with pytest.raises(TypeError):
        History(history.game, moves=[8.0])


def test_moves_are_given_as_a_text_or_as_any_list():
    """Vertices in one text, vertices and numbers in a list, and a generator are one game."""
    game = History(GAME, "c3 B2 pass")
    assert game.moves == (C3, B2, PASS)
    for moves in (["C3", " b2", PASS], (C3, B2, PASS), (move for move in ("C3", B2, "pass"))):
        assert History(GAME, moves) == game
    assert History(GAME, "") == History(GAME, []) == History(GAME)


@pytest.mark.parametrize(
    ("moves", "kind", "words"),
    [
        ("C3 B2 C3", IllegalMove, "move 3: C3: there is a stone on this point"),
        ([C3, 99], IllegalMove, "move 2: .*: the board has no such point"),
        ("C3 K9", NoSuchPoint, "move 2: 'K9' is not a point of the 5x5 board"),
        (["C3", 8.0], TypeError, "move 2: expected a vertex or the number of a point, not float"),
        (5, TypeError, "moves: expected vertices in a text or a list of moves, not int"),
        ([(Player.FIRST, C3)], TypeError, "move 1: expected a vertex .*, not tuple"),
    ],
)
def test_the_wrong_move_of_a_list_is_named_with_its_number(moves, kind, words):
    """Whatever is wrong with a move, the error has its place in the list, from 1."""
    with pytest.raises(kind, match=words) as caught:
        History(GAME, moves)
    if kind is not TypeError:
        assert caught.value.number == int(words[5])


def test_a_single_move_has_no_number():
    """A move that is played alone is refused as before."""
    with pytest.raises(IllegalMove, match=r"^C3: ") as caught:
        History(GAME, "C3").play("C3")
    assert caught.value.number is None
    with pytest.raises(TypeError, match="move: expected a vertex or the number of a point"):
        History(GAME).play(1.5)


def test_a_history_is_a_sequence_of_its_moves():
    """Its length, iteration, places, slices and membership are those of the moves."""
    game = History(GAME, "C3 B2 pass")
    assert (len(game), list(game)) == (3, [C3, B2, PASS])
    assert (game[0], game[-1], game[np.int64(1)]) == (C3, PASS, B2)
    assert (game[1:], game[::-2], game[5:]) == ((B2, PASS), (PASS, C3), ())
    with pytest.raises(IndexError):
        game[3]
    assert "c3" in game
    assert C3 in game
    assert "pass" in game
    for other in ("A1", "K9", 0, None, 1.5):
        assert other not in game
    assert History(GAME)
    assert not list(History(GAME))


def test_stones_to_set_up_are_named_by_vertices_too():
    """A setup takes vertices as moves do."""
    assert History(GAME, setup=[(Player.FIRST, "c3")]) == History(GAME, setup=((Player.FIRST, C3),))
    for wrong in (-1, 500):
        with pytest.raises(ImpossibleSetup, match="a stone outside the board"):
            History(GAME, setup=[(Player.FIRST, wrong)])


def test_stones_are_set_up_in_any_order():
    """Set-ups with the same stones are equal, and the player named makes the first move."""
    stones = ((Player.SECOND, C3), (Player.FIRST, B2))
    history = History(GAME, setup=stones, begins=Player.SECOND)
    assert history == History(GAME, setup=stones[::-1], begins=Player.SECOND)
    assert history.position.stones == 1 << B2 | 1 << C3
    assert history.position.to_move is Player.SECOND


@given(st.sampled_from(sorted(GAMES)), st.lists(st.integers(0, 10**6), max_size=12), st.data())
def test_going_back_keeps_the_positions_themselves(name, draws, data):
    """Going back returns the same position objects, so their cached facts remain valid."""
    history = History(GAMES[name].configure("5"))
    for draw in draws:
        legal = history.position.moves()
        if legal:
            history = history.play(legal[draw % len(legal)])
    count = data.draw(st.integers(0, len(history.moves)))
    earlier = history.to(count)
    assert earlier == history.back(len(history.moves) - count)
    assert earlier.moves == history.moves[:count]
    assert all(a is b for a, b in zip(earlier.positions, history.positions, strict=False))
    assert history.since(earlier.position) == history.moves[count:]
    assert (earlier.since(history.position) is None) == (count < len(history.moves))


def test_only_the_same_game_is_followed():
    """Another game with the same moves is not a continuation, nor is another line."""
    one, two = History(GAME).play(B2), History(GAME).play(B2)
    assert one == two
    assert one.since(two.position) is None
    assert one.play(C3).since(one.position) == (C3,)
    assert one.since(one.position) == ()
    assert one.back().play(C3).since(one.position) is None


def test_no_move_is_taken_back_that_was_not_played():
    """Going back too far, or forward, is refused with the number of moves there are."""
    history = History(GAME).play(C3)
    for wrong in (-1, 2):
        with pytest.raises(ValueError, match=f"no move {wrong}: the last one is 1"):
            history.to(wrong)
    with pytest.raises(ValueError, match="no move -1"):
        history.back(2)


@given(st.sampled_from("345"), st.lists(st.integers(0, 10**6), max_size=60))
@pytest.mark.thorough
def test_the_ways_back_of_leblin_lead_to_where_the_game_has_been(size, draws):
    """Ways back are exactly the placements that repeat a position; playing them makes cycles."""
    history = History(GAMES["leblin"].configure(size))
    for draw in draws:
        position, before = history.position, history.positions
        if position.over:
            break
        seen = [
            (each.first, each.second, each.to_move, each.after_minimal, each.over)
            for each in before
        ]
        back = []
        for move in position.moves():
            after = position.after(move)
            if (after.first, after.second, after.to_move, after.after_minimal, after.over) in seen:
                back.append(move)
        assert history.ways_back() == tuple(back)
        choices = back or position.moves()
        history = history.play(choices[draw % len(choices)])


def test_what_was_played_whenever_the_game_stood_so():
    """Moves at a repeated position of Leblin are all listed; other games never repeat."""
    round_ = played(WINNING)
    (back,) = round_.ways_back()
    assert round_.game.board.vertex(back) == "E1"
    there = round_.play(back)
    assert [there.game.board.vertex(move) for move in there.played_here()] == ["E2"]
    passed = History(GAME).play(C3).play(PASS)
    assert (passed.played_here(), passed.ways_back()) == ((), ())
