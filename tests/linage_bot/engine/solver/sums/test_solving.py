"""Exact values, compared with published ones and with full play."""

import json
import random
import threading
import time
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.solving import SumSolving
from linage_bot.engine.solver.sums.sums import as_sum, free_sizes
from linage_bot.rules.boards import SquareBoard
from linage_bot.rules.game import PASS, Player
from linage_bot.rules.linage import Linage, LinagePosition
from tests.examples import some_quick
from tests.linage_bot.engine.solver.minimax import Minimax, random_positions

EXACT = json.loads((Path(__file__).parents[4] / "conformance" / "linage-exact.json").read_text())
SIDES = ("vertical", "horizontal")


def solved(position: LinagePosition, arena: Arena | None = None) -> SumSolving:
    solving = SumSolving(arena or Arena(position.game.line), position)
    solving.run(SearchBudget())
    assert solving.exact
    return solving


def check_board(board: dict[str, Any]) -> None:
    game = Linage(SquareBoard.of(board["columns"], board["rows"]), 0.0, edition=board["edition"])
    arena = Arena(3)
    for player in Player:
        solving = solved(LinagePosition(game=game, to_move=player), arena)
        sign = -1 if player else 1
        assert sign * solving.value.low == board[f"{SIDES[player]}_first"]
        best = sorted(game.board.vertex(move) for move in solving.best if move != PASS)
        assert best == sorted(board[f"{SIDES[player]}_best"])


def check_position(position: dict[str, Any], edition: str) -> None:
    board = SquareBoard.of(position["columns"], position["rows"])
    game = Linage(board, 0.0, edition=edition)
    stones = sum(1 << board.point(vertex) for vertex in position["stones"])
    arena = Arena(3)
    for player in Player:
        here = LinagePosition(game=game, to_move=player, first=stones)
        solving = solved(here, arena)
        sign = -1 if player else 1
        assert sign * solving.value.low == position[f"{SIDES[player]}_to_move"]
        values = {move: sign * bounds.low for move, bounds in solving.moves.items()}
        assert all(bounds.exact for bounds in solving.moves.values())
        assert values.pop(PASS) == position[f"{SIDES[player]}_pass"]
        free = {board.vertex(m): v for m, v in values.items() if here.regions.free >> m & 1}
        assert free == {vertex: pair[player] for vertex, pair in position["moves"].items()}


@pytest.mark.parametrize(
    "board",
    [board for board in EXACT["boards"] if board["columns"] * board["rows"] <= 20],
    ids=lambda board: f"{board['columns']}x{board['rows']}-{board['edition']}",
)
def test_small_boards_have_their_published_values(board: dict[str, Any]) -> None:
    """Boards of up to 20 points have their published values and best moves, for either player."""
    check_board(board)


@pytest.mark.slow
@pytest.mark.parametrize(
    "board", EXACT["boards"], ids=lambda b: f"{b['columns']}x{b['rows']}-{b['edition']}"
)
def test_boards_have_their_published_values(board: dict[str, Any]) -> None:
    """Boards of up to 25 points have their published values and best moves, for either player."""
    check_board(board)


@pytest.mark.parametrize("number", range(0, len(EXACT["positions"]), 5))
def test_some_positions_have_their_published_values(number: int) -> None:
    """Some published positions have their scores and the values of all moves, for either player."""
    check_position(EXACT["positions"][number], ("current", "2016")[number % 2])


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["current", "2016"])
@pytest.mark.parametrize("number", range(len(EXACT["positions"])))
def test_positions_have_their_published_values(number: int, edition: str) -> None:
    """All published positions have their scores and the values of all moves, in both editions."""
    check_position(EXACT["positions"][number], edition)


def check_against_all_play(seed: int, count: int, lines: tuple[int, ...] = (2, 3, 4)) -> None:
    for position in random_positions(seed, count, lines):
        solving, judge = solved(position), Minimax(position)
        sign = -1 if position.to_move else 1
        assert sign * solving.value.low == judge.value
        values = judge.moves()
        assert {m: sign * bounds.low for m, bounds in solving.moves.items()} == values
        assert set(solving.best) == {m for m, value in values.items() if value == judge.value}


@pytest.mark.parametrize("count", some_quick([8, 24], 8))
def test_random_positions_have_the_values_of_all_play(count: int) -> None:
    """Random positions have the values and best moves of full play, with lines of 2 to 4."""
    check_against_all_play(seed=2, count=count)


def test_forms_that_had_a_key_in_common_are_told_apart() -> None:
    """Two forms that once had the same key are now distinguished."""
    start = Linage.configure("4", 0, {"line": "2"}).start()
    position = attrs.evolve(start, first=1 << 0 | 1 << 6, second=1 << 1 | 1 << 15)
    assert solved(position).value.low == Minimax(position).value == 0


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(100, 106))
def test_many_random_positions_have_the_values_of_all_play(seed: int) -> None:
    """300 random positions of each edition have the values and best moves of full play."""
    check_against_all_play(seed, count=100)


@pytest.mark.thorough
def test_positions_with_lines_of_five_have_the_values_of_all_play() -> None:
    """Positions with lines of five have the values of full play."""
    check_against_all_play(seed=5, count=10, lines=(5,))


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_positions_with_lines_of_five_have_the_values_of_all_play() -> None:
    """300 positions of each edition with lines of five have the values of full play."""
    check_against_all_play(seed=200, count=600, lines=(5,))


def test_a_finished_game_has_its_score() -> None:
    """A finished game has its score and no moves to solve."""
    position = Linage.configure("3", 0).start().play(PASS).play(PASS)
    solving = solved(position)
    assert solving.value.low == 0
    assert solving.moves == {}


def test_after_a_pass_one_can_stop() -> None:
    """After a pass, the player to move can secure the present score by passing as well."""
    for position in random_positions(seed=7, count=12):
        passed = position if position.passes else position.play(PASS)
        owned = passed.regions
        ahead = owned.vertical.bit_count() - owned.horizontal.bit_count()
        solving = solved(passed)
        sign = -1 if passed.to_move else 1
        assert solving.moves[PASS].low == sign * ahead
        assert solving.value.low >= sign * ahead


@pytest.mark.thorough
def test_after_a_pass_stopping_may_beat_what_is_known_of_the_regions() -> None:
    """The value after a pass is right in an arena that has solved the position before it."""
    beaten = 0
    for position in random_positions(seed=8, count=60):
        if position.passes:
            continue
        arena, passed = Arena(position.game.line), position.play(PASS)
        without = attrs.evolve(passed, passes=0)
        before = solved(without, arena).value.low
        after = solved(passed, arena)
        beaten += after.value.low > before
        assert (-1 if passed.to_move else 1) * after.value.low == Minimax(passed).value
    assert beaten


def test_bounds_when_time_runs_out_hold() -> None:
    """Bounds contain the value, and each reported best move is best, at any time limit."""
    position = Linage.configure("5x4", 0).start()
    whole = solved(position)
    slices = [0]
    for most in (0, 1, 2, 4, 6):
        stopped = threading.Event()
        slices[0] = 0

        def between(most: int = most, stopped: threading.Event = stopped) -> None:
            slices[0] += 1
            if slices[0] >= most:
                stopped.set()

        if most == 0:
            stopped.set()
        solving = SumSolving(Arena(3), position)
        solving.run(SearchBudget(stopped, between=between))
        assert solving.value.low <= 13 <= solving.value.high
        for move, bounds in solving.moves.items():
            assert bounds.low <= whole.moves[move].low <= bounds.high
        assert set(solving.best) <= set(whole.best)
        if most == 0:
            assert not solving.exact
        solving.run(SearchBudget())  # and it can continue
        assert solving.best == whole.best


def test_stops_at_its_deadline() -> None:
    """At its deadline an unfinished search returns bounds."""
    solving = SumSolving(Arena(3), Linage.configure("9", 0).start())
    solving.run(SearchBudget(deadline=time.monotonic() + 0.2))
    assert solving.searchable
    assert not solving.exact
    assert solving.value.low < solving.value.high


@pytest.mark.parametrize("cut", [0, 3])
@pytest.mark.parametrize("sides", [(21, 5), (5, 21), (25, 4), (4, 25), (10, 11), (11, 10)])
def test_the_largest_frames_hold_regions_as_they_are(sides: tuple[int, int], cut: int) -> None:
    """A region and its image on its side are negatives, up to the largest frame."""
    cells = {(x, y) for x in range(sides[0]) for y in range(sides[1])}
    cells -= {(sides[0] - 1, y) for y in range(cut)}
    arena = Arena(3)
    token = arena.regions.token(cells)
    turned = arena.regions.token((y, x) for x, y in cells)
    assert token is not None
    assert turned == arena.regions.negated(token)
    region = arena.regions.records[token >> 1]
    assert int(region["low"]).bit_count() + int(region["high"]).bit_count() == len(cells)
    assert np.count_nonzero(arena.regions.records["points"]) == 1


@pytest.mark.parametrize("sides", [(24, 5), (5, 24), (11, 11), (25, 25)])
def test_frames_that_are_too_large_are_refused(sides: tuple[int, int]) -> None:
    """A region too large for a frame is refused in any direction."""
    cells = [(x, y) for x in range(sides[0]) for y in range(sides[1])]
    assert Arena(3).regions.token(cells) is None


def test_too_wide_regions_have_bounds_only() -> None:
    """A board too wide for 128 bits gets true bounds and no exact value."""
    solving = SumSolving(Arena(3), Linage.configure("19", 0).start())
    solving.run(SearchBudget())
    assert not solving.searchable
    assert not solving.exact
    assert not solving.best


@pytest.mark.parametrize(
    ("size", "score", "best", "most_bytes"),
    [("4x5", -4, 4, 0), ("4x5", -4, 4, 1 << 13), ("5", 7, 4, 1 << 14), ("4x6", 1, 4, 1 << 18)],
)
def test_with_any_memory_the_values_are_the_same(
    size: str, score: int, best: int, most_bytes: int
) -> None:
    """Any memory limit gives the same values; a small one only takes longer."""
    arena = Arena(3, most_bytes)
    solving = SumSolving(arena, Linage.configure(size, 0).start())
    assert solving.find_all_best(SearchBudget())
    assert (solving.value.low, len(solving.best)) == (score, best)
    assert arena.entries <= max(8, most_bytes // 16)


@pytest.mark.parametrize(
    ("size", "score", "best", "threads", "most_bytes"),
    [("4x5", -4, 4, 2, 1 << 30), ("5", 7, 4, 3, 1 << 30), ("5", 7, 4, 2, 1 << 16)],
)
def test_with_any_number_of_threads_the_values_are_the_same(
    size: str, score: int, best: int, threads: int, most_bytes: int
) -> None:
    """Any number of threads gives the same values, with little additional work."""
    nodes = []
    for count in (1, threads):
        arena = Arena(3, most_bytes, count)
        solving = SumSolving(arena, Linage.configure(size, 0).start())
        assert solving.find_all_best(SearchBudget())
        assert (solving.value.low, len(solving.best)) == (score, best)
        nodes.append(arena.nodes)
    assert nodes[1] < 1.5 * nodes[0]


@pytest.mark.thorough
def test_threads_that_begin_with_a_full_table_let_it_grow() -> None:
    """A table filled by earlier runs grows when threads search."""
    taught, arena = Arena(3), Arena(3, threads=2)
    assert SumSolving(taught, Linage.configure("5x6", 0).start()).find_score(SearchBudget())
    arena.regions.learn(taught.regions.kept(14))
    full = arena.entries
    assert full == len(arena.regions.store) // 2
    assert SumSolving(arena, Linage.configure("4x7", 0).start()).find_score(SearchBudget())
    assert arena.entries > 10 * full


def test_threads_obey_an_order_to_stop_and_go_on() -> None:
    """A search on two threads stops on request and continues without losing its results."""
    arena, stopped = Arena(3, threads=2), threading.Event()
    solving = SumSolving(arena, Linage.configure("5", 0).start())
    assert not solving.find_score(SearchBudget(last_node=3_000))
    assert arena.nodes < 4_000
    stopped.set()
    assert not solving.find_score(SearchBudget(stopped))
    assert solving.find_score(SearchBudget())
    assert solving.value.low == 7


@pytest.mark.parametrize(("size", "score", "best"), [("5", 7, 4), ("4x6", 1, 4)])
def test_all_best_moves_are_found_in_small_steps(size: str, score: int, best: int) -> None:
    """Results at each time limit are true and are not computed again."""
    at_once, arena = Arena(3), Arena(3)
    assert SumSolving(at_once, Linage.configure(size, 0).start()).find_all_best(SearchBudget())
    solving = SumSolving(arena, Linage.configure(size, 0).start())
    while not solving.find_all_best(SearchBudget(last_node=arena.nodes + 2_000)):
        assert solving.value.low <= score <= solving.value.high
        assert all(each.low <= score for each in solving.moves.values())
    assert (solving.value.low, len(solving.best)) == (score, best)
    assert arena.nodes < 1.1 * at_once.nodes


def test_moves_that_fall_short_are_refuted_once() -> None:
    """Finding all best moves takes fewer nodes at once than after a search for the score."""
    arena, score_first = Arena(3), Arena(3)
    assert SumSolving(arena, Linage.configure("4x6", 0).start()).find_all_best(SearchBudget())
    solving = SumSolving(score_first, Linage.configure("4x6", 0).start())
    assert solving.find_score(SearchBudget())
    assert solving.find_all_best(SearchBudget())
    assert arena.nodes < score_first.nodes
    assert (solving.value.low, len(solving.best)) == (1, 4)


def test_with_any_memory_sums_are_worth_the_same() -> None:
    """Sums of regions have the same value with any memory limit and with a reused table."""
    small, chance = Arena(3, most_bytes=1 << 12), random.Random(21)
    for _ in range(12):
        position = Linage.configure("7", 0).start()
        while sum(free_sizes(as_sum(position))) > 24:
            position = position.play(chance.choice(position.moves()[:-1]))
        if position.over:
            continue
        solved = []
        for arena in (small, Arena(3)):
            solving = SumSolving(arena, as_sum(position))
            solving.run(SearchBudget())
            solved.append((solving.value.low, solving.moves))
        assert solved[0] == solved[1]
    assert small.entries == 48 * 4
