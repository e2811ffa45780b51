"""The shipped table of solved boards."""

import json
from pathlib import Path
from typing import Any

import pytest

from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.methods import new_arena, solving_in
from linage_bot.engine.solver.proven_values import with_mover
from linage_bot.engine.solver.solved_boards import LARGEST, TABLE, replies, solved_board
from linage_bot.engine.tables import read_table
from linage_bot.rules import GAMES
from linage_bot.rules.game import Game, Player
from linage_bot.rules.linage import Linage

EXACT = json.loads((Path(__file__).parents[3] / "conformance" / "linage-exact.json").read_text())
DOCS = (Path(__file__).parents[4] / "docs" / "solver" / "boards.md").read_text()
ROWS = read_table(TABLE)
SMALL, MEDIUM = 3_000, 300_000  # nodes
TOLD_LINES = 5_000_000  # of boards whose lines are not of three, on the page


def game_of(row: dict[str, Any]) -> Game:
    return GAMES[row["game"]].configure(row["size"], None, row["options"]).with_komi(0)


def check_again(row: dict[str, Any]) -> None:
    game = game_of(row)
    arena = new_arena(game.start())
    for player in Player:
        listed = solved_board(game, player)
        try:
            position = with_mover(game.start(), player)
        except NotSolvable:
            assert listed is None
            continue
        solving = solving_in(arena, position)
        assert solving.find_all_best(SearchBudget())
        sign = -1 if player else 1
        assert listed is not None
        assert listed.score == sign * solving.value.low / solving.per_point
        assert listed.best == solving.best
        if listed.moves:
            solving.run(SearchBudget())
            scores = {move: sign * of.low / solving.per_point for move, of in solving.moves.items()}
            assert scores == dict.fromkeys(listed.best, listed.score) | listed.moves


def check_replies_again(game: Game, player: Player) -> None:
    start = with_mover(game.start(), player)
    arena = new_arena(start)
    for move in start.moves():
        solving = solving_in(arena, start.after(move))
        solving.run(SearchBudget())
        assert replies(game, player, move) == {
            reply: -player.sign * of.low / solving.per_point for reply, of in solving.moves.items()
        }


def test_no_row_is_left_out_because_its_board_is_large() -> None:
    """The largest board of the table is that for which the table is still read."""
    assert max(game_of(row).board.count for row in ROWS) == LARGEST


@pytest.mark.parametrize("size", ["3x4", "4x3"])
def test_replies_found_again_are_as_listed(size: str) -> None:
    """The replies to each first move have the scores of a new proof, on a board on its side too."""
    for player in Player:
        check_replies_again(Linage.configure(size, 0), player)


@pytest.mark.parametrize("name", GAMES)
def test_small_boards_solved_again_are_as_listed(name: str) -> None:
    """A board solved again has the listed scores, best moves and results of all other moves."""
    for row in ROWS:
        if row["game"] == name and row["nodes"] <= SMALL:
            check_again(row)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "row",
    [row for row in ROWS if SMALL < row["nodes"] <= MEDIUM],
    ids=lambda row: f"{row['game']}-{row['size']}-{'-'.join(row['options'].values())}",
)
def test_larger_boards_solved_again_are_as_listed(row: dict[str, Any]) -> None:
    """Larger boards solved again have the listed results."""
    check_again(row)


@pytest.mark.parametrize(
    "board",
    EXACT["boards"],
    ids=lambda board: f"{board['columns']}x{board['rows']}-{board['edition']}",
)
def test_has_the_published_values_lying_and_standing(board: dict[str, Any]) -> None:
    """Boards of up to 25 points have their published values in both editions and directions."""
    size = f"{board['columns']}x{board['rows']}"
    game = Linage.configure(size, 0, {"edition": board["edition"]})
    for player, name in enumerate(("vertical", "horizontal")):
        solved = solved_board(game, Player(player))
        assert solved is not None
        assert solved.score == board[f"{name}_first"]
        assert sorted(map(game.board.vertex, solved.best)) == sorted(board[f"{name}_best"])


@pytest.mark.parametrize("line", ["2", "3", "4", "5"])
def test_has_every_linage_board_up_to_36_points_with_every_line(line: str) -> None:
    """The table has each Linage board of up to 36 points, with each line and edition."""
    for columns in range(3, 13):
        for rows in range(3, 13):
            if columns * rows <= 36 and max(columns, rows) >= int(line):
                for edition in ("current", "2016"):
                    options = {"line": line, "edition": edition}
                    game = Linage.configure(f"{columns}x{rows}", 0, options)
                    assert solved_board(game), game


def test_most_boards_have_the_scores_of_all_first_moves() -> None:
    """Only boards of more than five million nodes lack the scores of all first moves."""
    assert all(row["nodes"] > 5_000_000 for row in ROWS if "moves" not in row["first"])


def test_unknown_boards_are_unknown() -> None:
    """A board that is not in the table has no value."""
    assert solved_board(Linage.configure("9")) is None
    assert solved_board(GAMES["gardar"].configure("9")) is None
    assert solved_board(GAMES["leblin"].configure("9x3")) is None


def test_the_page_shows_what_the_table_says() -> None:
    """The page of boards agrees with the table."""
    for row in ROWS:
        for line in told(row):
            assert line in DOCS


def told(row: dict[str, Any]) -> list[str]:
    """Return the row's line in docs/solver/boards.md, if it is there."""
    facts, game = [row.get("first"), row.get("second")], game_of(row)
    scores = " | ".join("" if each is None else signed(each["score"]) for each in facts)
    if row["game"] == "linage" and row["options"] == {"line": "3", "button": "off"}:
        size = f"{game.board.columns}x{game.board.rows}"
        best = " | ".join(str(len(each["best"])) for each in facts)
        return [f"| {size} | {scores} | {best} | {row['nodes']:,} | {row['seconds']} |"]
    if row["game"] == "linage" and row["options"]["button"] == "off":
        if row["nodes"] < TOLD_LINES:
            return []
        best = " | ".join(str(len(each["best"])) for each in facts)
        size, line = f"{game.board.columns}x{game.board.rows}", row["options"]["line"]
        return [f"| {size} | {line} | {scores} | {best} | {row['nodes']:,} | {row['seconds']} |"]
    defaults = type(game).configure(row["size"]).settings()
    changed = [f"{name} {text}" for name, text in row["options"].items() if text != defaults[name]]
    return [f"| {game.name} | {row['size']} | {', '.join(changed)} | {scores} | {row['nodes']:,} |"]


def signed(score: float) -> str:
    """Return the score with a minus sign as wide as a plus."""
    return f"{score:+g}".replace("-", "−") if score else "0"


if __name__ == "__main__":  # prints the tables for the page
    lines = [line for row in sorted(ROWS, key=lambda row: row["nodes"]) for line in told(row)]
    print("\n".join(sorted(lines, key=lambda line: line[2].isalpha())))
