"""Measure the cost of proofs of 9x9 endgames, and how often they would change a game's winner.

    python benchmarks/endgames.py proofs.jsonl [--games 20] [--seconds 0.1] [--nodes 1500000]

Plays games by the search alone. Then proves their positions from the end backwards, each with an
empty table, until two in succession take more than the allowed nodes. After each game it prints how
often the winner changed after a position could be proven, and the coefficients of the forecast in
`linage_bot.engine.solver.sums.method`. The measurements are stored in the file; more runs add to
it.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from linage_bot.engine import kernels
from linage_bot.engine.search.tree import Tree
from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.solving import SumSolving
from linage_bot.engine.solver.sums.sums import free_sizes
from linage_bot.rules.game import PASS
from linage_bot.rules.linage import Linage, LinagePosition

_LARGEST = 45  # points of a region; larger ones cannot be proven in a move's time


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.1, help="processor time a move")
    parser.add_argument("--nodes", type=int, default=1_500_000, help="most of one proof")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    for _ in range(arguments.games):
        positions = _game(arguments.seconds, chance)
        rows = _proofs(positions, arguments.nodes)
        with arguments.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(rows) + "\n")
        _tell([json.loads(line) for line in arguments.file.read_text().splitlines()])


def _game(seconds: float, chance: random.Random) -> list[LinagePosition]:
    """Play a game; return its positions with more than one legal move."""
    position, positions = Linage.configure("9").start(), []
    kernel = kernels.load(position.game)
    tuning = attrs.evolve(kernel.tuning, prior_visits=0)
    for _ in range(2):
        position = position.play(chance.choice([m for m in position.moves() if m != PASS]))
    while not position.over:
        move, *others = position.moves()
        if others:
            tree = Tree(kernel, position, position.moves(), chance.getrandbits(30), tuning)
            started = time.thread_time()
            while not tree.certain and time.thread_time() - started < seconds:
                tree.grow(100)
            move = tree.candidates()[0].move
            positions.append(position)
        position = position.after(move)
    return positions


def _proofs(positions: list[LinagePosition], nodes: int) -> list[dict[str, Any]]:
    """Return the cost and result of each proof, the last position first.

    `first_wins` is None if it is not proven.
    """
    rows: list[dict[str, Any]] = []
    for position in reversed(positions):
        sizes = sorted(free_sizes(position), reverse=True)
        if not sizes:
            continue
        failed = [row["first_wins"] is None for row in rows[-2:]]
        if sizes[0] > _LARGEST or failed == [True, True]:
            break
        solving = SumSolving(Arena(position.game.line), position)
        enough = math.floor(position.to_move.sign * position.game.komi) + 1
        solving.find_best(SearchBudget(last_node=nodes), enough)
        wins = None
        if solving.value.low >= enough or solving.value.high < enough:
            wins = (solving.value.low >= enough) != bool(position.to_move)
        rows.append(
            {
                "sizes": sizes,
                "nodes": solving.nodes,
                "exact": solving.value.exact,
                "first_wins": wins,
            }
        )
    return rows


def _tell(games: list[list[dict[str, Any]]]) -> None:
    for most in (10_000, 100_000, 1_000_000):
        turned, moves = 0, 0
        for rows in games:
            known = [r for r in rows if r["nodes"] <= most and r["first_wins"] is not None]
            moves += len(known)
            turned += bool(known) and known[0]["first_wins"] != known[-1]["first_wins"]
        print(
            f"{len(games)} games, proofs of {most} nodes: {moves / len(games):.1f} positions a"
            f" game, {turned} games turned later",
            flush=True,
        )
    _fit([row for rows in games for row in rows if row["exact"] and row["nodes"] > 100])


def _fit(rows: list[dict[str, Any]]) -> None:
    if len(rows) < 5:
        return
    features = np.array([_features(row["sizes"]) for row in rows])
    exponents = np.log10([row["nodes"] for row in rows])
    found, *_ = np.linalg.lstsq(features, exponents, rcond=None)
    error = (exponents - features @ found).std()
    words = " ".join(f"{value:.3f}" for value in found)
    print(f"largest, second, others, always: {words}; error {error:.2f}, {len(rows)} proofs")


def _features(sizes: list[int]) -> list[float]:
    largest, second, *others = [*sizes, 0, 0]
    return [largest, second, sum(others), 1.0]


if __name__ == "__main__":
    main()
