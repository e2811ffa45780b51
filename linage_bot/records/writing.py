"""Records to SGF."""

from collections.abc import Sequence
from typing import Self

import attrs

from linage_bot.records.grammar import sgf_grammar, sgf_properties
from linage_bot.records.record import Record
from linage_bot.records.study import Study
from linage_bot.records.tree import ROOT, UnplayableBranch
from linage_bot.rules.boards import Board, HexBoard, Point
from linage_bot.rules.game import PASS, Game, Player, Position
from linage_bot.rules.history import History
from linage_bot.version import __version__

_EMPTY = sgf_grammar.parse_sgf_game(b"(;)")
LETTERS = b"abcdefghijklmnopqrstuvwxyz"  # SGF's columns and rows


def to_sgf(source: Record | Study | History | Position) -> str:
    """Return one line of moves, or a game with its variations, as an SGF file of one game.

    `from_sgf` and `study_from_sgf` read all of it back. Legality is not checked: the record of a
    game lost by an illegal move is a record, too. Raises `BadRecord` for a comment on a move that
    was not made.
    """
    if isinstance(source, History | Position):
        source = Record.of(source)
    study = source if isinstance(source, Study) else Study.of(source)
    tree, board = study.tree, study.facts.game.board
    end = tree.end()
    letters = {ROOT: study.facts.to_move.other.letter.upper()}  # the last mover's at each node

    def properties(node: int | _Rest) -> dict[str, list[bytes]]:
        if isinstance(node, _Rest):
            theirs: dict[str, list[bytes]] = node.tree.sequence[node.index]
            return theirs
        entry = tree[node]
        found = {name: list(values) for name, values in entry.foreign}
        if entry.parent is None:
            found |= _root(study.facts, len(tree.moves(tree.line())))
        else:
            letters[node] = letters[entry.parent]
            if entry.move is not None:
                letters[node] = "BW"[letters[node] == "B"]
                point = b"" if entry.move == PASS else write_point(board, entry.move)
                found[letters[node]] = [point]
        if entry.comment:
            found["C"] = [_escaped(entry.comment)]
        return found

    def children(node: int | _Rest) -> Sequence[int | _Rest]:
        if isinstance(node, _Rest):
            return node.children
        found = [_Rest.of(tree[each].closed) or each for each in tree[node].children]
        # A file's first child is its main line: an empty node, if all there are cannot be played.
        return [_Rest(_EMPTY), *found] if found and node == end else found

    grown = sgf_grammar.make_coarse_game_tree(ROOT, children, properties)
    text: bytes = sgf_grammar.serialise_game_tree(grown)
    return text.decode("utf-8")


@attrs.frozen
class _Rest:
    """A node of a closed variation, as in its file."""

    tree: sgf_grammar.Coarse_game_tree
    index: int = 0

    @classmethod
    def of(cls, closed: UnplayableBranch | None) -> Self | None:
        """Return the first node; None without a closed variation."""
        return None if closed is None else cls(sgf_grammar.parse_sgf_game(closed.sgf))

    @property
    def children(self) -> Sequence[Self]:
        """The nodes that follow."""
        if self.index + 1 < len(self.tree.sequence):
            return [attrs.evolve(self, index=self.index + 1)]
        return [type(self)(tree) for tree in self.tree.children]


def _root(record: Record, moves: int) -> dict[str, list[bytes]]:
    """Return the root node of a game with this number of moves."""
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
        "ON": _given(min(record.given, moves)),
    }
    root |= {name: [_escaped(" ".join(fact.splitlines()))] for name, fact in facts.items() if fact}
    for player, name in ((Player.FIRST, "AB"), (Player.SECOND, "AW")):
        if stones := [write_point(board, point) for who, point in record.setup if who is player]:
            root[name] = stones
    if record.setup or record.to_move is not Player.FIRST:
        root["PL"] = [record.to_move.letter.upper().encode()]
    return root


def _given(moves: int) -> str:
    """Return `ON`, the opening's name: the number of first moves that neither player chose."""
    return f"{moves} given move{'' if moves == 1 else 's'}" if moves else ""


def _rules(game: Game) -> str:
    """Return the game with all its options, in the form that `read_game` reads."""
    settings = game.settings()
    if isinstance(game.board, HexBoard):
        settings = {"side": game.board.size, **settings}
    options = ";".join(f"{name}={value}" for name, value in settings.items())
    return f"{game.id}:{options}" if options else game.id


def write_point(board: Board, point: Point) -> bytes:
    """Return SGF's two letters: the column from the left, the row from the top."""
    row, column = divmod(point, board.columns)
    return bytes((LETTERS[column], LETTERS[board.rows - 1 - row]))


def _escaped(text: str) -> bytes:
    """Return text escaped for SGF; half a surrogate pair becomes a question mark."""
    raw: bytes = sgf_grammar.escape_text(text.encode("utf-8", "replace"))
    return raw
