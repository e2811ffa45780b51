"""SGF to records."""

import functools
import warnings
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Self

import attrs

from linage_bot.records.decoding import Warn
from linage_bot.records.grammar import sgf_grammar
from linage_bot.records.parsing import LONGEST_SGF, games_in, parse
from linage_bot.records.properties import (
    Properties,
    comment_of,
    players_of,
    read_game,
    read_given,
    read_move,
    read_player,
    read_points,
    text_of,
)
from linage_bot.records.record import BadRecord, Record
from linage_bot.records.study import Study, played
from linage_bot.records.tree import Foreign, MoveTree, Node, UnplayableBranch
from linage_bot.records.writing import write_point
from linage_bot.rules.boards import Board, Points, bits
from linage_bot.rules.game import Game, Move, Player, Position
from linage_bot.settings.files import read_file

_OF_A_MOVE = ("B", "W", "C")
_SETUP = ("AE", "AB", "AW")
_Stones = dict[Player, Points]
_OF_A_GAME = (  # which we write there ourselves
    *("FF", "GM", "CA", "AP", "SZ", "RU", "KM", "PB", "PW", "RE", "DT", "EV", "RO", "PL"),
)


def from_sgf(
    source: bytes | str, default_game: Game | None = None, warn: Warn | None = None
) -> Record:
    """Return the main line of the first game in an SGF file; `Record.history` checks its moves.

    A file whose `RU` names none of our games is read as `default_game`, with the file's own size
    and komi. Bytes are in the character set that `CA` names; text is already decoded. `warn` is
    called with a line for each oddity of the file, such as a second game that is left out; by
    default it is `warnings.warn`. Raises `BadRecord`, also for more than `LONGEST_SGF` bytes.
    """
    tree = parse(source, warn or _warn)
    line = sgf_grammar.Coarse_game_tree()
    line.sequence = list(sgf_grammar.main_sequence_iter(tree))
    return _read_study(line, default_game, judged=False).record


def read_sgf(
    path: Path | str, default_game: Game | None = None, warn: Warn | None = None
) -> Record:
    """Return the game in a file, as `from_sgf`.

    Raises `OSError` too, also for a path that is not a regular file.
    """
    data = read_file(Path(path), LONGEST_SGF)
    return from_sgf(data, default_game, warn or (lambda line: _warn(f"{path}: {line}")))


def study_from_sgf(
    source: bytes | str, default_game: Game | None = None, warn: Warn | None = None
) -> Study:
    """Return the first game in an SGF file with its variations, as `from_sgf` its main line.

    A node's other properties, beside moves, comments and those of a `Record`, are kept unchanged,
    and so is a variation that cannot be played. Empty nodes are left out, unless the main line
    would end elsewhere. Raises `BadRecord` also for an illegal move of the main line.
    """
    return _read_study(parse(source, warn or _warn), default_game, judged=True)


def split_sgf(data: bytes, warn: Warn | None = None) -> list[str]:
    """Return each game of an SGF file as the text of a file of its own, for `from_sgf` to read.

    Raises `BadRecord` for a file that is too long or not SGF.
    """
    return games_in(data, warn or _warn)


def _warn(line: str) -> None:
    warnings.warn(line, stacklevel=4)  # the line that reads the file, or one near to it


def _read_study(
    tree: sgf_grammar.Coarse_game_tree, default_game: Game | None, *, judged: bool
) -> Study:
    nodes: list[Properties] = list(sgf_grammar.main_sequence_iter(tree))
    root = nodes[0]
    game = read_game(root, default_game)
    boards, to_move = _read_setup(nodes, game.board)
    setup = tuple((player, point) for player in Player for point in bits(boards[-1][player]))
    if to_move is None:  # not all handicap games have `PL` for White
        movers = (player for node in nodes for player in players_of(node))
        to_move = next(movers, Player.FIRST) if setup else Player.FIRST
    facts = Record(
        game=game,
        setup=setup,
        to_move=to_move,
        players=(text_of(root, "PB"), text_of(root, "PW")),
        result=text_of(root, "RE") or None,
        date=text_of(root, "DT") or None,
        event=text_of(root, "EV") or None,
        round=text_of(root, "RO") or None,
        given=read_given(root),
    )
    start = facts.history().position if judged else None
    places = _without_silent_end([*_read_tree(tree, facts, start, boards)])
    return Study(facts, MoveTree.of(places))


@attrs.define
class _Branch:
    """An unread part of a file's tree, which continues from one of our nodes."""

    tree: sgf_grammar.Coarse_game_tree
    parent: int
    position: Position | None  # None: moves are not judged
    moves: int = attrs.field(default=0, kw_only=True)  # made before it
    varies: bool = attrs.field(default=False, kw_only=True)  # from the main line
    free: bool = attrs.field(default=True, kw_only=True)  # no move before it, only set-up
    nodes: int = attrs.field(default=1, kw_only=True)  # of the file, before it
    own_setup: Properties = attrs.field(factory=dict, kw_only=True)  # from the main line's to its
    leads: bool = attrs.field(default=False, kw_only=True)  # first of several; empty so far

    def read(self, node: Properties, facts: Record) -> Node:
        """Return the next node; raises `BadRecord`."""
        self.nodes += 1
        if self.own_setup:
            where = _where(self.moves + 1, self.varies)
            raise BadRecord(where, "begins on another board than the main line")
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
        return Node(move=move, parent=self.parent, comment=comment_of(node), foreign=foreign)

    def children(self, board: Board, boards: Sequence[_Stones]) -> Iterator[Self]:
        """Yield the branches after this one; only the main line may still set up stones."""
        changes = _changes(board, boards[-1], boards[min(self.nodes, len(boards)) - 1])
        for index, child in enumerate(self.tree.children):
            varies = self.varies or index > 0
            yield attrs.evolve(
                self,
                tree=child,
                varies=varies,
                own_setup=changes if varies else {},
                free=self.free and not varies,
                leads=index == 0 and (self.leads or len(self.tree.children) > 1),
            )


def _read_tree(
    tree: sgf_grammar.Coarse_game_tree,
    facts: Record,
    start: Position | None,
    boards: Sequence[_Stones],
) -> Iterator[Node]:
    """Yield all nodes, each after its parent, the main line first; they are counted from 0.

    A variation is closed where it cannot be read or, with a position to `start` from, be played.
    The move of a root, which few files have, gets a node of its own.
    """
    root: Properties = tree.sequence[0]
    moving = [{name: root[name] for name in root if name in _OF_A_MOVE}] if players_of(root) else []
    comment = "" if moving else comment_of(root)
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
                own_setup = [branch.own_setup] if branch.own_setup else []
                rest.sequence = [*own_setup, *rest.sequence[index:]]
                closed = UnplayableBranch(
                    str(error), sgf_grammar.serialise_game_tree(rest, wrap=None)
                )
                yield Node(parent=branch.parent, closed=closed)
                count += 1
                break
            # If the main line ends here, a variation beside it must not become the main line.
            last = index + 1 == len(branch.tree.sequence) and not branch.tree.children
            if read != Node(parent=branch.parent) or (branch.leads and last):
                yield read
                branch.parent, branch.leads, count = count, False, count + 1
        else:
            waiting += reversed([*branch.children(facts.game.board, boards)])


def _without_silent_end(places: list[Node]) -> list[Node]:
    """Leave out an empty last node of the main line, unless it separates variations from it.

    Closed variations beside it do not need it: they never become the main line.
    """
    silent = (at for at, node in enumerate(places) if at and node == Node(parent=node.parent))
    at = next(silent, 0)
    beside = [each for each in places if each.parent == places[at].parent]
    if not at or any(each.closed is None for each in beside if each is not places[at]):
        return places
    rest = [*places[:at], *places[at + 1 :]]
    return [  # no other node has the removed one as its parent
        each
        if each.parent is None or each.parent < at
        else attrs.evolve(each, parent=each.parent - 1)
        for each in rest
    ]


def _known(root: Properties) -> set[str]:
    """Return the properties of a root that a `Record` holds."""
    return {*_OF_A_GAME, *_SETUP} | ({"ON"} if read_given(root) else set())


def _foreign(node: Properties, known: Collection[str]) -> Foreign:
    """Return a node's properties other than the known ones, a move and a comment."""
    others = (name for name in node if name not in known and name not in _OF_A_MOVE)
    return tuple((name, tuple(node[name])) for name in others)


def _read_setup(nodes: list[Properties], board: Board) -> tuple[Sequence[_Stones], Player | None]:
    """Return the stones after each node, up to the last change before the first move; and `PL`."""
    stones: _Stones = dict.fromkeys(Player, 0)
    boards, to_move, number, complete = [], None, 0, 1
    points_of = functools.cache(read_points)  # files repeat themselves
    for count, node in enumerate(nodes, 1):
        number += "B" in node or "W" in node
        for name, player in (("AE", None), ("AB", Player.FIRST), ("AW", Player.SECOND)):
            for raw in node.get(name, ()):
                if number:
                    raise BadRecord(f"move {number}", f"{name} changes the board during play")
                points = points_of(name, raw, board)
                stones = {each: stones[each] & ~points for each in Player}
                if player is not None:
                    stones[player] |= points
                complete = count
        if not number or count == 1:
            boards.append(stones)
        if "PL" in node and not number:
            to_move = read_player(text_of(node, "PL"))
    return boards[:complete], to_move


def _changes(board: Board, before: _Stones, after: _Stones) -> Properties:
    """Return the properties of a node that changes one board to the other; empty if equal."""
    taken = sum(before.values()) & ~sum(after.values())
    placed = [after[player] & ~before[player] for player in Player]
    changes = zip(("AE", "AB", "AW"), (taken, *placed), strict=True)
    return {name: [write_point(board, each) for each in bits(on)] for name, on in changes if on}


def _read_turn(node: Properties, facts: Record, moves: int, varies: bool) -> Move | None:
    """Return the move in a node after `moves` others; None if there is none.

    The players take turns; raises `BadRecord` for a move of the wrong player.
    """
    players, where = players_of(node), _where(moves + 1, varies)
    if not players:
        return None
    if len(players) > 1:
        raise BadRecord(where, "more than one move in a node")
    (player,), mover = players, facts.mover(moves + 1)
    if player is not mover:
        raise BadRecord(where, f"{player.colour} plays, but {mover.colour} is next")
    return read_move(where, node[player.letter.upper()][0].strip(), facts.game.board)


def _where(number: int, varies: bool) -> str:
    return f"move {number} of a variation" if varies else f"move {number}"
