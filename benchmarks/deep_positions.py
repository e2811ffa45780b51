"""Search positions of Linage deeply, and store the visits of their placements in a file.

    python benchmarks/deep_positions.py 9 10000 deep-9.npz              # a quarter of an hour
    python benchmarks/deep_positions.py 19 10000 deep-19.npz --cluster tcp://10.0.0.1:8786

The games begin with up to six random placements and sometimes deviate from good play, as the search
does. Komi is set so that every position is even by a short search; otherwise every move would win,
or none. The same seed gives the same positions, also on a cluster.

The file has three arrays with an entry for each position: `open` (1 for points without a stone,
else 0) and `visits`, both by point, and `player`, the player to move. It also has the number of
`columns`.
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

_GLANCE = 300  # visits of the short search for each move
_SEARCHED = 0.35  # share of a game's positions that are searched deeply
_FEWEST = 8  # placements; with fewer, exact play is better
_RANDOM, _STRAYING = 0.06, 0.25  # shares of moves: of random ones, and with those of the best four
_GAMES = 4  # per unit of work
Entry = tuple[list[int], int, np.ndarray]


@attrs.frozen
class Making:
    """The settings by which positions are made."""

    size: str
    visits: int
    seed: int

    def entries(self, number: int) -> list[Entry]:
        """Return the positions of the games of one unit of work."""
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
    """Return the position with a komi by which First's lead is close to 0."""
    komi = round(position.game.komi + lead - 0.5) + 0.5
    return attrs.evolve(position, game=position.game.with_komi(komi))


def _entry(position: LinagePosition, visits: dict[int, int]) -> Entry:
    count = position.game.board.count
    empty = [position.empty >> point & 1 for point in range(count)]
    by_point = np.array([visits.get(point, 0) for point in range(count)], np.int32)
    return empty, int(position.to_move), by_point


def _worked(making: Making, cluster: str | None) -> Iterator[list[Entry]]:
    """Yield the results of the units of work, in order."""
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
