"""Count the nodes of a search tree whose positions also occur elsewhere in the tree.

    python benchmarks/transpositions.py --size 9 --visits 16000

The game is Linage, in which all stones are alike, so that the order of moves does not matter: a
position is the set of its stones, the side to move, and whether the last move was a pass.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

from linage_bot.engine import kernels
from linage_bot.engine.search.layout import LEAF
from linage_bot.engine.search.tree import Tree
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", default="9")
    parser.add_argument("--visits", type=int, nargs="+", default=[16_000])
    parser.add_argument("--moves", type=int, nargs="+", default=[0, 10, 20])
    arguments = parser.parse_args()
    game = GAMES["linage"].configure(arguments.size, None, {})
    kernel = kernels.load(game)
    print(
        "| stones | visits | nodes visited | again | nodes with children | again | visits there |"
    )
    print("|---|---|---|---|---|---|---|")
    for moves in arguments.moves:
        position = game.start()
        for _ in range(moves):
            tree = Tree(kernel, position, position.moves(), 1)
            tree.grow(2000)
            position = position.after(tree.candidates()[0].move)
        for visits in arguments.visits:
            tree = Tree(kernel, position, position.moves(), 1)
            tree.grow(visits)
            _row(moves, visits, tree)


def _row(moves: int, visits: int, tree: Tree) -> None:
    edges, nodes = tree._edges, tree._nodes
    found: dict[tuple[int, int, bool], list[int]] = defaultdict(list)
    waiting = [(0, 0, 0, False)]
    while waiting:
        index, stones, mover, passed = waiting.pop()
        found[stones, mover, passed].append(index)
        if nodes["first"][index] == LEAF:
            continue
        first = int(nodes["first"][index])
        for child in range(first, first + int(nodes["children"][index])):
            if edges.visits[child]:
                move = int(edges.move[child])
                placed = stones if move == PASS else stones | 1 << move
                waiting.append((child, placed, 1 - mover, move == PASS))
    visited = sum(map(len, found.values()))
    inner = {key: [n for n in same if nodes["first"][n] != LEAF] for key, same in found.items()}
    expanded, distinct = sum(map(len, inner.values())), sum(1 for each in inner.values() if each)
    # Visits to all but the most visited of the nodes with the same position and children.
    doubled = sum(sum(sorted(int(edges.visits[n]) for n in same)[:-1]) for same in inner.values())
    inside = sum(int(edges.visits[n]) for same in inner.values() for n in same)
    print(
        f"| {moves} | {visits} | {visited} | {1 - len(found) / visited:.1%} "
        f"| {expanded} | {1 - distinct / expanded:.1%} | {doubled / inside:.1%} |"
    )


if __name__ == "__main__":
    main()
