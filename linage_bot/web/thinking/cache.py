"""The cached analysis of one game's positions, by the nodes of its tree.

A viewed position is analysed first. Then two tasks alternate: more analysis of it, and a quick
search of each unsearched position, for the graph. If pages view several positions, these take
turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Engine
from linage_bot.engine.solver.proven_values import ProvenValues, known
from linage_bot.jobs.sticky import StickyObject
from linage_bot.rules.game import Position
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.view import View
from linage_bot.web.thinking.tasks import Analyse, AnalysisTask, QuickSearch

_MOST_ANALYSTS = 4  # each keeps a search tree


@attrs.define(eq=False)
class Analyst:
    """An engine that analyses one position at a time, and the position it analysed last."""

    engine: StickyObject[Engine]
    begun: Position | None = None  # the position that was analysed last

    @classmethod
    def new(cls, settings: PlaySettings) -> Analyst:
        """Return an analyst with a new engine."""
        return cls(StickyObject(partial(Engine, settings)))


class AnalysisCache:
    """The analyses of a game's positions, and the choice of the next position to search."""

    def __init__(self, settings: PlaySettings) -> None:
        self._settings = settings
        self.analysts = [Analyst.new(settings)]
        self.analyses: dict[int, Analysis] = {}  # from First's side, with proven values filled in
        self._rounds = 0

    @property
    def graph(self) -> dict[int, tuple[float, float]]:
        """First's win rate and score lead, by node."""
        known = self.analyses.items()
        return {
            node: (of.win_rate, of.lead or 0.0) for node, of in known if of.win_rate is not None
        }

    def wanted(self, game: TableGame, views: Sequence[View]) -> AnalysisTask | None:
        """Return the next analysis task for the given views; None if there is none."""
        looks: dict[int, View] = {}  # by node: views of one node share a task
        for view in views:
            node = view.viewed(game)
            looks[node] = view if node not in looks or view.ownership else looks[node]
        round_, turn = divmod(self._rounds, max(1, len(looks)))
        order = [*looks.values()][turn:] + [*looks.values()][:turn]
        places = {id(game.positions[node]) for node in looks}
        tasks = (self._of(game, view, round_, places) for view in order)
        return next((task for task in tasks if task is not None), None)

    def _of(
        self, game: TableGame, view: View, round_: int, looked_at: set[int]
    ) -> AnalysisTask | None:
        """Return the next analysis task for one view; None if there is none."""
        node, analyse = view.viewed(game), None
        history = game.history(node)
        analyst = self._analyst(history.position, looked_at)
        if not history.position.over and not self._is_finished(node, view):
            analyse = Analyse(analyst.engine, node, history, view.ownership)
            if analyst.begun is not history.position:
                return analyse
        wanted = (self._quick_search(game, node), analyse)
        tasks = [task for task in wanted if task is not None]
        return tasks[round_ % len(tasks)] if tasks else None

    def _analyst(self, position: Position, looked_at: set[int]) -> Analyst:
        """Return the analyst of a position: its last one, an unused one or a new one.

        If there is none of these, return the first analyst.
        """
        found = [each for each in self.analysts if each.begun is position]
        found += [each for each in self.analysts if id(each.begun) not in looked_at]
        if not found and len(self.analysts) < _MOST_ANALYSTS:
            self.analysts.append(Analyst.new(self._settings))
            found = self.analysts[-1:]
        return found[0] if found else self.analysts[0]

    def _is_finished(self, node: int, view: View) -> bool:
        """Return whether more search at a node would add nothing."""
        analysis = self.analyses.get(node)
        if analysis is None or not analysis.settled:
            return False
        return not view.ownership or analysis.owners is not None

    def _quick_search(self, game: TableGame, viewed: int) -> QuickSearch | None:
        """Return a quick search of the line's last unsearched position; None if none."""
        graph = self.graph
        for node in reversed(game.line(viewed)):
            if node not in graph and not game.positions[node].over:
                return QuickSearch(self._settings, node, game.history(node))
        return None

    def still_wanted(self, task: AnalysisTask, game: TableGame, views: Sequence[View]) -> bool:
        """Return whether the result of a task would still be useful soon."""
        places = {view.viewed(game) for view in views}
        looked_at = bool(places) if isinstance(task, QuickSearch) else task.node in places
        return looked_at and _is_current(game, task)

    def accept(self, task: AnalysisTask, found: Analysis, game: TableGame) -> None:
        """Store an analysis if its position is still part of the game."""
        if not _is_current(game, task):
            return
        node, position = task.node, task.history.position
        self._rounds += 1
        if isinstance(task, Analyse):
            next(each for each in self.analysts if each.engine is task.engine).begun = position
        if found.candidates:
            self.store(node, attrs.evolve(found, position=position))

    def store(self, node: int, found: Analysis) -> None:
        """Store an analysis; of two, keep the one with more visits and the newer ownership.

        A settled analysis replaces an unsettled one. Its position must be the game's own, not a
        copy.
        """
        earlier = self.analyses.get(node)
        if earlier is not None:
            owners = found.owners or earlier.owners
            better = found.visits >= earlier.visits or (found.settled and not earlier.settled)
            kept, other = (found, earlier) if better else (earlier, found)
            found = attrs.evolve(kept.proven_by(other.proofs), owners=owners)
        self.analyses[node] = found.proven_by(known(found.position))

    def analysis(self, node: int, position: Position) -> Analysis:
        """Return all that is known of a position, if only from the solved-board table."""
        if node in self.analyses:
            return self.analyses[node]
        proven = known(position)
        return Analysis.of_proof(position, proven) if proven else Analysis(position=position)

    def proven(self, node: int, position: Position) -> ProvenValues | None:
        """Return the proven values of a position; None if there are none."""
        analysis = self.analyses.get(node)
        return known(position) if analysis is None else analysis.proofs

    def forget(self) -> None:
        """Drop all search trees. Must not be called while a task runs."""
        del self.analysts[1:]
        self.analysts[0].engine.forget()

    def keep_only(self, positions: Mapping[int, Position]) -> None:
        """Drop the analyses of all positions but these."""
        for node, analysis in list(self.analyses.items()):
            if positions.get(node) is not analysis.position:
                del self.analyses[node]


def _is_current(game: TableGame, task: AnalysisTask) -> bool:
    """Return whether the searched position is still part of the game."""
    return game.positions.get(task.node) is task.history.position
