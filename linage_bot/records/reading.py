"""SGF to records."""

import codecs
import functools
import itertools
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Self

import attrs
from sgfmill import sgf_grammar, sgf_properties

from linage_bot.records.record import BadRecord, Record
from linage_bot.records.study import Study, played
from linage_bot.records.tree import Closed, Foreign, MoveTree, Node
from linage_bot.records.writing import LETTERS
from linage_bot.rules import GAMES
from linage_bot.rules.boards import BadSize, Board, Point, Points, bits
from linage_bot.rules.game import LARGEST_KOMI, PASS, Game, Move, Player, Position
from linage_bot.rules.options import BadOption
from linage_bot.settings.files import read_file

LONGEST_SGF = 4 << 20  # bytes: a long game with a page of analysis on every move
_MOST_PARTS = 500_000  # of which a parser makes objects: thousands of variations

_Node = Mapping[str, list[bytes]]  # SGF's property names and their values, still escaped

_OF_A_MOVE = ("B", "W", "C")
_SETUP = ("AE", "AB", "AW")
_OF_A_GAME = (  # what we write there ourselves
    *("FF", "GM", "CA", "AP", "SZ", "RU", "KM", "PB", "PW", "RE", "DT", "EV", "RO", "PL"),
)

_START = re.compile(rb"\(\s*;")
_PART = re.compile(rb"\[[^\\\]]*(?:\\.[^\\\]]*)*(?:\]|\\?\Z)|[;()]|[A-Za-z]{1,64}", re.DOTALL)
_CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]")
_GIVEN = re.compile(r"([0-9]{1,4}) given moves?")
# Only what occurs in old records: some of Python's other codecs run code or do not yield text.
_CHARSETS = re.compile(
    r"utf-?8|iso-?8859-?\d{1,2}|latin-?1|(us-)?ascii|(windows|cp)-?(125\d|936|949|950)"
    r"|koi8-[ru]|shift_?jis|euc-?(jp|kr)|gb2312|gbk|gb18030|big5"
)


def from_sgf(data: bytes, default_game: Game | None = None) -> Record:
    """The main line of the first game in an SGF file; moves are read, and judged by its `history`.

    A file whose `RU` names none of our games is read as `default_game`, with the file's own size
    and komi. Raises `BadRecord`, also for more than `LONGEST_SGF` bytes.
    """
    line = sgf_grammar.Coarse_game_tree()
    line.sequence = list(sgf_grammar.main_sequence_iter(_parsed(data)))
    return _read_study(line, default_game, judged=False).record


def study_from_sgf(data: bytes | str, default_game: Game | None = None) -> Study:
    """The first game in an SGF file with its variations, as `from_sgf` reads the main line.

    What is text already is not read once more by the `CA` that its file had.
    What a node says beside moves, comments and what a `Record` knows is kept as it is, and so is a
    variation that nobody could play. Nodes that say nothing are left out. Raises `BadRecord` also
    for an illegal move of the main line.
    """
    return _read_study(_parsed(data), default_game, judged=True)


def _parsed(source: bytes | str) -> sgf_grammar.Coarse_game_tree:
    # Text from JSON can hold half a letter.
    data = source.encode("utf-8", "replace") if isinstance(source, str) else source
    if len(data) > LONGEST_SGF:
        raise BadRecord("SGF", f"longer than {LONGEST_SGF >> 20} MiB")
    if isinstance(source, bytes):
        data = _as_utf8(source)
    if _parts(data) > _MOST_PARTS:
        raise BadRecord("SGF", f"more than {_MOST_PARTS} nodes, properties and values")
    try:
        return sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise BadRecord("SGF", str(error)) from None


def _read_study(
    tree: sgf_grammar.Coarse_game_tree, default_game: Game | None, *, judged: bool
) -> Study:
    nodes: list[_Node] = list(sgf_grammar.main_sequence_iter(tree))
    root = nodes[0]
    game = _read_game(root, default_game)
    setup, to_move = _read_setup(nodes, game.board)
    if to_move is None:  # handicap games do not always say that White begins
        movers = (player for node in nodes for player in _players(node))
        to_move = next(movers, Player.FIRST) if setup else Player.FIRST
    facts = Record(
        game=game,
        setup=setup,
        to_move=to_move,
        players=(_text(root, "PB"), _text(root, "PW")),
        result=_text(root, "RE") or None,
        date=_text(root, "DT") or None,
        event=_text(root, "EV") or None,
        round=_text(root, "RO") or None,
        given=_read_given(root),
    )
    start = facts.history().position if judged else None
    return Study(facts, MoveTree.of(_read_tree(tree, facts, start)))


@attrs.define
class _Branch:
    """What is still to be read of a file's tree, and goes on from one of our nodes."""

    tree: sgf_grammar.Coarse_game_tree
    parent: int
    position: Position | None  # None: moves are not judged
    moves: int = attrs.field(default=0, kw_only=True)  # made before it
    varies: bool = attrs.field(default=False, kw_only=True)  # from the main line
    free: bool = attrs.field(default=True, kw_only=True)  # only the set-up stands before it

    def read(self, node: _Node, facts: Record) -> Node:
        """The next node; raises `BadRecord`."""
        move = _read_turn(node, facts, self.moves, self.varies)
        where = _where(self.moves + (move is not None), self.varies)
        self.free = self.free and move is None
        changed = next((name for name in _SETUP if name in node), None)
        if changed and not self.free:
            raise BadRecord(where, f"{changed} changes the board during play")
        if move is not None:
            self.moves += 1
            if self.position is not None:
                self.position = played(self.position, move, where)
        foreign = _foreign(node, {*_SETUP, "PL"} if self.free else ())
        return Node(move=move, parent=self.parent, comment=_comment(node), foreign=foreign)

    @property
    def children(self) -> list[Self]:
        """Where it goes on once it is read."""
        return [
            attrs.evolve(self, tree=child, varies=self.varies or index > 0, free=False)
            for index, child in enumerate(self.tree.children)
        ]


def _read_tree(
    tree: sgf_grammar.Coarse_game_tree, facts: Record, start: Position | None
) -> Iterator[Node]:
    """All nodes, each after its parent, the main line first; they are counted from 0.

    A variation is closed where it cannot be read or, with a position to `start` from, be played.
    The move of a root, which few files have, gets a node of its own.
    """
    root: _Node = tree.sequence[0]
    moving = [{name: root[name] for name in root if name in _OF_A_MOVE}] if _players(root) else []
    comment = "" if moving else _comment(root)
    yield Node(comment=comment, foreign=_foreign(root, _known(root)))
    rest = sgf_grammar.Coarse_game_tree()
    rest.sequence, rest.children = [*moving, *tree.sequence[1:]], tree.children
    waiting, count = [_Branch(rest, 0, start)], 1
    while waiting:
        branch = waiting.pop()
        for index, node in enumerate(branch.tree.sequence):
            try:
                read = branch.read(node, facts)
            except BadRecord as error:
                if not branch.varies:
                    raise
                rest = branch.tree
                rest.sequence = rest.sequence[index:]
                closed = Closed(str(error), sgf_grammar.serialise_game_tree(rest, wrap=None))
                yield Node(parent=branch.parent, closed=closed)
                count += 1
                break
            if read != Node(parent=branch.parent):
                yield read
                branch.parent, count = count, count + 1
        else:
            waiting += reversed(branch.children)


def _known(root: _Node) -> set[str]:
    """What a `Record` knows of what a root says."""
    return {*_OF_A_GAME, *_SETUP} | ({"ON"} if _read_given(root) else set())


def _foreign(node: _Node, known: Collection[str]) -> Foreign:
    """What a node says beside what is known, a move and a comment."""
    others = (name for name in node if name not in known and name not in _OF_A_MOVE)
    return tuple((name, tuple(node[name])) for name in others)


def _as_utf8(data: bytes) -> bytes:
    """The file in UTF-8, whatever its byte order mark or `CA` says it is in.

    The whole file is converted before it is parsed: in Shift-JIS and GBK a bracket or backslash
    can be half a character. Without a `CA` that we know, UTF-8 and then Latin-1 are tried.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").encode("utf-8")
    if data.startswith(codecs.BOM_UTF8):
        return data.decode("utf-8", "replace").encode("utf-8")
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


def read_sgf(path: Path | str, default_game: Game | None = None) -> Record:
    """As `from_sgf`, from a file; raises `OSError` too, also for what is no regular file."""
    return from_sgf(read_file(Path(path), LONGEST_SGF), default_game)


def _parts(data: bytes) -> int:
    """How many values, names and delimiters a parser would find, counted to one too many."""
    start = _START.search(data)
    found = _PART.finditer(data, start.start()) if start else iter(())
    return sum(1 for _ in itertools.islice(found, _MOST_PARTS + 1))


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
            shown = _clipped(repr(part))
            raise BadRecord(_shown("RU", rules), f"{shown} is not a new option NAME=VALUE")
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


def _read_given(root: _Node) -> int:
    """How many of the first moves were given, if `ON` says so in our words."""
    match = _GIVEN.fullmatch(_text(root, "ON").strip())
    return int(match[1]) if match else 0


def _read_setup(
    nodes: list[_Node], board: Board
) -> tuple[tuple[tuple[Player, Point], ...], Player | None]:
    """The stones placed before the first move, ascending for each player, and `PL`."""
    stones: dict[Player, Points] = dict.fromkeys(Player, 0)
    to_move, number = None, 0
    points_of = functools.cache(_read_points)  # files repeat themselves
    for node in nodes:
        number += "B" in node or "W" in node
        for name, player in (("AE", None), ("AB", Player.FIRST), ("AW", Player.SECOND)):
            for raw in node.get(name, ()):
                if number:
                    raise BadRecord(f"move {number}", f"{name} changes the board during play")
                points = points_of(name, raw, board)
                stones = {each: stones[each] & ~points for each in Player}
                if player is not None:
                    stones[player] |= points
        if "PL" in node and not number:
            to_move = _read_player(_text(node, "PL"))
    return tuple((player, point) for player in Player for point in bits(stones[player])), to_move


def _read_player(text: str) -> Player:
    for player in Player:
        if text.strip().lower() in (player.letter, player.colour):
            return player
    raise BadRecord(_shown("PL", text), "neither B nor W")


def _players(node: _Node) -> list[Player]:
    """Who moves in a node, as its colours say."""
    return [player for player in Player for _ in node.get(player.letter.upper(), ())]


def _read_turn(node: _Node, facts: Record, moves: int, varies: bool) -> Move | None:
    """The move in a node after so many others; None if there is none.

    The players take turns; raises `BadRecord` where the file says otherwise.
    """
    players, where = _players(node), _where(moves + 1, varies)
    if not players:
        return None
    if len(players) > 1:
        raise BadRecord(where, "more than one move in a node")
    (player,), mover = players, facts.mover(moves + 1)
    if player is not mover:
        raise BadRecord(where, f"{player.colour} plays, but {mover.colour} is next")
    return _read_move(where, node[player.letter.upper()][0].strip(), facts.game.board)


def _where(number: int, varies: bool) -> str:
    return f"move {number} of a variation" if varies else f"move {number}"


def _read_move(where: str, raw: bytes, board: Board) -> Move:
    """A point or a pass; `tt` is FF[3]'s pass where it cannot be a point."""
    if not raw or (raw == b"tt" and max(board.columns, board.rows) <= 19):
        return PASS
    return _read_point(where, raw, board)


def _read_point(where: str, raw: bytes, board: Board) -> Point:
    if len(raw) == 2 and raw.isalpha() and raw.islower():
        point = board.at(raw[0] - LETTERS[0], board.rows - 1 - (raw[1] - LETTERS[0]))
        if point is not None:
            return point
    shown = _clipped(raw.decode("utf-8", "replace"))
    raise BadRecord(where, f"[{shown}] is not a point of the {board.shape} board")


def _read_points(name: str, raw: bytes, board: Board) -> Points:
    """One point, or the corners `aa:cc` of a rectangle of points."""
    first, colon, last = raw.strip().partition(b":")
    start = _read_point(name, first, board)
    if not colon:
        return 1 << start
    top, left = divmod(start, board.columns)
    bottom, right = divmod(_read_point(name, last, board), board.columns)
    row = sum(1 << column for column in range(left, right + 1))
    return sum(row << board.columns * each for each in range(bottom, top + 1))


def _comment(node: _Node) -> str:
    """What is said in a node; some programs write several comments."""
    texts: list[bytes] = [sgf_grammar.text_value(raw) for raw in node.get("C", ())]
    return b"\n".join(texts).decode("utf-8", "replace")


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
