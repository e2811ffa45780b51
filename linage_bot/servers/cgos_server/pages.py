"""The web pages: standings, cross table, games, players, a board one can step through.

A page is text made from what the lobby and the store know; None where there is no such page.
"""

import math
from typing import Final

from linage_bot.drawing.html import describe_game, prepare, render
from linage_bot.servers.cgos_server.board import Replays, clocks, diagram, opinion
from linage_bot.servers.cgos_server.lobby import Lobby
from linage_bot.servers.cgos_server.rows import Score
from linage_bot.servers.cgos_server.sgf import sgf_of
from linage_bot.servers.cgos_server.store import ServerStore

_LIVE_SECONDS: Final = 10
_LATEST, _GAMES_A_PAGE, _PLAYERS_GAMES, _CROSS = 15, 100, 100, 40


class Pages:
    """Makes pages; nothing here changes anything."""

    def __init__(self, name: str, lobby: Lobby, store: ServerStore) -> None:
        self._name = name
        self._lobby = lobby
        self._store = store
        self._replays = Replays(lobby.game)
        prepare()

    def front(self) -> str:
        """Live games, standings, the latest games."""
        lobby, game = self._lobby, self._lobby.game
        options = ", ".join(f"{name} {value}" for name, value in game.settings().items())
        live = [(live.row, len(live.moves)) for _, live in sorted(lobby.live_games.items())]
        return self._page(
            "front",
            self._name,
            refresh=_LIVE_SECONDS if live else 0,
            described=f"{describe_game(game)}{f' ({options})' if options else ''}",
            here=set(lobby.players),
            live=live,
            standings=self._standings(),
            latest=self._store.last_games(_LATEST),
        )

    def games(self, before: int | None = None) -> str:
        """The finished games, a hundred a page, those before a number."""
        rows = self._store.last_games(_GAMES_A_PAGE, before)
        return self._page("games", "Games", rows=rows, earlier=len(rows) == _GAMES_A_PAGE)

    def game(self, number: int, ply: int | None = None) -> str | None:
        """A game after so many moves, or as it stands."""
        live = self._lobby.live_games.get(number)
        row = self._store.game(number) if live is None else live.row
        if row is None:
            return None
        moves = self._store.moves(number) if live is None else live.moves
        if ply is not None and ply > len(moves):
            return None
        follows = live is not None and ply is None
        shown = len(moves) if ply is None else ply
        last = moves[shown - 1] if shown else None
        thought, comment = opinion(last)
        return self._page(
            "game",
            f"Game {number}: {row.first} – {row.second}",
            _LIVE_SECONDS if follows else 0,
            diagram=diagram(self._replays.position(number, moves, shown), last),
            row=row,
            moves=moves,
            ply=shown,
            clocks=clocks(row, moves[:shown]),
            opinion=thought,
            comment=comment,
        )

    def sgf(self, number: int) -> str | None:
        """A game's record for other programs."""
        row = self._store.game(number)
        if row is None:
            return None
        return sgf_of(self._lobby.game, self._name, row, self._store.moves(number))

    def player(self, name: str) -> str | None:
        """A player's rating and latest games."""
        known = self._store.player(name)
        if known is None:
            return None
        here = self._lobby.players.get(name)
        where = "not here" if here is None else here.state.value
        games = self._lobby.encounters.games[name]
        facts = f"Rating {self._lobby.rating_word(name)}, {games} games, {where}."
        facts += f" Registered {known.registered[:10]}."
        rows = self._store.games_of(name, _PLAYERS_GAMES)
        return self._page("player", name, facts=facts, rows=rows)

    def cross_table(self) -> str:
        """Points of the player at the left against the one above, and in how many games."""
        points: dict[tuple[str, str], Score] = {}
        for score in self._lobby.encounters.scores.values():
            for own in score.both_ways:
                pair = own.first, own.second
                points[pair] = points[pair].plus(own) if pair in points else own
        return self._page("crosstable", "Cross table", names=self._ranked()[:_CROSS], points=points)

    def style(self) -> str:
        """The style sheet of all pages."""
        return render("cgos/style.css")

    def not_found(self) -> str:
        """For every path that leads nowhere."""
        return self._page("missing", "There is no such page")

    def _page(self, template: str, title: str, refresh: int = 0, **values: object) -> str:
        """A page; one that shows something live asks for itself again after some seconds."""
        return render(
            f"cgos/{template}.html",
            title=title,
            site=self._name,
            refresh=refresh,
            players=self._lobby.game.players,
            **values,
        )

    def _standings(self) -> list[tuple[Score, str, str]]:
        """Everybody who has finished a game, the strongest first, with rating and error."""
        totals: dict[str, Score] = {}
        for score in self._lobby.encounters.scores.values():
            for own in score.both_ways:
                totals[own.first] = totals[own.first].plus(own) if own.first in totals else own
        return [
            (
                totals[name],
                self._lobby.rating_word(name),
                self._error_word(name, totals[name].games),
            )
            for name in self._ranked()
        ]

    def _error_word(self, name: str, games: int) -> str:
        """Half the 95 % interval of a rating, where it says something."""
        ratings = self._lobby.ratings
        if ratings.anchored(name):
            return "anchor"
        error = ratings.error(name)
        known = error is not None and math.isfinite(error)
        return f"± {error:.0f}" if known and not ratings.provisional(name, games) else "–"

    def _ranked(self) -> list[str]:
        names = {name for pair in self._lobby.encounters.scores for name in pair}
        return sorted(names, key=lambda name: (-self._lobby.ratings.of(name), name))
