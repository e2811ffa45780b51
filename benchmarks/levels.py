"""How far apart neighbouring levels are: each plays the next, sides alternating.

    python benchmarks/levels.py [--game linage] [--size 9] [--games 100]

The highest level gets `--top` visits a move here; in play it has all the time there is.
"""

from __future__ import annotations

import argparse
import math
import random

from linage_bot.engine.engine import Engine
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Game, Player
from linage_bot.rules.history import History
from linage_bot.settings.playing import LEVELS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="linage")
    parser.add_argument("--size", default="9")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--lowest", type=int, default=1)
    parser.add_argument("--top", type=int, default=4000)
    arguments = parser.parse_args()
    game = GAMES[arguments.game].configure(arguments.size)
    for lower in range(arguments.lowest, len(LEVELS)):
        engines = [
            Engine(visits=arguments.top, seed=level, level=level, resign_rate=None)
            for level in (lower + 1, lower)
        ]
        score = sum(_score(game, engines, number) for number in range(arguments.games))
        share = score / arguments.games
        spread = 1.96 * math.sqrt(share * (1 - share) / arguments.games)
        elo = -400 * math.log10(1 / min(max(share, 0.001), 0.999) - 1)
        print(
            f"level {lower + 1} against {lower}: {share:.1%} ± {spread:.1%}, Elo {elo:+.0f}",
            flush=True,
        )


def _score(game: Game, engines: list[Engine], number: int) -> float:
    """What the first engine scores; games of a pair begin alike, sides swapped."""
    chooser = random.Random(number // 2)
    position = game.start()
    for _ in range(2):
        position = position.play(chooser.choice([m for m in position.moves() if m != PASS]))
    swapped = number % 2
    while not position.over:
        decision = engines[position.to_move ^ swapped].play(History.at(position))
        assert decision.move is not None
        position = position.after(decision.move)
    winner = position.result().winner
    return 0.5 if winner is None else float((winner is Player.FIRST) != bool(swapped))


if __name__ == "__main__":
    main()
