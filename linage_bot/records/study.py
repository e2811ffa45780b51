"""A game with its variations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

import attrs

from linage_bot.records.record import BadRecord, Record
from linage_bot.records.tree import ROOT, MoveTree, Node
from linage_bot.rules.game import IllegalMove, Move, Player, Position


@attrs.frozen
class Study:
    """A game's facts, and its moves and comments in a tree; `facts` has no moves or comments."""

    facts: Record
    tree: MoveTree = attrs.field(factory=MoveTree)

    @classmethod
    def of(cls, record: Record) -> Self:
        """Return a record, which has one line of moves, as a tree of that line.

        Raises `BadRecord` for a comment on a move that was not made.
        """
        for number in record.comments:
            if not 0 <= number <= len(record.moves):
                raise BadRecord(f"comment on move {number}", f"there are {len(record.moves)} moves")
        return cls(attrs.evolve(record, moves=(), comments={}), MoveTree.of(_line(record)))

    @property
    def record(self) -> Record:
        """The main line."""
        return self.until(self.tree.end())

    def until(self, node: int) -> Record:
        """Return the line that leads to a node of the tree."""
        path = self.tree.path(node)
        number, comments = 0, dict[int, list[str]]()
        for each in map(self.tree.__getitem__, path):
            number += each.move is not None
            if each.comment:
                comments.setdefault(number, []).append(each.comment)
        joined = {number: "\n".join(texts) for number, texts in comments.items()}
        moves = self.tree.moves(path)
        given = min(self.facts.given, len(moves))
        return attrs.evolve(self.facts, moves=moves, comments=joined, given=given)

    def mover(self, node: int) -> Player:
        """Return the player of the move that leads to this node, or if none does, the next one."""
        path = self.tree.path(node)
        number = len(self.tree.moves(path)) + (self.tree[node].move is None)
        return self.facts.mover(number)

    def positions(self) -> dict[int, Position]:
        """Return the position at every node; raises `BadRecord` for an illegal move."""
        positions = {ROOT: self.facts.history().position}
        for number, node in self.tree.walk():
            if node.parent is None:
                continue
            before = positions[node.parent]
            if node.move is None:
                positions[number] = before
                continue
            count = len(self.tree.moves(self.tree.path(number)))
            positions[number] = played(before, node.move, f"move {count}")
        return positions


def played(position: Position, move: Move, where: str) -> Position:
    """Return the position after a move; raises `BadRecord` if the rules forbid it."""
    try:
        return position.play(move)
    except IllegalMove as error:
        raise BadRecord(where, f"{position.to_move.colour} {error}") from None


def _line(record: Record) -> Iterator[Node]:
    yield Node(comment=record.comments.get(0, ""))
    for number, move in enumerate(record.moves):
        yield Node(move=move, parent=number, comment=record.comments.get(number + 1, ""))
