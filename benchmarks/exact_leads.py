"""Measure how far the leads of analyses are from the proven scores of solved positions.

    python benchmarks/exact_leads.py tests/conformance/linage-exact.json --size 9 --visits 20000

It prints the root mean square of the differences in points: of the mean of all playouts, and of the
lead that is shown, which is measured at an even komi. Positions that the search itself proves are
left out. Decided positions are those whose search wins more than 95 % or less than 5 %.
"""

from __future__ import annotations

import argparse
import json
import math
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from linage_bot.engine import kernels
from linage_bot.engine.limits import Limits
from linage_bot.engine.search.think import Search
from linage_bot.records import Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player, Position

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
    parser.add_argument("file")
    parser.add_argument("--size", type=int, help="only square boards of this size")
    parser.add_argument("--visits", type=int, default=20_000)
    arguments = parser.parse_args()
    with open(arguments.file, encoding="utf-8") as file:  # noqa: PTH123 - a path of any form
        tables = json.load(file)["positions"]
    rows = []
    for table in tables:
        if arguments.size in (None, table["columns"]) and table["columns"] == table["rows"]:
            found = (errors(*each, arguments.visits) for each in positions(table))
            rows += [each for each in found if each is not None]
    print(told("positions", rows))
    print(told("decided positions", [row for row in rows if row[2]]))


if __name__ == "__main__":
    main()
