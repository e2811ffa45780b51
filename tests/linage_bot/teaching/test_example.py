"""Pictures of the rules: with every option they are correct and beside the right text.

What their words claim is checked by slow rules.
"""

import re

import attrs
import pytest

from linage_bot.rules import GAMES
from linage_bot.rules.boards import LETTERS, SquareBoard, bits
from linage_bot.rules.game import Game, Player
from linage_bot.rules.gardar import Gardar
from linage_bot.rules.leblin import Leblin
from linage_bot.rules.linage import Linage
from linage_bot.rules.line_games import LineGame
from linage_bot.rules.parity_linage import ParityLinage
from linage_bot.rules.two_color_linage import TwoColorLinage
from linage_bot.teaching import Example, examples_of, explained
from tests.linage_bot.rules import slow_rules as slow
from tests.linage_bot.rules.slow_rules import SQUARE
from tests.linage_bot.rules.test_rules_in_words import set_otherwise
from tests.linage_bot.teaching.test_lesson import two_color_stones


def games() -> list[Game]:
    """Every game with its options as they are, and with each at other values, alone and paired."""
    found = [kind.configure() for kind in GAMES.values()]
    found += [game for id_ in GAMES for _, game in set_otherwise(id_)]
    found += [
        Linage.configure(options={"line": str(line), "edition": "2016"}) for line in (2, 4, 5)
    ]
    found += [
        TwoColorLinage.configure(options={"line": "2", "count_regions": "on"}),
        TwoColorLinage.configure(options={"line": "5"}),
        ParityLinage.configure("25", options={"n": "600"}),
        *(ParityLinage.configure(options={"n": str(n)}) for n in (1, 2, 3)),
        ParityLinage.configure(options={"n": "7", "condition": "line"}),
    ]
    return found


def in_words(game: Game) -> str:
    return f"{game.id}-{'-'.join(game.settings().values())}"


each = pytest.mark.parametrize("game", games(), ids=in_words)


def named(game: Game, name: str) -> Example:
    (example,) = (example for example in examples_of(game) if example.name == name)
    return example


def having(mark: str, example: Example) -> int:
    """The points with a mark."""
    return sum(1 << point for point, kind in example.picture.marks.items() if kind == mark)


@each
def test_every_picture_stands_with_one_paragraph(game: Game) -> None:
    """With any options, each picture occurs in exactly one paragraph."""
    shown = [example.name for each in explained(game, pie=True) for example in each.examples]
    assert sorted(shown) == sorted(example.name for example in examples_of(game))
    assert len(set(shown)) == len(shown) >= 2


@each
def test_a_picture_is_of_the_game_with_its_options(game: Game) -> None:
    """Pictures are of possible positions on small boards with the game's options."""
    for example in examples_of(game):
        position = example.picture.position
        options = {**game.settings()}
        if options.get("n", "0") not in ("0", "1", "2", "3", "4"):
            assert "on this small board" in example.words.lower() or example.name != "refused"
            options["n"] = "2"
        assert position.game.settings() == options
        assert position.game.board.count <= 121
        assert position.why_impossible() is None
        assert example.picture.caption
        for vertex in re.findall(rf"\b[{LETTERS}]\d+\b", example.words):
            position.game.board.point(vertex)
        assert "<svg" in example.picture.svg()


@each
def test_crosses_are_where_no_stone_may_be(game: Game) -> None:
    """Crosses mark all closed points, including the one that the text mentions."""
    for example in examples_of(game):
        if example.name not in ("stranding", "refused", "closed"):
            continue
        position = example.picture.position
        crossed = having("cross", example)
        assert crossed
        assert crossed == position.empty & ~position.placements()
        told = re.match(r".*?A stone on (\w+) would", example.words)
        if told:
            board = position.game.board
            point = board.point(told[1])
            assert crossed >> point & 1
            left = re.search(r"(?:cut off|leave) ((?:\w\d+(?:, | and )?)+)", example.words)
            assert left is not None
            obstacle = position.obstacle(point)
            assert obstacle is not None
            assert re.findall(r"\w\d+", left[1]) == board.vertices(obstacle.points)


@pytest.mark.parametrize("line", range(2, 6))
@pytest.mark.parametrize("kind", [Linage, TwoColorLinage])
def test_regions_of_each_kind(kind: type[LineGame], line: int) -> None:
    """Owned as the words say, for every length of line."""
    example = named(kind.configure(options={"line": str(line)}), "regions")
    position = example.picture.position
    empty = slow.cells(position.game.board, position.empty)
    owners = {slow.owner(part, line): len(part) for part in slow.parts(empty, SQUARE)}
    assert set(owners) == {"vertical", "horizontal", "free"}
    assert f"Vertical owns its {owners['vertical']} points" in example.words
    assert f"Horizontal owns its {owners['horizontal']} points" in example.words


def test_what_an_edition_closes() -> None:
    """The picture shows the closed regions of each edition."""
    board = SquareBoard.of(7, 7)
    for edition, words in (("current", "closed to both"), ("2016", "Only Horizontal's")):
        example = named(Linage.configure(options={"edition": edition}), "closed")
        assert words in example.words
        owners = {
            area.owner
            for area in example.picture.position.areas()
            if area.points & having("cross", example)
        }
        assert owners == {Player.SECOND} | ({Player.FIRST} if edition == "current" else set())
        assert example.picture.position.game.board == board


@pytest.mark.parametrize("options", [{}, {"count_regions": "on"}, {"line": "5"}, {"line": "2"}])
def test_what_scores_in_two_colours(options: dict[str, str]) -> None:
    """Circles are the stones that score; the numbers in the words are theirs."""
    example = named(TwoColorLinage.configure(options=options), "scoring")
    position = example.picture.position
    circled = having("circle", example)
    stones = [(circled & each).bit_count() for each in (position.first, position.second)]
    if not options.get("line"):  # the slow rule knows lines of three
        assert stones == [two_color_stones(position, player) for player in Player]
    assert f"Vertical has {stones[0]} points" in example.words
    assert f"Horizontal has {stones[1]} points" in example.words
    scores = position.scores()
    assert scores is not None
    assert f"komi {scores[1]:g}." in example.words
    if options.get("count_regions"):
        assert f"so {scores[0]:g};" in example.words


@pytest.mark.parametrize("options", [{}, {"n": "3"}, {"condition": "line"}, {"n": "50"}])
def test_parity_is_counted(options: dict[str, str]) -> None:
    """The numbers are those of the regions, and odd."""
    example = named(ParityLinage.configure(options=options), "count")
    position = example.picture.position
    count = len(slow.parts(slow.cells(position.game.board, position.empty), SQUARE))
    seen = attrs.evolve(example.picture, coordinates=False, caption=None).svg()
    assert re.findall(r">(\d+)</text>", seen) == [str(n) for n in range(1, count + 1)]
    words = "the number is odd, so First would have won if the game ended here"
    assert example.words == f"{count} regions: {words}."
    assert position.result().winner is Player.FIRST


def test_leblin_s_pictures() -> None:
    """The pictures show lifelines, a distant capture, a minimal incursion and its limits."""
    game = Leblin.configure()
    capture = named(game, "capture").picture
    (point,) = capture.labels
    board = capture.position.game.board
    after = named(game, "captured").picture.position
    assert capture.position.play(point) == after
    assert board.vertices(capture.position.second & ~after.second) == ["C4"]
    for vertex in ("C2", "C3"):
        assert capture.position.play(board.point(vertex)).second == after.second
    retaking = named(game, "no-retaking").picture
    crossed = having("cross", named(game, "no-retaking"))
    assert board.vertices(crossed) == ["C5", "D5", "E5"]
    for point in bits(crossed):
        free = attrs.evolve(retaking.position, after_minimal=False).play(point)
        assert board.vertices(retaking.position.second & ~free.second) == ["B5"]
    quiet = retaking.position.play(board.point("E4"))
    assert quiet.second == retaking.position.second
    stone = (1, 1)
    _, white, empty = slow.own_enemy_empty(attrs.evolve(after, to_move=Player.FIRST))
    assert stone in white
    open_ways = set()
    for name, (x, y) in zip(("right", "left", "up", "down"), SQUARE, strict=True):
        column, row, run = stone[0] + x, stone[1] + y, 0
        while (column, row) in empty:
            column, row, run = column + x, row + y, run + 1
        if run and not (0 <= column < 5 and 0 <= row < 5):
            open_ways.add(name)
    assert open_ways == {"left", "right", "down"}
    assert "to the left, to the right and down" in named(game, "captured").words


def test_gardar_s_pictures() -> None:
    """The pictures show control of points and the values of loops."""
    game = Gardar.configure()
    control = named(game, "control").picture.position
    board = control.game.board
    for vertex, counts in (("C5", (4, 2)), ("G5", (3, 3))):
        beside = board.neighbours(1 << board.point(vertex))
        assert tuple(
            (beside & stones).bit_count() for stones in (control.first, control.second)
        ) == (counts)
    for name, count in (("ring", 6), ("solid", 18)):
        picture = named(game, name).picture
        assert picture.position.first.bit_count() == count
        assert picture.position.scores() == (6, 0)


def test_a_game_that_teaches_nothing_still_has_its_rules() -> None:
    """Paragraphs without pictures."""

    class Added(Leblin):
        __module__ = "linage_bot.rules.added"

    game = Added(SquareBoard.of(9, 9), 0)
    told = explained(game, pie=False)
    assert tuple(each.text for each in told) == game.rules()
    assert not any(each.examples for each in told)
