"""Means and temperatures by the readable theory, the reference for those of the solver."""

import functools
import random
from fractions import Fraction

import pytest

from linage_bot.rules.boards import bits
from tests.linage_bot.engine.solver import law
from tests.linage_bot.engine.solver.minimax import random_positions
from tests.linage_bot.engine.solver.thermographs import Thermograph, Thermographs, _at

Cells = frozenset[tuple[int, int]]


@functools.cache
def some_regions(count: int, most: int = 9) -> list[Cells]:
    """Return free regions of random play with lines of 3."""
    found: list[Cells] = []
    for position in random_positions(seed=3, count=40 * count):
        columns = position.game.board.columns
        if position.game.line == 3:
            found += [
                frozenset((point % columns, point // columns) for point in bits(area.points))
                for area in position.areas()
                if area.owner is None and area.points.bit_count() <= most
            ]
    return sorted(set(found), key=sorted)[:count]


def beside(one: Cells, other: Cells) -> Cells:
    """Return both regions as one position, far from each other."""
    return one | {(x + 50, y) for x, y in other}


def test_the_cross_of_five_is_a_switch() -> None:
    """A plus of five points is a switch: 4 or -4 points, with a mean of 0."""
    cross = frozenset({(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)})
    thermograph = Thermographs(3).of(cross)
    placed = law.game_of(cross, 3)
    assert placed is not None
    first, second = law.values(placed.game, 3)
    assert (first, second) == (first, -first)
    assert thermograph.mean == 0
    assert thermograph.temperature == first


@pytest.mark.parametrize("number", range(12))
@pytest.mark.thorough
def test_walls_begin_at_the_stops_and_meet(number: int) -> None:
    """The walls start at the values by search and do not cross below the temperature."""
    region = some_regions(12)[number]
    placed = law.game_of(region, 3)
    assert placed is not None
    thermograph = Thermographs(3).of(region)
    assert (thermograph.left[0][1], thermograph.right[0][1]) == law.values(placed.game, 3)
    for tax, value in thermograph.left:
        assert value >= _at(thermograph.right, tax)
    assert thermograph.left[-1] == thermograph.right[-1]
    first, second = law.values(placed.game, 3)
    assert second <= thermograph.mean <= first


@pytest.mark.thorough
def test_means_add_up() -> None:
    """The mean of a sum is the sum of the means, and its temperature is at most the highest."""
    regions = some_regions(10, most=8)
    chance = random.Random(1)
    known = Thermographs(3)
    hot = 0
    for _ in range(8):
        one, other = chance.choice(regions), chance.choice(regions)
        single = known.of(one), known.of(other)
        both = known.of(beside(one, other))
        assert both.mean == single[0].mean + single[1].mean
        assert both.temperature <= max(single[0].temperature, single[1].temperature)
        hot += both.temperature > 0
    assert hot


def test_the_negative_has_the_mirrored_thermograph() -> None:
    """A region on its side has the negative mean and the same temperature."""
    for region in some_regions(6):
        one = Thermographs(3).of(region)
        other = Thermographs(3).of(frozenset((y, x) for x, y in region))
        assert (other.mean, other.temperature) == (-one.mean, one.temperature)
        assert other.left == tuple((tax, -value) for tax, value in one.right)


def test_a_set_without_a_line_has_no_thermograph() -> None:
    """A set without a line raises ValueError."""
    with pytest.raises(ValueError, match="no line"):
        Thermographs(3).of({(0, 0)})


def test_owned_regions_are_masts() -> None:
    """An owned region is a number, which is its mean, without a temperature."""
    assert Thermographs(3).of({(0, 0), (0, 1), (0, 2)}) == Thermograph(
        ((Fraction(0), Fraction(3)),), ((Fraction(0), Fraction(3)),)
    )
