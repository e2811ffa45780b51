import xml.etree.ElementTree as ET

import attrs
import pytest

from linage_bot.boards import bits
from linage_bot.game import PASS, Player
from linage_bot.games import GAMES
from linage_bot.pictures import OWNER_COLOURS, as_svg, as_text

SVG = "{http://www.w3.org/2000/svg}"


def position_of(game, size, first="", second="", **options):
    """A position with these stones."""
    made = GAMES[game].configure(size, None, options)
    stones = [
        sum(1 << made.board.point(vertex) for vertex in side.split()) for side in (first, second)
    ]
    return attrs.evolve(made.start(), first=stones[0], second=stones[1])


def picture(position, **choices):
    return ET.fromstring(as_svg(position, **choices))


def stones(root):
    """The circles of the size of a stone."""
    return [circle for circle in root.iter(f"{SVG}circle") if circle.get("r") == "14"]


def centres(root):
    return {(float(stone.get("cx")), float(stone.get("cy"))) for stone in stones(root)}


TEXTS = [
    (
        position_of("linage", "3", "A1", "C3"),
        None,
        """\
  3 . . X
  2 . . .
  1 X . .
    A B C""",
    ),
    (
        position_of("linage-two-color", "4x3", "A1 B2", "D3 C2"),
        "D3",
        """\
  3 . . .(O)
  2 . X O .
  1 X . . .
    A B C D""",
    ),
    (
        position_of("linage-two-color", "3x10", "A10", "B1"),
        "A10",
        """\
 10(X). .
  9 . . .
  8 . . .
  7 . . .
  6 . . .
  5 . . .
  4 . . .
  3 . . .
  2 . . .
  1 . O .
    A B C""",
    ),
    (
        position_of("gardar", "3", "A1 C5", "E3 D2"),
        "D2",
        """\
    5 X . .
   4 . . . .
  3 . . . . O
   2 . . .(O)E
    1 X . . D
       A B C""",
    ),
]


@pytest.mark.parametrize(("position", "last", "text"), TEXTS)
def test_text(position, last, text):
    """A board in text shows every point where a reader expects it."""
    point = None if last is None else position.game.board.point(last)
    assert as_text(position, point) == text


def test_a_pass_is_not_marked():
    """After a pass the text is the board alone."""
    position = position_of("leblin", "3", "B2")
    assert as_text(position, PASS) == as_text(position)
    assert as_svg(position, last=PASS) == as_svg(position)


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
    """Blue is First's, orange Second's; each area tells its owner to those who point at it."""
    # A wall leaves a column to Vertical; a second one a row to Horizontal.
    position = position_of("linage", "5", "B1 B2 B3 B4 B5 C4 D4 E4")
    paths = list(picture(position).iter(f"{SVG}path"))
    tips = {path.findtext(f"{SVG}title"): path.get("fill") for path in paths}
    assert tips["region, owned by Vertical, 5 points"] == OWNER_COLOURS[Player.FIRST]
    assert tips["region, owned by Horizontal, 3 points"] == OWNER_COLOURS[Player.SECOND]
    assert tips["region, no owner, 9 points"] == OWNER_COLOURS[None]


def test_stones_look_alike_in_games_of_one_colour():
    """Who placed a stone is not shown where it has no meaning."""
    for game, colours in (("linage", 1), ("linage-two-color", 2), ("gardar", 2)):
        root = picture(position_of(game, "4", "A1 B2", "C3"))
        assert len({stone.get("fill") for stone in stones(root)}) == colours, game


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
        heat={20: 1.0, 21: -0.25, 22: 0.0},
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
