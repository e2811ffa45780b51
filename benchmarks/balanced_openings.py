"""Make the balanced openings that are shipped with the package (linage_bot/match/balanced/).

    python benchmarks/balanced_openings.py linage:9 linage:13 linage:19      # an hour on two cores
    python benchmarks/balanced_openings.py --visits 20000 --count 100 linage:15 leblin:9 gardar:4
    python benchmarks/balanced_openings.py --visits 20000 --count 100 --at-once linage-parity:9

An opening has four to six random placements after which First's win rate is 45 to 55 % by a search
with `--visits` visits. Searches with fewer visits reject most candidates before. `--at-once` omits
them: in Parity, searches with few visits consider nearly all positions won. No two openings are the
same under the symmetries of the game. The same seed makes the same list.
"""

import argparse
import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import linage_bot
from linage_bot.engine import kernels
from linage_bot.engine.search.tree import Tree
from linage_bot.match.openings import list_name
from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Game, Player, Position

FOLDER = Path(linage_bot.__file__).parent / "match/balanced"
PLACEMENTS = (4, 5, 6)
SIEVES = ((0.01, 0.15), (0.1, 0.08), (1.0, 0.05))  # share of the visits, largest distance from even
Line = list[int]


def win_rate(position: Position, visits: int, seed: int) -> float:
    """Return First's win rate by a search."""
    tree = Tree(kernels.load(position.game), position, position.moves(), seed)
    tree.grow(visits)
    best = tree.candidates()[0].win_rate
    return best if position.to_move is Player.FIRST else 1 - best


def alike(position: Position) -> tuple[int, int]:
    """Return a key that is the same for all positions that are images of each other."""
    symmetries = kernels.load(position.game).symmetries(position.game.board)
    return min((each(position.first), each(position.second)) for each in symmetries)


def openings(game: Game, visits: int, seed: int, at_once: bool) -> Iterator[Line]:
    """Yield openings without end."""
    sieves = SIEVES[-1:] if at_once else SIEVES
    chance = random.Random(f"{game.id} {game.board.size} {seed}")
    seen = set()
    while True:
        position, line = game.start(), []
        for _ in range(chance.choice(PLACEMENTS)):
            line.append(chance.choice(list(bits(position.placements()))))
            position = position.play(line[-1])
        image = alike(position)
        if image in seen:
            continue
        seen.add(image)
        seeds = [chance.getrandbits(40) for _ in sieves]
        if all(
            abs(win_rate(position, round(share * visits), seed) - 0.5) <= distance
            for (share, distance), seed in zip(sieves, seeds, strict=True)
        ):
            yield line


def write(game: Game, visits: int, seed: int, count: int, at_once: bool) -> None:
    """Make the list of a board, and replace its file."""
    board = game.board
    lines = [
        "# Made by benchmarks/balanced_openings.py: First wins 45 to 55 % of"
        f" {visits:,} visits, komi {game.komi:g}."
    ]
    for line in itertools.islice(openings(game, visits, seed, at_once), count):
        lines.append(" ".join(board.vertex(point).lower() for point in line))
        print(f"\r{game.name} {board.size}: {len(lines) - 1}", end="", flush=True)
        (FOLDER / list_name(game)).write_text("\n".join(lines) + "\n", "utf-8")
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("boards", nargs="+", metavar="GAME:SIZE")
    parser.add_argument("--visits", type=int, default=200_000)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", action="store_true", help="no search with fewer visits before")
    arguments = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for board in arguments.boards:
        name, _, size = board.partition(":")
        game = GAMES[name].configure(size)
        write(game, arguments.visits, arguments.seed, arguments.count, arguments.at_once)


if __name__ == "__main__":
    main()
