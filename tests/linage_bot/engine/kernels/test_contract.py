"""The contract of every kernel; its agreement with the rules is tested in a module of its own."""

import subprocess
import sys

import numpy as np
import pytest
from agreement import copy_of, hash_data_of, moves_of, score_lead_of, score_leads, stones_of

from linage_bot.engine.kernels import load
from linage_bot.engine.kernels.contract import MOST_MOVES, MOST_RECORDED, new_trail
from linage_bot.engine.kernels.words import generator
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Game

LARGEST = {"gardar": "13"}  # by game; the others have square boards
SMALLEST = {"gardar": "2"}

each_game = pytest.mark.parametrize("id_", GAMES)


def boards(id_: str) -> list[Game]:
    """Return the game on its smallest board and on its largest."""
    sizes = SMALLEST.get(id_, "3"), LARGEST.get(id_, "25")
    return [GAMES[id_].configure(size) for size in sizes]


@each_game
def test_functions_have_the_contract_s_types(id_: str) -> None:
    """The functions of each kernel have the types that the compiled search expects."""
    kernel = load(GAMES[id_].configure())
    for name in ("copy", "play", "legal", "playout", "score_lead", "observe"):
        function, expected = getattr(kernel, name), getattr(kernel.signatures, name)
        function.settle()
        dispatcher = function.dispatcher
        assert dispatcher.signatures == [expected.args]
        assert dispatcher.nopython_signatures[0].return_type == expected.return_type
        assert dispatcher.targetoptions["nogil"]


@each_game
def test_extreme_boards(id_: str) -> None:
    """The smallest and the largest board have the right first moves and can be played out."""
    for game in boards(id_):
        kernel, start = load(game), game.start()
        states = kernel.encode(start)
        assert states.shape == (1,)
        assert states.dtype == kernel.dtype
        moves = moves_of(kernel, states)
        assert moves == start.moves()
        assert len(moves) <= MOST_MOVES
        assert len(set(score_leads(kernel, states, 1, 40))) > 1
        assert moves_of(kernel, states) == moves


@each_game
def test_playouts_tell_their_moves(id_: str) -> None:
    """The moves of a playout are legal in the readable game, and end at the playout's result.

    Gardar's playouts know of repetitions only the shortest, so theirs may not be legal to the end.
    A playout of Leblin on 25x25 would take a minute to play by the rules.
    """
    games = boards(id_)
    if id_ == "leblin":
        games[-1] = GAMES[id_].configure("25x9")
    for game in games:
        kernel, position, trail = load(game), game.start(), new_trail()
        states = kernel.encode(position)
        score_lead = kernel.playout(states[0], generator(1), trail)
        assert 0 < trail[0] <= MOST_RECORDED
        if id_ == "gardar":
            continue
        for move in trail[1 : trail[0] + 1]:
            position = position.play(int(move))
        assert not position.placements()
        assert score_lead_of(position) == score_lead
        found, _ = hash_data_of(kernel, states, position)
        assert found == stones_of(position)


@each_game
def test_a_copy_is_a_state_of_its_own(id_: str) -> None:
    """Playing on a copy changes only the copy, even in reused memory."""
    for game in boards(id_):
        kernel, start = load(game), game.start()
        states = kernel.encode(start)
        other = copy_of(kernel, states)
        kernel.playout(other[0], generator(5), new_trail())
        kernel.copy(other[0], states[0])
        move = start.moves()[len(start.moves()) // 2]
        kernel.play(other[0], move)
        assert moves_of(kernel, states) == start.moves()
        assert moves_of(kernel, other) == start.after(move).moves()
        assert kernel.score_lead(other[0]) == score_lead_of(start.after(move))


@each_game
def test_a_finished_game_has_no_moves(id_: str) -> None:
    """After two passes there are no moves, and a playout returns the score lead unchanged."""
    game = GAMES[id_].configure()
    kernel, position = load(game), game.start()
    if not position.may_pass():
        pytest.skip("there is no passing in this game")
    position = position.after(position.moves()[0]).after(PASS).after(PASS)
    states = kernel.encode(position)
    assert position.over
    assert moves_of(kernel, states) == ()
    assert kernel.playout(states[0], generator(1), new_trail()) == score_lead_of(position)


@each_game
def test_only_linage_is_searched_in_another_way_on_large_boards(id_: str) -> None:
    """Only Linage uses another search tuning on boards of 257 points or more."""
    kernel = load(GAMES[id_].configure())
    sizes = ("9", "10") if id_ == "gardar" else ("16", "17")
    small, large = (GAMES[id_].configure(size).board for size in sizes)
    assert kernel.tuning_for(small) == kernel.tuning
    assert (kernel.tuning_for(large) == kernel.tuning) == (id_ != "linage")


def test_seeds_give_different_streams() -> None:
    """Different seeds, negative and huge ones too, give different streams."""
    seeds = [*range(-5, 1000), 2**63, 2**64 + 10**6]
    words = np.array([generator(seed)[0] for seed in seeds])
    assert words.dtype == np.uint64
    assert len(set(words.tolist())) == len(seeds)
    high = np.unpackbits((words >> np.uint64(32)).view(np.uint8)).mean()
    assert 0.2 < high < 0.3  # half of the bits of the half that is not shifted away


def test_numba_is_not_imported_before_a_kernel_is() -> None:
    """Importing the kernels does not import Numba."""
    code = "import sys, linage_bot.engine.kernels; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
