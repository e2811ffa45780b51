"""Who has met whom, who moved first how often, and how it went: kept in memory, game by game."""

from collections import Counter, defaultdict, deque
from typing import Final

from linage_bot.servers.cgos_server.rows import ABORTED, GameRow, Score
from linage_bot.servers.cgos_server.store import ServerStore

_RECENT: Final = 8
_READ_FOR_RECENT: Final = 2000


class Encounters:
    """All games that have begun, those that a store holds to begin with.

    `scores` has each ordered pair that has finished a game, `meetings` each that has begun one, the
    one who moved first before the other. `games` tells how many games of a player have counted,
    `begun` how many it has begun, `surplus` how many more of these with the first move than without
    and `recent` the last opponents, the latest first.
    """

    def __init__(self, store: ServerStore) -> None:
        self.scores = {(score.first, score.second): score for score in store.scores()}
        self.games: Counter[str] = Counter()
        self.begun: Counter[str] = Counter()
        self.meetings: Counter[tuple[str, str]] = Counter()
        self.surplus: Counter[str] = Counter()
        self.recent: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=_RECENT))
        for score in self.scores.values():
            self._count(score.first, score.second, score.games)
            self.games[score.first] += score.games
            self.games[score.second] += score.games
        for row in reversed(store.last_games(_READ_FOR_RECENT)):
            self._remember(row.first, row.second)
        for row in store.live_games():
            self.began(row.first, row.second)

    def began(self, first: str, second: str) -> None:
        """Another game has begun."""
        self._count(first, second, 1)
        self._remember(first, second)

    def ended(self, row: GameRow) -> None:
        """A game that had begun has ended."""
        if row.ending != ABORTED:
            pair = row.first, row.second
            self.scores[pair] = self.scores.get(pair, Score(*pair)).after(row.winner)
            self.games.update(pair)

    def _count(self, first: str, second: str, games: int) -> None:
        self.meetings[first, second] += games
        self.surplus[first] += games
        self.surplus[second] -= games
        self.begun[first] += games
        self.begun[second] += games

    def _remember(self, first: str, second: str) -> None:
        self.recent[first].appendleft(second)
        self.recent[second].appendleft(first)
