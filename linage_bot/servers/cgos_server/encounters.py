"""Who has met whom, who moved first how often, and how it went: kept in memory, game by game."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from typing import Final

from linage_bot.servers.cgos_server.pairing import Meetings
from linage_bot.servers.cgos_server.rows import ABORTED, GameRow, Score
from linage_bot.servers.cgos_server.store import ServerStore

_RECENT: Final = 8
_READ_FOR_RECENT: Final = 2000


class Encounters:
    """All games that have begun."""

    def __init__(self, scores: Iterable[Score] = (), latest: Iterable[GameRow] = ()) -> None:
        """`latest` are the latest games, the earliest of them first."""
        self._scores = {(score.first, score.second): score for score in scores}
        self._games: Counter[str] = Counter()
        self._begun: Counter[str] = Counter()
        self._meetings: Counter[tuple[str, str]] = Counter()
        self._surplus: Counter[str] = Counter()
        self._recent: dict[str, deque[str]] = {}
        for score in self._scores.values():
            self._count(score.first, score.second, score.games)
            self._games[score.first] += score.games
            self._games[score.second] += score.games
        for row in latest:
            self._remember(row.first, row.second)

    @classmethod
    def read(cls, store: ServerStore) -> Encounters:
        """What a store holds."""
        live = store.live_games()
        encounters = cls(store.scores(), [*reversed(store.last_games(_READ_FOR_RECENT)), *live])
        for row in live:
            encounters._count(row.first, row.second, 1)
        return encounters

    @property
    def scores(self) -> Mapping[tuple[str, str], Score]:
        """The score of each ordered pair that has finished a game."""
        return self._scores

    @property
    def meetings(self) -> Meetings:
        """How many games each ordered pair has begun."""
        return self._meetings

    def games(self, name: str) -> int:
        """How many games of a player have counted."""
        return self._games[name]

    def begun(self, name: str) -> int:
        """How many games a player has begun."""
        return self._begun[name]

    def surplus(self, name: str) -> int:
        """How many more games a player has had with the first move than without."""
        return self._surplus[name]

    def recent(self, name: str) -> tuple[str, ...]:
        """A player's last opponents, the latest first."""
        return tuple(self._recent.get(name, ()))

    def began(self, first: str, second: str) -> None:
        """Another game has begun."""
        self._count(first, second, 1)
        self._remember(first, second)

    def ended(self, row: GameRow) -> None:
        """A game that had begun has ended."""
        if row.ending == ABORTED:
            return
        pair = row.first, row.second
        self._scores[pair] = self._scores.get(pair, Score(*pair)).after(row.winner)
        self._games.update(pair)

    def _count(self, first: str, second: str, games: int) -> None:
        self._meetings[first, second] += games
        self._surplus[first] += games
        self._surplus[second] -= games
        self._begun[first] += games
        self._begun[second] += games

    def _remember(self, first: str, second: str) -> None:
        for name, other in ((first, second), (second, first)):
            self._recent.setdefault(name, deque(maxlen=_RECENT)).appendleft(other)
