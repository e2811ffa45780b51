"""The pictures of the documentation: current, all there, all used, and true."""

import importlib.util
import re
import sys
from pathlib import Path

import attrs
import pytest

from linage_bot.rules.boards import bits
from linage_bot.rules.game import Player
from linage_bot.rules.leblin import lifelines
from linage_bot.teaching.leblin import incursion

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"

_spec = importlib.util.spec_from_file_location("draw", ROOT / "docs" / "draw.py")
assert _spec is not None
assert _spec.loader is not None
draw = importlib.util.module_from_spec(_spec)
sys.modules["draw"] = draw
_spec.loader.exec_module(draw)


def pages() -> list[Path]:
    """The Markdown files that readers of the project get."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def referenced(page: Path) -> set[Path]:
    """The images a page shows."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    names = re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)|<img[^>]+src=\"([^\"]+)\"", text)
    links = [first or second for first, second in names]
    return {(page.parent / link).resolve() for link in links if "://" not in link}


def drawn(name: str):
    """A drawing and its board."""
    made = draw.DRAWINGS[name]()
    return made, made.position, made.position.game.board


def test_the_images_are_current(tmp_path: Path) -> None:
    """`python docs/draw.py` gives exactly the committed files; else run it and look at them."""
    draw.main(tmp_path)
    fresh = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    # A checkout on Windows may have other line ends.
    kept = {file.name: file.read_bytes().replace(b"\r\n", b"\n") for file in IMAGES.glob("*.svg")}
    # `test_hosting.py` and `test_outline.py` check two others; that of `benchmarks/calibration.py`
    # needs thousands of games.
    for name in ("hosting.svg", "floors.svg", "reliability.svg"):
        del kept[name]
    assert sorted(fresh) == sorted(kept)
    for name, content in fresh.items():
        assert kept[name] == content, name


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_shows_images_that_exist(page: Path) -> None:
    """No page has a broken image."""
    assert [image for image in referenced(page) if not image.is_file()] == []


def test_every_image_is_shown() -> None:
    """No image lies around that no page shows."""
    shown = set().union(*map(referenced, pages()))
    assert {image.resolve() for image in IMAGES.iterdir()} - shown == set()


def test_the_readme_s_position() -> None:
    """The first picture has owned regions of both players and a free one to fight on."""
    _, position, _ = drawn("position")
    assert {area.owner for area in position.areas()} == {Player.FIRST, Player.SECOND, None}


def test_linage_stranding_is_about_lines() -> None:
    """Each crossed point is refused because a region would lack a line."""
    made, position, board = drawn("linage-stranding")
    assert board.vertices(sum(1 << point for point in made.marks)) == ["B1", "C1"]
    assert all("without a line" in position.why_illegal(point) for point in made.marks)


def test_two_color_scores_what_is_circled() -> None:
    """The circled stones are the score of the position, apart from komi."""
    made, position, _ = drawn("linage-two-color")
    assert not position.placements()
    counts = [
        sum(stones >> p & 1 for p in made.marks) for stones in (position.first, position.second)
    ]
    assert (counts[0], counts[1] + position.game.komi) == position.scores()


def test_parity_counts_every_region() -> None:
    """The numbers go up to the number of regions, which is odd, so First has won."""
    made, position, _ = drawn("linage-parity")
    assert sorted(made.labels.values()) == ["1", "2", "3", "4", "5"]
    assert position.over
    assert position.result().winner is Player.FIRST


def test_leblin_lifelines() -> None:
    """The coloured lifelines are some of those the rules know, and the cross is on none."""
    made, position, board = drawn("leblin-lifelines")
    (area,) = made.areas
    black = lifelines(board, position.first, position.second)
    assert area.points & ~black == 0
    assert board.vertices(area.points) == ["A4", "B4", "C4", "D5", "E5", "E6", "E7"]
    assert not black >> board.point("E3") & 1


def test_leblin_captures() -> None:
    """Cutting the lifeline from afar removes the stone on C4."""
    _, before, board = drawn("leblin-capture")
    _, after, _ = drawn("leblin-captured")
    assert board.vertices(before.second & ~after.second) == ["C4"]


def test_leblin_forbids_retaking() -> None:
    """White takes three stones; Black may not take back on C5, D5 or E5, and could otherwise."""
    position, point = incursion()
    board, after = position.game.board, position.play(point)
    assert board.vertices(position.first & ~after.first) == ["C5", "D5", "E5"]
    made, _, _ = drawn("leblin-no-retaking")
    assert board.vertices(sum(1 << p for p in made.marks)) == ["C5", "D5", "E5"]
    free = attrs.evolve(after, after_minimal=False)
    for answer in made.marks:
        assert board.vertices(after.second & ~free.play(answer).second) == ["B5"]


def test_gardar_control_and_death() -> None:
    """Enclosures belong to whom the page says, and the crossed stone goes with the next turn."""
    _, position, board = drawn("gardar-control")
    owners = {board.vertex(next(bits(a.points))): a.owner for a in position.areas()}
    assert owners == {"C5": Player.FIRST, "G5": None}
    made, position, board = drawn("gardar-dead")
    after = position.play(board.point("A1"))
    crossed = [point for point, mark in made.marks.items() if mark == "cross"]
    assert list(bits(position.second & ~after.second)) == crossed
    assert board.vertices(1 << crossed[0]) == ["C4"]


@pytest.mark.parametrize(
    ("name", "stones", "loops"), [("gardar-ring", 6, 6), ("gardar-solid", 18, 12)]
)
def test_gardar_loops(name: str, stones: int, loops: int) -> None:
    """Both shapes score 6: loop stones minus surplus stones."""
    made, position, _ = drawn(name)
    assert position.stones.bit_count() == stones
    assert len(made.marks) == loops
    assert position.scores() == (6.0, 0.0)
