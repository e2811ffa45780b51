"""The result of every line of a given number of turns, in any game: a check of alpha-beta.

exact_bounds(position, turns)  # First's score lead under best play, in half points: least, most
late_positions(game, seed, count, empty)  # of random play, at most `empty` points empty
"""

import random
from collections.abc import Iterator

import attrs

from linage_bot.engine.solver.positions import score_lead_of
from linage_bot.rules.game import PASS, Game, Position

ANYTHING = 1000
Known = dict[tuple[Position, int], tuple[int, int]]


def exact_bounds(position: Position, turns: int, known: Known | None = None) -> tuple[int, int]:
    """Return the bounds of First's score lead; a longer line may have any result."""
    known = {} if known is None else known
    if position.over:
        return score_lead_of(position), score_lead_of(position)
    if turns == 0:
        return -ANYTHING, ANYTHING
    key = _colourless(position), turns
    if key not in known:
        best = min if position.to_move else max
        after = [exact_bounds(position.after(move), turns - 1, known) for move in position.moves()]
        known[key] = best(low for low, _ in after), best(high for _, high in after)
    return known[key]


def _colourless(position: Position) -> Position:
    """Return the position with all stones as First's, if stones have no colour."""
    if not position.game.one_colour:
        return position
    return attrs.evolve(position, first=position.stones, second=0)


def late_positions(game: Game, seed: int, count: int, empty: int) -> Iterator[Position]:
    """Yield unfinished positions of random play, some of them after a pass."""
    chance = random.Random(seed)
    found = 0
    while found < count:
        position = game.start()
        while not position.over and position.empty.bit_count() > empty:
            stones = [move for move in position.moves() if move != PASS]
            position = position.play(chance.choice(stones) if stones else PASS)
        if not position.over and position.may_pass() and chance.random() < 0.2:
            position = position.play(PASS)
        if not position.over:
            found += 1
            yield position
