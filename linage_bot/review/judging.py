"""The analysis of a whole game: proofs from its end as far as they reach, searches before that.

The loss of a move is the value of the best move less the value of the move played, each the value
of the position after it, never less than 0. Where both values are proven the loss is exact; a win
rate then is the result, so a loss is 0, a half or 1. Elsewhere each value is a search's own opinion
(`opinion`): its standard error by chance is reported with the loss, its misjudgement is not known.
If the move played turns out no worse than the one that the search prefers, it counts as the best.

Moves that an opening gave are not analysed, only the positions after them.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Generator
from typing import TypeAlias

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Engine
from linage_bot.engine.solver.proven_values import ended
from linage_bot.records.record import BadRecord, Record
from linage_bot.review.facts import MoveReview, Review, Value
from linage_bot.review.proofs import ProvenEnd, proven_value, proving
from linage_bot.review.rounds import in_rounds
from linage_bot.review.summary import phase_reviews, phases_of, worst
from linage_bot.rules.game import Move, Player
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings

DEFAULT_VISITS = 50_000
PROOF_NODES = 1_000_000

Progress = Callable[[str, int, int], None]
"""A callback for progress: the current activity, its finished steps, and their maximum."""
Opinion: TypeAlias = tuple[Value, tuple[Move, ...]]
"""The value of a position, and the expected line of play."""


def review_game(
    game: Record | History,
    settings: PlaySettings | None = None,
    progress: Progress = lambda _doing, _done, _total: None,
    *,
    proof_nodes: int = PROOF_NODES,
    at_once: int = 1,
) -> Review:
    """Analyse every move of a game; `proof_nodes` are for one position's score, 0: prove none.

    `at_once` positions are searched at once, which changes no result of searches with visits.
    `progress` may be called on any thread. Without settings those of `PlaySettings` apply.
    With neither visits nor seconds, a search has `DEFAULT_VISITS`. With visits, one thread and the
    same seed, the result is reproducible. Raises `BadRecord` for a record without moves, or with a
    move that the rules forbid.
    """
    record = game if isinstance(game, Record) else Record.of(game)
    work = reviewing(
        record,
        settings or PlaySettings(),
        progress,
        proof_nodes=proof_nodes,
        at_once=lambda: at_once,
    )
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: Review = end.value
            return found


def reviewing(
    record: Record,
    settings: PlaySettings,
    progress: Progress = lambda _doing, _done, _total: None,
    *,
    proof_nodes: int = PROOF_NODES,
    slice_seconds: float | None = None,
    found: ReviewCache | None = None,
    at_once: Callable[[], int] = lambda: 1,
) -> Generator[None, None, Review]:
    """Analyse a game as `review_game`, in slices of `slice_seconds`; it may pause after each.

    With `slice_seconds`, only the visits end a search. Results that are in `found` are not computed
    again, and new results are stored there. `at_once` returns how many positions to search at once
    in the next slice.
    """
    if not record.moves:
        raise BadRecord("SGF", "the game has no moves")
    if settings.visits is None and (settings.seconds is None or slice_seconds is not None):
        settings = attrs.evolve(settings, visits=DEFAULT_VISITS)
    judge = _Judge(record, settings, progress, slice_seconds, found or ReviewCache(), at_once)
    return judge.review(proof_nodes)


@attrs.define
class ReviewCache:
    """The results of a review so far, which another review of the same game can reuse."""

    proofs: dict[int, ProvenEnd] = attrs.field(factory=dict)  # by position, from the last one on
    all_proven: bool = False  # whether no more can be proven
    opinions: dict[tuple[int, Move | None], Opinion] = attrs.field(factory=dict)
    """Opinions by number of moves; the second key is a move to play there first, or None."""

    def copy(self) -> ReviewCache:
        """Return a copy that can be changed."""
        return ReviewCache(dict(self.proofs), self.all_proven, dict(self.opinions))

    def since(self, earlier: ReviewCache) -> ReviewCache:
        """Return the results that are not in an earlier state."""
        return ReviewCache(
            {at: proof for at, proof in self.proofs.items() if at not in earlier.proofs},
            self.all_proven,
            {key: value for key, value in self.opinions.items() if key not in earlier.opinions},
        )

    def add(self, more: ReviewCache) -> None:
        """Add later results."""
        self.proofs |= more.proofs
        self.all_proven = self.all_proven or more.all_proven
        self.opinions |= more.opinions


class _Judge:
    """One review. First all searches are made, then their results are compared."""

    def __init__(
        self,
        record: Record,
        settings: PlaySettings,
        progress: Progress,
        slice_seconds: float | None,
        found: ReviewCache,
        at_once: Callable[[], int],
    ) -> None:
        self._record, self._settings, self._progress = record, settings, progress
        self._slice = slice_seconds
        self._history = record.history()
        self._positions = self._history.positions
        self._found = found
        self._at_once = at_once
        self._begun = 0  # positions whose searches have begun
        self._counting = threading.Lock()

    def review(self, proof_nodes: int) -> Generator[None, None, Review]:
        count = len(self._positions)
        if not self._found.all_proven:
            yield from proving(
                self._positions,
                proof_nodes,
                lambda index: self._progress("proving", count - 1 - index, count),
                self._found.proofs,
                self._slice,
            )
            self._found.all_proven = True
        yield from in_rounds(map(self._searches, range(count)), self._at_once)
        phases = phases_of(self._positions[:-1])
        moves = [self._move(number, phase) for number, phase in enumerate(phases, 1)]
        return Review(
            record=self._record,
            settings=self._settings,
            proof_nodes=proof_nodes,
            positions=self._positions,
            start=self._value(0)[0],
            moves=tuple(moves),
            phases=phase_reviews(moves),
            mistakes=worst(moves),
            exact_from=self._exact_from(),
        )

    def _searches(self, index: int) -> Generator[None, None, None]:
        """Make the searches of a position, and of the one after a better move than that played."""
        with self._counting:
            self._progress("searching", self._begun, len(self._record.moves))
            self._begun += 1
        if index not in self._found.proofs or self._is_compared(index):
            _, line = yield from self._opinion(index, None)
            if self._is_compared(index + 1) and line[0] != self._record.moves[index]:
                yield from self._opinion(index, line[0])

    def _is_compared(self, number: int) -> bool:
        """Return whether a move is compared with the best one by searches."""
        judged = self._record.given < number <= len(self._record.moves)
        return judged and number - 1 not in self._found.proofs

    def _opinion(self, index: int, instead: Move | None) -> Generator[None, None, Opinion]:
        """Return the search's opinion after `index` moves, or after the move `instead` there."""
        known = self._found.opinions
        if (index, instead) not in known:
            history = self._history.to(index)
            history = history if instead is None else history.play(instead)
            known[index, instead] = yield from self._search(history)
        return known[index, instead]

    def _search(self, history: History) -> Generator[None, None, Opinion]:
        """Return the opinion of a search that starts from an empty tree."""
        if self._slice is None:
            return opinion(history, self._settings)
        found = Analysis(position=history.position)
        for analysis in Engine(self._settings).analysis(
            history, interval_seconds=self._slice, visits=self._settings.visits, proofs=False
        ):
            found = analysis
            yield
        return opinion_of(found)

    # The results of the searches

    def _exact_from(self) -> int | None:
        """Return the first position from which on all scores are known; None if there is none."""
        start = None
        for index in reversed(range(len(self._positions))):
            if not self._value(index)[0].exact:
                break
            start = index
        return start

    def _value(self, index: int) -> Opinion:
        """Return a position's value, proven if possible, and the expected line."""
        proof = self._found.proofs.get(index)
        return self._found.opinions[index, None] if proof is None else (proof.value, proof.line)

    def _move(self, number: int, phase: str) -> MoveReview:
        """Return the analysis of one move."""
        player, move = self._record.mover(number), self._record.moves[number - 1]
        before, _ = self._value(number - 1)
        after, reply = self._value(number)
        given = number <= self._record.given
        if given:
            compared = _Compared(after, after, (move, *reply))
        else:
            compared = self._by_proof(number) or self._by_search(number)
        line = (move, *reply) if compared.line[0] == move else compared.line
        return MoveReview(
            number,
            player,
            move,
            phase,
            before=before,
            after=after,
            best=line[0],
            line=line,
            reply=reply,
            win_loss=max(0.0, -_gain(compared.played, compared.best, player)),
            score_loss=_score_loss(compared.played, compared.best, player),
            error=0.0 if line[0] == move else compared.error,
            exact=compared.exact,
            given=given,
        )

    def _by_proof(self, number: int) -> _Compared | None:
        """Return both values as proven; None where the position before the move is not proven."""
        proof = self._found.proofs.get(number - 1)
        if proof is None:
            return None
        played, move = self._found.proofs[number].value, self._record.moves[number - 1]
        line = (move,) if played == proof.value else proof.line
        return _Compared(played, proof.value, line, exact=True)

    def _by_search(self, number: int) -> _Compared:
        """Return both values from searches of one kind, even where one of them could be proven."""
        opinions, move = self._found.opinions, self._record.moves[number - 1]
        played, _ = opinions[number, None]
        _, line = opinions[number - 1, None]
        if line[0] == move:
            return _Compared(played, played, line)
        best, rest = opinions[number - 1, line[0]]
        if _gain(played, best, self._record.mover(number)) >= 0:
            return _Compared(played, played, (move,))
        return _Compared(played, best, (line[0], *rest))


@attrs.frozen
class _Compared:
    """The value after the move played, and that after the best one with its line."""

    played: Value
    best: Value
    line: tuple[Move, ...]
    exact: bool = False

    @property
    def error(self) -> float:
        return math.hypot(self.played.error, self.best.error)


def _gain(one: Value, other: Value, player: Player) -> float:
    """Return the difference between two values for a player, positive if the first is better."""
    return one.win_rate_of(player) - other.win_rate_of(player)


def _score_loss(played: Value, best: Value, player: Player) -> float | None:
    had, has = best.score_of(player), played.score_of(player)
    return None if had is None or has is None else max(0.0, had - has)


def opinion(history: History, settings: PlaySettings) -> Opinion:
    """Return the value of a position, and the line of play that the search expects.

    Each search begins with an empty tree, with the same seed and limits, so that values can be
    compared: a search of the position before gives moves that it dislikes few visits, and overrates
    all because of the weak answers it tried.
    """
    return opinion_of(Engine(settings).analyse(history, proofs=False))


def opinion_of(analysis: Analysis) -> Opinion:
    """Return the opinion of a search, or the result of a game that is over."""
    position = analysis.position
    if position.over:
        return proven_value(position, ended(position)), ()
    best, won = analysis.candidates[0], float(position.to_move is Player.FIRST)
    proven = best.certain == won or all(each.certain is not None for each in analysis.candidates)
    error = 0.0 if proven else best.error
    score = analysis.lead if position.game.counts_points else None
    rate = analysis.win_rate
    assert rate is not None  # there are candidates
    return Value(rate, score, analysis.visits, error, certain=proven), best.line
