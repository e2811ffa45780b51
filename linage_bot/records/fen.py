"""A position as a line of text, and back, without any loss for the rules.

    linage 5/2x2/1o3/5/5 o komi=0.5 line=4 passes=1

The game; its rows from the top, divided by `/`, in which `x` is a stone of First's, `o` one of
Second's and a number a run of empty points (the board's size follows from them; a hexagon has only
the points that exist); the player to move, `x` or `o`; then words in any order: the komi, the
options, and the facts about the past that the rules need. Values at their defaults are left out,
except the komi, which is given in every game that has one. docs/ugi.md describes all words.

Gardar's past boards are written as the turns that led to them, oldest first: the point of the
stone, each stone it took off behind a `-`, or `pass`. So each board follows from the one after it.
`?` replaces an oldest turn of which only the board after it is known.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import attrs

from linage_bot.rules import GAMES
from linage_bot.rules.boards import BadSize, Board, NoSuchPoint, Point, Points, bits
from linage_bot.rules.game import Game, PastWord, Player, Position
from linage_bot.rules.history import History, position_of
from linage_bot.rules.options import BadOption, shortened

_STONES: Final = "xo"
_PIECE: Final = re.compile(r"[xo]|[1-9][0-9]?")  # of a row
_LONGEST: Final = 99  # letters of a row, far more than the largest board needs
_START: Final = ("game", "to_move", "first", "second")  # given by the first three words

Stones = tuple[Points, Points]


class BadFen(ValueError):
    """A line that describes no position; `where` names the part of it that is wrong."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


def to_fen(position: Position | History) -> str:
    """Return the position as a line that `from_fen` reads."""
    position = position_of(position)
    game = position.game
    komi = () if game.komi_step is None else (("komi", f"{game.komi:.15g}"),)
    usual = {name: option.default for name, option in game.options().items()}
    options = (each for each in game.settings().items() if getattr(game, each[0]) != usual[each[0]])
    fields = itertools.chain(komi, options, _past_in_words(position))
    start = (game.id, _rows(position), _STONES[position.to_move])
    return " ".join((*start, *(f"{name}={value}" for name, value in fields)))


def from_fen(text: str) -> Position:
    """Return the position that a line of text describes; raises `BadFen`."""
    words = text.split()
    if len(words) < 3:
        raise BadFen("fen", "expected at least a game, its rows and the player to move")
    name, rows, mover, *rest = words
    if name not in GAMES:
        raise BadFen("game", f"there is no game {shortened(name)!r} ({', '.join(GAMES)})")
    if mover not in tuple(_STONES):
        raise BadFen("who moves", f"{shortened(mover)!r} is neither x nor o")
    fields = _named(rest)
    kind = GAMES[name]
    board, stones = _read_rows(kind, rows)
    past = {
        word: fields.pop(word)
        for word in (*_PAST, *kind.past_words)
        if word in fields and word not in kind.options()
    }
    start = attrs.evolve(
        _configured(kind, board, fields).start(),
        first=stones[0],
        second=stones[1],
        to_move=Player(_STONES.index(mover)),
    )
    position = _with_past(start, past)
    reason = position.why_impossible()
    if reason is not None:
        raise BadFen("fen", f"an impossible position: {reason.reason}")
    return position


def _named(words: Sequence[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for word in words:
        name, separator, value = word.partition("=")
        if not separator:
            raise BadFen("fen", f"expected NAME=VALUE, not {shortened(word)!r}")
        if name in fields:
            raise BadFen(shortened(name), "is given twice")
        fields[name] = value
    return fields


def _configured(kind: type[Game], board: Board, fields: dict[str, str]) -> Game:
    """Return the game on this board with the given komi and options; raises `BadFen`."""
    word = fields.pop("komi", None)
    try:
        komi = None if word is None else float(word)
    except ValueError:
        raise BadFen("komi", f"{shortened(str(word))!r} is not a number") from None
    try:
        return kind.configure(board.size, komi, fields)
    except BadOption as error:
        raise BadFen(error.name, error.reason) from None


# The board


def _cells(board: Board) -> Iterator[list[Point]]:
    """Yield the points of each row, the top row first."""
    for row in reversed(range(board.rows)):
        found = (board.at(column, row) for column in range(board.columns))
        yield [point for point in found if point is not None]


def _rows(position: Position) -> str:
    def sign(point: Point) -> str:
        return "x" if position.first >> point & 1 else "o" if position.second >> point & 1 else ""

    rows = []
    for cells in _cells(position.game.board):
        signs = itertools.groupby(sign(point) for point in cells)
        runs = ((stone, len(list(run))) for stone, run in signs)
        rows.append("".join(stone * count if stone else str(count) for stone, count in runs))
    return "/".join(rows)


def _read_rows(kind: type[Game], text: str) -> tuple[Board, Stones]:
    """Return the board and its stones; raises `BadFen`."""
    rows = [_read_row(number, row) for number, row in enumerate(text.split("/"), 1)]
    columns = max(map(len, rows))
    try:
        board = kind.board_kind.of_array(columns, len(rows))
    except BadSize as error:
        raise BadFen("rows", str(error)) from None
    stones = [0, 0]
    for number, (row, cells) in enumerate(zip(rows, _cells(board), strict=True), 1):
        if len(row) != len(cells):
            raise BadFen("rows", f"row {number} has {len(row)} points, not {len(cells)}")
        for sign, point in zip(row, cells, strict=True):
            if sign != ".":
                stones[_STONES.index(sign)] |= 1 << point
    return board, (stones[0], stones[1])


def _read_row(number: int, text: str) -> str:
    """Return a row point by point: `x`, `o` or `.`; raises `BadFen`."""
    parts = _PIECE.findall(text[: _LONGEST + 1])
    if not text or len(text) > _LONGEST or "".join(parts) != text:
        raise BadFen("rows", f"row {number}, {shortened(text)!r}, is not made of x, o and numbers")
    return "".join("." * int(part) if part.isdigit() else part for part in parts)


# The past


def _past_in_words(position: Position) -> Iterator[tuple[str, str]]:
    """Yield the words for the facts about the past that differ from their defaults."""
    known = {**_PAST, **position.game.past_words}
    words = {past.field: (word, past.write) for word, past in known.items()}
    for field in attrs.fields(type(position)):
        if field.name not in _START and getattr(position, field.name) != field.default:
            word, write = words[field.name]
            yield word, write(position, getattr(position, field.name))


def _with_past(start: Position, fields: dict[str, str]) -> Position:
    """Return the position with the given facts about the past; raises `BadFen`."""
    known = {field.name for field in attrs.fields(type(start))}
    words = {**_PAST, **start.game.past_words}
    changes: dict[str, Any] = {}
    for word, value in fields.items():
        past = words[word]
        if past.field not in known:
            raise BadFen(word, f"{start.game.name} has no such field")
        try:
            changes[past.field] = past.read(start, value)
        except ValueError as error:
            raise BadFen(word, str(error)) from None
    return attrs.evolve(start, **changes)


def _read_number(_position: Position, word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 7):
        raise ValueError(f"{shortened(word)!r} is not a number")
    return int(word)


def _read_player(_position: Position, word: str) -> Player:
    if word not in tuple(_STONES):
        raise ValueError(f"{shortened(word)!r} is neither x nor o")
    return Player(_STONES.index(word))


def _read_yes(_position: Position, word: str) -> bool:
    if word != "on":
        raise ValueError(f"{shortened(word)!r} is not `on`")
    return True


def _read_stone(position: Position, word: str) -> Points:
    return 1 << position.game.board.point(word)


def _turns_in_words(position: Position, boards: Sequence[Stones]) -> str:
    """Return the turns that ended with these boards, as text."""
    board = position.game.board
    mover = position.to_move if len(boards) % 2 == 0 else position.to_move.other
    words = []
    for before, after in itertools.pairwise([None, *boards]):
        assert after is not None
        if before is None:
            # Only the board after the first turn is kept: the start was empty, or unknown.
            alone = not after[mover.other] and after[mover].bit_count() < 2
            before = (0, 0) if alone else None
        if before is None:
            words.append("?")
        else:
            placed = board.vertices(after[mover] & ~before[mover]) or ["pass"]
            removed = board.vertices(before[mover.other] & ~after[mover.other])
            words.append("-".join((*placed, *removed)))
        mover = mover.other
    return ",".join(words)


def _read_turns(position: Position, text: str) -> tuple[Stones, ...]:
    """Return the boards at the ends of these turns; the last one is the position's own.

    Raises `ValueError` for a turn that does not lead to the board after it.
    """
    board, mover = position.game.board, position.to_move.other
    stones = [position.first, position.second]
    boards: list[Stones] = []
    turns = text.split(",")
    for number in range(len(turns), 0, -1):
        boards.append((stones[0], stones[1]))
        if number == 1 and turns[0] == "?":
            break
        placed, *removed = turns[number - 1].split("-")
        try:
            stone = 0 if placed == "pass" else 1 << board.point(placed)
            taken = sum({1 << board.point(word) for word in removed})
        except NoSuchPoint as error:
            raise ValueError(f"turn {number}: {error}") from None
        if stone & ~stones[mover] or taken & (stones[0] | stones[1]) or (removed and not stone):
            raise ValueError(f"turn {number} does not lead to the next board")
        stones[mover] &= ~stone
        stones[mover.other] |= taken
        mover = mover.other
    return tuple(reversed(boards))


_PAST: Final[dict[str, PastWord]] = {
    "passes": PastWord("passes", lambda _p, count: str(count), _read_number),
    "turns": PastWord("turns", lambda _p, count: str(count), _read_number),
    "button_taker": PastWord("button_taker", lambda _p, player: _STONES[player], _read_player),
    "first_passer": PastWord("first_passer", lambda _p, player: _STONES[player], _read_player),
    "after_minimal": PastWord("after_minimal", lambda _p, _yes: "on", _read_yes),
    "incursion": PastWord(
        "incursion",
        lambda position, stone: position.game.board.vertex(next(bits(stone))),
        _read_stone,
    ),
    "past": PastWord("boards", _turns_in_words, _read_turns),
}
"""The words for facts about the past; a game of another package adds its own."""
