"""What the rule learnt from measured proofs says."""

import pytest

from linage_bot.engine.solver.sums.endgame import chance
from linage_bot.engine.solver.sums.method import expected_nodes


def test_more_points_take_more_nodes_and_most_of_all_in_the_largest_region() -> None:
    """Whatever the order in which the sizes come."""
    assert expected_nodes([12, 20]) == expected_nodes([20, 12])
    assert expected_nodes([20, 12]) < expected_nodes([20, 13]) < expected_nodes([21, 12])
    assert expected_nodes([20]) < expected_nodes([20, 9, 3])


@pytest.mark.parametrize(
    ("sizes", "nodes"), [([12], 26), ([15], 816), ([16], 876), ([20], 13_843), ([25], 43_110)]
)
def test_it_is_right_about_solved_boards_within_its_error(sizes: list[int], nodes: int) -> None:
    """Within two standard deviations of both players' nodes in docs/solver/boards.md."""
    assert 0.025 < chance(expected_nodes(sizes), nodes / 2) < 0.975


def test_the_median_is_reached_half_of_the_time() -> None:
    """And more nodes make a proof likelier."""
    assert chance(1000, 1000) == 0.5
    assert chance(1000, 0) == 0 < chance(1000, 100) < chance(1000, 10_000) < 1
