"""Exact values by alpha-beta, of every game."""

import threading
import time
from pathlib import Path

import attrs
import pytest

from linage_bot.engine import kernels
from linage_bot.engine.solver.alphabeta.plain import PlainArena
from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.persistence import resume, save
from linage_bot.engine.solver.positions import PositionSolving
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.solving import SumSolving
from linage_bot.rules import GAMES
from linage_bot.rules.game import Game, Position
from tests.linage_bot.engine.solver.slow_values import ANYTHING, exact_bounds, late_positions

# Game, size, options, empty points of the positions, turns that decide most of them.
KINDS = [
    ("linage", "3x4", {"button": "on"}, 7, 17),
    ("linage", "4x5", {"button": "on", "line": "4"}, 12, 16),
    ("linage", "3", {"edition": "2016"}, 8, 19),
    ("linage-two-color", "3x4", {}, 7, 17),
    ("linage-two-color", "4x3", {"count_regions": "on", "button": "on"}, 7, 17),
    ("linage-parity", "3x4", {}, 8, 19),
    ("linage-parity", "4x3", {"n": "1"}, 8, 17),
    ("linage-parity", "4", {"condition": "line", "passing": "off"}, 12, 14),
    ("leblin", "3", {}, 4, 9),
    pytest.param(("linage-two-color", "3x4", {"line": "2"}, 8, 19), marks=pytest.mark.thorough),
    pytest.param(("leblin", "4x3", {}, 5, 8), marks=pytest.mark.thorough),
    pytest.param(("gardar", "2", {}, 2, 10), marks=pytest.mark.thorough),
]


def arena_for(game: Game, most_bytes: int = 1 << 30) -> PlainArena:
    return PlainArena(game, kernels.load(game), most_bytes)


def configured(name: str, size: str, options: dict[str, str]) -> Game:
    return GAMES[name].configure(size, 0 if GAMES[name].komi_step else None, options)


def check(arena: PlainArena, position: Position, turns: int) -> bool:
    """Check the slow judge's bounds by proof; return whether it has any."""
    sign, known = (-1 if position.to_move else 1), {}
    enough = SearchBudget(last_node=arena.nodes + 10**6)
    low, high = exact_bounds(position, turns, known)
    if low > -ANYTHING:
        assert arena.at_least(position, low, enough)[0]
    if high < ANYTHING:
        assert not arena.at_least(position, high + 1, enough)[0]
    if low == high:
        solving = PositionSolving(arena, position)
        solving.run(enough)
        assert (solving.value.low, solving.value.high) == (sign * low, sign * low)
        for move, bounds in solving.moves.items():
            after = exact_bounds(position.after(move), turns - 1, known)
            at_least, at_most = sorted(sign * each for each in after)
            assert bounds.low <= at_most
            assert bounds.high >= at_least
            if at_least == at_most:
                assert bounds.exact
    return low > -ANYTHING or high < ANYTHING


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join((kind[0], kind[1], *kind[2])))
def test_equals_all_play_by_the_rules(kind: tuple[str, str, dict[str, str], int, int]) -> None:
    """The value of a late position and of each move agrees with full play by the rules."""
    name, size, options, empty, turns = kind
    game = configured(name, size, options)
    arena = arena_for(game)
    count = 3 if name == "gardar" else 5
    decided = sum(check(arena, each, turns) for each in late_positions(game, 1, count, empty))
    assert decided >= 2


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join((kind[0], kind[1], *kind[2])))
def test_equals_all_play_by_the_rules_on_many_positions(
    kind: tuple[str, str, dict[str, str], int, int],
) -> None:
    """The values of 100 late positions of each kind agree with full play."""
    name, size, options, empty, turns = kind
    game = configured(name, size, options)
    arena = arena_for(game)
    decided = sum(check(arena, position, turns) for position in late_positions(game, 2, 100, empty))
    assert decided >= 50


@pytest.mark.parametrize("size", ["3", "3x4", "4x3", "4"])
def test_agrees_with_the_search_of_sums(size: str) -> None:
    """Linage without the button has the same values by both searches."""
    game = configured("linage", size, {})
    plain, sums = PositionSolving(arena_for(game), game.start()), SumSolving(Arena(3), game.start())
    plain.run(SearchBudget())
    sums.run(SearchBudget())
    assert plain.value.low == 2 * sums.value.low
    assert {move: bounds.low for move, bounds in plain.moves.items()} == {
        move: 2 * bounds.low for move, bounds in sums.moves.items()
    }


@pytest.mark.parametrize("size", ["3", "3x4", "4x3", "4"])
def test_the_button_is_worth_half_a_point_one_way_or_the_other(size: str) -> None:
    """The button changes the value of a board by exactly half a point."""
    with_button = configured("linage", size, {"button": "on"})
    plain = PositionSolving(arena_for(with_button), with_button.start())
    without = SumSolving(Arena(3), configured("linage", size, {}).start())
    assert plain.find_score(SearchBudget())
    assert without.find_score(SearchBudget())
    assert abs(plain.value.low - 2 * without.value.low) == 1


def test_bounds_when_time_or_memory_runs_out() -> None:
    """With too little time or memory no value is called exact, and the search can continue."""
    game = configured("linage-two-color", "3x4", {})
    stopped = threading.Event()
    stopped.set()
    arena = arena_for(game)
    solving = PositionSolving(arena, game.start())
    solving.run(SearchBudget(stopped))
    assert not solving.exact
    assert not solving.best
    assert solving.value.low < solving.value.high
    solving.run(SearchBudget())
    assert solving.exact
    assert solving.value.low == 4
    small = configured("linage-two-color", "5", {})
    full = PositionSolving(arena_for(small, most_bytes=1 << 22), small.start())
    full.run(SearchBudget(deadline=time.monotonic() + 60))
    assert not full.value.exact


def test_a_checkpoint_is_taken_up_again(tmp_path: Path) -> None:
    """A second run that loads a checkpoint finds all results in the table."""
    game = configured("leblin", "3", {})
    first = arena_for(game)
    PositionSolving(first, game.start()).run(SearchBudget())
    assert save(tmp_path, first)
    second = arena_for(game)
    resume(tmp_path, second)
    solving = PositionSolving(second, game.start())
    solving.run(SearchBudget())
    assert solving.value.low == 1
    assert second.nodes < first.nodes / 10
    other = configured("leblin", "4", {})
    third = arena_for(other)
    resume(tmp_path, third)  # another game has a file of its own
    assert not sum(map(len, third.known()))


REGIONS_APART = [  # the same two regions, either of them turned over: `#` are stones
    ("..##..#", "...#...", ".#.#..."),
    (".#.#..#", "...#...", "..##..."),
    ("..##...", "...#...", ".#.#..#"),
    (".#.#...", "...#...", "..##..#"),
]


@pytest.mark.parametrize("options", [{}, {"n": "1"}, {"passing": "off"}])
def test_in_parity_linage_regions_are_games_of_their_own(options: dict[str, str]) -> None:
    """In Parity Linage the place of separate regions on the board does not change the score."""
    game = configured("linage-parity", "7x3", options)
    arena, scores = arena_for(game), set()
    for rows in REGIONS_APART:
        stones = sum(
            1 << game.board.point(f"{'ABCDEFG'[column]}{row + 1}")
            for row, line in enumerate(reversed(rows))
            for column, sign in enumerate(line)
            if sign == "#"
        )
        position = attrs.evolve(game.start(), first=stones)
        assert position.why_impossible() is None
        solving = PositionSolving(arena, position)
        assert solving.find_score(SearchBudget())
        scores.add(solving.value.low)
    assert len(scores) == 1
