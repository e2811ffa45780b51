"""The two loops over all children of a node, checked against their longer definitions."""

import numpy as np
import pytest

from linage_bot.engine.search import flights, layout
from linage_bot.engine.search.children import choose, sample
from linage_bot.rules.game import PASS

COUNT = 61
MOST_SAMPLES = 1 << 20


def some_children(seed: int) -> layout.Edges:
    """Return children of all kinds from index 3 on, many with equal values."""
    chance = np.random.default_rng(seed)
    edges, *_ = layout.new_arrays(COUNT + 7)
    edges.value[:] = chance.integers(-3, 4, COUNT + 7) / 4
    edges.value[chance.random(COUNT + 7) < 0.1] = 1000 * chance.choice([-1, 1])
    edges.spread[:] = chance.integers(0, 3, COUNT + 7) / 2
    edges.visits[:] = chance.integers(0, 9, COUNT + 7)
    edges.mean[:] = chance.random(COUNT + 7)
    edges.amaf_count[:] = chance.choice([0, 1, 20, MOST_SAMPLES - 1, MOST_SAMPLES], COUNT + 7)
    edges.amaf_sum[:] = edges.amaf_count * chance.random(COUNT + 7)
    edges.move[:] = chance.permutation(COUNT + 7)
    edges.move[3 + seed % COUNT] = PASS
    edges.proven[:] = chance.choice(4, COUNT + 7, p=[0.7, 0.1, 0.1, 0.1])
    return edges


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_highest_bound_is_chosen_and_of_equals_the_first_from_the_offset_on(seed, sign):
    """The first child from the offset on with the highest bound is chosen, for either sign."""
    edges = some_children(seed)
    bounds = np.float32(sign) * edges.value + np.float32(0.5) * edges.spread
    for offset in range(COUNT):
        order = [3 + (offset + at) % COUNT for at in range(COUNT)]
        best = max(order, key=lambda index: bounds[index])
        assert choose(edges, 3, COUNT, offset, sign, 0.5) == best


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("player", [0, 1])
def test_children_that_were_played_get_their_samples_and_all_others_stay(seed, player):
    """Played children get samples; proven ones and passes stay, and large counts are halved."""
    edges, chance = some_children(seed), np.random.default_rng(100 + seed)
    flight = flights.new_flights(1).records[0]
    side = player * layout.SIDE + 1
    plays = chance.choice([0, 1, 4], COUNT + 7, p=[0.4, 0.4, 0.2])
    rewards = plays * np.float32(0.75)
    flight["counts"][side : side + COUNT + 7] = plays
    flight["rewards"][side : side + COUNT + 7] = rewards
    before = [column.copy() for column in edges]
    value, _, mean, total, count, visits, move, proven = before
    sample(edges, flight, 3, COUNT, side, 0.25)
    for index in range(3, 3 + COUNT):
        if move[index] != PASS and plays[move[index]]:
            halved = count[index] >= MOST_SAMPLES
            count[index] = (count[index] // 2 if halved else count[index]) + plays[move[index]]
            total[index] = (total[index] / 2 if halved else total[index]) + rewards[move[index]]
            if proven[index] == layout.OPEN:
                n, m = np.float32(visits[index]), np.float32(count[index])
                own = n + np.float32(0.25) * n * m
                value[index] = (total[index] + own * mean[index]) / (m + own)
    for name, expected, found in zip(edges._fields, before, edges, strict=True):
        assert found.tolist() == expected.tolist(), name
