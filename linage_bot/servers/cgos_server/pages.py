"""The web pages: standings, cross table, games, players, a board one can step through.

A page is text made from what the hall and the store know; None where there is no such page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from linage_bot.document import describe_game
from linage_bot.servers.cgos_server.board import Replays, game_body
from linage_bot.servers.cgos_server.hall import Hall
from linage_bot.servers.cgos_server.html import Html, element, joined, link, page, table
from linage_bot.servers.cgos_server.rows import GameRow, Score
from linage_bot.servers.cgos_server.sgf import sgf_of
from linage_bot.servers.cgos_server.store import Store

_LIVE_SECONDS: Final = 10
_LATEST, _GAMES_A_PAGE, _PLAYERS_GAMES, _CROSS = 15, 100, 100, 40


class Pages:
    """Makes pages; nothing here changes anything."""

    def __init__(self, name: str, hall: Hall, store: Store) -> None:
        self._name = name
        self._hall = hall
        self._store = store
        self._replays = Replays(hall.game)

    def front(self) -> str:
        """Live games, standings, the latest games."""
        hall, game = self._hall, self._hall.game
        options = ", ".join(f"{name} {value}" for name, value in game.settings().items())
        facts = f"{describe_game(game)}{f' ({options})' if options else ''}"
        parts = [
            element("p", f"{facts}. {len(hall.seats)} players here.", "facts"),
            element("h2", "Live games"),
            self._live(),
            element("h2", "Standings"),
            self._standings(),
            element("h2", "Latest games"),
            self._list(self._store.last_games(_LATEST)),
        ]
        return self._page(self._name, joined(parts), _LIVE_SECONDS if hall.tables else 0)

    def games(self, before: int | None = None) -> str:
        """The finished games, a hundred a page, those before a number."""
        rows = self._store.last_games(_GAMES_A_PAGE, before)
        parts = [self._list(rows)]
        if len(rows) == _GAMES_A_PAGE:
            path = f"/games?before={rows[-1].number}"
            parts.append(element("p", link(path, "Earlier games")))
        return self._page("Games", joined(parts))

    def game(self, number: int, ply: int | None = None) -> str | None:
        """A game after so many moves, or as it stands."""
        live = self._hall.tables.get(number)
        row = self._store.game(number) if live is None else live.row
        if row is None:
            return None
        moves = self._store.moves(number) if live is None else live.moves
        if ply is not None and ply > len(moves):
            return None
        follows = live is not None and ply is None
        shown = len(moves) if ply is None else ply
        position = self._replays.position(number, moves, shown)
        body = game_body(position, row, moves, shown)
        title = f"Game {number}: {row.first} – {row.second}"
        return self._page(title, body, _LIVE_SECONDS if follows else 0)

    def sgf(self, number: int) -> str | None:
        """A game's record for other programs."""
        row = self._store.game(number)
        if row is None:
            return None
        return sgf_of(self._hall.game, self._name, row, self._store.moves(number))

    def player(self, name: str) -> str | None:
        """A player's rating and latest games."""
        known = self._store.player(name)
        if known is None:
            return None
        here = self._hall.seats.get(name)
        where = "not here" if here is None else here.state.value
        games = self._hall.history.games(name)
        facts = f"Rating {self._hall.rating_word(name)}, {games} games, {where}."
        facts += f" Registered {known.registered[:10]}."
        rows = self._store.games_of(name, _PLAYERS_GAMES)
        parts = [element("p", facts, "facts"), element("h2", "Games"), self._list(rows)]
        return self._page(name, joined(parts))

    def cross_table(self) -> str:
        """Points of the player at the left against the one above, and in how many games."""
        points: dict[tuple[str, str], tuple[float, int]] = {}
        for score in self._hall.history.scores.values():
            for name, other, own in _both_ways(score):
                before = points.get((name, other), (0.0, 0))
                points[name, other] = before[0] + own, before[1] + score.games
        names = self._ranked()[:_CROSS]

        def cell(name: str, other: str) -> object:
            if name == other:
                return element("td", "", "self")
            own = points.get((name, other))
            return "" if own is None else f"{own[0]:g}/{own[1]}"

        rows = [
            (place, link(f"/players/{name}", name), *(cell(name, other) for other in names))
            for place, name in enumerate(names, 1)
        ]
        heading = ("", "player", *range(1, len(names) + 1))
        note = "Points of the player at the left against the one of that number, and games."
        parts = [element("p", note, "facts"), table(heading, rows, (1,), "cross")]
        return self._page("Cross table", joined(parts))

    def not_found(self) -> str:
        """For every path that leads nowhere."""
        return self._page("There is no such page", element("p", link("/", "To the standings")))

    def _page(self, title: str, body: object, refresh: int = 0) -> str:
        navigation = [
            link("/", "Standings"),
            link("/crosstable", "Cross table"),
            link("/games", "Games"),
        ]
        return page(title, self._name, navigation, body, refresh)

    # ------------------------------------------------------------------------- tables

    def _live(self) -> Html:
        rows = [
            (
                link(f"/games/{number}", number),
                _player(table.row.first, table.row.first_rating),
                _player(table.row.second, table.row.second_rating),
                len(table.moves),
            )
            for number, table in sorted(self._hall.tables.items())
        ]
        if not rows:
            return element("p", "None at the moment.", "soft")
        return table(("game", *self._sides(), "moves"), rows, (1, 2))

    def _list(self, rows: Sequence[GameRow]) -> Html:
        if not rows:
            return element("p", "None yet.", "soft")
        made = [
            (
                link(f"/games/{row.number}", row.number),
                _player(row.first, row.first_rating),
                _player(row.second, row.second_rating),
                row.result or "live",
                row.began[:16].replace("T", " "),
                link(f"/games/{row.number}.sgf", "SGF"),
            )
            for row in rows
        ]
        return table(("game", *self._sides(), "result", "began (UTC)", ""), made, (1, 2, 3))

    def _sides(self) -> tuple[str, str]:
        """The headings over the players, who moves first at the left."""
        first, second = self._hall.game.players
        return f"{first} (B), moves first", f"{second} (W)"

    def _standings(self) -> Html:
        totals: dict[str, list[int]] = {}
        for score in self._hall.history.scores.values():
            for name, own in (
                (score.first, (score.won, score.lost)),
                (score.second, (score.lost, score.won)),
            ):
                total = totals.setdefault(name, [0, 0, 0])
                for place, count in enumerate((*own, score.drawn)):
                    total[place] += count
        rows = list(self._standing_rows(totals))
        if not rows:
            return element("p", "Nobody has finished a game yet.", "soft")
        heading = ("", "player", "rating", "95 %", "games", "won", "lost", "drawn", "points %", "")
        return table(heading, rows, (1, 9))

    def _standing_rows(self, totals: dict[str, list[int]]) -> Iterator[tuple[object, ...]]:
        hall = self._hall
        for place, name in enumerate(self._ranked(), 1):
            won, lost, drawn = totals[name]
            games = won + lost + drawn
            error = hall.ratings.error(name)
            known = error is not None and math.isfinite(error)
            known = known and not hall.ratings.provisional(name, games)
            yield (
                place,
                link(f"/players/{name}", name),
                hall.rating_word(name),
                "anchor" if hall.ratings.anchored(name) else f"± {error:.0f}" if known else "–",
                games,
                won,
                lost,
                drawn,
                f"{100 * (won + drawn / 2) / games:.1f}",
                "here" if name in hall.seats else "",
            )

    def _ranked(self) -> list[str]:
        """Everybody who has finished a game, the strongest first."""
        names = {name for pair in self._hall.history.scores for name in pair}
        return sorted(names, key=lambda name: (-self._hall.ratings.of(name), name))


def _both_ways(score: Score) -> Iterator[tuple[str, str, float]]:
    """The points of each of two players against the other."""
    yield score.first, score.second, score.won + score.drawn / 2
    yield score.second, score.first, score.lost + score.drawn / 2


def _player(name: str, rating: str) -> Html:
    return joined([link(f"/players/{name}", name), f" ({rating})"])
