"""The rules once more, slowly and obviously: sets of (column, row), one point after the other.

Nothing here is shared with the package but the reading of a position into two sets.
"""

from collections.abc import Iterable

from linage_bot.rules.boards import Board, bits
from linage_bot.rules.game import Position

XY = tuple[int, int]

SQUARE = ((1, 0), (-1, 0), (0, 1), (0, -1))
HEXAGON = (*SQUARE, (1, 1), (-1, -1))


def cells(board: Board, points: int) -> set[XY]:
    """A set of points as columns and rows."""
    return {(point % board.columns, point // board.columns) for point in bits(points)}


def own_enemy_empty(position: Position) -> tuple[set[XY], set[XY], set[XY]]:
    """The stones of the player to move, the opponent's, and the empty points."""
    board = position.game.board
    stones = cells(board, position.first), cells(board, position.second)
    empty = cells(board, board.points) - stones[0] - stones[1]
    return stones[position.to_move], stones[position.to_move.other], empty


def around(xy: XY, steps: Iterable[XY]) -> set[XY]:
    """The neighbours of a point, on the board or not."""
    return {(xy[0] + x, xy[1] + y) for x, y in steps}


def parts(cells: set[XY], steps: Iterable[XY]) -> list[set[XY]]:
    """The maximal connected subsets."""
    steps, left, found = tuple(steps), set(cells), []
    while left:
        part, todo = set(), [left.pop()]
        while todo:
            xy = todo.pop()
            part.add(xy)
            near = around(xy, steps) & left
            left -= near
            todo += near
        found.append(part)
    return found


def has_line(region: set[XY], line: int, x: int, y: int) -> bool:
    """Whether `line` points in the direction (x, y) are all in the region."""
    return any(
        all((column + x * i, row + y * i) in region for i in range(line)) for column, row in region
    )


def owner(region: set[XY], line: int) -> str:
    """Return the owner of a region: `vertical`, `horizontal` or `free`."""
    if not has_line(region, line, 1, 0):
        return "vertical"
    return "free" if has_line(region, line, 0, 1) else "horizontal"


def strands(empty: set[XY], xy: XY, line: int) -> bool:
    """Whether a stone would leave some region without a line."""
    return any(
        not has_line(region, line, 1, 0) and not has_line(region, line, 0, 1)
        for region in parts(empty - {xy}, SQUARE)
    )


def parity_allows(empty: set[XY], xy: XY, n: int) -> bool:
    """Whether a stone keeps the number of regions, and more than `n` points in each."""
    before, after = parts(empty, SQUARE), parts(empty - {xy}, SQUARE)
    return len(after) >= len(before) and all(len(region) > n for region in after)


def has_lifeline(board: Board, stone: XY, own: set[XY], empty: set[XY]) -> bool:
    """Whether empty points, at least one, lead straight to the edge or a friendly stone."""
    for x, y in SQUARE:
        column, row, run = stone[0] + x, stone[1] + y, 0
        while (column, row) in empty:
            column, row, run = column + x, row + y, run + 1
        off = not (0 <= column < board.columns and 0 <= row < board.rows)
        if run and (off or (column, row) in own):
            return True
    return False


def lifeless_groups(board: Board, own: set[XY], empty: set[XY]) -> list[set[XY]]:
    """The groups without a lifeline."""
    return [
        group
        for group in parts(own, SQUARE)
        if not any(has_lifeline(board, stone, own, empty) for stone in group)
    ]


def leblin_turn(position: Position, xy: XY) -> tuple[set[XY], set[XY], bool, bool]:
    """Own and enemy stones after a placement, whether it is minimal, and whether one lives."""
    own, enemy, empty = own_enemy_empty(position)
    (region,) = [region for region in parts(empty, SQUARE) if xy in region]
    beside = {cell for point in region for cell in around(point, SQUARE)}
    incursion = bool(beside & enemy) and not beside & own
    own, empty = own | {xy}, empty - {xy}
    killed = lifeless_groups(position.game.board, enemy, empty)
    for group in killed:
        enemy, empty = enemy - group, empty | group
    minimal = incursion and len(killed) == 1
    return own, enemy, minimal, not lifeless_groups(position.game.board, own, empty)


def gardar_turn(position: Position, xy: XY) -> tuple[set[XY], set[XY]]:
    """Own and enemy stones after a placement."""
    own, enemy, empty = own_enemy_empty(position)
    own, empty = own | {xy}, empty - {xy}
    edge = cells(position.game.board, position.game.board.edge)
    enclosures = [region for region in parts(empty, HEXAGON) if not region & edge]
    dead = set()
    for stone in enemy:
        mine = theirs = 0
        for enclosure in enclosures:
            if not around(stone, HEXAGON) & enclosure:
                continue
            beside = {cell for point in enclosure for cell in around(point, HEXAGON)}
            mine += len(beside & own) > len(beside & enemy)
            theirs += len(beside & own) <= len(beside & enemy)
        if mine and not theirs:
            dead.add(stone)
    for group in parts(enemy, HEXAGON):
        if not any(around(stone, HEXAGON) & empty for stone in group):
            dead |= group
    return own, enemy - dead


def perimeter_loop(board: Board, group: set[XY]) -> set[XY]:
    """The rim stones next to a component, without the rim, that has a point of a hole."""
    points, edge = cells(board, board.points), cells(board, board.edge)
    holes = [hole for hole in parts(points - group, HEXAGON) if not hole & edge]
    if not holes:
        return set()
    inside = group.union(*holes)
    rim = {stone for stone in group if stone in edge or around(stone, HEXAGON) & (points - inside)}
    kept = [part for part in parts(points - rim, HEXAGON) if part & set().union(*holes)]
    return {stone for stone in rim if any(around(stone, HEXAGON) & part for part in kept)}
