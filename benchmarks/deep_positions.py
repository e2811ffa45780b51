"""Search positions of Linage deeply, and store the results for each placement.

    python -m benchmarks.deep_positions 9 10000 deep-9 --workers 2
    python -m benchmarks.deep_positions 19 10000 deep-19 --cluster tcp://10.0.0.1:8786

The games begin with up to six random placements and sometimes deviate from good play, as the search
does. Komi is set so that every position is even by a short search; otherwise every move would win,
or none. The same seed gives the same positions, also on a cluster.

Each file `NUMBER.npz` in the folder has the positions of four games; a run that was interrupted
continues with those that are missing. A file has arrays with an entry for each position: by point,
`open` (1 without a stone, else 0), `visits`, and the placement's `win_rates` and `leads` for the
player to move (NaN without visits); and `player`, the player to move. It also has the number of
`columns`. `settings.json` has the settings that all files of the folder share.
"""

import argparse
import contextlib
import json
import random
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from pathlib import Path

import attrs
import numpy as np

from linage_bot.engine import kernels
from linage_bot.engine.analysis import Candidate
from linage_bot.engine.search.tree import Tree
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Player
from linage_bot.rules.linage import Linage, LinagePosition
from linage_bot.settings.files import whole_file

_GLANCE = 300  # visits of the short search for each move
_SEARCHED = 0.35  # share of a game's positions that are searched deeply
_FEWEST = 8  # placements; with fewer, exact play is better
_RANDOM, _STRAYING = 0.06, 0.25  # shares of moves: of random ones, and with those of the best four
_GAMES = 4  # in a file
_AHEAD = 4  # files that are made or wait to be made, for each worker


@attrs.frozen
class Making:
    """The settings by which positions are made."""

    size: str
    visits: int
    seed: int

    def arrays(self, number: int) -> dict[str, np.ndarray]:
        """Return the arrays of a file."""
        games = range(number * _GAMES, (number + 1) * _GAMES)
        entries = [entry for game in games for entry in self._game(game)]
        board = Linage.configure(self.size).board
        names = ("open", "visits", "win_rates", "leads")
        values = np.array([each for _, each in entries], np.float32)
        values = values.reshape(len(entries), len(names), board.count)
        found = {name: values[:, at] for at, name in enumerate(names)}
        found["open"] = found["open"].astype(np.uint8)
        found["visits"] = found["visits"].astype(np.int32)
        found["player"] = np.array([player for player, _ in entries], np.uint8)
        return found | {"columns": np.array(board.columns)}

    def _game(self, number: int) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the player to move and the rows of numbers of each position that is searched."""
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
                yield int(position.to_move), _rows(even, best)
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


def _rows(position: LinagePosition, found: list[Candidate]) -> np.ndarray:
    """Return four numbers for each point: open or not, visits, win rate and lead."""
    rows = np.full((4, position.game.board.count), np.nan)
    rows[0], rows[1] = 0, 0
    rows[0, list(bits(position.empty))] = 1
    for each in found:
        if each.visits:
            rows[1:, each.move] = each.visits, each.win_rate, each.lead
    return rows


@contextlib.contextmanager
def _workers(count: int, cluster: str | None) -> Iterator[tuple[Executor, int]]:
    """Yield an executor, and how many files it makes at once."""
    if cluster is None:
        with ThreadPoolExecutor(count) as pool:
            yield pool, count
        return
    from distributed import Client

    with Client(cluster) as client:
        yield client.get_executor(), sum(client.ncores().values())


def _make(making: Making, wanted: int, folder: Path, workers: Executor, at_once: int) -> None:
    """Make the files that are missing until there are enough positions."""
    done = {int(file.stem): len(np.load(file)["player"]) for file in folder.glob("*.npz")}
    running: dict[Future[dict[str, np.ndarray]], int] = {}
    number = 0
    try:
        while sum(done.values()) < wanted:
            while len(running) < _AHEAD * at_once:
                if number not in done:
                    running[workers.submit(making.arrays, number)] = number
                number += 1
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                made, arrays = running.pop(future), future.result()
                with whole_file(folder / f"{made:06}.npz") as file:
                    np.savez_compressed(file, **arrays)
                done[made] = len(arrays["player"])
            print(f"\r{sum(done.values())} of {wanted}", end="", flush=True)
    finally:
        for future in running:
            future.cancel()
    print()


def main() -> None:
    """Make positions as the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("size")
    parser.add_argument("count", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--visits", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler")
    arguments = parser.parse_args()
    making = Making(arguments.size, arguments.visits, arguments.seed)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    settings = arguments.folder / "settings.json"
    if not settings.exists():
        settings.write_text(json.dumps(attrs.asdict(making)) + "\n", encoding="utf-8")
    if json.loads(settings.read_text(encoding="utf-8")) != attrs.asdict(making):
        sys.exit(f"{settings}: the folder has positions of other settings; name another folder")
    try:
        with _workers(arguments.workers, arguments.cluster) as (workers, at_once):
            _make(making, arguments.count, arguments.folder, workers, at_once)
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command continues")


if __name__ == "__main__":
    main()
