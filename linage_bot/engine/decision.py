"""The choice of a move, or to resign, from a finished search of the position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.rules.game import PASS, Move, Player, Position
from linage_bot.rules.history import History
from linage_bot.settings.playing import KNOWING, PlaySettings

if TYPE_CHECKING:
    from linage_bot.engine.search.think import Search

_RESIGN_VISITS = 100  # fewer are too little evidence of a hopeless position
_PASS_RATE = 0.3  # least win rate at which a weak level passes
_HOPELESS = 0.02  # largest win rate at which a lost game without another end is ended
_HOPELESS_VISITS = 16  # fewer are too little evidence
_LONG_GAME = 2  # turns a point; after that any number of visits is enough


@attrs.frozen
class Decision:
    """The chosen move and the analysis of the position. `move` is None to resign."""

    move: Move | None
    analysis: Analysis
    exact: bool = False  # proven, not only searched
    back: bool = False  # returns to an earlier position, as every alternative looks worse


def decide(
    history: History,
    thinking: Search,
    settings: PlaySettings,
    *,
    may_resign: bool,
    may_end: bool,
) -> Decision:
    """Return the decision after a search with visits; `may_end` permits a pass that loses."""
    position, searched = history.position, thinking.searched()
    analysis = thinking.analysis(searched)
    candidates = analysis.seen_by(position.to_move).candidates
    move: Move | None = _best(candidates, knowing=settings.level >= KNOWING)
    if may_resign and _gives_up(position, thinking, searched[0], settings.resign_rate):
        move = None
    elif may_end and not thinking.forced_draws and _ends(history, thinking):
        move = PASS
    return Decision(move, analysis, candidates[0].exact, back=move in thinking.forced_draws)


def _best(candidates: tuple[Candidate, ...], *, knowing: bool) -> Move:
    """Return the best of the mover's candidates; a weak level passes only with good prospects.

    After a few visits a pass may look best only because everything looks bad.
    """
    best = candidates[0]
    if knowing or best.certain is not None or best.win_rate >= _PASS_RATE:
        return best.move
    placements = (each.move for each in candidates if each.visits and each.move != PASS)
    return next(placements, best.move)


def _gives_up(position: Position, thinking: Search, best: Candidate, rate: float | None) -> bool:
    """Return whether to resign: whether the search's `best` move wins less often than `rate`.

    Never without a rate. A position that is proven lost is not resigned while a mistake could still
    change the result: the opponent has to find the proof, too.
    """
    if rate is None or thinking.visits < _RESIGN_VISITS:
        return False
    proven = thinking.proven
    if proven is not None and proven.value.high < 0:
        komi = position.game.komi if position.to_move is Player.FIRST else -position.game.komi
        return position.game.board.count < komi
    return best.win_rate < rate


def _ends(history: History, thinking: Search) -> bool:
    """Return whether to answer a pass with a losing pass, because every move loses.

    Only in games that remove stones: in the others the board fills up.
    """
    position = history.position
    if not thinking.prolongable or not position.after(PASS).over:
        return False
    long = len(history.moves) >= _LONG_GAME * position.game.board.count
    return (long or thinking.visits >= _HOPELESS_VISITS) and thinking.win_rate <= _HOPELESS
