"""The rating list of a server: the project's Bradley–Terry list over all games that count.

With two hundred players it takes some tenths of a second, and no move may wait for it: it is
computed on another thread, from the scores in memory.
"""

import math
from collections.abc import Mapping

import attrs

from linage_bot.arena.records import ScoredGames
from linage_bot.servers.cgos_server.environment import Environment
from linage_bot.servers.cgos_server.pairing_history import PairingHistory
from linage_bot.servers.cgos_server.settings import RatingSettings
from linage_bot.servers.cgos_server.store import Score, ServerStore

Rated = tuple[str, float, float]  # name, Elo, half the 95 % interval


def rating_list(scores: Mapping[tuple[str, str], Score], settings: RatingSettings) -> list[Rated]:
    """Rate all players with a game, however few; without anchors the mean is `settings.mean`.

    Before the first game a rating is assumed to be the mean, give or take `settings.prior_elo`.
    """
    # NumPy is not loaded before the first game is over.
    from linage_bot.arena.ratings import rate_results

    results = [
        ScoredGames(*pair, points, count)
        for pair, score in scores.items()
        for points, count in ((1.0, score.won), (0.0, score.lost), (0.5, score.drawn))
        if count
    ]
    names = sorted({name for pair in scores for name in pair})
    if not names:
        return []
    anchors = settings.anchors
    shift = 0.0 if any(name in anchors for name in names) else settings.mean
    ratings = rate_results(names, results, anchors, settings.prior_elo).ratings
    return [(each.name, each.elo + shift, each.error) for each in ratings]


@attrs.define(eq=False)
class Ratings:
    """The current ratings of all players.

    A new list is made when games have ended: one at a time, not too often.
    """

    _settings: RatingSettings
    _store: ServerStore
    _encounters: PairingHistory
    _environment: Environment
    _known: dict[str, tuple[float, float]] = attrs.field(factory=dict, init=False)
    _busy: bool = attrs.field(default=False, init=False)
    _asked: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        for each in self._store.players():
            if each.rating is not None:
                self._known[each.name] = each.rating, each.error or 0.0
        if self._encounters.scores:
            self.ask()  # the last run may have ended before its last list

    def of(self, name: str) -> float:
        """Return a player's rating, the mean if it has none yet."""
        anchors = self._settings.anchors
        if name in anchors:
            return anchors[name]
        if name in self._known:
            return self._known[name][0]
        return sum(anchors.values()) / len(anchors) if anchors else self._settings.mean

    def anchored(self, name: str) -> bool:
        """Return whether a player's rating is fixed."""
        return name in self._settings.anchors

    def provisional(self, name: str) -> bool:
        """Return whether a player has too few games for a reliable rating."""
        few = self._encounters.totals[name].games < self._settings.provisional_games
        return few and not self.anchored(name)

    def word(self, name: str) -> str:
        """Return a rating as text: `1850`, or `1500?` while it is provisional."""
        return f"{self.of(name):.0f}{'?' if self.provisional(name) else ''}"

    def error_word(self, name: str) -> str:
        """Return half the 95 % interval as text; `–` if unreliable, `anchor` if it is fixed."""
        if self.anchored(name):
            return "anchor"
        _, error = self._known.get(name, (0.0, math.inf))
        return f"± {error:.0f}" if math.isfinite(error) and not self.provisional(name) else "–"

    def ask(self) -> None:
        """Request a new list of all games that have ended so far."""
        self._asked = True
        if not self._busy:
            self._environment.start(self._rate())

    async def _rate(self) -> None:
        self._busy = True
        while self._asked:
            self._asked = False
            scores = self._encounters.scores.copy()
            rated = await self._environment.in_thread(rating_list, scores, self._settings)
            self._known |= {name: (elo, error) for name, elo, error in rated}
            self._store.keep_ratings(rated)
            self._store.commit()
            await self._environment.sleep(self._settings.interval_seconds)
        self._busy = False
