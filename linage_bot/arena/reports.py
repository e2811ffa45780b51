"""Reports of a search in the lines of GTP and UGI as analyses.

A line has the view of the player to move. Text that names no legal move is the engine's fault.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.engine.solver.proven_values import Interval
from linage_bot.rules.boards import NoSuchPoint
from linage_bot.rules.game import Game, Move, Player, Position
from protocol.gtp.analysis import AnalysisLine, MoveInfo, Root
from protocol.session.errors import RemoteProtocolError
from protocol.ugi.info import UgiInfo

_ELO_SCALE: Final = 400  # hundredths of a score for 10:1 chances, as for Elo's ratings and in chess


def analysis_of_line(position: Position, line: AnalysisLine) -> Analysis:
    """Return the analysis of a line of `kata-analyze` or `lz-analyze`.

    Raises `RemoteProtocolError` for an illegal move or an impossible win rate.
    """
    legal = frozenset(position.moves())
    infos = sorted(line.candidates, key=lambda info: info.order)
    candidates = tuple(_candidate(position.game, info, legal) for info in infos)
    proven = _interval(position.game, line.root)
    value = proven.low if position.game.counts_points else 0.0
    best = (
        each.move
        for each in candidates
        if each.exact and (each.certain, each.lead) == (proven.win_rate, value)
    )
    return Analysis(
        position=position,
        candidates=candidates,
        visits=sum(each.visits for each in candidates),
        proven=proven,
        best=tuple(best) if proven.exact else (),
        settled=proven.exact,
        viewer=position.to_move,
    ).seen_by(Player.FIRST)


def _candidate(game: Game, info: MoveInfo, legal: Collection[Move]) -> Candidate:
    if not 0 <= info.winrate <= 1:
        raise RemoteProtocolError("a win rate that is not from 0 to 1", f"{info.winrate:g}")
    return Candidate(
        move=_legal_move(game, info.move, legal),
        visits=max(0, info.visits),
        win_rate=info.winrate,
        lead=info.score_lead if game.counts_points else 0.0,
        spread=info.score_spread if game.counts_points else 0.0,
        line=_line(game, info.pv),
        certain=info.winrate if info.certain else None,
        exact=info.exact or (info.certain and not game.counts_points),
    )


def _interval(game: Game, root: Root) -> Interval:
    """Return the bounds of the lead in the position's proven values, which our engine sends."""
    if game.counts_points and root.score_lead is not None:
        return Interval(root.score_lead, root.score_lead)
    if root.winrate is None:
        return Interval()
    if not game.counts_points or root.winrate == 0.5:
        return Interval(2 * root.winrate - 1, 2 * root.winrate - 1)
    least = game.komi_step or 1.0  # the smallest lead that wins
    return Interval(low=least) if root.winrate > 0.5 else Interval(high=-least)


def analysis_of_infos(position: Position, infos: Mapping[int, UgiInfo]) -> Analysis:
    """Return the analysis of the last lines of `info` for each number of a variation.

    UGI counts only the nodes of the whole search: they are the first candidate's visits. Raises
    `RemoteProtocolError` for an illegal move.
    """
    legal, game = frozenset(position.moves()), position.game
    nodes = max((info.nodes or 0 for info in infos.values()), default=0)
    candidates: list[Candidate] = []
    for _, info in sorted(infos.items()):
        score = (info.score or 0) / 100
        candidates.append(
            Candidate(
                move=_legal_move(game, info.pv[0], legal),
                visits=0 if candidates else max(1, nodes),
                win_rate=_win_rate(info, points=game.counts_points),
                lead=score if game.counts_points else 0.0,
                line=_line(game, info.pv),
            )
        )
    return Analysis(
        position=position,
        candidates=tuple(candidates),
        visits=max(1, nodes),
        nodes=nodes,
        viewer=position.to_move,
    ).seen_by(Player.FIRST)


def _win_rate(info: UgiInfo, *, points: bool) -> float:
    """Return the mover's win rate: its chances if they are given, else estimated from the score.

    In games that count no points a score is the expected result in hundredths, as ours is.
    """
    if info.mate is not None:
        return 1.0 if info.mate > 0 else 0.0
    if info.chances is not None:
        win, draw, loss = info.chances
        return (win + draw / 2) / (win + draw + loss)
    score = info.score or 0
    if not points:
        return min(1.0, max(0.0, (1 + score / 100) / 2))
    return 1 / (1 + 10 ** (min(10_000, max(-10_000, -score)) / _ELO_SCALE))


def _legal_move(game: Game, word: str, legal: Collection[Move]) -> Move:
    try:
        move = game.move(word)
    except NoSuchPoint:
        raise RemoteProtocolError("an analysis of no move", word[:80]) from None
    if move not in legal:
        raise RemoteProtocolError("an analysis of an illegal move", word[:80])
    return move


def _line(game: Game, words: Iterable[str]) -> tuple[Move, ...]:
    """Return a variation up to the first word that is no move."""
    line: list[Move] = []
    for word in words:
        try:
            line.append(game.move(word))
        except NoSuchPoint:
            break
    return tuple(line)
