"""Measure how often the search finds the best move of solved positions, and its mean loss.

    python benchmarks/exact_moves.py tests/conformance/linage-exact.json [--visits 20000] [--uct]

Komi is set so that the player to move wins with a best move and loses with any other.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from linage_bot.engine import kernels
from linage_bot.engine.kernels.tuning import PLAIN_UCT
from linage_bot.engine.search.tree import Tree
from linage_bot.records.record import Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--visits", type=int, default=20_000)
    parser.add_argument("--uct", action="store_true", help="plain UCT instead of our search")
    arguments = parser.parse_args()
    with open(arguments.file, encoding="utf-8") as file:  # noqa: PTH123 - a path of any form
        positions = json.load(file)["positions"]
    losses = [
        loss
        for table in positions
        for player in Player
        if (loss := _loss(table, player, arguments)) is not None
    ]
    best = sum(loss == 0 for loss in losses)
    print(
        f"{len(losses)} moves: {best / len(losses):.1%} are best, mean loss"
        f" {sum(losses) / len(losses):.3f} points"
    )


def _loss(table: dict[str, Any], player: Player, arguments: argparse.Namespace) -> float | None:
    """Return the points lost by the chosen move; None if all moves are equally good."""
    sign = player.sign
    side = ("vertical", "horizontal")[player]
    worth = {vertex: sign * values[player] for vertex, values in table["moves"].items()}
    worth["pass"] = sign * table[f"{side}_pass"]
    value = max(worth.values())
    if min(worth.values()) == value:
        return None
    komi = sign * (value - 0.5)
    size = f"{table['columns']}x{table['rows']}"
    game = GAMES["linage"].configure(size, komi)
    setup = tuple((Player.FIRST, game.board.point(vertex)) for vertex in table["stones"])
    position = Record(game, setup=setup, to_move=player).history().position
    kernel = kernels.load(game)
    tuning = PLAIN_UCT if arguments.uct else None
    tree = Tree(kernel, position, position.moves(), 1, tuning)
    tree.grow(arguments.visits, for_move=True)
    move = tree.candidates()[0].move
    name = game.name_of(move)
    return value - worth[name]


if __name__ == "__main__":
    main()
