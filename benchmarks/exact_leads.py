"""Measure how far the leads of analyses are from the proven scores of solved positions.

    python -m benchmarks.exact_leads tests/conformance/linage-exact.json --size 9 --visits 20000
    python -m benchmarks.exact_leads --games 200 --size 9 --visits 20000    # ten minutes

The positions are those of a file, or of games that the engine plays against itself until there are
enough. It prints the root mean square of the differences in points: of the mean of all playouts,
and of the lead that is shown, which is measured at an even komi. Positions that the search itself
proves are left out. Decided positions are those whose search wins more than 95 % or less than 5 %.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.calibration_games import proven_lead
from linage_bot.engine import kernels
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.search.think import Search
from linage_bot.records.record import Record
from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Player, Position
from linage_bot.rules.history import History

_MOST_OPEN = 45  # points; with more open, few positions are solved
_ASKED = 0.35  # share of the positions of a game that are to be solved
_PLAYED = Limits(1_000)  # visits a move
Row = tuple[float, float, bool]  # errors of the playouts' mean and of the lead shown, decided


def positions(table: dict[str, Any]) -> Iterator[tuple[Position, float]]:
    """Yield a position of the table with either player to move, and the mover's proven lead."""
    game = GAMES["linage"].configure(f"{table['columns']}x{table['rows']}", 0.5)
    setup = tuple((Player.FIRST, game.board.point(vertex)) for vertex in table["stones"])
    for player in Player:
        side = ("vertical", "horizontal")[player]
        scores = [values[player] for values in table["moves"].values()]
        best = max(player.sign * score for score in [*scores, table[f"{side}_pass"]])
        history = Record(game, setup=setup, to_move=player).history()
        yield history.position, best - player.sign * game.komi


def played(size: int, seed: int) -> Iterator[tuple[Position, float]]:
    """Yield solved positions of games from random openings, and the mover's proven lead."""
    for number in itertools.count():
        chance = random.Random(f"{seed} {number}")
        history = History(GAMES["linage"].configure(str(size)))
        for _ in range(chance.randint(2, 8)):
            history = history.play(chance.choice(list(bits(history.position.placements()))))
        engine = Engine(seed=number, resign_rate=None)
        while not history.position.over:
            position = history.position
            if len(position.moves()) <= _MOST_OPEN and chance.random() < _ASKED:
                low, high = proven_lead(position) or (0.0, 1.0)
                if low == high:
                    yield position, low
            move = engine.play(history, _PLAYED, may_resign=False).move
            assert move is not None
            history = history.play(move)


def errors(position: Position, proven: float, visits: int) -> Row | None:
    """Return the errors of a search; None if it proves the result."""
    kernel, never = kernels.load(position.game), threading.Event()
    search = Search(kernel, position, position.moves(), 1, calibrates=True)
    search.run(Limits(visits), never, measure_lead=True)
    shown = search.analysis(proofs=False).seen_by(position.to_move)
    if shown.settled or shown.lead is None:
        return None
    seen = search.searched()
    mean = sum(each.visits * each.lead for each in seen) / sum(each.visits for each in seen)
    return mean - proven, shown.lead - proven, not 0.05 <= search.win_rate <= 0.95


def told(name: str, rows: Sequence[Row]) -> str:
    """Return the root mean squares of some positions in words."""
    before, after = (math.sqrt(sum(row[at] ** 2 for row in rows) / len(rows)) for at in (0, 1))
    return f"{len(rows)} {name}: playouts {before:.2f} points, as shown {after:.2f}"


def main() -> None:
    """Measure as the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--games", type=int, metavar="N", help="play until N positions are found")
    parser.add_argument("--size", type=int, default=9, help="of the square boards")
    parser.add_argument("--visits", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if (arguments.file is None) == (arguments.games is None):
        parser.error("name a file or --games")
    if arguments.file is None:
        solved = played(arguments.size, arguments.seed)
    else:
        tables = json.loads(arguments.file.read_text(encoding="utf-8"))["positions"]
        size = arguments.size
        square = (each for each in tables if each["columns"] == each["rows"] == size)
        solved = itertools.chain.from_iterable(map(positions, square))
    found = (errors(*each, arguments.visits) for each in solved)
    rows = list(itertools.islice((row for row in found if row is not None), arguments.games))
    print(told("positions", rows))
    print(told("decided positions", [row for row in rows if row[2]]))


if __name__ == "__main__":
    main()
