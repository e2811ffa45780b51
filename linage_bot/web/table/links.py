"""A position as a link: the game, its options and its moves in the address behind the `#`.

Browsers never send the part behind the `#` to a server, and it does not name the server: the same
text opens the position on any server of this program.
"""

import re
from urllib.parse import parse_qsl, urlencode

from linage_bot.records.record import BadRecord, EarlyEnd, Record
from linage_bot.rules import GAMES
from linage_bot.rules.boards import Board, Point, bits
from linage_bot.rules.game import PASS, Game, Move, Player
from linage_bot.rules.options import BadOption, format_option

_LETTERS = "abcdefghijklmnopqrstuvwxy"
_PASS = "--"
_MOST_FIELDS = 20
_SIDES = {"first": Player.FIRST, "second": Player.SECOND}


def to_link(record: Record) -> str:
    """Return the record's game, setup, moves and early end as text for the part behind `#`."""
    game = record.game
    fields = {"game": game.id, "size": game.board.size}
    if game.komi_step is not None:
        fields["komi"] = f"{game.komi:g}"
    usual = {name: format_option(option.default) for name, option in game.options().items()}
    fields |= {name: text for name, text in game.settings().items() if text != usual[name]}
    for name, player in _SIDES.items():
        stones = [point for who, point in record.setup if who is player]
        if stones:
            fields[name] = "".join(_written(game.board, point) for point in stones)
    if record.to_move is not Player.FIRST:
        fields["turn"] = "second"
    if record.moves:
        fields["moves"] = "".join(_written(game.board, move) for move in record.moves)
    if (conceded := EarlyEnd.of(record.result)) is not None:
        fields["result"] = str(conceded)
    return urlencode(fields)


def from_link(text: str) -> Record:
    """Return the record that a link, or its part behind `#`, describes. Raise `BadRecord`.

    The moves are read, but not checked against the rules.
    """
    words = text.strip().rpartition("#")[2]
    try:
        pairs = parse_qsl(
            words, keep_blank_values=True, strict_parsing=True, max_num_fields=_MOST_FIELDS
        )
    except ValueError:
        raise BadRecord("link", "this is no link to a position, nor an SGF file") from None
    fields = dict(pairs)
    if len(fields) < len(pairs) or fields.get("game") not in GAMES:
        raise BadRecord("link", "it names no game of ours")
    moves, turn = fields.pop("moves", ""), fields.pop("turn", "first")
    result = fields.pop("result", None)
    stones = [(player, fields.pop(name, "")) for name, player in _SIDES.items()]
    game = _game(fields)
    if turn not in _SIDES:
        raise BadRecord("link", "turn is first or second")
    if result is not None and EarlyEnd.of(result) is None:
        raise BadRecord("link", "result is one such as B+R or W+T, without points")
    setup = tuple((player, point) for player, words in stones for point in _points(game, words))
    return Record(
        game,
        moves=_points(game, moves, passes=True),
        setup=setup,
        to_move=_SIDES[turn],
        result=result,
    )


def _game(fields: dict[str, str]) -> Game:
    """Return the game of the fields that describe it."""
    kind = GAMES[fields.pop("game")]
    size, komi = fields.pop("size", None), fields.pop("komi", None)
    try:
        return kind.configure(size, None if komi is None else float(komi), fields)
    except BadOption as error:
        raise BadRecord("link", str(error)) from None
    except ValueError:
        raise BadRecord("link", f"komi: {komi!r:.40} is not a number") from None


def _written(board: Board, move: Move) -> str:
    """Return two letters: the column from the left, the row from the bottom."""
    if move == PASS:
        return _PASS
    row, column = divmod(move, board.columns)
    return _LETTERS[column] + _LETTERS[row]


def _points(game: Game, words: str, *, passes: bool = False) -> tuple[Point, ...]:
    if len(words) % 2 or not re.fullmatch(r"[a-y-]*", words):
        raise BadRecord("link", "moves are two letters each")
    known = {_written(game.board, point): point for point in bits(game.board.points)}
    known |= {_PASS: PASS} if passes else {}
    try:
        return tuple(known[word] for word in re.findall("..", words))
    except KeyError as error:
        reason = f"{error} is not a point of the {game.board.shape} board"
        raise BadRecord("link", reason) from None
