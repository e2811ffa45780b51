"""Winners of Parity Linage by the nimbers of regions, checked by full play and alpha-beta."""

import collections
import functools
import json
import random
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.small_regions import connected
from linage_bot.engine import kernels
from linage_bot.engine.solver.alphabeta.plain import PlainArena
from linage_bot.engine.solver.budgets import SearchArena, SearchBudget
from linage_bot.engine.solver.errors import OutOfTime
from linage_bot.engine.solver.methods import new_arena, solving_in
from linage_bot.engine.solver.nimbers.arena import NimberArena
from linage_bot.engine.solver.nimbers.nimbers import largest
from linage_bot.engine.solver.persistence import resume, save
from linage_bot.engine.solver.positions import PositionArena, PositionSolving
from linage_bot.engine.solver.report import report_on, score_words, to_json, to_text
from linage_bot.rules import GAMES
from linage_bot.rules.boards import Board, Points, bits
from linage_bot.rules.game import Game, Move, Position
from tests.examples import some_quick
from tests.linage_bot.engine.solver.slow_values import exact_bounds, late_positions

CONDITIONS = [{}, {"n": "1"}, {"n": "3"}, {"condition": "line"}]


DOCS = (Path(__file__).parents[5] / "docs" / "solver" / "method.md").read_text()
COLUMNS = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0)]  # of its table of values
Known = dict[Points, tuple[int, int]]


def parity(size: str, options: dict[str, str] | None = None) -> Game:
    return GAMES["linage-parity"].configure(size, None, options or {})


def position_arena(game: Game, *most_bytes: int) -> SearchArena:
    return new_arena(game.start(), *most_bytes)


def scores(arena: PositionArena, position: Position) -> dict[int, int]:
    """Return the value of each move, and that of the position under -2."""
    solving = PositionSolving(arena, position)
    solving.run(SearchBudget())
    assert solving.exact
    return {-2: solving.value.low} | {move: each.low for move, each in solving.moves.items()}


def literally(board: Board, region: Points, known: Known) -> tuple[int, int]:
    """Return nimber and parity of a region under `n 0`, as the docs define them."""
    if region not in known:
        reached = set()
        for point in bits(region):
            parts = list(board.components(region & ~(1 << point)))
            worth = [literally(board, part, known) for part in parts]
            nimber = functools.reduce(int.__xor__, (each for each, _ in worth), 0)
            odd = sum(each for _, each in worth) + len(parts) - 1
            if parts:
                reached.add((nimber, odd % 2))
        least = next(g for g in range(64) if not {(g, 0), (g, 1)} <= reached)
        known[region] = least, int((least, 1) in reached)
    return known[region]


@pytest.mark.parametrize("points", range(3, 9))
def test_every_small_shape_is_worth_what_the_definition_says(points: int) -> None:
    """Each small shape has the defined value, and the page has the right counts."""
    board, arena = parity("9").board, position_arena(parity("9"))
    assert isinstance(arena, NimberArena)
    known: Known = {}
    counted = collections.Counter()
    for cells in connected(points):
        region = sum(1 << y * board.columns + x for x, y in cells)
        worth = literally(board, region, known)
        assert divmod(arena.worth(region, SearchBudget()), 2) == worth
        counted[worth] += 1
    row = [points, counted.total(), *(counted[value] for value in COLUMNS)]
    assert f"| {' | '.join(map(str, row))} |" in DOCS


@pytest.mark.parametrize(
    "options",
    some_quick(CONDITIONS, {"n": "3"}),  # the least to play
    ids=str,
)
def test_who_wins_and_by_which_moves_is_what_all_play_shows(options: dict[str, str]) -> None:
    """Winners and winning moves agree with full play, even after a pass."""
    game = parity("4", options)
    arena, known, passed = position_arena(game), {}, 0
    for position in late_positions(game, 7, 20, 9):
        sign = -1 if position.to_move else 1
        low, high = exact_bounds(position, 24, known)
        assert low == high
        after = {
            move: sign * exact_bounds(position.after(move), 23, known)[0]
            for move in position.moves()
        }
        assert scores(arena, position) == {-2: sign * low} | after
        passed += position.passes
    assert passed


@given(st.sampled_from(CONDITIONS), st.integers(0, 1 << 32))
def test_larger_positions_are_worth_what_alpha_beta_says(
    options: dict[str, str], seed: int
) -> None:
    """The values of positions of many regions agree with alpha-beta."""
    game = parity("6", options)
    (position,) = late_positions(game, seed, 1, 20)
    arenas = position_arena(game), PlainArena(game, kernels.load(game))
    values = [PositionSolving(arena, position) for arena in arenas]
    assert all(each.find_score(SearchBudget()) for each in values)
    assert values[0].value == values[1].value


def test_knows_who_wins_when_half_of_a_large_board_is_left() -> None:
    """The winner by nimbers wins against all play on a large half-filled board."""
    game, chance = parity("15"), random.Random(1)
    position = game.start()
    while position.placements().bit_count() > 80:
        position = position.play(chance.choice(position.moves()[:-1]))
    arena = position_arena(game)

    def winning(position: Position) -> Move | None:
        solving = PositionSolving(arena, position)
        best = solving.find_best(SearchBudget(), 1)
        return best if solving.value.low > 0 else None

    winner = position.to_move if winning(position) is not None else position.to_move.other
    while not position.over:
        move = chance.choice(position.moves())
        if position.to_move is winner:
            found = winning(position)
            assert found is not None
            move = found
        position = position.play(move)
    assert position.result().winner is winner


def test_without_passing_positions_are_not_sums_of_nimbers() -> None:
    """Without passing, positions are searched by alpha-beta and not as sums of nimbers."""
    assert isinstance(position_arena(parity("5")), NimberArena)
    assert isinstance(position_arena(parity("5", {"passing": "off"})), PlainArena)


def test_is_stopped_and_goes_on_where_it_was() -> None:
    """A stopped search continues without repeating its work."""
    game = parity("4x5")
    whole, parts = position_arena(game), position_arena(game)
    assert PositionSolving(whole, game.start()).find_score(SearchBudget())
    solving = PositionSolving(parts, game.start())
    for _ in range(10):
        assert not solving.find_score(SearchBudget(last_node=parts.nodes + 100))
    assert solving.find_score(SearchBudget())
    assert parts.nodes < 1.2 * whole.nodes
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(OutOfTime):
        position_arena(game).at_least(game.start(), 1, SearchBudget(stopped))


def test_a_region_of_more_points_than_a_word_has_bits_is_left_open() -> None:
    """A region of more than 64 points is left unknown without a search."""
    solving = PositionSolving(position_arena(parity("9")), parity("9").start())
    assert not solving.find_score(SearchBudget())
    assert largest(solving.position) == 81
    assert solving.nodes == 0


def test_memory_is_bounded() -> None:
    """A search that reaches its memory limit ends without a result."""
    game = parity("5")
    solving = PositionSolving(position_arena(game, 1 << 19), game.start())
    assert not solving.find_score(SearchBudget())
    assert solving.arena.bytes <= 1 << 19


def test_a_checkpoint_holds_what_is_known(tmp_path: Path) -> None:
    """A run that loads a checkpoint needs no nodes for the same results."""
    game = parity("4")
    arena, other = position_arena(game), position_arena(game)
    known = scores(arena, game.start())
    assert save(tmp_path, arena)
    resume(tmp_path, other)
    assert scores(other, game.start()) == known
    assert other.nodes == 0


def test_regions_are_told_with_nimber_and_parity() -> None:
    """A report lists each region with its nimber and parity, and names the winner."""
    game = parity("3")
    position = game.start()
    for vertex in ("a2", "b2", "c2"):
        position = position.play(game.board.point(vertex))
    report = report_on(solving_in(position_arena(game), position), position, SearchBudget())
    assert score_words(report) == "Second wins"
    assert to_text(report).count("region of 3 points at ") == 2
    assert to_text(report).count("nimber 1, parity 0") == 2
    told = json.loads(to_json(report))["regions"]
    assert told[0] == {"points": ["A1", "B1", "C1"], "nimber": 1, "parity": 0}


def test_a_region_that_takes_too_long_is_told_without() -> None:
    """A report says if the nimber of a region, and so the winner, is not known."""
    game = parity("9")
    position = game.start()
    report = report_on(solving_in(position_arena(game), position), position, SearchBudget())
    assert "the winner is not proven" in to_text(report)
    assert "region of 81 points at A1, whose nimber is not known" in to_text(report)
    assert json.loads(to_json(report))["regions"][0]["nimber"] is None
