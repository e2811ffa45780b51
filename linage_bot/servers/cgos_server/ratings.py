"""The rating list of a server: the project's Bradley–Terry list over all games that count.

Run as a program it reads the database and prints the list as JSON. The server runs it so, for with
many players a list takes seconds, which no move shall wait for.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from linage_bot.game import Game
from linage_bot.match.ratings import rate
from linage_bot.match.records import GameRecord, Key, Rules
from linage_bot.servers.cgos_server.rows import GameRow, MoveRow, PlayerRow
from linage_bot.servers.cgos_server.settings import RatingSettings
from linage_bot.servers.cgos_server.store import Store

Rated = tuple[str, float, float]  # name, Elo, half the 95 % interval


def rating_list(
    rows: Iterable[GameRow],
    rules: Rules,
    anchors: Mapping[str, float],
    mean: float,
    prior_elo: float,
) -> list[Rated]:
    """Rate everybody who has played, however few; without anchors the mean is `mean`.

    Before the first game a rating is thought to be the mean, give or take `prior_elo`.
    """
    records = [game_record(row, (), rules) for row in rows]
    names = sorted({name for record in records for name in record.players})
    if not names:
        return []
    shift = 0.0 if any(name in anchors for name in names) else mean
    ratings = rate(names, records, anchors, prior_elo).ratings
    return [(each.name, each.elo + shift, each.error) for each in ratings]


def game_record(row: GameRow, moves: Sequence[MoveRow], rules: Rules) -> GameRecord:
    """A finished game as matches record it; each is a cluster of its own."""
    return GameRecord(
        key=Key((row.first, row.second), row.number),
        number=row.number,
        players=(row.first, row.second),
        rules=rules,
        moves=tuple(each.move for each in moves),
        result=row.result or "?",
        winner=row.winner,
        ending=row.ending or "",
        reason=row.reason or "",
        started=row.began,
    )


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


@attrs.frozen
class _Order:
    """What the program is told: its one argument, as JSON."""

    database: str
    rules: Rules
    anchors: Mapping[str, float]
    mean: float
    prior_elo: float


def command_line(database: Path, game: Game, settings: RatingSettings) -> list[str]:
    """How to run this module as a program."""
    order = _Order(
        str(database), Rules.of(game), dict(settings.anchors), settings.mean, settings.prior_elo
    )
    return [sys.executable, "-m", __name__, json.dumps(attrs.asdict(order))]


def read_output(data: bytes) -> list[Rated]:
    """What the program has printed; raises `ValueError`."""
    return [(str(name), float(elo), float(error)) for name, elo, error in json.loads(data)]


def main(words: Sequence[str]) -> None:
    """Print the list that the argument asks for."""
    if hasattr(os, "nice"):
        os.nice(10)
    table = json.loads(words[0])
    order = _Order(**{**table, "rules": Rules(**table["rules"])})
    store = Store.open_to_read(Path(order.database))
    games = store.rated_games()
    store.close()
    rated = rating_list(games, order.rules, order.anchors, order.mean, order.prior_elo)
    print(json.dumps(rated))


if __name__ == "__main__":
    main(sys.argv[1:])
