"""Play two tunings of the search against each other in one process, in pairs with sides swapped.

    python benchmarks/tune.py --game linage --size 9 --games 200 --seconds 0.1 \
        "colour_blind=1" "rave=0 exploration=0.4"

Each side is a list of NAME=VALUE, which change the kernel's
`linage_bot.engine.kernels.tuning.Tuning`; `lag=10` is the number of flights that are under way at
once, which several threads need. Seconds are processor time of the searching thread, on which other
programs have little influence. The two games of a pair begin with the same two random placements.
With `--resign 0.02` games end as those of `linage-bot gtp` do.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from typing import Any

import attrs

from linage_bot.engine import kernels
from linage_bot.engine.kernels.contract import Kernel
from linage_bot.engine.kernels.tuning import Tuning
from linage_bot.engine.search.tree import Tree
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Game, Player, Position


@attrs.frozen
class Side:
    """The parameters of one side's trees."""

    tuning: Tuning
    lag: int = 1

    def tree(self, kernel: Kernel, position: Position, seed: int) -> Tree:
        """Return a tree of a position's moves."""
        moves = position.moves()
        return Tree(kernel, position, moves, seed, self.tuning, lag=self.lag)


@attrs.frozen
class Play:
    """The conditions under which both sides play."""

    seconds: float  # processor time per move
    visits: list[int] | None  # per move, instead of seconds; for both sides or one for each
    resign: float  # the win rate below which a side resigns
    max_moves: int  # after the opening; then the position is scored
    seed: int

    def pair(self, opening: Position, sides: list[Side], number: int) -> float:
        """Return the first side's mean score in two games, one with either side."""
        return sum(self._score(opening, sides, number, swap) for swap in (False, True)) / 2

    def _score(self, position: Position, sides: list[Side], number: int, swap: bool) -> float:
        """Return the first side's score in one game; with `swap` it plays Second."""
        kernel = kernels.load(position.game)
        for ply in range(self.max_moves):
            if position.over:
                break
            moves = position.moves()
            move = moves[0]
            if len(moves) > 1:
                side = position.to_move ^ swap
                seed = 1_000_000 * self.seed + 10_000 * number + 2 * ply + swap
                tree = sides[side].tree(kernel, position, seed)
                self._grow(tree, side)
                best = tree.candidates()[0]
                if best.win_rate < self.resign:
                    return float((position.to_move is Player.SECOND) != swap)
                move = best.move
            position = position.after(move)
        winner = position.result().winner
        return 0.5 if winner is None else float((winner is Player.FIRST) != swap)

    def _grow(self, tree: Tree, side: int) -> None:
        if self.visits:
            tree.grow(self.visits[side % len(self.visits)], for_move=True)
            return
        started = time.thread_time()
        while not tree.certain and time.thread_time() - started < self.seconds:
            tree.grow(100, for_move=True)


def main() -> None:
    arguments = _arguments()
    game, play = configured(arguments), playing(arguments)
    own = kernels.load(game).tuning_for(game.board)
    sides = [_side(own, words) for words in (arguments.first, arguments.second)]
    chooser = random.Random(arguments.seed)
    scores: list[float] = []
    for number in range(arguments.games // 2):
        scores.append(play.pair(_opening(game, chooser), sides, number))
        if (number + 1) % 5 == 0 or number + 1 == arguments.games // 2:
            print(f"{2 * (number + 1)} games: first scores {mean(scores)}", flush=True)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for the game and the conditions of play."""
    parser.add_argument("--game", default="linage")
    parser.add_argument("--size")
    parser.add_argument("--komi", type=float)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.1, help="processor time a move")
    parser.add_argument("--visits", type=int, nargs="+", help="visits a move, of both or of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-moves", type=int, default=100_000, help="then score as it stands")
    parser.add_argument("--resign", type=float, default=0.0, help="below this win rate")


def configured(arguments: argparse.Namespace) -> Game:
    """Return the game that the arguments describe."""
    options = dict(word.split("=") for word in arguments.set)
    return GAMES[arguments.game].configure(arguments.size, arguments.komi, options)


def playing(arguments: argparse.Namespace) -> Play:
    """Return the conditions of play that the arguments describe."""
    named = [field.name for field in attrs.fields(Play)]
    return Play(**{name: getattr(arguments, name) for name in named})


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("first")
    parser.add_argument("second")
    add_arguments(parser)
    return parser.parse_args()


def _side(own: Tuning, words: str) -> Side:
    changes: dict[str, Any] = {}
    lag = 1
    for word in words.split():
        name, value = word.split("=")
        if name == "lag":
            lag = int(value)
            continue
        kind = type(getattr(own, name))
        changes[name] = bool(int(value)) if kind is bool else kind(value)
    return Side(attrs.evolve(own, **changes), lag)


def _opening(game: Game, chooser: random.Random) -> Position:
    position = game.start()
    for _ in range(2):
        position = position.play(chooser.choice([m for m in position.moves() if m != PASS]))
    return position


def mean(scores: list[float]) -> str:
    """Return the mean of scores and its 95 % error, as text."""
    average = sum(scores) / len(scores)
    spread = math.sqrt(sum((s - average) ** 2 for s in scores) / max(1, len(scores) - 1))
    return f"{average:.1%} ± {1.96 * spread / math.sqrt(len(scores)):.1%}"


if __name__ == "__main__":
    main()
