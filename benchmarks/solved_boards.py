"""Solve empty boards, and write them into the shipped table (linage_bot/engine/solver/).

    python benchmarks/solved_boards.py linage:4x4 linage:3x5:line=5 leblin:3
    python benchmarks/solved_boards.py --checkpoint DIR linage:4x9
    python benchmarks/solved_boards.py --all           # every board in the table, from scratch
    python benchmarks/solved_boards.py --moves         # add the scores of all first moves
    python benchmarks/solved_boards.py --moves linage:6
    python benchmarks/solved_boards.py --replies linage:6  # all scores after each first move

For each board it finds the scores and all best moves with either player to move, from an empty
table and on one thread; `seconds` are processor time. A board that is another one on its side gets
no row of its own. With --checkpoint an interrupted run is resumed (only in Linage without the
button). Without named boards, --moves skips those that took more than --most-nodes, for which the
scores of first moves take long. It always skips those that have them already. --replies writes a
table of its own, which has the boards whose replies take too long to prove while a player waits.
"""

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import linage_bot
from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.methods import method_of, new_arena, solving_in
from linage_bot.engine.solver.persistence import resume, save
from linage_bot.engine.solver.proven_values import with_mover
from linage_bot.engine.solver.solved_boards import REPLIES, TABLE, alike, row_options
from linage_bot.engine.solver.solving import Solving, ValueBounds
from linage_bot.engine.solver.sums.solving import SumSolving
from linage_bot.engine.tables import VERSION, Row, checksum, read_rows
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Game, Player
from linage_bot.rules.history import History

_ENGINE = Path(linage_bot.__file__).parent / "engine"
FILE, REPLIES_FILE = _ENGINE / f"{TABLE}.json", _ENGINE / f"{REPLIES}.json"
MOST_BYTES = 8 << 30
SAVE_SECONDS = 180.0
_COLOURS = ("first", "second")


class Run:
    """The work on one board, and its cost over all sessions."""

    def __init__(self, game: Game, folder: Path | None) -> None:
        self.game = game
        self.start = game.start()
        self._arena = new_arena(self.start, MOST_BYTES)
        self._folder = self._spent = None
        self._before = {"nodes": 0, "seconds": 0.0}
        if folder is not None and method_of(game).values_regions:
            self._folder = folder
            resume(folder, self._arena)
            self._spent = folder / "spent.json"
            with contextlib.suppress(FileNotFoundError):
                self._before = json.loads(self._spent.read_text())
        self._first_node, self._began = self._arena.nodes, time.process_time()
        self._saved = time.monotonic()

    def spent(self) -> Row:
        """Return the nodes and seconds so far."""
        return {
            "nodes": self._before["nodes"] + self._arena.nodes - self._first_node,
            "seconds": round(self._before["seconds"] + time.process_time() - self._began, 2),
        }

    def solve(self, player: Player, *, moves: bool = False) -> Row | None:
        """Return the score, the best moves and a line with a player to move; None if impossible.

        With `moves`, also the scores of the other first moves, for one of several that are equal by
        symmetry.
        """
        try:
            position = with_mover(self.start, player)
        except NotSolvable:
            return None
        solving = solving_in(self._arena, position)
        effort = SearchBudget(between=self._now_and_then)
        if not solving.find_all_best(effort):
            raise SystemExit(f"{self.game.id} {self.game.board}: memory is used up")

        name_of, score = position.name_of, partial(_score, solving, player)
        row: Row = {"score": score(solving.value), "best": [*map(name_of, solving.best)]}
        row["line"] = line_of(solving, effort)
        if moves:
            solving.run(effort)
            firsts = [each[0] for each in alike(position, position.moves())]
            others = {each: solving.moves[each] for each in firsts if each not in solving.best}
            row["moves"] = {name_of(move): score(of) for move, of in others.items() if of.exact}
        return row

    def replies(self, player: Player) -> Row | None:
        """Return the replies to each first move of a player by their score; None if impossible.

        Moves that are equal by symmetry are represented by one of them.
        """
        try:
            start = with_mover(self.start, player)
        except NotSolvable:
            return None
        found: Row = {}
        for move in [each[0] for each in alike(start, start.moves())]:
            position = start.after(move)
            solving = solving_in(self._arena, position)
            solving.run(SearchBudget(between=self._now_and_then))
            by_score: dict[str, list[str]] = {}
            for reply in [each[0] for each in alike(position, position.moves())]:
                bounds = solving.moves[reply]
                if not bounds.exact:
                    raise SystemExit(f"{self.game.board}: {position} is not proven")
                score = str(_score(solving, player.other, bounds))
                by_score.setdefault(score, []).append(position.name_of(reply))
            found[start.name_of(move)] = by_score
        return found

    def _now_and_then(self) -> None:
        if self._folder and time.monotonic() - self._saved > SAVE_SECONDS:
            save(self._folder, self._arena)
            self._spent.write_text(json.dumps(self.spent()))
            self._saved = time.monotonic()
            print(self.game.board, self.spent(), file=sys.stderr, flush=True)


def _score(solving: Solving, player: Player, bounds: ValueBounds) -> float:
    """Return First's score that the exact bounds of the player to move stand for."""
    points = (-1 if player else 1) * bounds.low / solving.per_point
    return int(points) if points == int(points) else points


def row_of(game: Game, folder: Path | None = None) -> Row:
    """Return the row of one board."""
    run = Run(game, folder)
    row: Row = {"game": game.id, "size": game.board.size, "options": row_options(game)}
    for player in Player:
        solved = run.solve(player)
        if solved is not None:
            row[_COLOURS[player]] = solved
    return row | run.spent()


def replies_of(game: Game, folder: Path | None = None) -> Row:
    """Return the row of one board in the table of replies."""
    run = Run(game, folder)
    row: Row = {"game": game.id, "size": game.board.size, "options": row_options(game)}
    found = {_COLOURS[player]: run.replies(player) for player in Player}
    row |= {colour: replies for colour, replies in found.items() if replies is not None}
    return row | run.spent()


def with_moves(row: Row) -> Row:
    """Return a row with the scores of all first moves; its other values are checked again."""
    run = Run(without_komi(row["game"], row["size"], row["options"]), None)
    solved = {_COLOURS[player]: run.solve(player, moves=True) for player in Player}
    for colour, facts in solved.items():
        if facts is not None and any(
            facts[name] != row[colour][name] for name in ("score", "best")
        ):
            raise SystemExit(f"{row['game']} {row['size']}: not as listed")
    return row | {colour: facts for colour, facts in solved.items() if facts is not None}


def line_of(solving: Solving, effort: SearchBudget) -> list[str]:
    """Return the moves of a line of best play from a position, whose score is found if necessary.

    The line returns to an earlier position only if no other move is best: in Leblin many moves win,
    and some of them only because others win later.
    """
    so_far, names = History.at(solving.position), []
    while not so_far.position.over:
        if not solving.find_score(effort):
            raise SystemExit(f"{so_far.game.board}: there was no time for a line of best play")
        if isinstance(solving, SumSolving):
            best = solving.find_best(effort, solving.value.low)
            assert best is not None  # some move gets the score
        else:
            solving.find_all_best(effort)
            back = so_far.ways_back()
            best = min(solving.best, key=lambda move: (move in back, move == PASS, move))
        names.append(so_far.position.name_of(best))
        so_far = so_far.play(best)
        solving = solving_in(solving.arena, so_far.position)
    return names


def asked_for(words: list[str]) -> Iterator[Game]:
    """Yield the games that words such as linage:3x4:button=on describe."""
    for word in words:
        name, size, *settings = word.split(":")
        options = dict(setting.split("=") for setting in settings)
        yield without_komi(name, size, options)


def without_komi(name: str, size: str, options: dict[str, str]) -> Game:
    """Return the game with komi 0, as the table's scores do not include komi."""
    return GAMES[name].configure(size, None, options).with_komi(0)


def add(row: Row, file: Path = FILE) -> None:
    """Add a row to a table, and remove an older one of the same board."""
    same = ("game", "size", "options")
    rows = [old for old in read_rows(file) if any(old[name] != row[name] for name in same)]
    rows.append(row)
    rows.sort(key=lambda each: (each["game"], str(each["options"]), each["nodes"]))
    write_rows(file, rows)


def write_rows(file: Path, rows: list[Row]) -> None:
    """Write a table of these rows to a file, one row per line, in the format of `read_rows`."""
    lines = ",\n".join(json.dumps(row) for row in rows)
    head = json.dumps({"version": VERSION, "sha256": checksum(rows)})[:-1]
    file.write_text(f'{head}, "rows": [\n{lines}\n]}}\n', encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", nargs="*", metavar="GAME:SIZE[:NAME=VALUE]...")
    parser.add_argument("--all", action="store_true", help="every board in the table")
    parser.add_argument("--moves", action="store_true", help="the scores of all first moves")
    parser.add_argument("--replies", action="store_true", help="all scores after each first move")
    parser.add_argument("--most-nodes", type=int, default=6_000_000, metavar="N")
    parser.add_argument("--checkpoint", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    games = list(asked_for(arguments.boards))
    if arguments.moves:
        for row in rows_without_moves(games, arguments.most_nodes):
            add(with_moves(row))
            print(row["game"], row["size"], row["options"], flush=True)
        return
    if arguments.all:
        for row in read_rows(FILE):
            games.append(without_komi(row["game"], row["size"], row["options"]))
    for game in games:
        folder = arguments.checkpoint and arguments.checkpoint / f"{game.board}"
        row = replies_of(game, folder) if arguments.replies else row_of(game, folder)
        add(row, REPLIES_FILE if arguments.replies else FILE)
        print(json.dumps(row), flush=True)


def rows_without_moves(games: list[Game], most_nodes: int) -> list[Row]:
    """Return the rows that lack scores of first moves: of the games, or of all boards if none.

    Of all boards only those are returned that took at most `most_nodes`.
    """
    rows = [row for row in read_rows(FILE) if "moves" not in row["first"]]
    if not games:
        return [row for row in rows if row["nodes"] <= most_nodes]
    named = [(game.id, game.board.size, row_options(game)) for game in games]
    return [row for row in rows if (row["game"], row["size"], row["options"]) in named]


if __name__ == "__main__":
    main()
