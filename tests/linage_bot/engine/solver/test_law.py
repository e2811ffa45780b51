"""The readable theory, compared with full play."""

import pytest

from linage_bot.rules.game import Player
from linage_bot.rules.linage import LinagePosition
from tests.linage_bot.engine.solver import law
from tests.linage_bot.engine.solver.minimax import Minimax, random_positions
from tests.linage_bot.rules.slow_rules import cells


def law_value(position: LinagePosition) -> int:
    """Return V - H by the readable theory."""
    placed = law.game_of(cells(position.game.board, position.empty), position.game.line)
    assert placed is not None
    values = law.values(placed.game, position.game.line)
    return placed.settled + values[position.to_move]


@pytest.mark.parametrize(
    ("now", "vertical", "horizontal", "expected"),
    [
        (0, 5, -3, (5, -3)),  # hot: either player places
        (0, -2, 4, (0, 0)),  # cold: both pass
        (3, -2, 1, (1, 1)),  # cold, and stopping favours Vertical: Horizontal places
        (-5, -2, 1, (-2, -2)),
        (0, 2, 2, (2, 2)),
    ],
)
def test_who_places_and_who_passes(
    now: int, vertical: int, horizontal: int, expected: tuple[int, int]
) -> None:
    """A hot position has the values of its placements; a cold one has the median of three."""
    assert law.stops(now, vertical, horizontal) == expected


@pytest.mark.thorough
def test_values_of_small_positions_are_those_of_all_play() -> None:
    """A position's value is its owned points plus the value of its regions as a sum."""
    for position in random_positions(seed=1, count=18):
        if not position.passes:
            assert law_value(position) == Minimax(position).value


def test_turning_a_region_on_its_side_negates_it() -> None:
    """A region turned on its side is its negative, since rows and columns change places."""
    region = {(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 1)}
    sideways = {(y, x) for x, y in region}
    placed, turned = law.game_of(region, 3), law.game_of(sideways, 3)
    assert placed is not None
    assert turned is not None
    assert turned.game == law.negative(placed.game)
    first, second = law.values(placed.game, 3)
    assert law.values(turned.game, 3) == (-second, -first)


def test_a_region_and_its_negative_cancel() -> None:
    """A region and its negative cancel, since a move in one is answered in the other."""
    region = {(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 1)}
    far = {(20 + y, x) for x, y in region}
    assert law.game_of(region | far, 3) == law.Placed(0, ())


@pytest.mark.parametrize("size", ["3", "4x3", "3x4"])
def test_filling_own_regions_never_pays(size: str) -> None:
    """Both editions have the same value in each position of a small board, and a fill loses."""
    from linage_bot.rules.linage import Linage

    current = Linage.configure(size, 0)
    todo, seen = [current.start()], set()
    judge = {
        edition: Minimax(Linage.configure(size, 0, {"edition": edition}).start())
        for edition in ("current", "2016")
    }
    while todo:
        position = todo.pop()
        if position.empty in seen:
            continue
        seen.add(position.empty)
        todo += [position.after(point) for point in position.moves() if point >= 0]
        for player in Player:
            values = {
                edition: each._value(position.empty, player, 0) for edition, each in judge.items()
            }
            assert values["current"] == values["2016"]
            better = min if player else max
            for move, value in judge["2016"]._moves(position.empty, player, 0):
                if move >= 0 and not position.regions.free >> move & 1:
                    assert value != values["2016"]
                    assert better(value, values["2016"]) == values["2016"]
    assert len(seen) > 50
