"""The pie: the choice of an offer before the first move, and of a side after an offer.

The first player offers a komi, or in games without komi a first stone, and the second chooses a
side. So the best offer is the one nearest to even. It comes from the shipped table (`fair`), or
from a search if the table has no entry or too little evidence.
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
from linage_bot.rules.arguments import of_type
from linage_bot.rules.game import PASS, Game, Move, Player
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings

_SEARCHES = 6  # that share the time of one move
_DOUBT = 2.0  # standard errors


@attrs.frozen(eq=False)
class FairPie:
    """The engine's decisions in the pie of a game, each with the search time of one move.

    Without limits those of the settings apply. If `stopped` is set, the best result so far is used.
    """

    game: Game = attrs.field(validator=of_type(Game))
    settings: PlaySettings = attrs.field(validator=of_type(PlaySettings))
    limits: Limits | None = attrs.field(default=None, validator=of_type(Limits))
    stopped: threading.Event = attrs.field(factory=threading.Event)

    def even_komi(self, *, whole: bool = False) -> float:
        """Return the even komi: proven, from long self-play, or by searches of the empty board.

        With a proven komi best play is a draw. The others have half a point if the game allows it,
        so that no game is a draw, unless komi has to be `whole`.
        """
        known = known_komi(self.game)
        if known is None:
            return self._searched_komi(whole=whole)
        return self.game.with_komi(round(known.komi)).komi if whole else known.komi

    def _searched_komi(self, *, whole: bool) -> float:
        """Return the komi with which a search of the empty board is nearest to even.

        Each search's lead in points gives the next komi to try, between the largest komi found too
        small and the smallest found too large.
        """
        game, share, lower, upper = self.game, self._share(), -float("inf"), float("inf")
        komi = nearest_komi(game, game.komi, whole=whole)
        seen: dict[float, float] = {}  # First's win rate by komi
        for _ in range(_SEARCHES):
            view = self._view(History(game.with_komi(komi)), share)
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
            if komi in seen or not lower < komi < upper or self.stopped.is_set():
                break
        return min(seen, key=lambda komi: abs(seen[komi] - 0.5), default=komi)

    def even_stone(self) -> Move:
        """Return the first stone that is nearest to even, by long self-play or else by search.

        One search of the empty board finds the candidate stones; each is then searched on its own.
        """
        trials = known_stones(self.game)
        if trials:
            return min(trials, key=lambda trial: abs(trial.first_wins - 0.5)).stone
        start, share = History(self.game), self._share()
        analysis = Engine(self.settings).analyse(start, share, self.stopped)
        found = [each for each in analysis.candidates if each.visits and each.move != PASS]
        found.sort(key=lambda each: abs(each.win_rate - 0.5))
        distance: dict[Move, float] = {}
        for candidate in found[: _SEARCHES - 1]:
            after = start.play(candidate.move)
            view = None if self.stopped.is_set() else self._view(after, share)
            if view is None:
                break
            distance[candidate.move] = abs(view.win_rate - 0.5)
        any_stone = next(move for move in self.game.start().moves() if move != PASS)
        default = found[0].move if found else any_stone
        return min(distance, key=distance.__getitem__, default=default)

    def side(self, stone: Move | str | None = None) -> Player:
        """Return the better side after First's stone, or with the game's komi.

        The table decides if it leaves no doubt, otherwise a search. A proven draw is equally good
        for both sides. Raises `IllegalMove`.
        """
        after = History(self.game) if stone is None else History(self.game).play(stone)
        known = self._known_komi_side() if stone is None else self._known_stone_side(*after.moves)
        if known is not None:
            return known
        view = self._view(after, self.limits)
        return Player.SECOND if view is not None and view.win_rate < 0.5 else Player.FIRST

    def _known_komi_side(self) -> Player | None:
        known = known_komi(self.game)
        if known is None:
            return None
        gap = self.game.komi - known.komi
        if not known.exact and abs(gap) <= _DOUBT * known.error + 0.5:
            return None
        return Player.SECOND if gap > 0 else Player.FIRST

    def _known_stone_side(self, stone: Move) -> Player | None:
        proven, trial = proven_side(self.game, stone), known_trial(self.game, stone)
        if proven is None and trial and abs(trial.first_wins - 0.5) > _DOUBT * trial.error:
            return Player.FIRST if trial.first_wins > 0.5 else Player.SECOND
        return proven

    def _view(self, history: History, limits: Limits | None) -> Candidate | None:
        """Return a separate search's best candidate; None if it was stopped before it started.

        If the game is over, a pass with the result as its win rate.
        """
        if history.position.over:
            rate = history.position.result().win_rate_of(Player.FIRST)
            return Candidate(move=PASS, visits=0, win_rate=rate, line=())
        analysis = Engine(self.settings).analyse(history, limits, self.stopped)
        return next(iter(analysis.candidates), None)

    def _share(self) -> Limits:
        """Return the limits of each of several searches that together take one move's time."""
        limits = self.limits or Limits.of(self.settings)
        seconds = None if limits.seconds is None else limits.seconds / _SEARCHES
        return attrs.evolve(limits, seconds=seconds)
