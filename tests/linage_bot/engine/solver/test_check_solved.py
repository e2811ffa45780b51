"""The program that checks the table of solved boards."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.check_solved import main
from benchmarks.solved_boards import FILE, line_of, without_komi, write_rows
from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.solving import SumSolving
from linage_bot.engine.solver.sums.sums import as_sum
from linage_bot.engine.tables import Row, read_rows

BOARD = "3x4"


def row_of_board() -> Row:
    """Return the shipped table's row of the board, with a line of best play for Vertical."""
    (row,) = (
        row
        for row in read_rows(FILE)
        if (row["game"], row["size"], row["options"].get("line")) == ("linage", BOARD, "3")
        and row["options"].get("button", "off") == "off"
    )
    start = as_sum(without_komi("linage", BOARD, row["options"]).start())
    row["first"]["line"] = line_of(SumSolving(Arena(3), start), SearchBudget())
    return row


def checked(path: Path, row: Row) -> int:
    """Return the exit status for a table of this row alone."""
    write_rows(path / "table.json", [row])
    return main(["--table", str(path / "table.json"), "--sample", "99", "--empty", "12"])


def test_the_shipped_table_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    """The shipped table passes the check, with one line of output for each board."""
    boards = ["linage:3", "linage:4", "linage:3x6", "linage-parity:4", "linage-two-color:3"]
    assert main([*boards, "--sample", "3", "--empty", "14"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    assert all(": right, " in line for line in lines)
    assert all("2 lines" in line for line in lines)


def test_a_true_claim_is_believed(tmp_path: Path) -> None:
    """A row with true claims passes the check."""
    assert checked(tmp_path, row_of_board()) == 0


def test_every_board_of_the_other_games_has_lines_of_best_play() -> None:
    """Each board of the other games has a line of best play for each first player."""
    others = [row for row in read_rows(FILE) if row["game"] != "linage"]
    assert len(others) > 40
    assert all(row[who]["line"] for row in others for who in ("first", "second") if who in row)


def test_every_board_for_which_the_checker_makes_no_line_has_one() -> None:
    """Each board too large for the checker has a line of best play for each first player."""
    large = [row for row in read_rows(FILE) if row["nodes"] > 1_000_000]
    assert len(large) > 40
    assert all(row[who]["line"] for row in large for who in ("first", "second") if who in row)


def test_a_line_that_the_wrong_player_wins_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a game without points, a line whose winner contradicts the score is reported."""
    (row,) = (row for row in read_rows(FILE) if (row["game"], row["size"]) == ("leblin", "3"))
    assert checked(tmp_path, row) == 0
    row["first"]["score"] = -1
    write_rows(tmp_path / "table.json", [row])
    assert main(["--table", str(tmp_path / "table.json"), "--empty", "0"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].endswith("the line ends with 1")


@pytest.mark.parametrize(
    "doctor",
    [
        lambda first: first.update(score=first["score"] + 1),
        lambda first: first["best"].pop(),
        lambda first: first["best"].append("pass"),
        lambda first: first.update(line=first["line"][:-1]),
        lambda first: first["line"].insert(1, first["line"][0]),
        lambda first: first["line"].__setitem__(1, "pass"),
    ],
    ids=["score", "best missing", "best added", "line cut", "line illegal", "line of a bad move"],
)
def test_a_false_claim_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], doctor: Callable[[Row], object]
) -> None:
    """A false claim is reported in one line, and the exit status is 1."""
    row = row_of_board()
    doctor(row["first"])
    assert checked(tmp_path, row) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("WRONG: linage 3x4")
