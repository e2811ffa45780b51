"""The moves of a game with its variations and comments: a tree that never changes.

Each change makes another tree that shares all nodes but those that differ. A node keeps its number
as long as it exists, and no other ever gets it, so a number is a permanent reference to a node.
Trees are equal if they have the same moves and comments in the same order; numbers do not matter.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Self, TypeAlias

import attrs

from linage_bot.rules.game import Move

ROOT: Final = 0
"""The number of the node before the first move."""

Foreign: TypeAlias = tuple[tuple[str, tuple[bytes, ...]], ...]
"""SGF properties that we keep and do not understand: names and values, still escaped."""


@attrs.frozen
class UnplayableBranch:
    """A variation that cannot be played: the reason, and its SGF."""

    reason: str
    sgf: bytes


@attrs.frozen(kw_only=True)
class Node:
    """A node of a game's tree; `children` are its continuations, the main line first.

    A `closed` node holds a whole variation and has no children. It comes after all open nodes, and
    is never a part of the main line, even if there is nothing else.
    """

    move: Move | None = None  # that leads here; None: only a comment, as at the start
    parent: int | None = None
    children: tuple[int, ...] = ()
    comment: str = ""
    foreign: Foreign = ()
    closed: UnplayableBranch | None = None


_START: Final = Node()


@attrs.frozen(eq=False)
class MoveTree:
    """Nodes by their numbers; by default the start alone."""

    nodes: Mapping[int, Node] = attrs.field(factory=lambda: {ROOT: _START}, repr=False)
    _next: int = 1  # the first number that no node has ever had

    @classmethod
    def of(cls, nodes: Iterable[Node]) -> Self:
        """Return a tree of nodes that follow their parents; they are numbered from 0."""
        return cls.numbered(enumerate(nodes))

    @classmethod
    def numbered(cls, nodes: Iterable[tuple[int, Node]]) -> Self:
        """Return a tree of nodes with their numbers; `ROOT` comes first."""
        found, children = dict(nodes), dict[int, list[int]]()
        for number, node in found.items():
            if node.parent is not None:
                children.setdefault(node.parent, []).append(number)
        grown = {
            number: attrs.evolve(node, children=_open_first(children.get(number, ()), found))
            for number, node in found.items()
        }
        return cls(grown, max(grown) + 1)

    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, node: object) -> bool:
        return node in self.nodes

    def __getitem__(self, node: int) -> Node:
        return self.nodes[node]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MoveTree) and list(self._outline()) == list(other._outline())

    def __hash__(self) -> int:
        return hash(tuple(self._outline()))

    def _outline(self) -> Iterator[tuple[int, Node]]:
        """Yield the nodes in order without their numbers, each with its number of children."""
        for _, node in self.walk():
            yield len(node.children), attrs.evolve(node, parent=None, children=())

    def walk(self, node: int = ROOT) -> Iterator[tuple[int, Node]]:
        """Yield a node and all its descendants, parents before children, the main line first."""
        waiting = [node]
        while waiting:
            number = waiting.pop()
            found = self.nodes[number]
            yield number, found
            waiting += reversed(found.children)

    def path(self, node: int) -> tuple[int, ...]:
        """Return the nodes from the start to this one."""
        path = []
        place: int | None = node
        while place is not None:
            path.append(place)
            place = self.nodes[place].parent
        return tuple(reversed(path))

    def line(self, node: int = ROOT) -> tuple[int, ...]:
        """Return the nodes from the start to this one, and on along the main line from there."""
        return (*self.path(node), *self._main_line_from(node))

    def end(self, node: int = ROOT) -> int:
        """Return the node at which the main line from this one ends."""
        return self.line(node)[-1]

    def _main_line_from(self, node: int) -> Iterator[int]:
        while (children := self.nodes[node].children) and not self.nodes[children[0]].closed:
            node = children[0]
            yield node

    def moves(self, path: Iterable[int]) -> tuple[Move, ...]:
        """Return the moves that lead to the nodes of a path."""
        found = (self.nodes[node].move for node in path)
        return tuple(move for move in found if move is not None)

    def child(self, node: int, move: Move) -> int | None:
        """Return the node that a move leads to from here; None if the tree does not have it."""
        children = self.nodes[node].children
        return next((each for each in children if self.nodes[each].move == move), None)

    # Changes

    def played(self, node: int, move: Move) -> tuple[Self, int]:
        """Return the tree with one more move, after the other open ones here, and the new node."""
        parent = self.nodes[node]
        number = self._next
        nodes = dict(self.nodes)
        nodes[number] = Node(move=move, parent=node)
        children = _open_first((*parent.children, number), nodes)
        nodes[node] = attrs.evolve(parent, children=children)
        return attrs.evolve(self, nodes=nodes, next=number + 1), number

    def with_comment(self, node: int, comment: str) -> Self:
        """Return the tree with another comment here."""
        nodes = dict(self.nodes)
        nodes[node] = attrs.evolve(nodes[node], comment=comment)
        return attrs.evolve(self, nodes=nodes)

    def with_main_line(self, node: int) -> Self:
        """Return the tree with this node on its main line; itself if it is there already."""
        nodes = dict(self.nodes)
        path = self.path(node)
        for place, following in itertools.pairwise(path):
            children = nodes[place].children
            others = (each for each in children if each != following)
            if children[0] != following:
                nodes[place] = attrs.evolve(nodes[place], children=(following, *others))
        return self if nodes == self.nodes else attrs.evolve(self, nodes=nodes)

    def without(self, node: int) -> Self:
        """Return the tree without a node, which is not the start, and without its descendants."""
        nodes = dict(self.nodes)
        parent = nodes[node].parent
        assert parent is not None, "the start of a game cannot be deleted"
        for gone, _ in self.walk(node):
            del nodes[gone]
        left = tuple(each for each in nodes[parent].children if each != node)
        nodes[parent] = attrs.evolve(nodes[parent], children=left)
        return attrs.evolve(self, nodes=nodes)


def _open_first(places: Iterable[int], nodes: Mapping[int, Node]) -> tuple[int, ...]:
    """Return the nodes in their order, but with closed ones last."""
    return tuple(sorted(places, key=lambda each: nodes[each].closed is not None))
