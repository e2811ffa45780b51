"""The pie: what to offer before the first move, and which side to take of an offer.

The first player offers a komi, or in games without one a first stone, and the second chooses a
side. So the best offer is the one nearest to even: what the shipped table says (`fair`), and where
it says nothing or too little, what a search finds.
"""

import threading

import attrs

from linage_bot.engine.analysis import Candidate
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.pie.fair import (
    known_komi,
    known_stones,
    known_trial,
    nearest_komi,
    proven_side,
)
from linage_bot.rules.game import PASS, Game, Move, Player
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings

_SEARCHES = 6  # that share the time of one move
_DOUBT = 2.0  # standard errors


def even_komi(
    game: Game,
    settings: PlaySettings,
    limits: Limits,
    stopped: threading.Event,
    *,
    whole: bool = False,
) -> float:
    """The even komi: proven or from long self-play, else by a search of the empty board.

    A proven one makes best play a draw. The others have half a point where the game allows it, so
    that nobody can draw, unless komi has to be whole.
    """
    known = known_komi(game)
    if known is None:
        return _searched_komi(game, settings, limits, stopped, whole=whole)
    return game.with_komi(round(known.komi)).komi if whole else known.komi


def _searched_komi(
    game: Game,
    settings: PlaySettings,
    limits: Limits,
    stopped: threading.Event,
    *,
    whole: bool,
) -> float:
    """The komi with which a search of the empty board is nearest to even.

    A lead in points says where to look next; what turned out too little and too much closes in on
    it. With `stopped` set, the best so far.
    """
    share, lower, upper = _shared(limits), -float("inf"), float("inf")
    komi = nearest_komi(game, game.komi, whole=whole)
    seen: dict[float, float] = {}  # First's win rate by komi
    for _ in range(_SEARCHES):
        view = _view(History(game.with_komi(komi)), settings, share, stopped)
        if view is None:
            break
        seen[komi] = view.win_rate
        if view.win_rate > 0.5:
            lower = komi
        else:
            upper = komi
        step = max(1.0, game.komi_step or 0)
        away = max(step, abs(view.lead))
        wanted = komi + away if view.win_rate > 0.5 else komi - away
        if not lower < wanted < upper:
            wanted = (lower + upper) / 2
        komi = nearest_komi(game, wanted, whole=whole)
        if komi in seen or not lower < komi < upper or stopped.is_set():
            break
    return min(seen, key=lambda komi: abs(seen[komi] - 0.5), default=komi)


def even_stone(
    game: Game, settings: PlaySettings, limits: Limits, stopped: threading.Event
) -> Move:
    """The first stone that is nearest to even, in long self-play or else by search.

    One search of the empty board names the stones that may be; each then gets a search. With
    `stopped` set, the best so far.
    """
    trials = known_stones(game)
    if trials:
        return min(trials, key=lambda trial: abs(trial.first_wins - 0.5)).stone
    start, share = History(game), _shared(limits)
    analysis = Engine(settings).analyse(start, share, stopped)
    found = [each for each in analysis.candidates if each.visits and each.move != PASS]
    found.sort(key=lambda each: abs(each.win_rate - 0.5))
    distance: dict[Move, float] = {}
    for candidate in found[: _SEARCHES - 1]:
        view = None if stopped.is_set() else _after(start, candidate.move, settings, share, stopped)
        if view is None:
            break
        distance[candidate.move] = abs(view.win_rate - 0.5)
    any_stone = next(move for move in game.start().moves() if move != PASS)
    default = found[0].move if found else any_stone
    return min(distance, key=distance.__getitem__, default=default)


def side_for_komi(
    game: Game, settings: PlaySettings, limits: Limits, stopped: threading.Event
) -> Player:
    """The better side with the game's komi: where the table leaves no doubt by it, else by search.

    A proven draw is as good for either.
    """
    known = known_komi(game)
    if known is not None:
        gap = game.komi - known.komi
        if known.exact or abs(gap) > _DOUBT * known.error + 0.5:
            return Player.SECOND if gap > 0 else Player.FIRST
    return _preferred(_view(History(game), settings, limits, stopped))


def side_for_stone(
    game: Game, stone: Move, settings: PlaySettings, limits: Limits, stopped: threading.Event
) -> Player:
    """The better side after First's stone; raises `IllegalMove`.

    Where the table leaves no doubt it decides, elsewhere a search.
    """
    start = History(game)
    start.play(stone)
    proven, trial = proven_side(game, stone), known_trial(game, stone)
    if proven is not None:
        return proven
    if trial is not None and abs(trial.first_wins - 0.5) > _DOUBT * trial.error:
        return Player.FIRST if trial.first_wins > 0.5 else Player.SECOND
    return _preferred(_after(start, stone, settings, limits, stopped))


def _view(
    history: History, settings: PlaySettings, limits: Limits, stopped: threading.Event
) -> Candidate | None:
    """The best move by a search of its own; None if it was stopped before it could begin."""
    return next(iter(Engine(settings).analyse(history, limits, stopped).candidates), None)


def _after(
    start: History, stone: Move, settings: PlaySettings, limits: Limits, stopped: threading.Event
) -> Candidate | None:
    history = start.play(stone)
    if history.position.over:
        winner = history.position.result().winner
        rate = 0.5 if winner is None else float(winner is Player.FIRST)
        return Candidate(move=PASS, visits=0, win_rate=rate, line=())
    return _view(history, settings, limits, stopped)


def _preferred(view: Candidate | None) -> Player:
    return Player.SECOND if view is not None and view.win_rate < 0.5 else Player.FIRST


def _shared(limits: Limits) -> Limits:
    """The limits of each of several searches that together take the time of one move."""
    seconds = None if limits.seconds is None else limits.seconds / _SEARCHES
    return attrs.evolve(limits, seconds=seconds)
