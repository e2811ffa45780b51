"""The history of all pairings: opponents, first moves and scores; kept in memory, game by game."""

from collections import Counter, defaultdict, deque
from typing import Final

from linage_bot.servers.cgos_server.store import GameRow, Score, ServerStore

_RECENT: Final = 8
_READ_FOR_RECENT: Final = 2000


class PairingHistory:
    """The statistics of all games that have begun, at first those of a store.

    `scores` has the score of each ordered pair that has finished a game, from the view of the
    player who moved first, and `totals` that of each player. `surplus` is how many more of these
    games a player has begun with the first move than without, `recent` the last opponents, the
    latest first.
    """

    def __init__(self, store: ServerStore) -> None:
        self.scores: dict[tuple[str, str], Score] = {}
        self.totals: defaultdict[str, Score] = defaultdict(Score)
        self.surplus: Counter[str] = Counter()
        self.recent: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=_RECENT))
        for pair, score in store.scores().items():
            self._count(pair, score)
        for row in (*reversed(store.last_games(_READ_FOR_RECENT)), *store.live_games()):
            self.began(row.first, row.second)

    def began(self, first: str, second: str) -> None:
        """Record that a game has begun."""
        self.recent[first].appendleft(second)
        self.recent[second].appendleft(first)

    def ended(self, row: GameRow) -> None:
        """Record the result of a finished game that counts."""
        one = Score(row.winner == 0, row.winner == 1, row.winner is None)
        self._count((row.first, row.second), one)

    def games(self, first: str, second: str) -> int:
        """Return the number of finished games in which `first` moved first against `second`."""
        return self.scores.get((first, second), Score()).games

    def _count(self, pair: tuple[str, str], score: Score) -> None:
        first, second = pair
        self.scores[pair] = self.scores.get(pair, Score()) + score
        self.totals[first] += score
        self.totals[second] += score.reverse
        self.surplus[first] += score.games
        self.surplus[second] -= score.games
