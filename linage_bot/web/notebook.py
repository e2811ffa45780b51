"""What is known of the positions of one game: thoughts and proofs by number of moves.

The position looked at comes first. Then three things take turns: more of it, a proof of it where
one may be had, and a glance at every position that nobody has thought about, for the graph.
"""

from __future__ import annotations

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Engine
from linage_bot.engine.pursuit import Pursuit
from linage_bot.engine.solver.known import Proven, known
from linage_bot.rules.game import Position
from linage_bot.web.course import Course
from linage_bot.web.tasks import Analyse, Found, Glance, Prove, Task, position_of


class Notebook:
    """An analyst and what they wrote down."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.on = False
        self.ownership = False
        self.thoughts: dict[int, Analysis] = {}  # First's view, with what is proven written over it
        self.graph: dict[int, tuple[float, float]] = {}  # First's win rate and lead
        self._proofs: dict[int, Proven] = {}
        self._begun: Position | None = None  # the position that was analysed last
        self._pursuit: Pursuit | None = None
        self._rounds = 0

    def wanted(self, course: Course, viewed: int) -> Task | None:
        """What to think about next, looking at one position of a game; None if nothing."""
        if not self.on:
            return None
        position, analyse = course.positions[viewed], None
        if not position.over and not self._rests(viewed):
            analyse = Analyse(self.engine, course.history.to(viewed), self.ownership)
            if self._begun is not position:
                return analyse
        wanted = (self._prove(position), self._glance(course), analyse)
        tasks = [task for task in wanted if task is not None]
        return tasks[self._rounds % len(tasks)] if tasks else None

    def _rests(self, at: int) -> bool:
        """Whether more thinking would add nothing."""
        thought = self.thoughts.get(at)
        if thought is None or not thought.settled:
            return False
        return not self.ownership or thought.owners is not None

    def _prove(self, position: Position) -> Prove | None:
        """Go on with the proof of a position, or begin one."""
        if self._pursuit is None or self._pursuit.position is not position:
            self._pursuit = self.engine.pursuit(position)
        return Prove(self._pursuit) if self._pursuit is not None and self._pursuit.ready else None

    def _glance(self, course: Course) -> Glance | None:
        """At the last position that nobody has thought about."""
        for at in range(course.at, -1, -1):
            if at not in self.graph and not course.positions[at].over:
                return Glance(self.engine.settings, course.history.to(at))
        return None

    def still_wanted(self, task: Task, course: Course, viewed: int) -> bool:
        """Whether the answer would still be of use, and soon."""
        if isinstance(task, Glance):
            return self.on and _index(task, course) is not None
        if isinstance(task, Analyse | Prove):
            return self.on and position_of(task) is course.positions[viewed]
        return False

    def accept(self, task: Task, found: Found, course: Course) -> None:
        """Write down what was found, if the position is still one of the game."""
        at = _index(task, course)
        if at is None:
            return
        self._rounds += 1
        if isinstance(task, Analyse):
            self._begun = position_of(task)
        if isinstance(found, Proven):
            self._proofs[at] = found
            self._write(at, self.thoughts.get(at) or Analysis(position=course.positions[at]))
        elif isinstance(found, Analysis) and found.candidates:
            self.note(at, found)

    def note(self, at: int, found: Analysis) -> None:
        """Write down a thought; of two, the one with more visits and the newer ownership."""
        earlier = self.thoughts.get(at)
        if earlier is not None:
            owners = found.owners or earlier.owners
            better = found.visits >= earlier.visits or (found.settled and not earlier.settled)
            found = attrs.evolve(found if better else earlier, owners=owners)
        self._write(at, found)

    def _write(self, at: int, found: Analysis) -> None:
        thought = self.thoughts[at] = found.proven_by(self._proofs.get(at) or known(found.position))
        if thought.win_rate is not None:
            self.graph[at] = thought.win_rate, thought.lead or 0.0

    def told(self, at: int, position: Position) -> Analysis:
        """What is known of a position, if only by the table of solved boards."""
        if at in self.thoughts:
            return self.thoughts[at]
        proven = known(position)
        return Analysis.of_proof(position, proven) if proven else Analysis(position=position)

    def cut(self, last: int) -> None:
        """Forget the positions with more moves."""
        for notes in (self.thoughts, self.graph, self._proofs):
            for at in [at for at in notes if at > last]:
                del notes[at]


def _index(task: Task, course: Course) -> int | None:
    """How many moves the position has that was looked at; None if it is none of the game."""
    if isinstance(task, Analyse | Glance | Prove):
        position = position_of(task)
        for at, each in enumerate(course.positions):
            if each is position:
                return at
    return None
