"""What to play once a search has looked at the position: a move, or none, to resign."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.rules.game import PASS, Move, Player, Position
from linage_bot.rules.history import History
from linage_bot.settings.playing import KNOWING, PlaySettings

if TYPE_CHECKING:
    from linage_bot.engine.search.think import Thinking

_RESIGN_VISITS = 100  # fewer say too little about a hopeless position
_PASS_RATE = 0.3  # a weak level passes only with so good prospects
_HOPELESS = 0.02  # the share of playouts won at most, to end a lost game that has no other end
_HOPELESS_VISITS = 16  # fewer say too little
_LONG_GAME = 2  # turns a point; then any will do


@attrs.frozen
class Decision:
    """What to play, and what was thought of the position. `move` is None to resign."""

    move: Move | None
    analysis: Analysis
    exact: bool = False  # proven, not only searched
    back: bool = False  # to where the game has been before: whatever else there is looks worse


def decide(
    history: History,
    thinking: Thinking,
    settings: PlaySettings,
    *,
    may_resign: bool,
    may_end: bool,
) -> Decision:
    """What to play after a search with some visits; `may_end`: even by a pass that loses."""
    position, analysis = history.position, thinking.analysis()
    candidates = analysis.seen_by(position.to_move).candidates
    move: Move | None = _best(candidates, knowing=settings.level >= KNOWING)
    if may_resign and _gives_up(position, thinking, settings.resign_rate):
        move = None
    elif may_end and not thinking.drawn and _ends(history, thinking):
        move = PASS
    return Decision(move, analysis, candidates[0].exact, back=move in thinking.drawn)


def _best(candidates: tuple[Candidate, ...], *, knowing: bool) -> Move:
    """The best move, as who plays sees them; weak levels pass only if it looks good.

    After a few visits a pass may look best only because everything looks bad.
    """
    best = candidates[0]
    if knowing or best.certain is not None or best.win_rate >= _PASS_RATE:
        return best.move
    placements = (each.move for each in candidates if each.visits and each.move != PASS)
    return next(placements, best.move)


def _gives_up(position: Position, thinking: Thinking, rate: float | None) -> bool:
    """Whether to resign, where `rate` is the win rate at which to do so.

    A game lost by proof is not resigned as long as a mistake could turn it: the opponent has to
    find the proof, too.
    """
    if rate is None or thinking.visits < _RESIGN_VISITS:
        return False
    proven = thinking.proven
    if proven is not None and proven.value.high < 0:
        komi = position.game.komi if position.to_move is Player.FIRST else -position.game.komi
        return position.game.board.count < komi
    return thinking.searched()[0].win_rate < rate


def _ends(history: History, thinking: Thinking) -> bool:
    """Whether to answer a pass by a pass though it loses: everything does.

    Only where stones are taken: elsewhere the board fills up.
    """
    position = history.position
    if not thinking.endless or not position.after(PASS).over:
        return False
    long = len(history.moves) >= _LONG_GAME * position.game.board.count
    return (long or thinking.visits >= _HOPELESS_VISITS) and thinking.win_rate <= _HOPELESS
