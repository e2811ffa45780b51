"""Make the puzzles that are shipped with the package, and write them to linage_bot/engine/puzzles/.

    python -m benchmarks.puzzles                       # all games, a quarter of an hour at most
    python -m benchmarks.puzzles linage --seconds 240

Each game gets `--each` puzzles of each grade, spread over its boards. The puzzles of games that are
not named stay unchanged. tools/puzzles.py explains how they are found and graded.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import linage_bot
from benchmarks.solved_boards import write_rows
from linage_bot.engine.puzzles.puzzle import GRADES, TABLE, Puzzle
from linage_bot.engine.tables import Row, read_rows
from linage_bot.rules import GAMES
from tools.puzzles import PuzzleMaker, form, to_row

FILE = Path(linage_bot.__file__).parent / f"engine/{TABLE}.json"
BOARDS = {
    "linage": ("4", "5", "6", "7", "9"),
    "linage-two-color": ("4", "5", "6"),
    "linage-parity": ("4", "5", "6", "7"),
    "leblin": ("3x5", "4"),
}


def puzzles(game: str, seed: int, seconds: float) -> Iterator[Puzzle]:
    """Yield puzzles of a game on its boards in turn, no two alike, until the time is over."""
    boards = enumerate(BOARDS[game])
    makers = [PuzzleMaker(GAMES[game].configure(size), seed + at).found() for at, size in boards]
    seen, deadline = set(), time.monotonic() + seconds
    while True:
        for maker in makers:
            puzzle = next(maker)
            if time.monotonic() > deadline:
                return
            same = (puzzle.game.board, form(puzzle.history().position))
            if same not in seen:
                seen.add(same)
                yield puzzle


def chosen(game: str, seed: int, seconds: float, each: int) -> list[Puzzle]:
    """Return up to `each` puzzles of each grade, with at most two above its share from a board."""
    most = -(-each // len(BOARDS[game])) + 2
    found: list[Puzzle] = []
    grades: Counter[int] = Counter()
    on_board: Counter[tuple[int, str]] = Counter()
    for puzzle in puzzles(game, seed, seconds):
        key = puzzle.grade, puzzle.game.board.size
        if grades[puzzle.grade] < each and on_board[key] < most:
            grades[puzzle.grade] += 1
            on_board[key] += 1
            found.append(puzzle)
            print(game, dict(sorted(grades.items())), file=sys.stderr, flush=True)
        if len(found) == each * len(GRADES):
            break
    return sorted(found, key=lambda each: (each.grade, each.game.board.count, len(each.steps)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=" or ".join(BOARDS))
    parser.add_argument("--each", type=int, default=16, help="puzzles of a grade")
    parser.add_argument("--seconds", type=float, default=400.0, help="most time for a game")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    games = arguments.games or list(BOARDS)
    unknown = sorted(set(games) - set(BOARDS))
    if unknown:
        parser.error(f"{unknown[0]}: there are puzzles of {' and '.join(BOARDS)} only")
    rows: list[Row] = [row for row in read_rows(FILE) if row["game"] not in games]
    for game in games:
        made = chosen(game, arguments.seed, arguments.seconds, arguments.each)
        rows += map(to_row, made)
    write_rows(FILE, sorted(rows, key=lambda row: list(BOARDS).index(row["game"])))


if __name__ == "__main__":
    main()
