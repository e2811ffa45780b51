"""What is known of the positions of one game, by their places in its tree.

The position looked at comes first. Then two things take turns: more of it, and a glance at every
position that nobody has thought about, for the graph. Where pages look at several positions, these
take turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Engine
from linage_bot.engine.solver.known import Proven, known
from linage_bot.jobs.sticky import StickyObject
from linage_bot.rules.game import Position
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.view import View
from linage_bot.web.thinking.tasks import Analyse, Note, QuickSearch

_MOST_ANALYSTS = 4  # each keeps a search tree


@attrs.define(eq=False)
class Analyst:
    """Who thinks of one position at a time, and what was begun."""

    engine: StickyObject[Engine]
    begun: Position | None = None  # the position that was analysed last

    @classmethod
    def new(cls, settings: PlaySettings) -> Analyst:
        """Who knows nothing yet."""
        return cls(StickyObject(partial(Engine, settings)))


class AnalysisCache:
    """What analysts wrote down."""

    def __init__(self, settings: PlaySettings) -> None:
        self._settings = settings
        self.analysts = [Analyst.new(settings)]
        self.thoughts: dict[int, Analysis] = {}  # First's view, with what is proven written over it
        self._rounds = 0

    @property
    def graph(self) -> dict[int, tuple[float, float]]:
        """First's win rate and lead, by place."""
        known = self.thoughts.items()
        return {at: (of.win_rate, of.lead or 0.0) for at, of in known if of.win_rate is not None}

    def wanted(self, course: TableGame, sights: Sequence[View]) -> Note | None:
        """What to think about next for those who look; None if nothing."""
        looks: dict[int, View] = {}  # by place: those who look at the same are told the same
        for sight in sights:
            at = sight.viewed(course)
            looks[at] = sight if at not in looks or sight.ownership else looks[at]
        round_, turn = divmod(self._rounds, max(1, len(looks)))
        order = [*looks.values()][turn:] + [*looks.values()][:turn]
        places = {id(course.positions[at]) for at in looks}
        notes = (self._of(course, sight, round_, places) for sight in order)
        return next((note for note in notes if note is not None), None)

    def _of(self, course: TableGame, sight: View, round_: int, looked_at: set[int]) -> Note | None:
        """What to think about for one look."""
        at, analyse = sight.viewed(course), None
        history = course.ground.history(at)
        analyst = self._analyst(history.position, looked_at)
        if not history.position.over and not self._rests(at, sight):
            analyse = Analyse(analyst.engine, at, history, sight.ownership)
            if analyst.begun is not history.position:
                return analyse
        wanted = (self._glance(course, at), analyse)
        tasks = [task for task in wanted if task is not None]
        return tasks[round_ % len(tasks)] if tasks else None

    def _analyst(self, position: Position, looked_at: set[int]) -> Analyst:
        """Who thinks of a position already, or has no other to think of."""
        found = [each for each in self.analysts if each.begun is position]
        found += [each for each in self.analysts if id(each.begun) not in looked_at]
        if not found and len(self.analysts) < _MOST_ANALYSTS:
            self.analysts.append(Analyst.new(self._settings))
            found = self.analysts[-1:]
        return found[0] if found else self.analysts[0]

    def _rests(self, at: int, sight: View) -> bool:
        """Whether more thinking would add nothing."""
        thought = self.thoughts.get(at)
        if thought is None or not thought.settled:
            return False
        return not sight.ownership or thought.owners is not None

    def _glance(self, course: TableGame, viewed: int) -> QuickSearch | None:
        """At the last position in sight that nobody has thought about."""
        graph = self.graph
        for at in reversed(course.line(viewed)):
            if at not in graph and not course.positions[at].over:
                return QuickSearch(self._settings, at, course.ground.history(at))
        return None

    def still_wanted(self, task: Note, course: TableGame, sights: Sequence[View]) -> bool:
        """Whether the answer would still be of use, and soon."""
        places = {sight.viewed(course) for sight in sights}
        looked_at = bool(places) if isinstance(task, QuickSearch) else task.at in places
        return looked_at and _is_of(course, task)

    def accept(self, task: Note, found: Analysis, course: TableGame) -> None:
        """Write down what was found, if the position is still one of the game."""
        if not _is_of(course, task):
            return
        at, position = task.at, task.history.position
        self._rounds += 1
        if isinstance(task, Analyse):
            next(each for each in self.analysts if each.engine is task.engine).begun = position
        if found.candidates:
            self.note(at, attrs.evolve(found, position=position))

    def note(self, at: int, found: Analysis) -> None:
        """Write down a thought; of two, the one with more visits and the newer ownership.

        Its position is the one of the game, not a copy.
        """
        earlier = self.thoughts.get(at)
        if earlier is not None:
            owners = found.owners or earlier.owners
            better = found.visits >= earlier.visits or (found.settled and not earlier.settled)
            kept, other = (found, earlier) if better else (earlier, found)
            found = attrs.evolve(kept.proven_by(other.proofs), owners=owners)
        self.thoughts[at] = found.proven_by(known(found.position))

    def told(self, at: int, position: Position) -> Analysis:
        """What is known of a position, if only by the table of solved boards."""
        if at in self.thoughts:
            return self.thoughts[at]
        proven = known(position)
        return Analysis.of_proof(position, proven) if proven else Analysis(position=position)

    def proven(self, at: int, position: Position) -> Proven | None:
        """What is proven of a position by now; None if nothing."""
        thought = self.thoughts.get(at)
        return known(position) if thought is None else thought.proofs

    def forget(self) -> None:
        """Let go of all search trees; not while a task runs."""
        del self.analysts[1:]
        self.analysts[0].engine.forget()

    def cut(self, positions: Mapping[int, Position]) -> None:
        """Forget all but these."""
        for at, thought in list(self.thoughts.items()):
            if positions.get(at) is not thought.position:
                del self.thoughts[at]


def _is_of(course: TableGame, task: Note) -> bool:
    """Whether the position that was looked at is still one of the game."""
    return course.positions.get(task.at) is task.history.position
