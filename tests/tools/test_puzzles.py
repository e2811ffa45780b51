"""Making puzzles: only a position with one solution becomes a puzzle."""

import attrs
import pytest

from linage_bot.engine.puzzles.puzzle import GRADES, Puzzle, shipped_puzzles
from linage_bot.rules import GAMES
from tools.puzzles import VISITS, PuzzleMaker, visits_to_find, within_reach


def maker(name: str, size: str) -> PuzzleMaker:
    return PuzzleMaker(GAMES[name].configure(size), seed=3)


@pytest.mark.parametrize(("name", "count"), [("linage", 2), ("linage-parity", 1)])
@pytest.mark.thorough
def test_the_same_seed_makes_the_same_puzzles(name: str, count: int) -> None:
    """A seed gives the same puzzles, each with one winning move and others to choose from."""
    first, again = maker(name, "4").found(), maker(name, "4").found()
    for _ in range(count):
        puzzle = next(first)
        assert puzzle == next(again)
        assert puzzle.grade in GRADES
        assert len(puzzle.steps[0].wrong) >= 4
        assert within_reach(puzzle.history().position)


def test_a_shipped_puzzle_is_made_again_of_its_position() -> None:
    """Komi, steps, refutations and grade are reproduced, regardless of the stones' owners."""
    for name, size in (("linage", "5"), ("linage-parity", "5")):
        made = maker(name, size)
        puzzles = [each for each in shipped_puzzles().values() if each.game == _like(made, each)]
        for puzzle in puzzles[:3]:
            position = puzzle.history().position
            turned = attrs.evolve(position, first=0, second=position.first)
            assert made.puzzle_of(turned) == puzzle


def _like(made: PuzzleMaker, puzzle: Puzzle) -> object:
    """The maker's game with the komi of a puzzle."""
    return made._game.with_komi(puzzle.game.komi)


@pytest.mark.parametrize(("name", "size"), [("linage", "4"), ("linage-parity", "4x5")])
def test_a_position_with_several_best_moves_is_no_puzzle(name: str, size: str) -> None:
    """A position with several best moves is no puzzle, nor is a lost one."""
    assert maker(name, size).puzzle_of(GAMES[name].configure(size).start()) is None


def test_what_is_found_at_once_is_found_with_more_visits_too() -> None:
    """A grade is a bound: searches with more visits find the solution as well."""
    puzzles = shipped_puzzles().values()
    easy = next(each for each in puzzles if each.grade == 1)
    hard = next(each for each in puzzles if each.grade == 5)
    for position, step in zip(easy.positions(), easy.steps, strict=True):
        assert visits_to_find(position, step) == VISITS[0]
    found = [visits_to_find(*each) for each in zip(hard.positions(), hard.steps, strict=True)]
    assert None in found
