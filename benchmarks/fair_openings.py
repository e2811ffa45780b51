"""Find even openings by self-play, and write them into the shipped table (linage_bot/engine/pie/).

    python benchmarks/fair_openings.py --visits 200 --games 400 linage:7 linage-two-color:7
    python benchmarks/fair_openings.py --visits 100 --games 16 leblin:9    # games a class of stones

Solved boards need no row: their komi is exact.
"""

import argparse
import json
from pathlib import Path

import attrs
from solved_boards import asked_for, write_rows

import linage_bot
from linage_bot.engine.pie.fair import TABLE, stone_classes
from linage_bot.engine.pie.selfplay import SelfPlay
from linage_bot.engine.solver.solved_boards import row_options
from linage_bot.engine.tables import Row, read_rows
from linage_bot.rules.game import Game

FILE = Path(linage_bot.__file__).parent / f"engine/{TABLE}.json"


def row_of(game: Game, games: int, visits: int) -> Row:
    """Return the row of one board."""
    row: Row = {"game": game.id, "size": game.board.size, "options": row_options(game)}
    play = SelfPlay(visits)
    if game.pie == "komi":
        found = attrs.asdict(play.even_komi(game, games))
        return row | {name: round(value, 3) for name, value in found.items()}
    trials = [play.trial(game, alike[0], games) for alike in stone_classes(game)]
    stones = [
        [game.board.vertex(each.stone), each.games, round(each.first_wins, 3)] for each in trials
    ]
    return row | {"visits": visits, "stones": stones}


def add(row: Row) -> None:
    """Add a row to the table, and remove an older one of the same board."""
    same = ("game", "size", "options")
    rows = [old for old in read_rows(FILE) if any(old[name] != row[name] for name in same)]
    rows.append(row)
    rows.sort(
        key=lambda each: (each["game"], str(each["options"]), len(each["size"]), each["size"])
    )
    write_rows(FILE, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", nargs="+", metavar="GAME:SIZE[:NAME=VALUE]...")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--visits", type=int, default=200)
    arguments = parser.parse_args()
    for game in asked_for(arguments.boards):
        row = row_of(game, arguments.games, arguments.visits)
        add(row)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
