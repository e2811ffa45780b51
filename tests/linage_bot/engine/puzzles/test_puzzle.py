"""The puzzles that come with the package, by the rules and by the solver."""

from collections import Counter

import pytest

from linage_bot.engine.puzzles.puzzle import (
    GRADES,
    TABLE,
    Puzzle,
    from_row,
    shipped_puzzles,
)
from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.methods import new_arena, solving_in
from linage_bot.engine.solver.proven_values import ProvenValues
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.tables import read_table
from linage_bot.rules.game import Position
from tools.puzzles import form, graded, to_row

PUZZLES = list(shipped_puzzles().values())
BOARDS = sorted({(each.game.id, each.game.board.size) for each in PUZZLES})


def of_board(name: str, size: str) -> list[Puzzle]:
    return [each for each in PUZZLES if (each.game.id, each.game.board.size) == (name, size)]


class Solver:
    """A solver for all positions of one board."""

    def __init__(self, position: Position) -> None:
        self.arena = new_arena(position)

    def proven(self, position: Position) -> ProvenValues:
        solving = solving_in(self.arena, position)
        solving.run(SearchBudget())
        return solving.proven(position)

    def lead(self, position: Position) -> float:
        """Return the lead of the player to move, even after the end of the game."""
        solving = solving_in(self.arena, position)
        if not (position.over and isinstance(self.arena, Arena)):
            assert solving.find_score(SearchBudget())
            lead = solving.proven(position).lead
            assert lead is not None
            return lead
        scores = position.scores()
        assert scores is not None
        return (scores[0] - scores[1]) * (-1 if position.to_move else 1)


@pytest.mark.parametrize(
    ("name", "fewest"),
    [("linage", 5), ("linage-two-color", 5), ("linage-parity", 5), ("leblin", 2)],
)
def test_there_are_many_of_every_grade(name: str, fewest: int) -> None:
    """Each grade has several puzzles, in order of grade and all different."""
    puzzles = [each for each in PUZZLES if each.game.id == name]
    assert 8 * fewest <= len(puzzles) <= 100
    grades = [each.grade for each in puzzles]
    assert grades == sorted(grades)
    assert all(Counter(grades)[grade] >= fewest for grade in GRADES)
    starts = [each.history().position for each in puzzles]
    assert len({(each.game.board, *form(each)) for each in starts}) == len(puzzles)
    assert len({each.name for each in puzzles}) == len(puzzles)
    assert len(read_table(TABLE)) == len(PUZZLES)


def test_what_is_written_is_read() -> None:
    """A puzzle is read and written unchanged."""
    for row in read_table(TABLE):
        assert to_row(from_row(row)) == row


def test_every_move_of_a_puzzle_is_judged_and_every_line_is_legal() -> None:
    """Each move of a puzzle is judged, and each line is legal."""
    for puzzle in PUZZLES:
        *others, last = puzzle.steps
        assert last.reply is None
        assert all(step.reply is not None for step in others)
        for position, step in zip(puzzle.positions(), puzzle.steps, strict=True):
            assert {step.best, *step.wrong} == set(position.moves())
            assert step.best not in step.wrong
            for move, refutation in step.wrong.items():
                after = position.play(move)
                for answer in refutation.line:
                    after = after.play(answer)
                assert refutation.line or after.over or not after.placements()


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_one_move_wins_says_the_solver_and_the_others_lose_as_told(name: str, size: str) -> None:
    """Each step has one winning move, and the other moves lose by their listed leads."""
    puzzles = of_board(name, size)
    solver = Solver(puzzles[0].game.start())
    for puzzle in puzzles:
        for position, step in zip(puzzle.positions(), puzzle.steps, strict=True):
            proven = solver.proven(position)
            assert proven.moves[step.best].low == step.lead > 0
            told = {move: each.lead for move, each in step.wrong.items()}
            assert {move: proven.moves[move].low for move in told} == told
            assert all(proven.moves[move].exact for move in told)
            assert max(told.values()) < 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_refutations_are_best_play_of_both(name: str, size: str) -> None:
    """After each move of a refutation the exact value is the same."""
    puzzles = of_board(name, size)
    solver = Solver(puzzles[0].game.start())
    for puzzle in puzzles:
        for position, step in zip(puzzle.positions(), puzzle.steps, strict=True):
            for move, refutation in step.wrong.items():
                after, lead = position.play(move), -refutation.lead
                for answer in refutation.line:
                    after, lead = after.play(answer), -lead
                    assert solver.lead(after) == lead


@pytest.mark.parametrize("grade", GRADES)
def test_a_grade_is_what_the_search_needs_to_find_all_steps(grade: int) -> None:
    """The first and last puzzle of each grade get the same grade again."""
    of_grade = [each for each in PUZZLES if each.grade == grade]
    for puzzle in (of_grade[0], of_grade[-1]):
        assert graded(puzzle) == puzzle


@pytest.mark.slow
def test_all_grades_are_as_measured_again() -> None:
    """The grades of all puzzles agree with a new measurement by the present search."""
    assert [each.name for each in PUZZLES if graded(each) != each] == []
