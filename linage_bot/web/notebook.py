"""What is known of the positions of one game: thoughts and proofs by their places in its tree.

The position looked at comes first. Then three things take turns: more of it, a proof of it where
one may be had, and a glance at every position that nobody has thought about, for the graph.
"""

from collections.abc import Mapping

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Engine
from linage_bot.engine.pursuit import Pursuit
from linage_bot.engine.solver.known import Proven, known
from linage_bot.rules.game import Position
from linage_bot.rules.history import History
from linage_bot.web.course import Course
from linage_bot.web.tasks import Analyse, Glance, Note, Prove


class Notebook:
    """An analyst and what they wrote down."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.thoughts: dict[int, Analysis] = {}  # First's view, with what is proven written over it
        self._proofs: dict[int, Proven] = {}
        self._begun: Position | None = None  # the position that was analysed last
        self._pursuit: Pursuit | None = None
        self._rounds = 0

    @property
    def graph(self) -> dict[int, tuple[float, float]]:
        """First's win rate and lead, by place."""
        known = self.thoughts.items()
        return {at: (of.win_rate, of.lead or 0.0) for at, of in known if of.win_rate is not None}

    def wanted(self, course: Course) -> Note | None:
        """What to think about next; None if nothing."""
        if not course.analysing:
            return None
        at, analyse = course.viewed, None
        history = course.history(at)
        if not history.position.over and not self._rests(course):
            analyse = Analyse(self.engine, at, history, course.ownership)
            if self._begun is not history.position:
                return analyse
        wanted = (self._prove(at, history), self._glance(course), analyse)
        tasks = [task for task in wanted if task is not None]
        return tasks[self._rounds % len(tasks)] if tasks else None

    def _rests(self, course: Course) -> bool:
        """Whether more thinking would add nothing."""
        thought = self.thoughts.get(course.viewed)
        if thought is None or not thought.settled:
            return False
        return not course.ownership or thought.owners is not None

    def _prove(self, at: int, history: History) -> Prove | None:
        """Go on with the proof of a position, or begin one."""
        if self._pursuit is None or self._pursuit.position is not history.position:
            self._pursuit = self.engine.pursuit(history.position)
        pursuit = self._pursuit
        return Prove(pursuit, at, history) if pursuit is not None and pursuit.ready else None

    def _glance(self, course: Course) -> Glance | None:
        """At the last position that nobody has thought about."""
        graph = self.graph
        for at in reversed(course.line):
            if at not in graph and not course.positions[at].over:
                return Glance(self.engine.settings, at, course.history(at))
        return None

    def still_wanted(self, task: Note, course: Course) -> bool:
        """Whether the answer would still be of use, and soon."""
        looked_at = isinstance(task, Glance) or task.at == course.viewed
        return course.analysing and looked_at and _is_of(course, task)

    def accept(self, task: Note, found: Analysis | Proven, course: Course) -> None:
        """Write down what was found, if the position is still one of the game."""
        if not _is_of(course, task):
            return
        at, position = task.at, task.history.position
        self._rounds += 1
        if isinstance(task, Analyse):
            self._begun = position
        if isinstance(found, Proven):
            self._proofs[at] = found
            self._write(at, self.thoughts.get(at) or Analysis(position=position))
        elif found.candidates:
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
        self.thoughts[at] = found.proven_by(self.proven(at, found.position))

    def told(self, at: int, position: Position) -> Analysis:
        """What is known of a position, if only by the table of solved boards."""
        if at in self.thoughts:
            return self.thoughts[at]
        proven = self.proven(at, position)
        return Analysis.of_proof(position, proven) if proven else Analysis(position=position)

    def proven(self, at: int, position: Position) -> Proven | None:
        """What is proven of a position by now; None if nothing."""
        return self._proofs.get(at) or known(position)

    def cut(self, positions: Mapping[int, Position]) -> None:
        """Forget all but these."""
        for at, thought in list(self.thoughts.items()):
            if positions.get(at) is not thought.position:
                del self.thoughts[at]
                self._proofs.pop(at, None)


def _is_of(course: Course, task: Note) -> bool:
    """Whether the position that was looked at is still one of the game."""
    return course.positions.get(task.at) is task.history.position
