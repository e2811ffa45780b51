"""Check the shipped table of solved boards by a search that does not use sums of regions.

    python -m benchmarks.check_solved                  # every board
    python -m benchmarks.check_solved linage:4x4 linage:6
    python -m benchmarks.check_solved --sample 20 --empty 18 --seed 7

The solver of Linage that made the table splits positions into regions. This check uses plain
alpha-beta, which knows a game by its rules alone (`alphabeta/plain.py`).

- On boards with few enough empty points it checks the score, and the table's claims about a random
  sample of first moves: the score of a move in the table, or that a move not listed as best gets
  less than the best.
- On any board it replays the table's line of best play, which must be legal and end with the stated
  score. It checks the value of every position on the line that is small enough. If the table has no
  line and the board is not too large, the solver makes one.

One printed line per board reports the checks. The exit status is 1 if a claim is wrong.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs

from benchmarks.solved_boards import FILE, asked_for, line_of, without_komi
from linage_bot.engine import kernels
from linage_bot.engine.solver.alphabeta.plain import PlainArena
from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.methods import method_of
from linage_bot.engine.solver.positions import PositionSolving
from linage_bot.engine.solver.proven_values import with_mover
from linage_bot.engine.solver.solved_boards import row_options
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.solving import SumSolving
from linage_bot.engine.solver.sums.sums import as_sum
from linage_bot.engine.tables import Row, read_rows
from linage_bot.rules.game import Game, Move, Player, Position

MOST_BYTES = 2 << 30


class WrongClaim(Exception):
    """A wrong claim of the table; the message states the claim and the correct value."""


class Judge:
    """An independent search for the values of one game's positions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._arena = PlainArena(game, kernels.load(game), MOST_BYTES)

    def value(self, position: Position) -> float:
        """Return First's lead under best play; 1, 0 or -1 in games without points."""
        solving = PositionSolving(self._arena, position)
        if not solving.find_score(SearchBudget()):
            raise SystemExit(f"{self.game.id} {self.game.board}: memory is used up")
        sign = position.to_move.sign
        return sign * solving.value.low / solving.per_point


@attrs.define
class CheckCounts:
    """The numbers of checks on one board."""

    claims: int = 0
    lines: int = 0
    positions: int = 0

    def __str__(self) -> str:
        facts = [(self.claims, "claims"), (self.lines, "lines"), (self.positions, "positions")]
        told = [f"{count} {what}" for count, what in facts if count]
        return f"right, {', '.join(told)}" if told else "not checked: too large, and without a line"


def check(
    row: Row, sample: int, empty: int, solved_nodes: int, chance: random.Random
) -> CheckCounts:
    """Check a row, and raise `WrongClaim` if a claim is wrong.

    The judge evaluates positions with at most `empty` legal placements. Missing lines are made for
    boards that took at most `solved_nodes` nodes. `sample` first moves of each player are checked.
    """
    game = without_komi(row["game"], row["size"], row["options"])
    judge, counts = Judge(game), CheckCounts()
    for player, colour in zip(Player, ("first", "second"), strict=True):
        claims = row.get(colour)
        if claims is None:
            continue
        start = with_mover(game.start(), player)
        where = f"{row['game']} {row['size']} {row['options']}, {colour} to move"
        if _empty(start) <= empty:
            if judge.value(start) != claims["score"]:
                raise WrongClaim(f"{where}: {claims['score']}, it is {judge.value(start)}")
            moves = list(start.moves())
            for move in chance.sample(moves, min(sample, len(moves))):
                _check_move(judge, start, move, claims, where)
                counts.claims += 1
        names = claims.get("line")
        if names is None and method_of(start.game).values_regions and row["nodes"] <= solved_nodes:
            names = line_of(
                SumSolving(Arena(as_sum(start).game.line), as_sum(start)), SearchBudget()
            )
        if names is not None:
            counts.positions += _check_line(judge, start, names, claims, empty, where)
            counts.lines += 1
    return counts


def _empty(position: Position) -> int:
    return position.placements().bit_count()


def _check_move(judge: Judge, start: Position, move: Move, claims: Row, where: str) -> None:
    """Check a first move; raise `WrongClaim` if its value contradicts the table.

    A move that is not listed as best must get less than the best. The table has the scores of the
    other moves for one of several that are equal by symmetry.
    """
    name, score = start.name_of(move), claims["score"]
    value = judge.value(start.after(move))
    sign = start.to_move.sign
    if name in claims["best"]:
        if value != score:
            raise WrongClaim(f"{where}: {name} is called best, with {score}; it gets {value}")
    elif sign * value >= sign * score:
        raise WrongClaim(f"{where}: {name}, not called best, gets {value}")
    elif value != claims.get("moves", {}).get(name, value):
        raise WrongClaim(f"{where}: {name} gets {claims['moves'][name]}, it is {value}")


def _check_line(
    judge: Judge, start: Position, names: list[str], claims: Row, empty: int, where: str
) -> int:
    """Check that a line of best play keeps the score; return the number of positions evaluated.

    Raises `WrongClaim`.
    """
    position, judged = start, 0
    if names and names[0] not in claims["best"]:
        raise WrongClaim(f"{where}: the line begins with {names[0]}, which is not called best")
    for number, name in enumerate(names, 1):
        move = position.game.move(name)
        if position.over or move not in position.moves():
            raise WrongClaim(f"{where}: move {number} of the line, {name}, is not legal")
        position = position.after(move)
        if not position.over and _empty(position) <= empty:
            value = judge.value(position)
            judged += 1
            if value != claims["score"]:
                raise WrongClaim(f"{where}: after move {number} of the line it is {value}")
    if not position.over:
        raise WrongClaim(f"{where}: the line does not end the game")
    lead = judge.value(position)
    if lead != claims["score"]:
        raise WrongClaim(f"{where}: the line ends with {lead:g}")
    return judged


def rows_of(table: Path, games: list[Game]) -> Iterator[Row]:
    """Yield the table's rows of these games, or all rows if there are none."""
    named = [(game.id, game.board.size, row_options(game)) for game in games]
    for row in read_rows(table):
        if not named or (row["game"], row["size"], row["options"]) in named:
            yield row


def main(arguments: list[str] | None = None) -> int:
    """Run the checks and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("boards", nargs="*", metavar="GAME:SIZE[:NAME=VALUE]...")
    parser.add_argument("--sample", type=int, default=8, metavar="N", help="moves of each player")
    parser.add_argument("--empty", type=int, default=16, metavar="N", help="points, at most")
    parser.add_argument("--solve", type=int, default=1_000_000, metavar="NODES")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", type=Path, default=FILE, metavar="FILE")
    chosen = parser.parse_args(arguments)
    chance, wrong = random.Random(chosen.seed), 0
    for row in rows_of(chosen.table, list(asked_for(chosen.boards))):
        options = " ".join(f"{name}={value}" for name, value in sorted(row["options"].items()))
        name = f"{row['game']} {row['size']} {options}".strip()
        try:
            counts = check(row, chosen.sample, chosen.empty, chosen.solve, chance)
            print(f"{name}: {counts}", flush=True)
        except WrongClaim as error:
            wrong += 1
            print(f"WRONG: {error}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
