"""Searches positions of Linage deeply and writes down which placements the searches liked.

    python benchmarks/deep_positions.py 9 10000 deep-9.npz              # a quarter of an hour
    python benchmarks/deep_positions.py 19 10000 deep-19.npz --cluster tcp://10.0.0.1:8786

The games begin with up to six random placements and stray from good play now and then, as the
search does. Komi is such that every position is even, as far as a short search can tell, for
otherwise any move wins or none. The same seed gives the same positions, on a cluster too.

The file has an entry a position in each of its arrays: `open` (points without a stone, 0 or 1) and
`visits`, both by point; `player` to move.
"""

import argparse
import random
from collections.abc import Iterator

import attrs
import numpy as np

from linage_bot.engine import kernels
from linage_bot.engine.search.tree import Tree
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Player
from linage_bot.rules.linage import Linage, LinagePosition

_GLANCE = 300  # visits for every other move of a game
_SEARCHED = 0.35  # of the positions of a game
_FEWEST = 8  # placements; with fewer, exact play does better
_RANDOM, _STRAYING = 0.06, 0.25  # of the moves: any, one of the best four
_GAMES = 4  # a piece of work
Entry = tuple[list[int], int, np.ndarray]


@attrs.frozen
class Making:
    """How positions are made."""

    size: str
    visits: int
    seed: int

    def entries(self, number: int) -> list[Entry]:
        """The positions of some games."""
        return [entry for game in range(_GAMES) for entry in self._game(number * _GAMES + game)]

    def _game(self, number: int) -> Iterator[Entry]:
        chance = random.Random(f"{self.seed} {number}")
        position = Linage.configure(self.size).start()
        for _ in range(chance.randrange(7)):
            position = position.play(chance.choice(list(bits(position.placements()))))
        while len(places := list(bits(position.placements()))) >= _FEWEST:
            tree = _searched(position, places, _GLANCE, chance)
            best = tree.candidates()
            if chance.random() < _SEARCHED:
                lead = best[0].lead if position.to_move is Player.FIRST else -best[0].lead
                even = _even(position, lead)
                tree = _searched(even, places, self.visits, chance)
                if tree.certain:
                    return
                best = tree.candidates()
                yield _entry(even, {each.move: each.visits for each in best})
            draw = chance.random()
            among = places if draw < _RANDOM else [each.move for each in best[:4]]
            position = position.play(chance.choice(among) if draw < _STRAYING else best[0].move)


def _searched(
    position: LinagePosition, places: list[int], visits: int, chance: random.Random
) -> Tree:
    kernel = kernels.load(position.game)
    tree = Tree(kernel, position, places, chance.getrandbits(40))
    tree.grow(visits)
    return tree


def _even(position: LinagePosition, lead: float) -> LinagePosition:
    """The position with another komi, by which First's lead is next to nothing."""
    komi = round(position.game.komi + lead - 0.5) + 0.5
    return attrs.evolve(position, game=position.game.with_komi(komi))


def _entry(position: LinagePosition, visits: dict[int, int]) -> Entry:
    count = position.game.board.count
    empty = [position.empty >> point & 1 for point in range(count)]
    by_point = np.array([visits.get(point, 0) for point in range(count)], np.int32)
    return empty, int(position.to_move), by_point


def _worked(making: Making, cluster: str | None) -> Iterator[list[Entry]]:
    """Pieces of work, in order."""
    if cluster is None:
        yield from map(making.entries, range(10**9))
        return
    from distributed import Client

    with Client(cluster) as client:
        ahead = 4 * sum(client.ncores().values())
        waiting = [client.submit(making.entries, number) for number in range(ahead)]
        while True:
            yield waiting.pop(0).result()
            waiting.append(client.submit(making.entries, ahead))
            ahead += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("size")
    parser.add_argument("count", type=int)
    parser.add_argument("file")
    parser.add_argument("--visits", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler")
    arguments = parser.parse_args()
    entries: list[Entry] = []
    for found in _worked(
        Making(arguments.size, arguments.visits, arguments.seed), arguments.cluster
    ):
        entries += found
        if len(entries) >= arguments.count:
            break
        print(f"\r{len(entries)} of {arguments.count}", end="", flush=True)
    empty, player, visits = zip(*entries[: arguments.count], strict=True)
    board = Linage.configure(arguments.size).board
    np.savez_compressed(
        arguments.file,
        open=np.array(empty, np.uint8),
        player=np.array(player, np.uint8),
        visits=np.array(visits),
        columns=board.columns,
    )
    print()


if __name__ == "__main__":
    main()
