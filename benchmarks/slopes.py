"""Find whether larger or smaller values of search settings are better, several in the same games.

    python -m benchmarks.slopes --size 19 --games 400 --seconds 0.05 --resign 0.05 \\
        expand_at=2 prior_visits=2 prior_slope=1.5 exploration=3

Each NAME=FACTOR is a setting of `linage_bot.engine.kernels.tuning`. For each pair of games and each
setting it is drawn at random whether the first side gets the kernel's value multiplied or divided
by the factor; the second side gets the opposite. The effect of a setting is the mean score of the
sides with the larger value. The settings are drawn independently, so they do not bias each other's
effects (Box and Wilson 1951). Pairs begin with the balanced openings of the board, in random order.
"""

import argparse
import random

import attrs

from benchmarks.tune import Side, add_arguments, configured, mean, playing
from linage_bot.engine import kernels
from linage_bot.engine.kernels.tuning import Tuning
from linage_bot.match.openings import balanced


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("factors", nargs="+", metavar="NAME=FACTOR")
    add_arguments(parser)
    arguments = parser.parse_args()
    named = (word.split("=") for word in arguments.factors)
    factors = {name: float(factor) for name, factor in named}
    game, play = configured(arguments), playing(arguments)
    own = kernels.load(game).tuning_for(game.board)
    chance = random.Random(arguments.seed)
    openings = list(balanced(game))
    chance.shuffle(openings)
    signs: list[dict[str, int]] = []
    scores: list[float] = []
    for number in range(arguments.games // 2):
        position = game.start()
        for word in openings[number % len(openings)]:
            position = position.play(game.board.point(word))
        signs.append({name: chance.choice((-1, 1)) for name in factors})
        sides = [Side(_scaled(own, factors, signs[-1], side)) for side in (1, -1)]
        scores.append(play.pair(position, sides, number))
        if (number + 1) % 10 == 0 or number + 1 == arguments.games // 2:
            print(f"{2 * (number + 1)} games")
            for name, factor in factors.items():
                both = zip(scores, signs, strict=True)
                larger = [s if sign[name] > 0 else 1 - s for s, sign in both]
                print(f"  {name} *{factor:g} against /{factor:g}: {mean(larger)}", flush=True)


def _scaled(own: Tuning, factors: dict[str, float], signs: dict[str, int], side: int) -> Tuning:
    changes = {}
    for name, factor in factors.items():
        value = getattr(own, name)
        changes[name] = type(value)(value * factor ** (side * signs[name]))
    return attrs.evolve(own, **changes)


if __name__ == "__main__":
    main()
