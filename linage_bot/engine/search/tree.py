"""A search tree of one position, which grows in slices and can be read between them.

When a move is played, the part of the tree below it is kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

import attrs
import numpy as np

from linage_bot.engine.analysis import Candidate, rank
from linage_bot.engine.kernels.contract import Kernel, new_trail
from linage_bot.engine.kernels.tuning import Tuning
from linage_bot.engine.kernels.words import generator
from linage_bot.engine.search import flights, layout, rooting, uct
from linage_bot.engine.search.children import CERTAIN
from linage_bot.rules.game import PASS, Move, Player, Position
from linage_bot.settings.network import Network
from linage_bot.settings.playing import MOST_NODES

if TYPE_CHECKING:
    from linage_bot.engine.search.evaluating import Evaluator

MOST_VISITS = (1 << 31) - 1  # counted in 32 bits
_LONGEST_LINE = 30
_RIVAL_SHARE = 0.1  # of the visits of the most visited move, which its rivals need
_CERTAINTY = {layout.OPEN: None, layout.FIRST_WINS: 1.0, layout.SECOND_WINS: 0.0, layout.DRAWN: 0.5}


class Tree:
    """A tree search for the best of some legal moves of one position.

    The same kernel, position, tuning and seed give the same tree after the same number of visits,
    however they are divided into slices; if there are several playouts from a leaf, `grow` must
    know the last visit.
    """

    def __init__(
        self,
        kernel: Kernel,
        position: Position,
        moves: Sequence[Move],
        seed: int,
        tuning: Tuning | None = None,
        most_nodes: int = MOST_NODES,
        lag: int = 1,
        forced_draws: Collection[Move] = (),
        network: Network | None = None,
    ) -> None:
        """Create a tree; `tuning` is by default the kernel's, and `most_nodes` is at least 32768.

        Moves in `forced_draws` count as draws and are not searched, whether or not the rules agree.
        Visits are made in flights of `tuning.plays` playouts from one leaf. The results of a flight
        are added `lag` flights later, so that this many can be played at once.
        Raises `NetworkFailed` if the network cannot evaluate this game.
        """
        self._kernel = kernel
        self._visit = uct.compile_for(kernel)
        self._points = position.game.counts_points
        self._scratch = np.zeros(2, kernel.dtype)
        self._random, self._trail = (generator(seed), generator(0)), new_trail()
        self._flights = flights.new_flights(lag)
        self._tree = np.zeros(1, layout.TREE)
        header, tuning = self._tree[0], tuning or kernel.tuning_for(position.game.board)
        network = network if network and network.share else None
        if network:
            tuning = attrs.evolve(tuning, expand_at=min(tuning.expand_at, network.visits))
        self._expand_at = tuning.expand_at
        for name, value in attrs.asdict(tuning).items():
            header[name] = value
        header["score_scale"] *= 2
        self._evaluate_at = 0  # visits that have begun
        if not self._points:
            header["score_weight"] = 0.0
        header["points"] = position.game.board.columns * position.game.board.rows
        self._set_root(position)
        self._evaluator: Evaluator | None = None
        if network:
            from linage_bot.engine.search.evaluating import Evaluator  # few searches need it

            self._evaluator = Evaluator(kernel, position.game, network)
            header["network_share"] = network.share
        self._edges, self._nodes, self._evaluations = self._new_arrays(most_nodes)
        if PASS in moves and position.after(PASS).over:
            self._edges.move[0] = PASS  # the root follows a pass
        header["used"] = 1
        self._give_children(0, moves)
        self._draw(forced_draws)

    def _new_arrays(self, count: int) -> layout.Arrays:
        """Return arrays for about this many nodes."""
        count = max(layout.FEWEST_NODES, count)
        return layout.arrays_for(count, network=self._evaluator is not None)

    @property
    def _arrays(self) -> layout.Arrays:
        return self._edges, self._nodes, self._evaluations

    def _set_root(self, position: Position) -> None:
        self._root = self._kernel.encode(position)
        self._mover = position.to_move
        self._tree[0]["to_move"] = position.to_move

    def _give_children(self, index: int, moves: Sequence[Move]) -> None:
        """Add these moves as children of a node; its position must be the one last planted."""
        header, count = self._tree[0], len(moves)
        listed, gains = self._flights.moves[0], self._flights.gains[0]  # none is under way
        if header["prior_visits"] or header["leaves_idle"]:
            state = self._scratch[0]
            self._kernel.copy(state, self._root[0])
            self._kernel.legal(state, listed)
            flights.priors_of(self._kernel)(state, np.array(moves, np.int64), count, gains)
        listed[:count] = moves
        rooting.give_children(*self._arrays, header, index, self._mover, listed, count, gains)

    def _draw(self, moves: Collection[Move]) -> None:
        """Count moves at the root as draws, except for those with a proven result.

        There is nothing to find out about them, so the search treats them like losses.
        """
        self._drawn = self._settle(moves, layout.DRAWN)

    def mark_lost(self, moves: Collection[Move]) -> None:
        """Count moves at the root as proven losses, so that only the others are searched, if any.

        If there are no others, all moves remain as they are.
        """
        if not set(self._edges.move[self._children].tolist()) <= set(moves):
            self._settle(moves, self._loss)

    def _settle(self, moves: Collection[Move], proven: int) -> frozenset[Move]:
        """Give moves without a proven result this one and the value of a loss; return them."""
        children = self._children
        undecided = self._edges.proven[children] == layout.OPEN
        found = 1 + np.flatnonzero(np.isin(self._edges.move[children], tuple(moves)) & undecided)
        self._edges.proven[found] = proven
        loss = -CERTAIN if self._mover is Player.FIRST else CERTAIN
        self._edges.value[found], self._edges.spread[found] = loss, 0.0
        return frozenset(self._edges.move[found].tolist())

    @property
    def _children(self) -> slice:
        """The slice of the root's children."""
        return slice(1, 1 + int(self._nodes["children"][0]))

    @property
    def _loss(self) -> int:
        """The proven result of a move that loses."""
        return layout.SECOND_WINS if self._mover is Player.FIRST else layout.FIRST_WINS

    @property
    def visits(self) -> int:
        """The number of playouts through the root so far."""
        return int(self._edges.visits[0]) - self.in_flight

    @property
    def nodes(self) -> int:
        """The number of nodes in the tree."""
        return int(self._tree["used"][0])

    @property
    def certain(self) -> bool:
        """Whether the result is proven, so that more visits add nothing."""
        return bool(self._edges.proven[0] != layout.OPEN)

    @property
    def lead(self) -> int:
        """The number of visits that the most visited move has more than the next one.

        Moves that are proven to lose do not count.
        """
        children = self._children
        open_ = self._edges.proven[children] != self._loss
        visits = np.sort(self._edges.visits[children][open_])
        return int(visits[-1] - visits[-2]) if len(visits) > 1 else self.visits

    @property
    def contested(self) -> bool:
        """Whether another well-searched move has a better mean than the most visited one."""
        children = self._children
        undecided = self._edges.proven[children] == layout.OPEN
        if not undecided.any():
            return False
        visits = self._edges.visits[children][undecided]
        means = self._edges.mean[children][undecided]
        best = visits.argmax()
        gains = means[visits >= max(1, _RIVAL_SHARE * visits[best])] - means[best]
        return bool(np.any(gains > 0 if self._mover is Player.FIRST else gains < 0))

    def set_flights(self, lag: int, plays: int) -> None:
        """Change the number of flights that may be under way, and the playouts of each."""
        if (lag, plays) != (len(self._flights.records), self._tree["plays"][0]):
            self.grow(0)
            self._flights = flights.new_flights(lag)
            self._tree["plays"][0] = plays

    @property
    def in_flight(self) -> int:
        """The number of visits that have begun and were not added yet."""
        return int(self._nodes["coming"][0])

    def grow(
        self,
        visits: int,
        most: int | None = None,
        *,
        for_move: bool = False,
        to_end: bool = True,
    ) -> None:
        """Begin visits, up to `MOST_VISITS`, and none once the result is certain; releases the GIL.

        Only one thread may call this at a time. A full tree loses its least visited parts. With
        `to_end` all visits are added before this returns; otherwise up to `lag` flights remain, and
        are added when more begin. The last flight may exceed `visits`, but not `most` visits of the
        tree; by default there is no excess. `for_move`: only a winning move is wanted, so no score
        is searched where the winner at a leaf is known. Raises the exceptions of the network.
        """
        self._tree["only_winner"][0] = for_move
        goal = min(self.visits + self.in_flight + visits, most or MOST_VISITS, MOST_VISITS)
        self._tree["most"][0] = most or goal
        while True:
            left = max(0, goal - self.visits - self.in_flight)
            if self._tree["full"][0] and left:
                self._prune()
            step = self._step(left)
            arrays = *self._arrays, self._tree[0], self._root, self._scratch
            room = self._flights, self._trail
            self._visit(*arrays, *self._random, *room, step, to_end and step == left)
            if self.visits + self.in_flight >= goal or self.certain:
                return

    def _step(self, visits: int) -> int:
        """Return how many of these visits may begin before the network evaluates the tree.

        Evaluate it now if none may. The network is always asked after the same visits.
        """
        if self._evaluator is None or not visits:
            return visits
        begun = self.visits + self.in_flight
        if begun >= self._evaluate_at:
            self._evaluator.evaluate(*self._arrays, self._tree[0], self._root)
            self._evaluate_at = begun + self._evaluator.pause_after(self.visits)
        return min(visits, self._evaluate_at - begun)

    def playout_worker(self) -> Callable[[int], int]:
        """Return a function with which another thread plays for the thread that grows the tree.

        It plays at most a given number of flights, or fewer if none has been wanted for a while,
        and returns their number.
        """
        helper = flights.compile_for(self._kernel)
        own = np.zeros(2, self._kernel.dtype), generator(0), new_trail()
        return lambda most: helper(self._flights, self._tree[0], self._root, *own, most)

    def _prune(self) -> None:
        """Make room: nodes lose untried children, and the least visited nodes lose all children.

        Leaves get children later than before. At least half of the room is free afterwards, not
        counting the root's children.
        """
        used, fresh = self.nodes, self._new_arrays(len(self._nodes))
        inner = np.flatnonzero(self._nodes["children"][1:used]) + 1
        visits, first = self._edges.visits[inner], self._nodes["first"][inner]
        tried = np.concatenate(([0], np.cumsum(self._edges.visits[:used] > 0)))
        children = tried[first + self._nodes["children"][inner]] - tried[first] + 3
        order = np.argsort(-visits, kind="stable")
        kept = 1 + int(self._nodes["children"][0]) + np.cumsum(children[order])
        lost = int(np.searchsorted(kept, len(fresh[1]) // 2, "right"))
        least = int(visits[order[lost]]) + 1 if lost < len(order) else 1
        self._move(fresh, 0, least)
        self._tree["expand_at"][0] = max(int(self._tree["expand_at"][0]), least)
        self._tree["pruned"][0] = 1

    def _move(self, fresh: layout.Arrays, root: int, least: int = 0) -> None:
        """Continue in other arrays, with the tree below a node."""
        mover = self._tree["to_move"][0]
        used = rooting.copy_subtree(*self._arrays, *fresh, root, mover, least)
        self._edges, self._nodes, self._evaluations = fresh
        self._tree["used"][0], self._tree["full"][0] = used, False

    def follow(
        self, moves: Sequence[Move], position: Position, forced_draws: Collection[Move] = ()
    ) -> bool:
        """Make the position after these moves the root, and keep the tree below it.

        Return False if the tree does not reach it, or if memory is short; the tree is useless then.
        """
        self.grow(0)  # no visit may be in flight
        index, legal = self._below(moves), position.moves()
        thinned = index is not None and self._nodes["thinned"][index]
        if thinned and self.nodes + len(legal) > len(self._nodes):
            self._prune()  # make room for the children that the new root has lost
            index = self._below(moves)
        if index is None:
            return False
        self._set_root(position)
        self._evaluate_at = 0  # the root needs a value
        if thinned:
            self._give_children(index, legal)
        fresh = self._new_arrays(len(self._nodes))
        if len(fresh[1]) < self.nodes:
            return False
        self._move(fresh, index)
        self._tree["expand_at"][0], self._tree["pruned"][0] = self._expand_at, 0
        self._draw(forced_draws)
        return True

    def _below(self, moves: Sequence[Move]) -> int | None:
        """Return the node after these moves; None if it is missing or has no children."""
        index = 0
        for move in moves:
            first, count = int(self._nodes["first"][index]), int(self._nodes["children"][index])
            found = np.flatnonzero(self._edges.move[first : first + count] == move)
            if first == layout.LEAF or not len(found):
                return None
            index = first + int(found[0])
        return None if self._nodes["first"][index] == layout.LEAF else index

    def candidates(self) -> list[Candidate]:
        """Return the moves at the root, best first: proven wins, the most visited, proven losses.

        Moves that count as draws come before the first one that looks worse than a draw.
        """
        count = int(self._nodes["children"][0])
        edges, nodes = self._edges, self._nodes[1 : 1 + count]
        # By column: by number it took 12 ms on 19x19, of the 50 ms in which a search must stop.
        of_edges = edges.move, edges.visits, edges.proven
        columns = [column[1 : 1 + count].tolist() for column in of_edges]
        columns += [
            nodes[each].tolist()
            for each in ("coming", "wins", "score_lead", "score_lead_squares", "first")
        ]
        found = []
        rows = enumerate(zip(*columns, strict=True), 1)
        for index, (move, visits, proven, coming, *sums, first) in rows:
            if move not in self._drawn:
                visits -= coming
                line = self._line(index, move, visits, first)
                found.append(self._candidate(line, visits, _CERTAINTY[proven], *sums))
        found.sort(key=rank)
        better = next((at for at, each in enumerate(found) if each.win_rate < 0.5), len(found))
        found[better:better] = [
            Candidate(move=move, visits=1, win_rate=0.5, line=(move,), line_visits=(1,))
            for move in sorted(self._drawn)
        ]
        return found

    def _candidate(
        self,
        line: tuple[tuple[Move, int], ...],
        visits: int,
        certain: float | None,
        wins: float,
        score_lead: float,
        score_lead_squares: float,
    ) -> Candidate:
        rate = wins / visits if visits else 0.5
        error = math.sqrt(rate * (1 - rate) / max(1, visits))
        lead = spread = 0.0
        if visits and self._points:
            lead = score_lead / visits / 2
            spread = math.sqrt(max(0.0, score_lead_squares / visits / 4 - lead**2))
        moves, line_visits = zip(*line, strict=True)
        found = Candidate(
            move=moves[0],
            visits=visits,
            win_rate=rate if certain is None else certain,
            error=error if certain is None else 0.0,
            lead=lead,
            spread=spread,
            line=moves,
            line_visits=line_visits,
            certain=certain,
        )
        return found if self._mover is Player.FIRST else found.flipped

    def _line(
        self, index: int, move: Move, visits: int, first: int
    ) -> tuple[tuple[Move, int], ...]:
        """Return a move and the most visited ones after it, with their visits.

        `first` is the index of the move's first child.
        """
        line = [(move, visits)]
        while first != layout.LEAF and len(line) < _LONGEST_LINE:
            count = int(self._nodes["children"][index])
            index = first + int(self._edges.visits[first : first + count].argmax())
            visits = int(self._edges.visits[index]) - int(self._nodes["coming"][index])
            if visits <= 0:
                break
            line.append((int(self._edges.move[index]), visits))
            first = int(self._nodes["first"][index])
        return tuple(line)
