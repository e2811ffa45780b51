"""Where a game is played: the tree of its moves with the position at every place.

It never changes: what grows, is cut or commented is another ground, and what cannot be done raises
`ActionRefused`. Positions keep their identity, so what was found out about one stays true.
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
MOST_WORDS = 150_000  # bytes of all comments, so that what is saved can be loaded


@attrs.frozen
class AnnotatedTree:
    """A study and its positions, by their places in the tree."""

    study: Study
    positions: Mapping[int, Position]

    @classmethod
    def of(cls, study: Study) -> AnnotatedTree:
        """A study with all its moves made; raises `BadRecord`."""
        if len(study.tree) > MOST_NODES + 1:
            raise BadRecord("SGF", f"more than {MOST_NODES} moves, with those of its variations")
        return cls(study, study.positions())

    @property
    def game(self) -> Game:
        """The game with its board, komi and options."""
        return self.facts.game

    @property
    def facts(self) -> Record:
        """What is known of the game but its moves."""
        return self.study.facts

    @property
    def tree(self) -> MoveTree:
        """The moves of the game and of its variations."""
        return self.study.tree

    def history(self, at: int) -> History:
        """The way to a place of the tree."""
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
        """The places on the way to one, the start first, without those where only words stand."""
        path = self.tree.path(at)
        return tuple(each for each in path if each == ROOT or self.tree[each].move is not None)

    def check_place(self, at: int) -> None:
        """Raises `ActionRefused` if a place is not in the tree."""
        check(at in self.tree, "this position is not here any more")

    def check_open(self, at: int) -> None:
        """Raises `ActionRefused` if a place is in a variation that breaks the rules."""
        check(self.tree[at].closed is None, "this variation cannot be played")

    def played(self, at: int, move: Move) -> tuple[AnnotatedTree, int]:
        """With a move made somewhere, and where it leads to."""
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
        """With the main line through a place."""
        return self._with(self.tree.led_to(at))

    def without(self, at: int) -> AnnotatedTree:
        """Without a place, and all behind it."""
        gone = {place for place, _ in self.tree.walk(at)}
        positions = {place: self.positions[place] for place in self.positions if place not in gone}
        return attrs.evolve(self._with(self.tree.without(at)), positions=positions)

    def _with(self, tree: MoveTree) -> AnnotatedTree:
        """With another tree; what was said of the old main line is not said of a new one."""
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
        """With a comment on a position, in place of what was said before."""
        # JSON can hold half a letter.
        written = text.replace("\r\n", "\n").encode("utf-8", "replace")
        others = sum(len(node.comment.encode()) for n, node in self.tree.walk() if n != at)
        room = max(MOST_WORDS - others, len(self.tree[at].comment.encode()))
        check(len(written) <= room, "there is no room for so many words")
        tree = self.tree.said(at, written.decode())
        return attrs.evolve(self, study=attrs.evolve(self.study, tree=tree))

    def with_komi(self, komi: float) -> AnnotatedTree:
        """With another komi from the start."""
        try:
            game = attrs.evolve(self.game, komi=komi)
        except BadOption as error:
            raise ActionRefused(error.reason) from None
        study = attrs.evolve(self.study, facts=attrs.evolve(self.facts, game=game))
        return AnnotatedTree(study, study.positions())

    def with_facts(self, facts: Record) -> AnnotatedTree:
        """With other facts of the game, such as its result, but of the same board and rules."""
        return attrs.evolve(self, study=attrs.evolve(self.study, facts=facts))
