"""The protocol's report of an analysed position."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import attrs

from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.engine.candidates import cells_in_order, move_info
from linage_bot.engine.quick_facts import fingerprints, policy
from linage_bot.engine.rollouts import expected_owners, with_owners
from linage_bot.rules.boards import Point
from linage_bot.rules.game import PASS, Move, Player
from linage_bot.servers.analysis.questions import Question
from protocol.gtp.analysis import MoveInfo
from protocol.kata.messages import PositionReport, RootInfo
from protocol.session.arguments import Colour

_COLOURS = (Colour.BLACK, Colour.WHITE)
_ILLEGAL = -1.0


def report_of(question: Question, analysis: Analysis, stopped: threading.Event) -> PositionReport:
    """Return the report that the question requests; ownership takes a while to compute."""
    position = analysis.position
    viewer = position.to_move if question.view is None else question.view
    if question.ownership:
        analysis = with_owners(analysis, stopped)
    looked_at = tuple(each for each in analysis.candidates if each.visits)
    seen = attrs.evolve(analysis, candidates=looked_at).seen_by(viewer)
    shares = policy(position, stopped) or {}
    cells = cells_in_order(position.game.board)
    return PositionReport(
        viewer=_COLOURS[viewer],
        moves=tuple(
            attrs.evolve(
                _move_info(question, order, each, shares.get(each.move, 0.0)),
                ownership=_owners_after(question, each, viewer, stopped),
            )
            for order, each in enumerate(seen.candidates)
        ),
        root=_root(seen, stopped),
        ownership=None if seen.owners is None else tuple(seen.owners[cell] for cell in cells),
        policy=_in_rows(shares, cells) if question.policy else None,
        pv_visits=question.pv_visits,
    )


def _move_info(question: Question, order: int, each: Candidate, prior: float) -> MoveInfo:
    info = move_info(question.history.position, order, each, question.pv_length)
    # The rest of the line is one tree's, the move's own visits are those of all.
    line_visits = (each.visits, *each.line_visits[1:])
    return attrs.evolve(info, prior=prior, pv_visits=line_visits[: len(info.pv)])


def _root(seen: Analysis, stopped: threading.Event) -> RootInfo:
    position = seen.position
    exact = seen.proven.exact and position.game.counts_points
    this_hash, sym_hash = fingerprints(position, stopped) or ("", "")
    return RootInfo(
        player=_COLOURS[position.to_move],
        # A proven move that no search visited is reported with one visit.
        visits=max(seen.visits, sum(each.visits for each in seen.candidates)),
        winrate=0.5 if seen.win_rate is None else seen.win_rate,
        score_lead=seen.lead or 0.0,
        this_hash=this_hash,
        sym_hash=sym_hash,
        exact_winrate=seen.proven.win_rate,
        exact_lead=seen.proven.low if exact else None,
    )


def _owners_after(
    question: Question, each: Candidate, viewer: Player, stopped: threading.Event
) -> tuple[float, ...] | None:
    """Return the ownership after a candidate's line; None if not requested or not computed."""
    if not question.moves_ownership:
        return None
    position = question.history.position
    owners = expected_owners(position, each.line, stopped)
    if owners is None:
        return None
    sign = viewer.sign
    return tuple(sign * owners[cell] for cell in cells_in_order(position.game.board))


def _in_rows(shares: Mapping[Move, float], cells: list[Point]) -> tuple[float, ...]:
    return tuple(shares.get(move, _ILLEGAL) for move in (*cells, PASS))
