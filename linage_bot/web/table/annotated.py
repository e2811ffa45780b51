"""A study with the position at every node of its tree.

It is immutable: each change returns a new one, or raises `ActionRefused`. Positions keep their
identity, so that earlier analysis stays valid.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import attrs

from linage_bot.records import ROOT, BadRecord, MoveTree, Record, Study
from linage_bot.rules.game import Game, IllegalMove, Move, Position
from linage_bot.rules.history import History
from linage_bot.rules.options import BadOption
from linage_bot.web.table.errors import ActionRefused, check

MOST_NODES = 2000  # of a tree: each costs memory as long as the game is kept
MOST_WORDS = 150_000  # bytes of all comments, so that a saved file can be loaded


@attrs.frozen
class AnnotatedTree:
    """A study and its positions, by their nodes in the tree."""

    study: Study
    positions: Mapping[int, Position]

    @classmethod
    def of(cls, study: Study) -> AnnotatedTree:
        """Return a study with all its moves made. Raise `BadRecord`."""
        if len(study.tree) > MOST_NODES + 1:
            raise BadRecord("SGF", f"more than {MOST_NODES} moves, with those of its variations")
        return cls(study, study.positions())

    @property
    def game(self) -> Game:
        """The game with its board, komi and options."""
        return self.facts.game

    @property
    def facts(self) -> Record:
        """The facts of the game without its moves."""
        return self.study.facts

    @property
    def tree(self) -> MoveTree:
        """The moves of the game and of its variations."""
        return self.study.tree

    def history(self, at: int) -> History:
        """Return the game's history up to a node."""
        facts, path = self.facts, self.tree.path(at)
        moves = [place for place in path if self.tree[place].move is not None]
        return History(
            facts.game,
            facts.setup,
            facts.to_move,
            self.tree.moves(moves),
            positions=(self.positions[ROOT], *(self.positions[place] for place in moves)),
        )

    def moves_to(self, at: int) -> tuple[int, ...]:
        """Return the nodes from the start to one, without those that hold only comments."""
        path = self.tree.path(at)
        return tuple(each for each in path if each == ROOT or self.tree[each].move is not None)

    def check_place(self, at: int) -> None:
        """Raise `ActionRefused` if a node is not in the tree."""
        check(at in self.tree, "this position is not here any more")

    def check_open(self, at: int) -> None:
        """Raise `ActionRefused` if a node is in a variation that breaks the rules."""
        check(self.tree[at].closed is None, "this variation cannot be played")

    def played(self, at: int, move: Move) -> tuple[AnnotatedTree, int]:
        """Return the tree with a move made at a node, and the new node."""
        place = self.tree.child(at, move)
        if place is not None:
            return self, place
        self.check_open(at)
        full = len(self.tree) > MOST_NODES
        check(not full, f"there are {MOST_NODES} moves: delete a variation first")
        try:
            position = self.positions[at].play(move)
        except IllegalMove as error:
            raise ActionRefused(error.reason) from None
        tree, place = self.tree.played(at, move)
        grown = attrs.evolve(self._with(tree), positions={**self.positions, place: position})
        return grown, place

    def led_to(self, at: int) -> AnnotatedTree:
        """Return the tree with its main line through a node."""
        return self._with(self.tree.led_to(at))

    def without(self, at: int) -> AnnotatedTree:
        """Return the tree without a node and all nodes behind it."""
        gone = {place for place, _ in self.tree.walk(at)}
        positions = {place: self.positions[place] for place in self.positions if place not in gone}
        return attrs.evolve(self._with(self.tree.without(at)), positions=positions)

    def _with(self, tree: MoveTree) -> AnnotatedTree:
        """Return the study with another tree; a new main line drops the old one's result."""
        facts = self.facts
        old, new = (each.moves(each.line()) for each in (self.tree, tree))
        if old != new:
            alike = itertools.takewhile(
                lambda pair: pair[0] == pair[1], zip(old, new, strict=False)
            )
            given = min(facts.given, sum(1 for _ in alike))
            facts = attrs.evolve(facts, result=None, given=given)
        return attrs.evolve(self, study=Study(facts, tree))

    def said(self, at: int, text: str) -> AnnotatedTree:
        """Return the tree with the comment on a position replaced."""
        # JSON can contain an unpaired surrogate.
        written = text.replace("\r\n", "\n").encode("utf-8", "replace")
        others = sum(len(node.comment.encode()) for n, node in self.tree.walk() if n != at)
        room = max(MOST_WORDS - others, len(self.tree[at].comment.encode()))
        check(len(written) <= room, "there is no room for so many words")
        tree = self.tree.said(at, written.decode())
        return attrs.evolve(self, study=attrs.evolve(self.study, tree=tree))

    def with_komi(self, komi: float) -> AnnotatedTree:
        """Return the tree with another komi from the start."""
        try:
            game = attrs.evolve(self.game, komi=komi)
        except BadOption as error:
            raise ActionRefused(error.reason) from None
        study = attrs.evolve(self.study, facts=attrs.evolve(self.facts, game=game))
        return AnnotatedTree(study, study.positions())

    def with_facts(self, facts: Record) -> AnnotatedTree:
        """Return the tree with other facts, such as a result; the game must be the same."""
        return attrs.evolve(self, study=attrs.evolve(self.study, facts=facts))
