"""The rating list of a server: the project's Bradley–Terry list over all games that count.

With two hundred players it takes some tenths of a second, for which no move shall wait: it is made
aside, from the scores that are in memory anyway.
"""

from collections.abc import Callable, Iterable, Sequence

import attrs

from linage_bot.servers.cgos_server.outside import Outside
from linage_bot.servers.cgos_server.rows import PlayerRow, Score
from linage_bot.servers.cgos_server.settings import RatingSettings

Rated = tuple[str, float, float]  # name, Elo, half the 95 % interval


def rating_list(scores: Iterable[Score], settings: RatingSettings) -> list[Rated]:
    """Rate everybody who has played, however few; without anchors the mean is `settings.mean`.

    Before the first game a rating is thought to be the mean, give or take `settings.prior_elo`.
    """
    # NumPy is not loaded before the first game is over.
    from linage_bot.arena.ratings import ScoredGames, rate_results

    results = [
        ScoredGames(score.first, score.second, points, count)
        for score in scores
        for points, count in ((1.0, score.won), (0.0, score.lost), (0.5, score.drawn))
        if count
    ]
    names = sorted({name for each in results for name in (each.first, each.second)})
    if not names:
        return []
    anchors = settings.anchors
    shift = 0.0 if any(name in anchors for name in names) else settings.mean
    ratings = rate_results(names, results, anchors, settings.prior_elo).ratings
    return [(each.name, each.elo + shift, each.error) for each in ratings]


class Ratings:
    """What is known of everybody's strength now."""

    def __init__(self, settings: RatingSettings, players: Iterable[PlayerRow]) -> None:
        self._settings = settings
        self._known = {
            each.name: (each.rating, each.error if each.error is not None else 0.0)
            for each in players
            if each.rating is not None
        }

    def of(self, name: str) -> float:
        """A player's rating, the mean for one who has none yet."""
        anchor = self._settings.anchors.get(name)
        if anchor is not None:
            return anchor
        if name in self._known:
            return self._known[name][0]
        anchors = self._settings.anchors.values()
        return sum(anchors) / len(anchors) if anchors else self._settings.mean

    def error(self, name: str) -> float | None:
        """Half the 95 % interval; None for a player who has not been rated."""
        return self._known[name][1] if name in self._known else None

    def anchored(self, name: str) -> bool:
        """Whether a player's rating is fixed."""
        return name in self._settings.anchors

    def word(self, name: str, games: int) -> str:
        """`1850`, or `1500?` while so many games say little."""
        return f"{self.of(name):.0f}{'?' if self.provisional(name, games) else ''}"

    def provisional(self, name: str, games: int) -> bool:
        """Whether so many games are too few for a rating to be believed."""
        return games < self._settings.provisional_games and not self.anchored(name)

    def replace(self, rated: Iterable[Rated]) -> None:
        """Take a new list."""
        self._known |= {name: (elo, error) for name, elo, error in rated}


@attrs.define(eq=False)
class Rater:
    """Has a new list made when games have ended: one at a time, not too often.

    `scores` tells those of now; `took` gets each list.
    """

    _settings: RatingSettings
    _scores: Callable[[], Sequence[Score]]
    _took: Callable[[list[Rated]], None]
    _outside: Outside
    _busy: bool = attrs.field(default=False, init=False)
    _asked_again: bool = attrs.field(default=False, init=False)

    def ask(self) -> None:
        """Have a list made that knows all games that have ended by now."""
        if self._busy:
            self._asked_again = True
            return
        self._busy, self._asked_again = True, False
        scores = self._scores()
        self._outside.aside(lambda: rating_list(scores, self._settings), self._made)

    def _made(self, rated: list[Rated]) -> None:
        self._took(rated)
        self._outside.later(self._settings.interval_seconds, self._rested)

    def _rested(self) -> None:
        self._busy = False
        if self._asked_again:
            self.ask()
