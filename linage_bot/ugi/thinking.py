"""The `go` command: limits from its words, lines of `info`, and the move."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Final

import attrs

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.clocks import Clock, TimeSystem
from linage_bot.engine.command_job import CommandJob
from linage_bot.engine.decision import Decision
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.pie.offer import FairPie
from linage_bot.engine.rollouts import limits_of_clock
from linage_bot.rules.game import Position
from linage_bot.rules.history import History
from linage_bot.settings.playing import LEVELS, PlaySettings
from linage_bot.ugi.game_text import CHOICE, OFFER, UgiGame, komi_in_words
from protocol.session.errors import CommandFailed
from protocol.ugi.info import UgiInfo
from protocol.ugi.messages import Go

_INFO_SECONDS: Final = 1.0
_FIRST_VISITS: Final = 64  # of a search for depth, which then doubles them


class MoveChooser:
    """A factory of jobs for `go` that keeps the players' clocks from move to move."""

    def __init__(self, player: Engine) -> None:
        self._player = player
        self._clocks: dict[bool, Clock] = {}  # p1's by True

    def new_game(self) -> None:
        """Forget the clocks."""
        self._clocks = {}

    def job(self, so_far: UgiGame, go: Go) -> CommandJob:
        """Return the job that chooses a move; its reply is the move's word.

        With `infinite` it replies no earlier than it is stopped, even if there is no move.
        """

        def run(job: CommandJob) -> str:
            try:
                return self._choose(so_far, go, job)
            finally:
                if go.infinite:
                    job.stopped.wait()

        return CommandJob(run, ends_by_itself=_ends_by_itself(go, self._player.settings))

    def _choose(self, so_far: UgiGame, go: Go, job: CommandJob) -> str:
        """Return the word of a move; raises `CommandFailed` if the game is over."""
        if so_far.over:
            raise CommandFailed("the game is over")
        began = time.monotonic()
        limits = self._limits(so_far, go)
        word = self._word(so_far, go, limits, job)
        self._charge_clock(so_far, limits, time.monotonic() - began)
        return word

    def _word(self, so_far: UgiGame, go: Go, limits: Limits, job: CommandJob) -> str:
        game = so_far.history.game
        pie = FairPie(game, self._player.settings, limits, job.stopped)
        if so_far.to_come == OFFER and game.pie == "komi":
            return komi_in_words(pie.even_komi())
        if so_far.to_come == OFFER:
            return game.board.vertex(pie.even_stone())
        if so_far.to_come == CHOICE:
            return pie.side(*so_far.history.moves).colour  # the stone, or none with komi
        position = so_far.history.position
        decision = self._decide(so_far.history, go.depth, limits, job)
        assert decision.move is not None  # we never resign: UGI has no word for it
        return position.name_of(decision.move)

    def _decide(
        self, so_far: History, depth: int | None, limits: Limits, job: CommandJob
    ) -> Decision:
        began = time.monotonic()

        def send_info(analysis: Analysis) -> None:
            line = info_line(analysis, time.monotonic() - began)
            if line:
                job.progress(line)

        def play(limits: Limits) -> Decision:
            report = Report(send_info, _INFO_SECONDS)
            return self._player.play(so_far, limits, job.stopped, may_resign=False, report=report)

        decision = play(limits) if depth is None else _to_depth(depth, limits, play, job.stopped)
        send_info(decision.analysis)
        return decision

    # Limits

    def _limits(self, so_far: UgiGame, go: Go) -> Limits:
        """Return the limits of the search; call this where the search runs."""
        settings = self._player.settings
        if go == Go():
            return Limits.of(settings)
        visits = LEVELS[settings.level]
        if go.nodes is not None:
            nodes = max(1, go.nodes)
            visits = nodes if visits is None else min(visits, nodes)
        most = math.inf if go.movetime is None else go.movetime / 1000
        left, increment = (go.p1time, go.p1inc) if so_far.p1_turn else (go.p2time, go.p2inc)
        if left is not None and not go.infinite:
            clock = self._player_clock(so_far.p1_turn, left / 1000, (increment or 0) / 1000)
            return limits_of_clock(clock, so_far.history, visits, most)
        if go.movetime is not None and not go.infinite:
            clock = Clock.full(TimeSystem(0.0, most, 1))
            return limits_of_clock(clock, so_far.history, visits, most)
        searches_for_depth = go.depth is not None and not so_far.to_come
        if visits is None and not (go.infinite or searches_for_depth):
            return Limits.of(settings)  # no limit given for this move ends its search
        return Limits(visits)

    def _player_clock(self, p1: bool, left_seconds: float, increment_seconds: float) -> Clock:
        """Return a player's clock, set to the runner's times; keep the measured lag."""
        clock = self._clocks.get(p1)
        if clock is None or clock.system.increment_seconds != increment_seconds:
            clock = Clock.full(TimeSystem(left_seconds, increment_seconds=increment_seconds))
        else:
            # The runner reports milliseconds: whole seconds are no more rounded than others.
            clock = clock.with_time_left(max(0.0005, left_seconds - 0.0005), 0)
        self._clocks[p1] = clock
        return clock

    def _charge_clock(self, so_far: UgiGame, limits: Limits, seconds: float) -> None:
        clock = self._clocks.get(so_far.p1_turn)
        if clock is not None:
            most = math.inf if limits.seconds is None else limits.seconds + limits.extra_seconds
            self._clocks[so_far.p1_turn] = clock.after(seconds, most)


def _ends_by_itself(go: Go, settings: PlaySettings) -> bool:
    """Return whether the search ends on a machine of any speed, so that a script may wait."""
    if go == Go():
        return Limits.of(settings).bounded_by_visits
    timed = (go.movetime, go.p1time, go.p2time) != (None, None, None)
    weak = LEVELS[settings.level] is not None
    bounded = weak or go.nodes is not None or go.depth is not None
    return bounded and not timed and not go.infinite


def _to_depth(
    depth: int, limits: Limits, play: Callable[[Limits], Decision], stopped: threading.Event
) -> Decision:
    """Search until the expected line has `depth` moves, or cannot become longer.

    The search continues with twice the visits each time, so the same seed leads to the same move.
    """
    began, visits, before = time.monotonic(), _FIRST_VISITS, -1
    while True:
        share = limits.less(time.monotonic() - began)
        most = visits if limits.visits is None else min(visits, limits.visits)
        decision = play(attrs.evolve(share, visits=most))
        analysis = decision.analysis
        own = analysis.seen_by(analysis.position.to_move)
        line = own.candidates[0].line if own.candidates else ()
        enough = len(line) >= depth or _ends(analysis.position, line) or decision.exact
        spent = share.seconds is not None and share.seconds <= 0
        if enough or spent or stopped.is_set() or analysis.settled or analysis.visits <= before:
            return decision
        if most == limits.visits:
            return decision
        visits, before = 2 * visits, analysis.visits


def _ends(position: Position, line: tuple[int, ...]) -> bool:
    """Return whether a line leads to the end of the game."""
    for move in line:
        position = position.after(move)
    return position.over


def info_line(analysis: Analysis, seconds: float) -> str:
    """Return the `info` line for the player to move; empty if there are no candidates.

    `score cp` is the expected lead in hundredths of a point. In games without points it is the
    expected result in hundredths, 1 for a win and -1 for a loss. In `wdl` a draw, which the search
    counts as half a win, is divided between wins and losses.
    """
    position = analysis.position
    own = analysis.seen_by(position.to_move)
    if not own.candidates:
        return ""
    best = own.candidates[0]
    lead = best.lead if position.game.counts_points else 2 * best.win_rate - 1
    wins = round(1000 * best.win_rate)
    return UgiInfo(
        depth=len(best.line),
        nodes=own.visits,
        time=round(1000 * seconds),
        nps=round(own.visits / seconds) if seconds >= 0.001 else None,
        score=round(100 * lead),
        chances=(wins, 0, 1000 - wins),
        pv=tuple(map(position.name_of, best.line or (best.move,))),
    ).line
