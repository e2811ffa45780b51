"""Square and hexagonal boards: points, neighbours, edges, symmetries and vertices.

A *point* is an integer, `row * columns + column`, both counted from zero at the bottom left.
A set of points is a Python integer with bit `point` set: union, intersection and difference
are `|`, `&` and `& ~`, and a step in one direction is one shift of the whole set.

A hexagonal board of side `n` lives in the axial square of `2n - 1` columns and rows: the point in
column `x`, row `y` exists when `|x - y| <= n - 1`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import ClassVar

import attrs

Point = int
Points = int

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # columns; GTP leaves out I
SMALLEST, LARGEST = 3, 25
SMALLEST_SIDE, LARGEST_SIDE = 2, 13


class NoSuchPoint(ValueError):
    """A vertex that is not text for a point of this board.

    `number` is its place, from 1, in a list of moves; None if it was given alone.
    """

    def __init__(self, vertex: str, board: Board, number: int | None = None) -> None:
        place = "" if number is None else f"move {number}: "
        super().__init__(f"{place}{vertex[:40]!r} is not a point of the {board.shape} board")
        self.vertex = vertex
        self.number = number


class BadSize(ValueError):
    """A board size that does not exist."""


def bits(points: Points) -> Iterator[Point]:
    """Yield the points of a set, ascending."""
    while points:
        lowest = points & -points
        yield lowest.bit_length() - 1
        points ^= lowest


@attrs.frozen
class Symmetry:
    """A map of a board onto itself, or of a rectangle onto the rectangle lying on its side."""

    target: Board
    image: tuple[Point, ...]  # by point, its image; -1 for points that do not exist
    transposes: bool  # rows become columns

    def __call__(self, points: Points) -> Points:
        """Return the image of a set of points."""
        return sum(1 << self.image[point] for point in bits(points))


@attrs.frozen
class Board:
    """The base class of both board shapes; create one with `SquareBoard.of` or `HexBoard.of`."""

    columns: int
    rows: int

    STEPS: ClassVar[tuple[tuple[int, int], ...]]  # (columns, rows) from a point to its neighbours

    @classmethod
    def parse(cls, size: str) -> Board:
        """Return the board of a size in the user's notation; raises `BadSize`."""
        raise NotImplementedError

    @classmethod
    def of_array(cls, columns: int, rows: int) -> Board:
        """Return the board in a GTP array of this many columns and rows; raises `BadSize`."""
        raise NotImplementedError

    @property
    def size(self) -> str:
        """The size in the notation that `parse` reads."""
        raise NotImplementedError

    def has(self, column: int, row: int) -> bool:
        """Return whether the point in this column and row exists."""
        raise NotImplementedError

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return all symmetries, the identity first."""
        raise NotImplementedError

    @property
    def shape(self) -> str:
        """The text before the word "board" in a sentence."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.size

    @functools.cached_property
    def points(self) -> Points:
        """All points."""
        return sum(
            1 << row * self.columns + column
            for row in range(self.rows)
            for column in range(self.columns)
            if self.has(column, row)
        )

    @functools.cached_property
    def count(self) -> int:
        """The number of points."""
        return self.points.bit_count()

    @functools.cached_property
    def edge(self) -> Points:
        """The points that have fewer neighbours than a point in the middle."""
        return self.points & ~functools.reduce(
            int.__and__, (self.shift(self.points, *step) for step in self.STEPS)
        )

    @functools.cached_property
    def _shifts(self) -> tuple[tuple[int, Points], ...]:
        """For each step, the shift of a set and the points from which it stays on the array."""
        return tuple(
            (rows * self.columns + columns, self._staying[columns]) for columns, rows in self.STEPS
        )

    @functools.cached_property
    def _staying(self) -> dict[int, Points]:
        """For each step of -1, 0 or 1 columns, the points from which it does not wrap around."""
        all_rows = sum(1 << row * self.columns for row in range(self.rows))
        return {
            step: all_rows
            * sum(1 << c for c in range(self.columns) if 0 <= c + step < self.columns)
            for step in (-1, 0, 1)
        }

    def shift(self, points: Points, columns: int, rows: int) -> Points:
        """Return the set moved right and up by at most one column, without points off the board."""
        offset = rows * self.columns + columns
        moved = points & self._staying[columns]
        return (moved << offset if offset >= 0 else moved >> -offset) & self.points

    def neighbours(self, points: Points) -> Points:
        """Return the points next to at least one point of the set, including those in the set."""
        reached = 0
        for offset, staying in self._shifts:
            moved = points & staying
            reached |= moved << offset if offset > 0 else moved >> -offset
        return reached & self.points

    def flood(self, seed: Points, within: Points) -> Points:
        """Return the points of `within` that are connected, inside it, to a point of `seed`."""
        region = frontier = seed & within
        while frontier:
            frontier = self.neighbours(frontier) & within & ~region
            region |= frontier
        return region

    def components(self, points: Points) -> Iterator[Points]:
        """Yield the maximal connected subsets, ordered by their lowest point."""
        while points:
            component = self.flood(points & -points, points)
            yield component
            points &= ~component

    def at(self, column: int, row: int) -> Point | None:
        """Return the point in a column and row counted from zero, or None if there is none."""
        inside = 0 <= column < self.columns and 0 <= row < self.rows
        return row * self.columns + column if inside and self.has(column, row) else None

    def vertex(self, point: Point) -> str:
        """Return the GTP vertex of a point, such as `D4`."""
        row, column = divmod(point, self.columns)
        return f"{LETTERS[column]}{row + 1}"

    def point(self, vertex: str) -> Point:
        """Return the point that a vertex in either case names; raises `NoSuchPoint`."""
        letter, number = vertex[:1].upper(), vertex[1:]
        point = None
        digits = number.isascii() and number.isdigit() and len(number) < 5
        if letter and letter in LETTERS and digits:
            point = self.at(LETTERS.index(letter), int(number) - 1)
        if point is None:
            raise NoSuchPoint(vertex, self)
        return point

    def vertices(self, points: Points) -> list[str]:
        """Return the vertices of a set, ascending by point."""
        return [self.vertex(point) for point in bits(points)]

    def _symmetry(
        self, target: Board, matrix: tuple[int, int, int, int], transposes: bool
    ) -> Symmetry:
        """Return the linear map (a b; c d) about the centre; doubled coordinates stay integers."""
        a, b, c, d = matrix
        image = []
        for point in range(self.columns * self.rows):
            row, column = divmod(point, self.columns)
            x, y = 2 * column - self.columns + 1, 2 * row - self.rows + 1
            to_column = (a * x + b * y + target.columns - 1) // 2
            to_row = (c * x + d * y + target.rows - 1) // 2
            exists = self.has(column, row)
            image.append(to_row * target.columns + to_column if exists else -1)
        return Symmetry(target, tuple(image), transposes)


@attrs.frozen
class SquareBoard(Board):
    """`columns x rows` points with four neighbours each."""

    STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))

    @classmethod
    @functools.cache
    def of(cls, columns: int, rows: int) -> SquareBoard:
        """Return the one board of this size; raises `BadSize` outside 3x3 to 25x25."""
        if not (SMALLEST <= columns <= LARGEST and SMALLEST <= rows <= LARGEST):
            raise BadSize(
                f"a {columns}x{rows} board does not exist:"
                f" sizes go from {SMALLEST}x{SMALLEST} to {LARGEST}x{LARGEST}"
            )
        return cls(columns, rows)

    @classmethod
    def parse(cls, size: str) -> SquareBoard:
        """Return the board called `13` or `9x7` (columns x rows)."""
        columns, separator, rows = map(str.strip, size.lower().replace("×", "x").partition("x"))
        if not separator:
            rows = columns
        if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in (columns, rows)):
            raise BadSize(f"{size[:40]!r} is not a board size: expected N or WxH, such as 9 or 9x7")
        return cls.of(int(columns), int(rows))

    @classmethod
    def of_array(cls, columns: int, rows: int) -> SquareBoard:
        """Return the board that fills an array of this many columns and rows; raises `BadSize`."""
        return cls.of(columns, rows)

    @property
    def size(self) -> str:
        """The size, such as `13` or `9x7`."""
        square = self.columns == self.rows
        return str(self.columns) if square else self.shape

    @property
    def shape(self) -> str:
        """The columns and rows, such as `13x13` or `9x7`."""
        return f"{self.columns}x{self.rows}"

    def has(self, column: int, row: int) -> bool:  # noqa: ARG002 - the answer is the same
        """Return True: every point of the array exists."""
        return True

    @functools.cache  # noqa: B019 - boards live as long as the process
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return four symmetries that keep rows as rows, then four that transpose."""
        lying = SquareBoard.of(self.rows, self.columns)
        signs = ((1, 1), (-1, 1), (1, -1), (-1, -1))
        return (
            *(self._symmetry(self, (a, 0, 0, d), False) for a, d in signs),
            *(self._symmetry(lying, (0, b, c, 0), True) for b, c in signs),
        )


@attrs.frozen
class HexBoard(Board):
    """A hexagon of `side` points on each of six sides, up to six neighbours a point."""

    STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))

    @classmethod
    @functools.cache
    def of(cls, side: int) -> HexBoard:
        """Return the one board of this side; raises `BadSize` outside 2 to 13."""
        if not SMALLEST_SIDE <= side <= LARGEST_SIDE:
            raise BadSize(
                f"a hexagon of side {side} does not exist:"
                f" sides go from {SMALLEST_SIDE} to {LARGEST_SIDE}"
            )
        return cls(2 * side - 1, 2 * side - 1)

    @classmethod
    def parse(cls, size: str) -> HexBoard:
        """Return the board called by its points per side."""
        if not (size.isascii() and size.isdigit() and len(size) < 4):
            raise BadSize(
                f"{size[:40]!r} is not a board size: expected the points per side, such as 9"
            )
        return cls.of(int(size))

    @classmethod
    def of_array(cls, columns: int, rows: int) -> HexBoard:
        """Return the board of side n for an array of 2n-1 by 2n-1; raises `BadSize`."""
        if columns != rows or columns % 2 == 0:
            raise BadSize(
                f"no hexagon has an array of {columns}x{rows}; for side n it is 2n-1 by 2n-1"
            )
        return cls.of((columns + 1) // 2)

    @property
    def side(self) -> int:
        """The number of points on each of the six sides."""
        return (self.columns + 1) // 2

    @property
    def size(self) -> str:
        """The side as text, such as `9`."""
        return str(self.side)

    @property
    def shape(self) -> str:
        """The side in a sentence, such as `side-9`."""
        return f"side-{self.side}"

    def has(self, column: int, row: int) -> bool:
        """Return whether the point exists: the top left and bottom right corners are cut off."""
        return abs(column - row) < self.side

    @functools.cache  # noqa: B019 - boards live as long as the process
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return six rotations, then six reflections."""
        a, b, c, d = 1, 0, 0, 1
        rotations = []
        for _ in range(6):
            rotations.append((a, b, c, d))
            a, b, c, d = a - c, b - d, a, b  # a sixth of a turn: (x, y) -> (x - y, x)
        mirrors = [(c, d, a, b) for a, b, c, d in rotations]
        return tuple(self._symmetry(self, matrix, False) for matrix in rotations + mirrors)
