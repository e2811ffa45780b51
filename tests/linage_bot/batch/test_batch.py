"""Batches of games against the readable rules, move by move."""

import random
import subprocess
import sys
import threading

import numpy as np
import pytest

from linage_bot import GAMES, PASS, Game, History, Player, Position, game
from linage_bot.batch import PLANES, Batch
from linage_bot.batch.planes import draw_position, pass_would_end
from tests.linage_bot.engine.kernels.agreement import random_game
from tests.linage_bot.rules.test_every_game import PERFT

# Boards on which the readable rules play a game in some milliseconds.
SMALL = {
    "linage": ("3", "4x3"),
    "linage-two-color": ("3", "4x3"),
    "linage-parity": ("3", "4x3"),
    "leblin": ("3", "4x3"),
    "gardar": ("2",),
}

each_game = pytest.mark.parametrize("id_", GAMES)


def mask_of(position: Position) -> np.ndarray:
    """Return the legal mask of a position by the readable rules."""
    board = position.game.board
    mask = np.zeros(board.columns * board.rows + 1, np.bool_)
    mask[list(position.moves())] = True  # `PASS` is the index of the last action
    return mask


def planes_of(position: Position) -> np.ndarray:
    """Return the observation of a position by the readable rules."""
    board = position.game.board
    planes = np.zeros((len(PLANES), board.rows, board.columns), np.float32)
    draw_position(position, planes, position.placements(), pass_ends=pass_would_end(position))
    return planes


def return_of(position: Position) -> float:
    """Return First's result, 0 before the end."""
    return 2 * position.result().win_rate_of(Player.FIRST) - 1 if position.over else 0.0


def agree(kind: Game, batch: Batch, positions: list[Position], chance: random.Random) -> None:
    """Play a batch to its end and compare it with positions of the readable rules."""
    while True:
        for got, expected in (
            (batch.legal_mask, mask_of),
            (batch.observe(), planes_of),
            (batch.over, lambda position: position.over),
            (batch.returns, return_of),
            (batch.to_move, lambda position: position.to_move),
        ):
            for index, position in enumerate(positions):
                assert np.array_equal(got[index], expected(position)), (kind, position)
        if batch.over.all():
            return
        moves = batch.random_moves()
        if chance.random() < 0.5:  # both numbers of a pass
            moves[moves == PASS] = batch.actions - 1
        batch.step(moves)
        positions = [
            position
            if position.over
            else position.play(PASS if move == batch.actions - 1 else move)
            for position, move in zip(positions, moves.tolist(), strict=True)
        ]


def agree_on_random_games(
    id_: str, seed: int, batches: int, count: int, sizes: tuple[str, ...] = ()
) -> None:
    """Compare batches of `count` games, each on a random board with random options."""
    chance = random.Random(seed)
    for _ in range(batches):
        kind = random_game(GAMES[id_], chance, sizes)
        begins = Player.SECOND if chance.random() < 0.25 else Player.FIRST
        starts = [History(kind, begins=begins).position] * count
        agree(kind, Batch.from_histories(starts, chance.randrange(1 << 64)), starts, chance)


@each_game
def test_random_games_agree_with_the_readable_rules(id_: str) -> None:
    """Masks, ends, results and planes are those of the rules after every move."""
    agree_on_random_games(id_, 1, 2, 2)


@pytest.mark.thorough
@each_game
def test_more_random_games_agree(id_: str) -> None:
    """The same holds for more boards and options, in 500 games of which most are short."""
    agree_on_random_games(id_, 2, 3, 2)
    agree_on_random_games(id_, 3, 35, 14, SMALL[id_])


@pytest.mark.slow
@pytest.mark.timeout(7200)
@each_game
def test_twenty_thousand_random_games_agree(id_: str) -> None:
    """The same holds for 20,000 games, 200 of them on boards of any size."""
    agree_on_random_games(id_, 4, 100, 2)
    agree_on_random_games(id_, 5, 1980, 10, SMALL[id_])


@each_game
def test_as_many_sequences_of_moves(id_: str) -> None:
    """Perft by a batch's masks is that of the rules, as far as few games are enough."""
    for size, counts in PERFT[id_]:
        played = np.empty((1, 0), np.int64)  # a row of moves for each sequence
        for expected in counts:
            batch = Batch(GAMES[id_].configure(size), len(played))
            for moves in played.T:
                batch.step(moves)
            mask = batch.legal_mask
            assert mask.sum() == expected
            which, moves = mask.nonzero()
            played = np.column_stack([played[which], moves])


@each_game
def test_an_illegal_move_changes_nothing(id_: str) -> None:
    """The error names the game's index and the move, and no game has moved."""
    batch = Batch(game(id_, 3), 4)
    batch.step(np.full(4, batch.legal_mask[0].argmax()))
    before = batch.legal_mask, batch.observe(), batch.to_move
    moves = batch.legal_mask.argmax(1)
    taken = int(np.flatnonzero(before[1][2, 0].ravel() + before[1][2, 1].ravel())[0])
    name = batch.game.name_of(taken)
    for wrong, shown in ((taken, rf"{taken} \({name}\)"), (99, "99"), (-2, "-2")):
        moves[2] = wrong
        with pytest.raises(ValueError, match=f"^moves: number 2, {shown}, is illegal"):
            batch.step(moves)
    after = batch.legal_mask, batch.observe(), batch.to_move
    assert all((one == other).all() for one, other in zip(before, after, strict=True))


def test_a_pass_that_the_rules_forbid_is_named() -> None:
    """In Leblin no number passes."""
    batch = Batch(game("leblin", 5), 2)
    for number in (PASS, 25):
        with pytest.raises(ValueError, match=rf"number 1, {number} \(pass\), is illegal"):
            batch.step([0, number])


def test_arguments_of_wrong_types_are_refused() -> None:
    """Errors name the argument, and the shape or type that is expected."""
    linage = game("linage", 3)
    batch = Batch(linage, 2)
    with pytest.raises(TypeError, match="game: expected Game, not str"):
        Batch("linage", 2)
    with pytest.raises(ValueError, match="count: 0 is too small"):
        Batch(linage, 0)
    with pytest.raises(TypeError, match="seed: expected int, not float"):
        Batch(linage, 2, 0.5)
    with pytest.raises(ValueError, match="threads: 0 is too small"):
        Batch(linage, 2, threads=0)
    with pytest.raises(TypeError, match="moves: expected whole numbers, not float64"):
        batch.step([0.0, 1.0])
    with pytest.raises(ValueError, match=r"moves: expected the shape \(2,\), not \(3,\)"):
        batch.step([0, 1, 2])
    with pytest.raises(ValueError, match="planes: expected a contiguous array of 32-bit floats"):
        batch.observe(np.zeros((2, 8, 3, 3)))
    with pytest.raises(ValueError, match="which: expected 2 truth values"):
        batch.reset([True])
    with pytest.raises(ValueError, match="at least one game"):
        Batch.from_histories([])
    with pytest.raises(ValueError, match="histories: number 1 has another game"):
        Batch.from_histories([History(linage), History(game("linage", 3, line=2))])


def test_finished_games_ignore_moves_until_they_are_reset() -> None:
    """A batch continues while some games are over, and `reset` starts those that are chosen."""
    batch = Batch(game("linage", 3, komi=1.5), 3)
    batch.step([PASS, PASS, 0])
    batch.step([PASS, 0, PASS])
    assert batch.over.tolist() == [True, False, False]
    assert batch.returns.tolist() == [-1, 0, 0]
    batch.step([77, PASS, PASS])
    assert batch.over.tolist() == [True, False, True]
    assert batch.to_move.tolist() == [0, 1, 1]
    batch.reset(batch.over)
    fresh = Batch(batch.game, 3)
    assert (batch.observe()[[0, 2]] == fresh.observe()[[0, 2]]).all()
    assert (batch.legal_mask[[0, 2]] == fresh.legal_mask[[0, 2]]).all()
    assert batch.to_move.tolist() == [0, 1, 0]
    batch.reset()
    assert (batch.observe() == fresh.observe()).all()
    assert not batch.over.any()


def test_histories_continue_from_their_ends() -> None:
    """Each game of `from_histories` has its own moves and its own komi."""
    komis = -2.5, 2.5
    histories = [History(game("linage", 3, komi=komi)).play("B2").play(PASS) for komi in komis]
    batch = Batch.from_histories(histories)
    assert (batch.legal_mask[0] == mask_of(histories[0].position)).all()
    batch.step([PASS, PASS])
    assert batch.returns.tolist() == [1, -1]


@each_game
def test_threads_do_not_change_results(id_: str) -> None:
    """Batches of one and of three threads play the same random games."""
    small = game(id_, 4)
    one, three = (Batch(small, 600, 5, threads=threads) for threads in (1, 3))
    for _ in range(4):
        moves = one.random_moves()
        assert (moves == three.random_moves()).all()
        one.step(moves)
        three.step(moves)
        assert (one.observe() == three.observe()).all()
        assert (one.playouts(2) == three.playouts(2)).all()
    other = Batch(small, 600, 6)
    assert (other.random_moves() != Batch(small, 600, 5).random_moves()).any()


@each_game
def test_playouts_estimate_results_and_change_nothing(id_: str) -> None:
    """Means lie between the results, differ between games, and are exact after the end."""
    batch = Batch(game(id_, 3), 8)
    before = batch.observe()
    means = batch.playouts(50)
    assert (abs(means) <= 1).all()
    assert len(set(means.tolist())) > 1
    assert (batch.observe() == before).all()
    while not batch.over.all():
        batch.step(batch.random_moves())
    assert (batch.playouts(3) == batch.returns).all()


def test_arrays_belong_to_the_caller() -> None:
    """An array that was returned keeps its values after the next step."""
    batch = Batch(game("linage", 4), 2)
    mask, turns, results = batch.legal_mask, batch.to_move, batch.returns
    batch.step([0, 1])
    assert mask.all()
    assert not turns.any()
    assert not results.any()
    planes = batch.observe(buffer := np.empty((2, 8, 4, 4), np.float32))
    assert planes is buffer


def test_the_library_does_not_load_numpy() -> None:
    """Importing `linage_bot` alone loads neither this package nor NumPy."""
    code = "import sys, linage_bot; sys.exit(bool({'numpy', 'linage_bot.batch'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_closed_batch_has_no_threads() -> None:
    """`close` and the end of a `with` block leave no thread, and the batch can be used again."""
    before = {*threading.enumerate()}
    with Batch(game("linage", 3), 600, threads=2) as batch:
        batch.step(batch.random_moves())
        assert {*threading.enumerate()} - before
    assert not {*threading.enumerate()} - before
    batch.step(batch.random_moves())  # starts threads again
    batch.close()
    batch.close()
    assert not {*threading.enumerate()} - before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no forks")
def test_a_forked_child_plays_on() -> None:
    """The parent's threads do not exist in the child, which starts its own."""
    code = """
import os, sys
from linage_bot import game
from linage_bot.batch import Batch

batch = Batch(game("linage", 3), 600, threads=2)
batch.step(batch.random_moves())
if child := os.fork():
    status = os.waitpid(child, 0)[1]
    batch.step(batch.random_moves())
    sys.exit(os.waitstatus_to_exitcode(status))
batch.step(batch.random_moves())
batch.close()
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-Wignore", "-c", code], timeout=120, check=False)
    assert done.returncode == 0
