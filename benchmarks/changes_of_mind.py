"""Measure where in a game a longer search changes the move, and how much the change gains.

    python benchmarks/changes_of_mind.py --size 9 --games 30 --visits 20000

The games are self-play after two random placements. Each position is searched with this number of
visits, and then on to four times as many. If the move changes, its gain is the difference between
the win rates of the new and the old move, by the longer search.

A line of the first table is a tenth of the game, whose length is estimated from random games;
`left` is the number of moves that followed in the game, divided by that estimate. A line of the
second table is a sign that can be seen when the short search ends.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator

import attrs

from linage_bot.engine import kernels
from linage_bot.engine.analysis import Candidate
from linage_bot.engine.kernels.contract import Kernel
from linage_bot.engine.search.playouts import random_moves
from linage_bot.engine.search.tree import Tree
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Position

_LONGER = 4


@attrs.frozen
class Ply:
    """One position of a game, and the effect of a longer search on its move."""

    over: float  # share of the game
    to_come: float  # mean number of moves in random games from here
    searched: float  # visits made before the result was certain, as a share of the limit
    changed: bool
    gain: float  # of win rate
    swing: float  # of win rate, between the short search and the long one
    signs: tuple[str, ...]  # of trouble, when the short search ended


def main() -> None:
    arguments = _arguments()
    game = GAMES[arguments.game].configure(arguments.size, None, {})
    kernel, chooser = kernels.load(game), random.Random(arguments.seed)
    rows: dict[int, list[tuple[Ply, float]]] = defaultdict(list)
    for number in range(arguments.games):
        position = game.start()
        for _ in range(2):
            position = position.play(chooser.choice([m for m in position.moves() if m != PASS]))
        plies = _play(kernel, position, arguments.visits, 1000 * number)
        for index, ply in enumerate(plies):
            left = (len(plies) - index) / max(1.0, ply.to_come)
            rows[min(9, int(10 * ply.over))].append((ply, left))
        print(f"game {number + 1}: {len(plies)} plies", flush=True)
    _print(rows)
    _print_signs([ply for tenth in rows.values() for ply, _ in tenth if ply.searched == 1.0])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="linage")
    parser.add_argument("--size")
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--visits", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _play(kernel: Kernel, position: Position, visits: int, seed: int) -> list[Ply]:
    plies: list[Ply] = []
    played = 2
    while not position.over:
        moves = position.moves()
        if len(moves) == 1:
            position, played = position.after(moves[0]), played + 1
            continue
        to_come, seed = random_moves(kernel, position), seed + 1
        tree = Tree(kernel, position, moves, seed)
        tree.grow(visits // 2)
        half = tree.candidates()[0]
        tree.grow(visits - tree.visits)
        found = tree.candidates()
        early, signs = found[0], tuple(_signs(half, found))
        searched = min(1.0, tree.visits / visits)
        tree.grow(_LONGER * visits - tree.visits)
        found = tree.candidates()
        best = found[0]
        old = next(each for each in found if each.move == early.move)
        plies.append(
            Ply(
                played / (played + to_come),
                to_come,
                searched,
                best.move != early.move,
                max(0.0, best.win_rate - old.win_rate),
                abs(best.win_rate - early.win_rate),
                signs,
            )
        )
        position, played = position.after(best.move), played + 1
    return plies


def _signs(half: Candidate, found: list[Candidate]) -> Iterator[str]:
    """Yield signs that the choice may change; the benchmark measures which of them predict it."""
    early, *others = found
    others = [each for each in others if each.visits]
    yield "any"
    if half.move != early.move:
        yield "another move than at half of the visits"
    if half.win_rate - early.win_rate > 0.01:
        yield "win rate fell by a hundredth since"
    for share in (0.25, 0.5, 0.75):
        if others and others[0].visits > share * early.visits:
            yield f"second has {share:.0%} of the visits of the first"
    if any(each.win_rate > early.win_rate and 10 * each.visits > early.visits for each in others):
        yield "another is better by win rate"
    if 0.1 <= early.win_rate <= 0.9:
        yield "win rate 10 to 90 %"
    if 0.3 <= early.win_rate <= 0.7:
        yield "win rate 30 to 70 %"


def _print_signs(plies: list[Ply]) -> None:
    print("| seen when the short search ends | positions | changed | gain | gain of the others |")
    print("|---|---|---|---|---|")
    for sign in dict.fromkeys(sign for ply in plies for sign in ply.signs):
        having = [ply for ply in plies if sign in ply.signs]
        others = [ply for ply in plies if sign not in ply.signs]
        print(
            f"| {sign} | {len(having) / len(plies):.0%} "
            f"| {sum(ply.changed for ply in having) / len(having):.1%} "
            f"| {100 * sum(ply.gain for ply in having) / len(having):.2f} "
            f"| {100 * sum(ply.gain for ply in others) / max(1, len(others)):.2f} |"
        )


def _print(rows: dict[int, list[tuple[Ply, float]]]) -> None:
    print("| game over | positions | undecided | changed | gain | swing | left |")
    print("|---|---|---|---|---|---|---|")
    for tenth in sorted(rows):
        plies, count = [ply for ply, _ in rows[tenth]], len(rows[tenth])
        print(
            f"| {10 * tenth}-{10 * tenth + 10} % | {count} "
            f"| {sum(ply.searched for ply in plies) / count:.0%} "
            f"| {sum(ply.changed for ply in plies) / count:.1%} "
            f"| {100 * sum(ply.gain for ply in plies) / count:.2f} "
            f"| {100 * sum(ply.swing for ply in plies) / count:.2f} "
            f"| {sum(left for _, left in rows[tenth]) / count:.2f} |"
        )


if __name__ == "__main__":
    main()
