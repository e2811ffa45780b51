"""Points, neighbours, edges, vertices and symmetries of both shapes of board."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linage_bot.rules.boards import BadSize, Board, HexBoard, NoSuchPoint, SquareBoard, bits

SQUARES = [SquareBoard.of(3, 3), SquareBoard.of(5, 4), SquareBoard.of(9, 9), SquareBoard.of(25, 3)]
HEXAGONS = [HexBoard.of(2), HexBoard.of(3), HexBoard.of(5), HexBoard.of(13)]
BOARDS = SQUARES + HEXAGONS
each_board = pytest.mark.parametrize("board", BOARDS, ids=lambda b: f"{type(b).__name__}-{b}")


def neighbours_by_distance(board: Board, point: int) -> set[int]:
    """The obvious way: look at every point of the board and measure."""
    row, column = divmod(point, board.columns)
    found = set()
    for other in bits(board.points):
        other_row, other_column = divmod(other, board.columns)
        x, y = other_column - column, other_row - row
        # On axial axes the distance is the largest of |x|, |y|, |x - y|; on squares |x| + |y|.
        far = max(abs(x), abs(y), abs(x - y)) if isinstance(board, HexBoard) else abs(x) + abs(y)
        if far == 1:
            found.add(other)
    return found


@each_board
def test_neighbours_are_the_points_at_distance_one(board: Board) -> None:
    """A stone touches the points next to it and nothing across the edge of the array."""
    for point in bits(board.points):
        assert set(bits(board.neighbours(1 << point))) == neighbours_by_distance(board, point)


@each_board
def test_the_edge_lacks_neighbours(board: Board) -> None:
    """Edge points are exactly those with fewer neighbours than the shape allows."""
    full = len(board.STEPS)
    edge = {p for p in bits(board.points) if len(neighbours_by_distance(board, p)) < full}
    assert set(bits(board.edge)) == edge


@pytest.mark.parametrize("side", range(2, 14))
def test_a_hexagon_has_as_many_points_as_its_formula_says(side: int) -> None:
    """Side n has 3n(n-1)+1 points in an array of 2n-1, and six sides of n points."""
    board = HexBoard.of(side)
    assert board.count == 3 * side * (side - 1) + 1
    assert board.edge.bit_count() == 6 * (side - 1)
    assert (board.columns, board.rows, board.side) == (2 * side - 1, 2 * side - 1, side)
    assert HexBoard.of_array(board.columns, board.rows) is board


@each_board
def test_vertices_name_every_point_once(board: Board) -> None:
    """Writing a vertex and reading it back, in either case, gives the same point."""
    vertices = board.vertices(board.points)
    assert len(set(vertices)) == board.count
    for vertex, point in zip(vertices, bits(board.points), strict=True):
        assert board.point(vertex) == board.point(vertex.lower()) == point


@pytest.mark.parametrize(
    ("vertex", "row", "column"),
    [("A1", 0, 0), ("H1", 0, 7), ("J1", 0, 8), ("j9", 8, 8), ("A9", 8, 0)],
)
def test_vertices_leave_out_the_letter_i(vertex: str, row: int, column: int) -> None:
    """A1 is at the bottom left, and J follows H."""
    assert SquareBoard.of(9, 9).point(vertex) == row * 9 + column


@pytest.mark.parametrize(
    "vertex",
    [
        *("", "A", "1", "I5", "K1", "A0", "A10", "A-1", "A1 ", "AA1", "A٣", "A1.0", "A00010"),
        *("pass", "É1"),
    ],
)
def test_a_vertex_off_the_board_is_bad_input(vertex: str) -> None:
    """A name of no point raises `NoSuchPoint`, not another error."""
    with pytest.raises(NoSuchPoint) as caught:
        SquareBoard.of(9, 9).point(vertex)
    assert caught.value.vertex == vertex


@pytest.mark.parametrize("vertex", ["A4", "A5", "B5", "D1", "E1", "E2"])
def test_the_cut_corners_of_a_hexagon_are_no_points(vertex: str) -> None:
    """Top left and bottom right of the array do not exist."""
    with pytest.raises(NoSuchPoint):
        HexBoard.of(3).point(vertex)


@settings(deadline=None)  # a busy machine is no failure
@given(st.text(max_size=6), st.sampled_from(BOARDS))
def test_any_text_is_a_point_or_refused(text: str, board: Board) -> None:
    """No text at all crashes the reading of a vertex."""
    try:
        point = board.point(text)
    except NoSuchPoint:
        return
    assert board.vertex(point) == text.upper()


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_a_size_reads_back(board: Board) -> None:
    """`size` is what `parse` reads."""
    assert type(board).parse(board.size) is board


@pytest.mark.parametrize(
    ("text", "columns", "rows"), [("13", 13, 13), ("9x7", 9, 7), ("3X25", 3, 25), ("9 × 7 ", 9, 7)]
)
def test_sizes_of_squares(text: str, columns: int, rows: int) -> None:
    """`N` is a square, `WxH` has W columns and H rows."""
    board = SquareBoard.parse(text)
    assert (board.columns, board.rows) == (columns, rows)


@pytest.mark.parametrize("text", ["", "2", "26", "3x2", "x", "9x", "x9", "-9", "9.0", "9x9x9", "²"])
def test_squares_that_do_not_exist(text: str) -> None:
    """A size outside 3x3 to 25x25, or none at all, is refused."""
    with pytest.raises(BadSize):
        SquareBoard.parse(text)


@pytest.mark.parametrize("text", ["", "1", "14", "3x3", "-2", "2.0"])
def test_hexagons_that_do_not_exist(text: str) -> None:
    """A side outside 2 to 13 is refused."""
    with pytest.raises(BadSize):
        HexBoard.parse(text)


@pytest.mark.parametrize(("columns", "rows"), [(4, 4), (5, 7), (1, 1), (27, 27)])
def test_arrays_that_hold_no_hexagon(columns: int, rows: int) -> None:
    """Hexagons live in odd squares of 3 to 25."""
    with pytest.raises(BadSize):
        HexBoard.of_array(columns, rows)


@each_board
def test_symmetries_keep_what_is_next_to_what(board: Board) -> None:
    """Every symmetry carries the points onto the target's points, and neighbours to neighbours."""
    for symmetry in board.symmetries():
        assert symmetry(board.points) == symmetry.target.points
        for point in bits(board.points):
            around = symmetry(board.neighbours(1 << point))
            assert around == symmetry.target.neighbours(symmetry(1 << point))


@each_board
def test_symmetries_are_all_there(board: Board) -> None:
    """Eight of a square (four of them lying on the side), twelve of a hexagon, identity first."""
    symmetries = board.symmetries()
    assert len({(s.target, s.image) for s in symmetries}) == len(symmetries)
    assert len(symmetries) == (12 if isinstance(board, HexBoard) else 8)
    assert symmetries[0](board.points & 0b111) == board.points & 0b111
    assert symmetries[0].target is board


@pytest.mark.parametrize("board", SQUARES, ids=str)
def test_transposing_symmetries_turn_rows_into_columns(board: Board) -> None:
    """A symmetry transposes exactly if it puts a row's first two points above each other."""
    for symmetry in board.symmetries():
        first, second = symmetry.image[0], symmetry.image[1]
        assert (abs(first - second) == symmetry.target.columns) is symmetry.transposes


@settings(deadline=None)  # a busy machine is no failure
@given(st.sampled_from(BOARDS), st.data())
def test_components_part_the_set(board: Board, data: st.DataObject) -> None:
    """Components are disjoint, make up the set, and do not touch one another."""
    points = data.draw(st.integers(0, board.points)) & board.points
    rest = points
    for component in board.components(points):
        assert component
        assert component & rest == component
        rest &= ~component
        assert board.neighbours(component) & points & ~component == 0
        assert board.flood(component & -component, points) == component
    assert rest == 0
