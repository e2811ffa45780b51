"""The graphs: true to their values, and with a way from each to its move."""

import itertools
import re
import xml.etree.ElementTree as ET

import attrs
import pytest

from linage_bot.review.graph import Curve, graph, round_up

CURVE = Curve(
    "Lead <of> A",
    values=[0.0, 2.0, -2.0, 10.0],
    most=10.0,
    ticks=((10.0, "+10"), (0.0, "0"), (-10.0, "−10")),
    hints=["a", "b", "c & d", "e"],
    phases={"opening": 0, "endgame": 2},
    marked=[2],
    exact_from=1,
)


def drawn(curve):
    return ET.fromstring(graph(curve))


def corners(text):
    return [tuple(map(float, pair.split(","))) for pair in text.split()]


def test_the_curve_goes_through_its_values():
    """Equal steps to the right, and heights in proportion."""
    line = corners(drawn(CURVE).find("polyline").get("points"))
    steps = [b[0] - a[0] for a, b in itertools.pairwise(line)]
    assert steps == pytest.approx([steps[0]] * 3, abs=0.02)
    (_, middle), (_, up), (_, down), (_, top) = line
    assert middle - up == pytest.approx(down - middle)
    assert middle - top == pytest.approx(5 * (middle - up))


def test_each_side_of_the_middle_has_its_owner_s_colour():
    """What is above belongs to First and ends where the curve crosses the middle."""
    above, below = (corners(p.get("points")) for p in drawn(CURVE).iter("polygon"))
    middle = above[0][1]
    assert all(y <= middle for _, y in above)
    assert all(y >= middle for _, y in below)
    left, right = CURVE.x(1), CURVE.x(2)
    assert any(x == pytest.approx((left + right) / 2) and y == middle for x, y in above)


def test_every_value_tells_itself_and_leads_to_its_move():
    """A reader who points at the graph is told, one who clicks is led."""
    links = [(a.get("href"), a.find("title").text) for a in drawn(CURVE).iter("a")]
    assert links[:4] == [(f"#move-{i}", hint) for i, hint in enumerate(CURVE.hints)]
    assert links[4:] == [("#mistake-2", "c & d")]


def test_proven_values_are_marked_and_others_not():
    """The thick line is there only where something before the end is proven."""
    assert "proven values" in graph(CURVE)
    for exact_from in (None, 3):
        assert "proven" not in graph(attrs.evolve(CURVE, exact_from=exact_from))


@pytest.mark.parametrize("count", [2, 3, 9, 10, 400, 12_000])
def test_a_game_of_any_length_has_few_numbers_below(count):
    """Numbers below the graph never run into one another, and everything stays on the sheet."""
    curve = attrs.evolve(
        CURVE, values=[1.0] * count, hints=["x"] * count, marked=[], phases={"opening": 0}
    )
    root = drawn(curve)
    numbers = [t for t in root.iter("text") if re.fullmatch(r"\d+", t.text) and t.text != "0"]
    assert len(numbers) <= 10
    assert all(0 <= x <= 640 for x, _ in corners(root.find("polyline").get("points")))


@pytest.mark.parametrize(
    ("value", "most"), [(0, 5), (5, 5), (5.1, 10), (11, 15), (27.5, 30), (41, 50), (420, 500)]
)
def test_axes_end_at_round_numbers(value, most):
    """No smaller than the largest value."""
    assert round_up(value) == most
