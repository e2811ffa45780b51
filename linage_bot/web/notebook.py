"""What is known of the positions of one game: thoughts and proofs by number of moves.

The position looked at comes first. Then three things take turns: more of it, a proof of it where
one may be had, and a glance at every position that nobody has thought about, for the graph.
"""

from __future__ import annotations

import attrs

from linage_bot.engine.engine import Engine
from linage_bot.engine.pursuit import Pursuit
from linage_bot.engine.solver.known import Proven, known
from linage_bot.rules.game import Position
from linage_bot.web.course import Course
from linage_bot.web.tasks import Analyse, Found, Glance, Prove, Task
from linage_bot.web.thoughts import Thought


class Notebook:
    """An analyst and what they wrote down."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.on = False
        self.ownership = False
        self.thoughts: dict[int, Thought] = {}
        self.proofs: dict[int, Proven] = {}
        self._begun: Position | None = None  # the position that was analysed last
        self._pursuit: Pursuit | None = None
        self._rounds = 0

    def wanted(self, course: Course, viewed: int) -> Task | None:
        """What to think about next, looking at one position of a game; None if nothing."""
        if not self.on:
            return None
        position, thought = course.positions[viewed], self.thoughts.get(viewed)
        analyse = None
        if not position.over and not (thought is not None and self._rests(thought)):
            analyse = Analyse(self.engine, course.history.to(viewed), self.ownership)
        if analyse is not None and self._begun is not position:
            return analyse
        wanted = (self._prove(position), self._glance(course), analyse)
        tasks = [task for task in wanted if task is not None]
        return tasks[self._rounds % len(tasks)] if tasks else None

    def _prove(self, position: Position) -> Prove | None:
        """Go on with the proof of a position, or begin one."""
        if self._pursuit is None or self._pursuit.position is not position:
            self._pursuit = self.engine.pursuit(position)
        return Prove(self._pursuit) if self._pursuit is not None and self._pursuit.ready else None

    def proven(self, course: Course, at: int) -> Proven | None:
        """What is proven of a position, by the table of solved boards or by a proof since then."""
        return self.proofs.get(at) or known(course.positions[at])

    def _rests(self, thought: Thought) -> bool:
        return thought.settled and (not self.ownership or thought.ownership is not None)

    def _glance(self, course: Course) -> Glance | None:
        """At the last position that nobody has thought about."""
        for at in range(course.at, -1, -1):
            if at not in self.thoughts and not course.positions[at].over:
                return Glance(self.engine, course.history.to(at))
        return None

    def still_wanted(self, task: Task, course: Course, viewed: int) -> bool:
        """Whether the answer would still be of use, and soon."""
        if not self.on or not isinstance(task, Analyse | Prove | Glance):
            return False
        if isinstance(task, Glance):
            return _index(task.position, course) is not None
        return course.positions[viewed] is task.position

    def accept(self, task: Task, found: Found, course: Course) -> None:
        """Write down what was found, if the position is still one of the game."""
        if not isinstance(task, Analyse | Prove | Glance):
            return
        at = _index(task.position, course)
        if at is None:
            return
        self._rounds += 1
        if isinstance(task, Analyse):
            self._begun = task.position
        if isinstance(found, Proven):
            self.proofs[at] = found
        elif isinstance(found, Thought):
            self.note(at, found)

    def note(self, at: int, thought: Thought | None) -> None:
        """Write down a thought; of two, the one with more visits and the newer ownership."""
        if thought is None:
            return
        earlier = self.thoughts.get(at)
        owners = thought.ownership or (None if earlier is None else earlier.ownership)
        better = thought if earlier is None or thought.replaces(earlier) else earlier
        self.thoughts[at] = attrs.evolve(better, ownership=owners)

    def cut(self, last: int) -> None:
        """Forget the positions with more moves."""
        for notes in (self.thoughts, self.proofs):
            for at in [at for at in notes if at > last]:
                del notes[at]


def _index(position: Position, course: Course) -> int | None:
    """How many moves a position of the game has; None if it is none."""
    for at, each in enumerate(course.positions):
        if each is position:
            return at
    return None
