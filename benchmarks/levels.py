"""Measure the strength of the levels: each plays those 1, 2 and 4 above it, then all are rated.

    python benchmarks/levels.py [--game linage] [--size 9] [--games 100] [--apart 1 2 4]

Games begin with two random stones; both games of a pair have the same stones, with sides swapped.
At the end the rating of each level is printed (Bradley–Terry, `arena/ratings.py`). The lowest is 0,
and the error is that of the distance from the mean of all levels, at 95 %. The highest level, which
uses all the time it has, does not take part.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator

from linage_bot.arena.ratings import rate_results
from linage_bot.arena.records import Key, ScoredGames
from linage_bot.engine.engine import Engine
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Game, Player
from linage_bot.rules.history import History
from linage_bot.settings.playing import FULL_STRENGTH


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="linage")
    parser.add_argument("--size", default="9")
    parser.add_argument("--games", type=int, default=100, help="of each two levels")
    parser.add_argument("--apart", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--lowest", type=int, default=0)
    parser.add_argument("--highest", type=int, default=FULL_STRENGTH - 1)
    arguments = parser.parse_args()
    game = GAMES[arguments.game].configure(arguments.size)
    levels = range(arguments.lowest, arguments.highest + 1)
    engines = {level: Engine(seed=level + 1, level=level, resign_rate=None) for level in levels}
    results = []
    for higher, lower in _pairings(levels, arguments.apart):
        games = [
            _played(game, {level: engines[level] for level in (higher, lower)}, number)
            for number in range(arguments.games)
        ]
        results += games
        share = sum(_points(each, higher) for each in games) / len(games)
        spread = 1.96 * math.sqrt(share * (1 - share) / len(games))
        print(f"level {higher} against {lower}: {share:.1%} ± {spread:.1%}", flush=True)
    rated = rate_results([str(level) for level in levels], results, {})
    bottom = next(each.elo for each in rated.ratings if each.name == str(levels[0]))
    for each in reversed(rated.ratings):
        print(f"level {each.name}: {each.elo - bottom:.0f} ± {each.error:.0f}, {each.games} games")
    print(f"moving first: {rated.advantage:+.0f} ± {rated.advantage_error:.0f}")


def _pairings(levels: range, apart: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of levels that play each other, the higher level first."""
    for lower in levels:
        yield from ((lower + by, lower) for by in apart if lower + by in levels)


def _points(played: ScoredGames, level: int) -> float:
    return played.score if played.first == str(level) else 1 - played.score


def _played(game: Game, engines: dict[int, Engine], number: int) -> ScoredGames:
    """Play a game of two levels; both games of a pair begin alike, with sides swapped."""
    chooser, pair = random.Random(number // 2), [str(level) for level in engines]
    seats = list(engines.items())[:: -1 if number % 2 else 1]
    position = game.start()
    for _ in range(2):
        position = position.play(chooser.choice([m for m in position.moves() if m != PASS]))
    while not position.over:
        decision = seats[position.to_move][1].play(History.at(position))
        assert decision.move is not None
        position = position.after(decision.move)
    winner = position.result().winner
    score = 0.5 if winner is None else float(winner is Player.FIRST)
    (first, _), (second, _) = seats
    return ScoredGames(str(first), str(second), score, cluster=Key((pair[0], pair[1]), number // 2))


if __name__ == "__main__":
    main()
