"""Positions of Linage that can be solved soon, and their values.

grown(options, count=20)     # of random play
composed(options, count=20)  # free regions side by side, of which most are small
exact_value(position)        # First's score lead under best play in half points, komi not counted

Both need values of all options; a third or so follow a pass.
"""

import functools
import random
from collections.abc import Iterator

import attrs

from benchmarks.small_regions import connected
from linage_bot.engine import kernels
from linage_bot.engine.kernels.square.small_regions import LARGEST
from linage_bot.engine.solver.alphabeta.plain import PlainArena
from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.positions import PositionSolving
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.solving import SumSolving
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, Player
from linage_bot.rules.linage import Linage, LinagePosition
from tests.linage_bot.engine.solver import law
from tests.linage_bot.engine.solver.law import Cells

Options = dict[str, str]
_MOST_FREE = {"off": 22, "on": 12}  # points, by button; the plain search takes longer
_WIDEST = 25


def grown(options: Options, count: int) -> Iterator[LinagePosition]:
    """Yield late positions of random play on small boards."""
    chance = random.Random(f"grown {options}")
    while count:
        position = Linage.configure(chance.choice(["5", "6x5", "5x6"]), 0, options).start()
        if options["button"] == "on" and chance.random() < 0.5:
            position = position.after(PASS)
        most = chance.randint(6, 12)
        while position.regions.free.bit_count() > most:
            position = position.after(chance.choice(list(bits(position.placements()))))
        if position.regions.free:
            count -= 1
            yield position.after(PASS) if chance.random() < 0.34 else position


def composed(options: Options, count: int) -> Iterator[LinagePosition]:
    """Yield positions of one to four free regions, half of them with one that Vertical owns."""
    chance = random.Random(f"composed {options}")
    line, most = int(options["line"]), _MOST_FREE[options["button"]]
    most_parts = min(4, most // (2 * line - 1))  # that is the smallest
    while count:
        parts = [_image(chance, line) for _ in range(chance.randint(1, most_parts))]
        if sum(map(len, parts)) > most:
            continue
        if chance.random() < 0.5:
            parts.append(frozenset((0, y) for y in range(line)))
        empty, left = set(), 0
        for cells in parts:
            empty |= {(x + left, y) for x, y in cells}
            left += max(x for x, _ in cells) + 2
        rows = max(3, *(y + 1 for _, y in empty))
        if left - 1 > _WIDEST:
            continue
        game = Linage.configure(f"{max(3, left - 1)}x{rows}", 0, options)
        stones = (1 << game.board.count) - 1
        for x, y in empty:
            stones ^= 1 << y * game.board.columns + x
        taker = chance.choice([None, *Player]) if game.button else None
        may_follow_pass = taker is not None or not game.button
        count -= 1
        yield attrs.evolve(
            game.start(),
            first=stones,
            to_move=chance.choice(list(Player)),
            button_taker=taker,
            passes=int(may_follow_pass and chance.random() < 0.34),
        )


@functools.cache
def _free_regions(points: int, line: int) -> list[Cells]:
    across = (each for each in connected(points) if law.has_line(each, line, 1, 0))
    return sorted((each for each in across if law.has_line(each, line, 0, 1)), key=sorted)


def _too_large(line: int) -> Cells:
    """Return a free region with one point more than the table's largest."""
    across = frozenset((x, 0) for x in range(LARGEST + 2 - line))
    return across | {(0, y) for y in range(line)}


def _image(chance: random.Random, line: int) -> Cells:
    """Return a free region, randomly turned and mirrored, in the corner."""
    found: list[Cells] = []
    while not found:  # each size is as likely as every other that there is
        points = chance.randint(2 * line - 1, LARGEST + 1)
        found = _free_regions(points, line) if points <= LARGEST else [_too_large(line)]
    cells = chance.choice(found)
    if chance.random() < 0.5:
        cells = frozenset((y, x) for x, y in cells)
    a, b = chance.choice([1, -1]), chance.choice([1, -1])
    left, bottom = min(a * x for x, _ in cells), min(b * y for _, y in cells)
    return frozenset((a * x - left, b * y - bottom) for x, y in cells)


@functools.cache
def _sums_of(line: int) -> Arena:
    return Arena(line)


def exact_value(position: LinagePosition) -> int:
    """Return First's score lead under best play in half points without komi, by the solver."""
    solving: SumSolving | PositionSolving
    if position.game.button:
        solving = PositionSolving(PlainArena(position.game, kernels.load(position.game)), position)
    else:
        solving = SumSolving(_sums_of(position.game.line), position)
    assert solving.find_score(SearchBudget())
    return position.to_move.sign * solving.value.low * 2 // solving.per_point
