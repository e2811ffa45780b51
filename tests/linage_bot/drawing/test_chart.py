"""A value as it changed, drawn by hand."""

import re
import xml.etree.ElementTree as ET

import pytest

from linage_bot.drawing.chart import GraphPoint, chart


def drawn(*values, **more):
    moments = [
        GraphPoint(value, f"value {value}", f"/games/{i}", **more) for i, value in enumerate(values)
    ]
    return ET.fromstring(chart("A <name>", moments, "begin", "now"))


def heights(root):
    """Return the heights of the line's corners, from the top."""
    line = next(path for path in root.iter("path") if path.get("stroke-width") == "1.5")
    return [float(y) for y in re.findall(r",([-\d.]+)", line.get("d"))]


@pytest.mark.parametrize(
    "values", [(1500, 1500), (1500, 1500.4), (1242, 1500, 1712), (-3, 12345), (0, -700, 3)]
)
def test_a_larger_value_stands_higher_between_round_numbers(values):
    """Which are few, and enclose all values."""
    root = drawn(*values)
    ys = heights(root)
    for one, other, y, z in zip(values, values[1:], ys, ys[1:], strict=False):
        assert (one < other) == (z < y) or abs(one - other) < 1
    numbers = [
        float(text.text)
        for text in root.iter("text")
        if text.get("text-anchor") == "end" and text.text != "now"
    ]
    assert 2 <= len(numbers) <= 7
    assert numbers[0] <= min(values)
    assert max(values) <= numbers[-1]


def test_every_moment_tells_its_value_and_leads_somewhere():
    """Each point has its value as a tooltip and a link; the chart's label is escaped."""
    root = drawn(1, 2, 3)
    assert root.get("aria-label") == "A <name>"
    links = {link.get("href"): link.find("title").text for link in root.iter("a")}
    assert links == {"/games/0": "value 1", "/games/1": "value 2", "/games/2": "value 3"}


def test_of_many_moments_some_are_led_to():
    """The last among them: a strip is never too narrow to be hit."""
    links = [link.get("href") for link in drawn(*range(1000)).iter("a")]
    assert 100 < len(links) <= 160
    assert links[0] == "/games/999"


def test_what_is_not_sure_is_dashed():
    """The curve is dashed up to the first certain value."""
    dashed = [path for path in drawn(1, 2, sure=False).iter("path") if path.get("stroke-dasharray")]
    assert len(dashed) == 1
    assert not any(path.get("stroke-dasharray") for path in drawn(1, 2).iter("path"))
