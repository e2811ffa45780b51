import re
import xml.etree.ElementTree as ET

import attrs
import pytest

from linage_bot.drawing import INKS, OWNER_INKS, STYLE, Picture
from linage_bot.drawing.palette import ACCENT_ON, INK_ON
from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, Player
from tests.linage_bot.drawing.positions import position_of

SVG = "{http://www.w3.org/2000/svg}"


def picture(position, **choices):
    return ET.fromstring(Picture(position, **choices).svg())


def colour_of(owner):
    return INKS[OWNER_INKS[owner]].light


def stones(root):
    """The circles of the size of a stone."""
    return [circle for circle in root.iter(f"{SVG}circle") if circle.get("r") == "14"]


def centres(root):
    return {(float(stone.get("cx")), float(stone.get("cy"))) for stone in stones(root)}


def test_a_pass_is_not_marked():
    """After a pass the picture is the board alone."""
    position = position_of("leblin", "3", "B2")
    assert Picture(position, last=PASS).svg() == Picture(position).svg()


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("coordinates", [True, False])
def test_every_game_is_drawn_with_one_circle_a_stone(game, coordinates):
    """The image is well-formed, states its size and shows each stone once, inside the sheet."""
    position = position_of(game, "5", "A1 C3 D4", "B2 E5")
    root = picture(position, coordinates=coordinates)
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert len(stones(root)) == 5
    width, height = float(root.get("width")), float(root.get("height"))
    for x, y in centres(root):
        assert 14 < x < width - 14
        assert 14 < y < height - 14


def test_neighbours_on_a_hexagon_are_equally_far():
    """The hexagonal board is drawn in its true shape."""
    position = position_of("gardar", "4", "D4")
    (middle,) = centres(picture(position))
    board = position.game.board
    around = attrs.evolve(position, first=0, second=board.neighbours(position.first))
    distances = [
        ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) ** 0.5 for x, y in centres(picture(around))
    ]
    assert distances == pytest.approx([32] * 6, abs=0.02)


def test_row_one_is_at_the_bottom():
    """A1 is at the bottom left, as in GTP."""
    (low,) = centres(picture(position_of("linage", "9x7", "A1")))
    (high,) = centres(picture(position_of("linage", "9x7", "J7")))
    assert high[0] - low[0] == pytest.approx(8 * 32)
    assert low[1] - high[1] == pytest.approx(6 * 32)


def test_areas_have_their_owners_colours():
    """First's areas are blue and Second's orange; each has a tooltip with its owner."""
    # A wall leaves a column to Vertical; a second one a row to Horizontal.
    position = position_of("linage", "5", "B1 B2 B3 B4 B5 C4 D4 E4")
    paths = list(picture(position).iter(f"{SVG}path"))
    tips = {path.findtext(f"{SVG}title"): path.get("fill") for path in paths}
    assert tips["region, owned by Vertical, 5 points"] == colour_of(Player.FIRST)
    assert tips["region, owned by Horizontal, 3 points"] == colour_of(Player.SECOND)
    assert tips["region, no owner, 9 points"] == colour_of(None)


def test_stones_look_alike_in_games_of_one_colour():
    """Stones differ in colour only in games where their owner matters."""
    for game, colours in (("linage", 1), ("linage-two-color", 2), ("gardar", 2)):
        root = picture(position_of(game, "4", "A1 B2", "C3"))
        fills = {g.get("fill") for g in root.iter(f"{SVG}g") if stones(g)}
        assert len(fills) == colours, game


def test_everything_that_can_be_drawn_on_top_is_drawn():
    """Last move, marks, labels, heat and caption appear; text is escaped."""
    position = position_of("linage", "5", "A1 C3")
    board = position.game.board
    plain = picture(position)
    full = picture(
        position,
        last=board.point("C3"),
        marks={1: "circle", 2: "cross", 3: "square", 4: "triangle"},
        labels={board.point("B2"): "<&>", board.point("C3"): "12"},
        heat={"A5": 1.0, 21: -0.25, 22: 0.0},
        caption='A <b> & "quotes"\x00',
    )

    def count(root, tag):
        return len(list(root.iter(SVG + tag)))

    assert len(stones(full)) == 2
    assert count(full, "circle") - count(plain, "circle") == 2  # the dot, and behind the label
    assert count(full, "path") - count(plain, "path") == 4
    assert count(full, "rect") - count(plain, "rect") == 2
    texts = [text.text for text in full.iter(f"{SVG}text")]
    assert {"<&>", "12", 'A <b> & "quotes" '} <= set(texts)


def test_a_picture_says_what_it_shows():
    """Screen readers get a title."""
    root = picture(position_of("linage", "9x7", "A1"))
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Linage, size 9x7: 1 stone, Vertical to move"
    assert root.findtext(f"{SVG}title") == root.get("aria-label")
    assert picture(position_of("linage", "5"), caption="Hi").get("aria-label") == "Hi"


def test_every_coordinate_is_written_once():
    """Rows and columns have their names, on hexagons too."""
    for game, size, names in (("linage", "4x3", "123ABCD"), ("gardar", "2", "123ABC")):
        texts = [text.text for text in picture(position_of(game, size)).iter(f"{SVG}text")]
        assert sorted(texts) == sorted(names)
        assert not list(picture(position_of(game, size), coordinates=False).iter(f"{SVG}text"))


def test_the_largest_boards_fit():
    """25 columns and 13 points a side are drawn whole."""
    for game, size in (("linage", "25"), ("gardar", "13")):
        start = GAMES[game].configure(size).start()
        full = attrs.evolve(start, first=start.game.board.points)
        root = picture(full)
        assert len(centres(root)) == start.game.board.count == len(list(bits(full.first)))
        assert max(x for x, _ in centres(root)) < float(root.get("width")) - 14


def texts(root):
    return [text.text for text in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_line_is_numbered_stones(game):
    """Each move of a line has its number; a pass has none, and a point is written on once."""
    position = position_of(game, "5", "A1", "B2")
    point = position.game.board.point
    line = (point("C3"), point("D4"), PASS, point("C3"), point("E5"))
    assert texts(picture(position, line=line, coordinates=False)) == ["1", "2", "5"]


def test_moves_of_a_line_show_who_makes_them():
    """Both players' moves differ, even if all stones look alike."""
    for game in ("linage", "leblin"):
        position = position_of(game, "5")
        root = picture(position, line=(0, 1, 2))
        dashed = [c.get("fill") for c in root.iter(f"{SVG}circle") if c.get("stroke-dasharray")]
        assert dashed[0] == dashed[2] != dashed[1]


def test_an_arrow_points_from_here_to_there():
    """An arrow begins at one point, with its tip near the other."""
    position = position_of("linage", "5")
    root = picture(position, arrows=((0, 4), (7, 7)))
    (arrow,) = [path for path in root.iter(f"{SVG}path") if path.get("stroke-width") == "2.8"]
    (x, y), (to_x, to_y) = [
        tuple(map(float, at.split(",")))
        for at in re.findall(r"[-\d.]+,[-\d.]+", arrow.get("d"))[:2]
    ]
    assert y == to_y
    assert to_x - x == pytest.approx(4 * 32 - 16)


def test_weights_are_stronger_for_larger_numbers():
    """The most visited point is the strongest; points without visits are unmarked."""
    root = picture(position_of("gardar", "3"), weights={0: 100, 1: 25, 2: 0})
    cells = [path for path in root.iter(f"{SVG}path") if path.get("opacity")]
    assert [float(path.get("opacity")) for path in cells] == [0.7, 0.39]


def full_picture():
    return Picture(
        position_of("leblin", "5", "A1 C3", "B2"),
        last=12,
        marks={1: "circle"},
        labels={3: "a", 12: "b"},
        heat={20: 1.0, 21: -0.5},
        weights={"C5": 3},
        line=(23, 24),
        arrows=((8, 9),),
        caption="All there is",
    )


def test_every_colour_has_a_dark_one():
    """Each drawn element has a light colour as attribute and a dark one in the style sheet."""
    for element in ET.fromstring(full_picture().svg()).iter():
        if element.tag == f"{SVG}style":
            assert element.text == STYLE
        for name in (element.get("class") or "").split():
            use, ink = re.fullmatch("lb-([fs])-(.+)", name).groups()
            attribute = {"f": "fill", "s": "stroke"}[use]
            assert element.get(attribute) == INKS[ink].light
            assert f".{name}{{{attribute}:{INKS[ink].dark}}}" in STYLE


def luminance(colour):
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("shade", ["light", "dark"])
def test_what_is_written_can_be_read(shade):
    """Text has a contrast of at least 4.5, as accessibility requires; point names have 3."""

    def ratio(one, other):
        return contrast(getattr(INKS[one], shade), getattr(INKS[other], shade))

    fills = ("first-stone", "second-stone", "shared-stone", "first-strong", "second-strong")
    for fill in fills:
        assert ratio(INK_ON[fill], fill) >= 4.5, fill
    assert ratio("ink", "paper") >= 4.5
    assert ratio("grid", "paper") >= 3
    for stone in ("first-stone", "second-stone", "shared-stone"):
        assert ratio(ACCENT_ON[stone], stone) >= 3, stone
    assert ratio("accent", "free") >= 3
    for owner in ("first", "second", "free"):
        assert ratio("ink", owner) >= 4.5, owner


def test_an_unstyled_picture_is_the_same_without_its_style_sheet():
    """A page with many pictures holds the style once."""
    styled, plain = full_picture().svg(), full_picture().svg(styled=False)
    assert styled.replace(f"<style>{STYLE}</style>\n", "") == plain != styled
    assert full_picture().svg() == styled


def test_regions_that_are_counted_are_numbered():
    """In Parity Linage each region has a number, unless labels replace it."""
    position = position_of("linage-parity", "5", "C1 C2 C3 C4 C5")
    assert texts(picture(position, coordinates=False)) == ["1", "2"]
    first, second = (min(bits(area.points)) for area in position.areas())
    assert (first, second) == (position.game.board.point("A1"), position.game.board.point("D1"))
    assert texts(picture(position, coordinates=False, labels={first: "x"})) == ["x"]
    assert texts(picture(position, coordinates=False, areas=())) == []
    uncounted = position_of("linage", "5", "C1 C2 C3 C4 C5")
    assert texts(picture(uncounted, coordinates=False)) == []


def test_lifelines_are_dots():
    """Both players' lifelines are dots side by side, without coloured cells."""
    root = picture(position_of("leblin", "5", "A1", "E5"))
    dots = {
        group.get("fill"): {
            (float(dot.get("cx")), float(dot.get("cy"))) for dot in group.iter(f"{SVG}circle")
        }
        for group in root.iter(f"{SVG}g")
        if group.findtext(f"{SVG}title", "").startswith("lifeline, owned by")
    }
    first, second = (dots[INKS[ink].light] for ink in ("first-strong", "second-strong"))
    assert len(first) == len(second) == 8
    assert len(first & {(x - 10, y) for x, y in second}) == 2  # where they cross, at A5 and E1
    colours = {path.get("fill") for path in root.iter(f"{SVG}path")}
    assert colours.isdisjoint({colour_of(player) for player in Player})
