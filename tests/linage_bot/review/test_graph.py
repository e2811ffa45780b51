"""The graphs: true to their values, and with a way from each to its move."""

import itertools
import re
import xml.etree.ElementTree as ET

import attrs
import pytest

from linage_bot.review.graph import ValueGraph, graph, round_up

CURVE = ValueGraph(
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


def group(root, name):
    (found,) = (g for g in root.iter("g") if g.get("class") == name)
    return found


def corners(path):
    numbers = list(map(float, re.findall(r"-?[0-9.]+", path.get("d"))))
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def test_the_curve_goes_through_its_values():
    """Equal steps to the right, and heights in proportion."""
    line = corners(group(drawn(CURVE), "values").find("path"))
    steps = [b[0] - a[0] for a, b in itertools.pairwise(line)]
    assert steps == pytest.approx([steps[0]] * 3, abs=0.02)
    (_, middle), (_, up), (_, down), (_, top) = line
    assert middle - up == pytest.approx(down - middle, abs=0.01)
    assert middle - top == pytest.approx(5 * (middle - up), abs=0.01)


def test_each_side_of_the_middle_has_its_owner_s_colour():
    """The area above the middle is First's and ends where the curve crosses the middle."""
    root = drawn(CURVE)
    line = corners(group(root, "values").find("path"))
    middle = line[0][1]
    for owner, side in (("first", -1), ("second", 1)):
        paths = list(group(root, owner).iter("path"))
        assert {path.get("style").partition(";")[0] for path in paths} == {f"fill: var(--{owner})"}
        area = [corner for path in paths for corner in corners(path)]
        assert all((y - middle) * side >= -0.01 for _, y in area)
        crossing = (line[1][0] + line[2][0]) / 2
        assert any(x == pytest.approx(crossing, abs=0.01) for x, _ in area)


def test_every_value_tells_itself_and_leads_to_its_move():
    """Each point of the graph has a tooltip and a link to its move."""
    links = [(a.get("href"), a.find("title").text) for a in drawn(CURVE).iter("a")]
    assert sorted(links[:4]) == [(f"#move-{i}", hint) for i, hint in enumerate(CURVE.hints)]
    assert links[4:] == [("#mistake-2", "c & d")]


def test_a_mistake_s_dot_is_on_the_curve():
    """A mistake's dot is at the value after the move."""
    root = drawn(CURVE)
    (dot,) = group(root, "mistakes").iter("path")
    place = re.findall(r"[0-9.]+", dot.get("transform"))
    assert tuple(map(float, place)) == pytest.approx(
        corners(group(root, "values").find("path"))[2], abs=0.01
    )


def test_a_graph_can_stand_in_a_page_with_others():
    """The graph has a label, escapes text, and has neither ids nor external resources."""
    text = graph(CURVE)
    assert 'aria-label="Lead &lt;of&gt; A"' in text
    for word in (" id=", "url(", "xlink", "<use", "font-family"):
        assert word not in text
    assert not re.search("#[0-9a-f]{6}", text)


def test_proven_values_are_marked_and_others_not():
    """The thick line is there only where something before the end is proven."""
    assert "proven values" in graph(CURVE)
    for exact_from in (None, 3):
        assert "proven" not in graph(attrs.evolve(CURVE, exact_from=exact_from))


@pytest.mark.parametrize("count", [2, 3, 9, 10, 400, 12_000])
@pytest.mark.thorough
def test_a_game_of_any_length_has_few_numbers_below(count):
    """Numbers below the graph never run into one another, and everything stays on the sheet."""
    curve = attrs.evolve(
        CURVE, values=[1.0] * count, hints=["x"] * count, marked=[], phases={"opening": 0}
    )
    root = drawn(curve)
    numbers = [t for t in root.iter("text") if re.fullmatch(r"\d+", t.text) and t.text != "0"]
    assert len(numbers) <= 10
    _, _, width, _ = map(float, root.get("viewBox").split())
    assert all(0 <= x <= width for x, _ in corners(group(root, "values").find("path")))


@pytest.mark.parametrize(
    ("value", "most"), [(0, 5), (5, 5), (5.1, 10), (11, 15), (27.5, 30), (41, 50), (420, 500)]
)
def test_axes_end_at_round_numbers(value, most):
    """No smaller than the largest value."""
    assert round_up(value) == most
