"""Game records: SGF in and out.

SGF (FF[4]) numbers its games in `GM` and has no number for ours. Leaving `GM` out says nothing
new, for its default is 1, Go; an unassigned number makes viewers refuse the file. Our moves *are*
Go moves in syntax, so we write `GM[1]`, which every Go viewer opens, and `RU` names the game that
is really played with all its options: `RU[linage:line=3;button=off;edition=current]`. (A viewer
that removes captured stones as Go does may show too few of them; the moves are right.)

Squares are written `SZ[13]`, rectangles `SZ[9:7]` (columns, rows), hexagons by the array they live
in, with their side among the rules: `SZ[17]RU[gardar:side=9]`. First is `B`, Second is `W`, a pass
is empty. In every game the players take turns one by one, so a record keeps no colour per move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import attrs
from sgfmill import sgf_grammar, sgf_properties

from linage_bot import __version__
from linage_bot.boards import BadSize, Board, HexBoard, Point
from linage_bot.game import LARGEST_KOMI, PASS, BadOption, Game, IllegalMove, Move, Player, Position
from linage_bot.games import GAMES

_Node = Mapping[str, list[bytes]]  # SGF's property names and their values, still escaped

_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]")
# Only what occurs in old records: some of Python's other codecs run code or do not yield text.
_CHARSETS = re.compile(
    r"utf-?8|iso-?8859-?\d{1,2}|latin-?1|(us-)?ascii|(windows|cp)-?(125\d|936|949|950)"
    r"|koi8-[ru]|shift_?jis|euc-?(jp|kr)|gb2312|gbk|gb18030|big5"
)


class BadRecord(ValueError):
    """A record that cannot be read or played; `where` is a property or a move: `move 12`."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


def _in_order(setup: Iterable[tuple[Player, Point]]) -> tuple[tuple[Player, Point], ...]:
    return tuple(sorted(setup))


@attrs.frozen
class Record:
    """The moves of one game, and who played it.

    `setup` holds the stones on the board before the first move, `to_move` who makes that move.
    `players` are the names of First and Second. `comments` go by move number, 0 for the start.
    `result` is in SGF's form, such as `B+7`, `W+R` or `0`, `date` in SGF's form `2024-12-31`.
    """

    game: Game
    moves: tuple[Move, ...] = ()
    setup: tuple[tuple[Player, Point], ...] = attrs.field(default=(), converter=_in_order)
    to_move: Player = Player.FIRST
    players: tuple[str, str] = ("", "")
    result: str | None = None
    date: str | None = None
    event: str | None = None
    round: str | None = None
    comments: Mapping[int, str] = attrs.field(factory=dict)

    def start(self) -> Position:
        """The position before the first move, with the setup stones on the board.

        Raises `BadRecord` for stones that cannot have come there.
        """
        start = self.game.start()
        if not self.setup and self.to_move is start.to_move:
            return start
        stones = [0, 0]
        for player, point in self.setup:
            stones[player] |= 1 << point
        position = attrs.evolve(start, first=stones[0], second=stones[1], to_move=self.to_move)  # type: ignore[misc]  # the contract: a position is an attrs class with these fields
        reason = position.why_impossible()
        if reason is not None:
            raise BadRecord("setup", f"an impossible position: {reason}")
        return position

    def mover(self, number: int) -> Player:
        """Who makes the move of this number, counted from 1."""
        return self.to_move if number % 2 else self.to_move.other

    def positions(self) -> list[Position]:
        """The position before the first move and after each move; raises `BadRecord`."""
        return replay(self)


def replay(record: Record) -> list[Position]:
    """The position before the first move and after each move.

    Raises `BadRecord` for the first move that the rules forbid.
    """
    positions = [record.start()]
    for number, move in enumerate(record.moves, 1):
        try:
            positions.append(positions[-1].play(move))
        except IllegalMove as error:
            raise BadRecord(f"move {number}", f"{record.mover(number).colour} {error}") from None
    return positions


# ----------------------------------------------------------------------------- writing


def to_sgf(record: Record) -> str:
    """The record as an SGF file of one game; `from_sgf` reads all of it back.

    Legality is not checked: the record of a game lost by an illegal move is a record, too.
    """
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = [_root(record)]
    for number, move in enumerate(record.moves, 1):
        raw = b"" if move == PASS else _write_point(record.game.board, move)
        tree.sequence.append({record.mover(number).letter.upper(): [raw]})
    for number, comment in record.comments.items():
        if not 0 <= number < len(tree.sequence):
            raise BadRecord(f"comment on move {number}", f"there are {len(record.moves)} moves")
        tree.sequence[number]["C"] = [_escaped(comment)]
    text: bytes = sgf_grammar.serialise_game_tree(tree)
    return text.decode("utf-8")


def _root(record: Record) -> dict[str, list[bytes]]:
    """The root node."""
    game, board = record.game, record.game.board
    square = board.columns == board.rows
    size = f"{board.columns}" if square else f"{board.columns}:{board.rows}"
    root = {
        "FF": [b"4"],
        "GM": [b"1"],
        "CA": [b"UTF-8"],
        "AP": [f"linage-bot:{__version__}".encode()],
        "SZ": [size.encode()],
        "RU": [_rules(game).encode()],
    }
    if game.komi_step is not None:
        root["KM"] = [sgf_properties.serialise_real(game.komi)]
    facts = {
        "PB": record.players[0],
        "PW": record.players[1],
        "RE": record.result,
        "DT": record.date,
        "EV": record.event,
        "RO": record.round,
    }
    root |= {name: [_escaped(" ".join(fact.splitlines()))] for name, fact in facts.items() if fact}
    for player, name in ((Player.FIRST, "AB"), (Player.SECOND, "AW")):
        if stones := [_write_point(board, point) for who, point in record.setup if who is player]:
            root[name] = stones
    if record.setup or record.to_move is not Player.FIRST:
        root["PL"] = [record.to_move.letter.upper().encode()]
    return root


def _rules(game: Game) -> str:
    """The game with all its options, as `_read_game` reads it."""
    settings = game.settings()
    if isinstance(game.board, HexBoard):
        settings = {"side": game.board.size, **settings}
    options = ";".join(f"{name}={value}" for name, value in settings.items())
    return f"{game.id}:{options}" if options else game.id


def _write_point(board: Board, point: Point) -> bytes:
    """SGF's two letters: the column from the left, the row from the top."""
    row, column = divmod(point, board.columns)
    return bytes((_LETTERS[column], _LETTERS[board.rows - 1 - row]))


def _escaped(text: str) -> bytes:
    """What SGF cannot hold (half a surrogate pair) becomes a question mark."""
    raw: bytes = sgf_grammar.escape_text(text.encode("utf-8", "replace"))
    return raw


# ----------------------------------------------------------------------------- reading


def from_sgf(data: bytes, default_game: Game | None = None) -> Record:
    """The main line of the first game in an SGF file; moves are read, not judged: see `replay`.

    A file whose `RU` names none of our games is read as `default_game`, with the file's own size
    and komi. Raises `BadRecord`.
    """
    try:
        tree = sgf_grammar.parse_sgf_game(_as_utf8(data))
    except ValueError as error:
        raise BadRecord("SGF", str(error)) from None
    nodes: list[_Node] = list(sgf_grammar.main_sequence_iter(tree))
    root = nodes[0]
    game = _read_game(root, default_game)
    setup, to_move = _read_setup(nodes, game.board)
    played = list(_read_moves(nodes, game.board))
    if to_move is None:  # handicap games do not always say that White begins
        to_move = played[0][0] if setup and played else Player.FIRST
    _check_turns([player for player, _ in played], to_move)
    return Record(
        game=game,
        moves=tuple(move for _, move in played),
        setup=setup,
        to_move=to_move,
        players=(_text(root, "PB"), _text(root, "PW")),
        result=_text(root, "RE") or None,
        date=_text(root, "DT") or None,
        event=_text(root, "EV") or None,
        round=_text(root, "RO") or None,
        comments=_read_comments(nodes),
    )


def _as_utf8(data: bytes) -> bytes:
    """The file in UTF-8, whatever its byte order mark or `CA` says it is in.

    The whole file is converted before it is parsed: in Shift-JIS and GBK a bracket or backslash
    can be half a character. Without a `CA` that we know, UTF-8 and then Latin-1 are tried.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").encode("utf-8")
    declared = _CHARSET.search(data[:4096])
    charset = declared[1].decode("ascii").lower() if declared else ""
    if _CHARSETS.fullmatch(charset):
        try:
            return data.decode(charset, "replace").encode("utf-8")
        except LookupError:
            pass  # a number that no ISO 8859 has
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1").encode("utf-8")
    return data


def _read_game(root: _Node, default_game: Game | None) -> Game:
    """The game that `RU`, `SZ` and `KM` describe, or `default_game` in their size and komi."""
    rules, size, komi = _text(root, "RU"), _read_size(root), _read_komi(root)
    name, _, options = rules.partition(":")
    kind = GAMES.get(name.strip().lower())
    try:
        if kind is not None:
            board = kind.board_kind.of_array(*size)
            return kind.configure(board.size, komi, _read_options(rules, options, board))
        _check_foreign(root, rules)
        if default_game is None:
            raise BadRecord(_shown("RU", rules), f"names no game of ours ({', '.join(GAMES)})")
        game = attrs.evolve(default_game, board=default_game.board_kind.of_array(*size))
        return game if komi is None else game.with_komi(komi)
    except BadSize as error:
        raise BadRecord(_shown("SZ", _text(root, "SZ") or "19"), str(error)) from None
    except BadOption as error:
        raise BadRecord(_shown("RU", rules), str(error)) from None


def _check_foreign(root: _Node, rules: str) -> None:
    """Raises `BadRecord` unless somebody else's Go file can stand for one of our games."""
    if "=" in rules.partition(":")[2] or _text(root, "AP").startswith("linage-bot"):
        raise BadRecord(_shown("RU", rules), f"unknown game; we have {', '.join(GAMES)}")
    if (number := _text(root, "GM").strip()) not in ("", "1"):
        raise BadRecord(_shown("GM", number), "neither Go nor one of our games")


def _read_options(rules: str, options: str, board: Board) -> dict[str, str]:
    """The options in words; a size among them only has to agree with `SZ`."""
    settings: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in options.split(";"))):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or name in settings:
            raise BadRecord(_shown("RU", rules), f"{part!r} is not a new option NAME=VALUE")
        settings[name] = value
    for name in ("side", "size"):
        if settings.pop(name, board.size) != board.size:
            raise BadRecord(_shown("RU", rules), f"SZ describes a board of {name} {board.size}")
    return settings


def _read_size(root: _Node) -> tuple[int, int]:
    """Columns and rows of `SZ`, 19 if it is missing as FF[4] has it."""
    text = _text(root, "SZ") or "19"
    match = re.fullmatch(r"\s*([0-9]{1,3})\s*(?::\s*([0-9]{1,3})\s*)?", text)
    if match is None:
        raise BadRecord(_shown("SZ", text), "not a board size such as 13 or 9:7")
    return int(match[1]), int(match[2] or match[1])


def _read_komi(root: _Node) -> float | None:
    """`KM`, or None if it is missing or empty."""
    text = _text(root, "KM").strip()
    if not text:
        return None
    try:
        komi: float = sgf_properties.interpret_real(text)
    except ValueError:
        komi = LARGEST_KOMI + 1
    if abs(komi) > LARGEST_KOMI:
        raise BadRecord(_shown("KM", text), "not a number of points")
    return komi


def _read_setup(
    nodes: list[_Node], board: Board
) -> tuple[tuple[tuple[Player, Point], ...], Player | None]:
    """The stones placed before the first move, ascending for each player, and `PL`."""
    stones: dict[Point, Player] = {}
    to_move, number = None, 0
    for node in nodes:
        number += "B" in node or "W" in node
        for name, player in (("AE", None), ("AB", Player.FIRST), ("AW", Player.SECOND)):
            for raw in node.get(name, ()):
                if number:
                    raise BadRecord(f"move {number}", f"{name} changes the board during play")
                for point in _read_points(name, raw, board):
                    stones.pop(point, None)
                    if player is not None:
                        stones[point] = player
        if "PL" in node and not number:
            to_move = _read_player(_text(node, "PL"))
    ordered = sorted((player, point) for point, player in stones.items())
    return tuple(ordered), to_move


def _read_player(text: str) -> Player:
    for player in Player:
        if text.strip().lower() in (player.letter, player.colour):
            return player
    raise BadRecord(_shown("PL", text), "neither B nor W")


def _read_moves(nodes: list[_Node], board: Board) -> Iterator[tuple[Player, Move]]:
    """Every move with the colour that the file gives it."""
    number = 0
    for node in nodes:
        raws = [(player, raw) for player in Player for raw in node.get(player.letter.upper(), ())]
        number += bool(raws)
        if len(raws) > 1:
            raise BadRecord(f"move {number}", "more than one move in a node")
        for player, raw in raws:
            where = f"move {number}"
            yield player, _read_move(where, raw.strip(), board)


def _read_move(where: str, raw: bytes, board: Board) -> Move:
    """A point or a pass; `tt` is FF[3]'s pass where it cannot be a point."""
    if not raw or (raw == b"tt" and max(board.columns, board.rows) <= 19):
        return PASS
    return _read_point(where, raw, board)


def _read_point(where: str, raw: bytes, board: Board) -> Point:
    if len(raw) == 2 and raw.isalpha() and raw.islower():
        point = board.at(raw[0] - _LETTERS[0], board.rows - 1 - (raw[1] - _LETTERS[0]))
        if point is not None:
            return point
    shown = _clipped(raw.decode("utf-8", "replace"))
    raise BadRecord(where, f"[{shown}] is not a point of the {board} board")


def _read_points(name: str, raw: bytes, board: Board) -> Iterable[Point]:
    """One point, or the corners `aa:cc` of a rectangle of points."""
    first, colon, last = raw.strip().partition(b":")
    start = _read_point(name, first, board)
    if not colon:
        return (start,)
    top, left = divmod(start, board.columns)
    bottom, right = divmod(_read_point(name, last, board), board.columns)
    rectangle = [
        board.at(column, row) for row in range(bottom, top + 1) for column in range(left, right + 1)
    ]
    return [point for point in rectangle if point is not None]


def _check_turns(players: list[Player], to_move: Player) -> None:
    """The players take turns; raises `BadRecord` where the file says otherwise."""
    for number, player in enumerate(players, 1):
        if player is not to_move:
            raise BadRecord(
                f"move {number}", f"{player.colour} plays, but {to_move.colour} is next"
            )
        to_move = to_move.other


def _read_comments(nodes: list[_Node]) -> dict[int, str]:
    """Comments by the number of moves made so far; those of one number are joined."""
    comments: dict[int, str] = {}
    number = 0
    for node in nodes:
        number += "B" in node or "W" in node
        for raw in node.get("C", ()):
            text: str = sgf_grammar.text_value(raw).decode("utf-8", "replace")
            comments[number] = f"{comments[number]}\n{text}" if number in comments else text
    return comments


def _text(node: _Node, name: str) -> str:
    """A one-line property, empty if it is missing; of several values the first."""
    text: bytes = sgf_grammar.simpletext_value(node.get(name, [b""])[0])
    return text.decode("utf-8", "replace")


def _shown(name: str, text: str) -> str:
    """A property as an error names it."""
    return f"{name}[{_clipped(text)}]" if text else name


def _clipped(text: str) -> str:
    """The text on one short line."""
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    return text if len(text) <= 60 else f"{text[:57]}..."
