"""Play two tunings of the search against each other in one process, in pairs with sides swapped.

    python benchmarks/tune.py --game linage --size 9 --games 200 --seconds 0.1 \
        "colour_blind=1" "rave=0 exploration=0.4"

Each side is a list of NAME=VALUE of `linage_bot.engine.kernels.tuning.Tuning`, starting from the
kernel's own. Seconds are processor time of the searching thread, so other programs disturb it
little. Every pair begins with the same two random placements.
With `--resign 0.02` games end as those of `linage-bot gtp` do.
"""

from __future__ import annotations

import argparse
import math
import random
import time

import attrs

from linage_bot.engine import kernels
from linage_bot.engine.kernels.tuning import Tuning
from linage_bot.engine.search.tree import Tree
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Game, Player, Position


def main() -> None:
    arguments = _arguments()
    options = dict(word.split("=") for word in arguments.set)
    game = GAMES[arguments.game].configure(arguments.size, arguments.komi, options)
    own = kernels.load(game).tuning
    tunings = [_tuning(own, words) for words in (arguments.first, arguments.second)]
    chooser = random.Random(arguments.seed)
    scores: list[float] = []
    for number in range(arguments.games // 2):
        opening = _opening(game, chooser)
        pair = [_score(opening, tunings, arguments, number, swap) for swap in (False, True)]
        scores.append(sum(pair) / 2)
        if (number + 1) % 5 == 0 or number + 1 == arguments.games // 2:
            print(f"{2 * (number + 1)} games: {_summary(scores)}", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--game", default="linage")
    parser.add_argument("--size")
    parser.add_argument("--komi", type=float)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, help="processor time a move")
    parser.add_argument("--visits", type=int, nargs="+", help="visits a move, of both or of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-moves", type=int, default=100_000, help="then score as it stands")
    parser.add_argument("--resign", type=float, default=0.0, help="below this win rate")
    return parser.parse_args()


def _tuning(own: Tuning, words: str) -> Tuning:
    changes = {}
    for word in words.split():
        name, value = word.split("=")
        kind = type(getattr(own, name))
        changes[name] = bool(int(value)) if kind is bool else kind(value)
    return attrs.evolve(own, **changes)


def _opening(game: Game, chooser: random.Random) -> Position:
    position = game.start()
    for _ in range(2):
        position = position.play(chooser.choice([m for m in position.moves() if m != PASS]))
    return position


def _score(
    position: Position,
    tunings: list[Tuning],
    arguments: argparse.Namespace,
    number: int,
    swap: bool,
) -> float:
    """What the first tuning scores in one game; with `swap` it is Second's."""
    kernel = kernels.load(position.game)
    for ply in range(arguments.max_moves - 2):  # the opening has two
        if position.over:
            break
        moves = position.moves()
        move = moves[0]
        if len(moves) > 1:
            side = position.to_move ^ swap
            seed = 1_000_000 * arguments.seed + 10_000 * number + 2 * ply + swap
            tree = Tree(kernel, position, moves, seed, tunings[side])
            _grow(tree, arguments, side)
            best = tree.candidates()[0]
            if best.win_rate < arguments.resign:
                return float((position.to_move is Player.SECOND) != swap)
            move = best.move
        position = position.after(move)
    winner = position.result().winner
    return 0.5 if winner is None else float((winner is Player.FIRST) != swap)


def _grow(tree: Tree, arguments: argparse.Namespace, side: int) -> None:
    if arguments.visits:
        tree.grow(arguments.visits[side % len(arguments.visits)], for_move=True)
        return
    started = time.thread_time()
    while not tree.certain and time.thread_time() - started < arguments.seconds:
        tree.grow(100, for_move=True)


def _summary(scores: list[float]) -> str:
    mean = sum(scores) / len(scores)
    spread = math.sqrt(sum((s - mean) ** 2 for s in scores) / max(1, len(scores) - 1))
    return f"first scores {mean:.1%} ± {1.96 * spread / math.sqrt(len(scores)):.1%}"


if __name__ == "__main__":
    main()
