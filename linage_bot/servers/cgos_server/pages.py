"""The web pages: standings, cross table, games, players, and boards to step through.

A page is text made from the lobby and the store; None if there is no such page.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from markupsafe import Markup

from linage_bot.drawing import Picture
from linage_bot.drawing.chart import GraphPoint, chart
from linage_bot.drawing.description import describe_game, describe_options
from linage_bot.drawing.html import ICON, SCRIPT, prepare, render
from linage_bot.drawing.steps import FrameDiffs, steps
from linage_bot.rules.game import Game, Move
from linage_bot.servers.cgos_server.game import clocks_after
from linage_bot.servers.cgos_server.limits import keep
from linage_bot.servers.cgos_server.lobby import Lobby
from linage_bot.servers.cgos_server.sgf import sgf_of
from linage_bot.servers.cgos_server.store import GameRow, MoveRow, Score

_LIVE_SECONDS: Final = 10
_LATEST, _GAMES_A_PAGE, _PLAYERS_GAMES, _CROSS = 15, 100, 100, 40
_RATED_GAMES: Final = 1000  # in a graph
_KEPT_GAMES: Final = 8
_LARGEST_VALUE: Final = 1e9  # of players' values; Python cannot print all that JSON can hold


class Pages:
    """The generator of pages, which changes no game or player."""

    def __init__(self, lobby: Lobby) -> None:
        self._name = lobby.settings.name
        self._lobby = lobby
        self._store = lobby.store
        self._kept: dict[int, _Replay] = {}
        prepare()

    def front(self) -> str:
        """Return the front page: live games, standings, the latest games."""
        lobby, game = self._lobby, self._lobby.game
        options = describe_options(game)
        live = [(live.row, len(live.moves)) for _, live in sorted(lobby.live_games.items())]
        totals, ratings = lobby.pairing_history.totals, lobby.ratings
        return self._page(
            "front",
            self._name,
            refresh=_LIVE_SECONDS if live else 0,
            described=f"{describe_game(game)}{f' ({options})' if options else ''}",
            here=set(lobby.players),
            live=live,
            standings=[
                (name, totals[name], ratings.word(name), ratings.error_word(name))
                for name in self._ranked()
            ],
            latest=self._store.last_games(_LATEST),
            address=lobby.settings.client_endpoint,
            registers=lobby.settings.limits.registrations_per_hour > 0,
        )

    def games(self, before: int = 1 << 62) -> str:
        """Return a page of at most 100 finished games, those before a number."""
        rows = self._store.last_games(_GAMES_A_PAGE, before)
        return self._page("games", "Games", rows=rows, earlier=len(rows) == _GAMES_A_PAGE)

    def game(self, number: int, ply: int | None = None) -> str | None:
        """Return the page of a game after `ply` moves, by default all; None if there is none."""
        row, moves = self._store.game(number), self._store.moves(number)
        shown = len(moves) if ply is None else ply
        if row is None or shown > len(moves):
            return None
        replay = self._replay(number, moves)
        opinion, comment = _opinion(moves[shown - 1]) if shown else ("", "")
        return self._page(
            "game",
            f"Game {number}: {row.first} – {row.second}",
            _LIVE_SECONDS if row.result is None and ply is None else 0,
            diagram=replay.picture(shown),
            steps=replay.steps(row, moves),
            live_seconds=_LIVE_SECONDS,
            row=row,
            moves=moves,
            ply=shown,
            clocks=[_clock(left) for left in clocks_after(row, moves[:shown])],
            opinion=opinion,
            comment=comment,
        )

    def _replay(self, number: int, moves: Sequence[MoveRow]) -> _Replay:
        """Return the positions of a game.

        Some games have thousands of moves and viewers that reload often: the positions of the games
        requested last are cached.
        """
        replay = self._kept.get(number) or _Replay(self._lobby.game)
        for move in moves[len(replay.moves) :]:
            replay.add(move)
        keep(self._kept, number, replay, _KEPT_GAMES)
        return replay

    def sgf(self, number: int) -> str | None:
        """Return a game's record as SGF, None if there is no such game."""
        row = self._store.game(number)
        if row is None:
            return None
        return sgf_of(self._lobby.game, self._name, row, self._store.moves(number))

    def player(self, name: str) -> str | None:
        """Return the page of a player: rating and latest games; None if it is unknown."""
        known = self._store.player(name)
        if known is None:
            return None
        here = self._lobby.players.get(name)
        where = "not connected" if here is None else here.state.value
        games = self._lobby.pairing_history.totals[name].games
        facts = f"Rating {self._lobby.ratings.word(name)}, {games} games, {where}."
        facts += f" Registered {known.registered[:10]}."
        rows = self._store.games_of(name, _RATED_GAMES)
        graph = self._ratings(name, rows)
        return self._page("player", name, facts=facts, graph=graph, rows=rows[:_PLAYERS_GAMES])

    def _ratings(self, name: str, rows: Sequence[GameRow]) -> Markup | None:
        """Return a graph of a player's ratings before its latest games and now; None if no game."""
        if not rows:
            return None
        moments = []
        for row in reversed(rows):
            word = row.first_rating if row.first == name else row.second_rating
            hint = f"{row.began[:10]}, before game {row.number}: {word}"
            moments.append(_moment(word, hint, f"/games/{row.number}"))
        now = self._lobby.ratings.word(name)
        moments.append(_moment(now, f"now: {now}", f"/players/{name}"))
        values = [moment.value for moment in moments]
        description = (
            f"Rating of {name} over {len(rows)} games: {values[0]:.0f} at first, {now} now,"
            f" {min(values):.0f} to {max(values):.0f} between"
        )
        return chart(description, moments, rows[-1].began[:10], "now")

    def cross_table(self) -> str:
        """Return the cross table: each player's points and games against each other player."""
        points: defaultdict[tuple[str, str], Score] = defaultdict(Score)
        for (first, second), score in self._lobby.pairing_history.scores.items():
            points[first, second] += score
            points[second, first] += score.reverse
        return self._page("crosstable", "Cross table", names=self._ranked()[:_CROSS], points=points)

    def status(self) -> str:
        """Return the numbers of players and games and the server's own delay, in one line."""
        lobby = self._lobby
        pace = lobby.outbox.pace()
        return f"{len(lobby.players)} players, {len(lobby.live_games)} games; {pace}\n"

    def style(self) -> str:
        """Return the style sheet of all pages."""
        return render("cgos/style.css")

    def icon(self) -> str:
        """Return the icon of all pages."""
        return ICON

    def script(self) -> str:
        """Return the script that steps through games."""
        return SCRIPT

    def not_found(self) -> str:
        """Return the page for unknown paths."""
        return self._page("missing", "This page does not exist")

    def _page(self, template: str, title: str, refresh: int = 0, **values: object) -> str:
        """Return a page; with `refresh`, the browser reloads it after that number of seconds."""
        return render(
            f"cgos/{template}.html",
            title=title,
            site=self._name,
            refresh=refresh,
            players=self._lobby.game.players,
            **values,
        )

    def _ranked(self) -> list[str]:
        """Return all players with a finished game, the strongest first."""
        names = {name for pair in self._lobby.pairing_history.scores for name in pair}
        return sorted(names, key=lambda name: (-self._lobby.ratings.of(name), name))


def _moment(word: str, hint: str, link: str) -> GraphPoint:
    """Return a graph point of a rating in the format of `Ratings.word`."""
    return GraphPoint(float(word.rstrip("?")), hint, link, sure=not word.endswith("?"))


class _Replay:
    """The moves of a game as the rules know them, with the position after each."""

    def __init__(self, game: Game) -> None:
        self.moves: list[Move] = []
        self._positions = [game.start()]
        self._seen = FrameDiffs()
        self._changes = [self._seen.to(self._positions[0])]

    def add(self, row: MoveRow) -> None:
        """Make a move without judging it, which the referee has done and which takes longer."""
        position = self._positions[-1]
        self.moves.append(position.game.move(row.move))
        self._positions.append(position.after(self.moves[-1]))
        self._changes.append(self._seen.to(self._positions[-1]))

    def picture(self, ply: int) -> Markup:
        """Return the board after `ply` moves, with a dot on the last."""
        last = self.moves[ply - 1] if ply else None
        return Markup(Picture(self._positions[ply], last=last).svg(styled=False))

    def steps(self, row: GameRow, moves: Sequence[MoveRow]) -> dict[str, Any]:
        """Return the whole game for the page's viewer, with clocks and the players' comments."""
        game = self._positions[0].game
        names, left = (row.first, row.second), clocks_after(row, ())
        words, notes = ["The start"], {0: _clocks(names, left)}
        for number, move in enumerate(moves, 1):
            side = (number - 1) % 2
            left[side] = move.ms_left
            words.append(f"{number}. {names[side]} ({game.players[side]}): {move.move}")
            notes[number] = "\n".join(filter(None, (_clocks(names, left), *_opinion(move))))
        return steps(game, self._changes, self.moves, words, notes)


def _clocks(names: tuple[str, str], left: Sequence[int]) -> str:
    """Return both clocks as text: `anna has 4:59 left, bert 3:20`."""
    return f"{names[0]} has {_clock(left[0])} left, {names[1]} {_clock(left[1])}"


def _clock(milliseconds: int) -> str:
    minutes, seconds = divmod(max(0, milliseconds) // 1000, 60)
    return f"{minutes}:{seconds:02d}"


def _opinion(move: MoveRow) -> tuple[str, str]:
    """Return the evaluation and comment that a player sent with its move; empty where missing."""
    analysis = json.loads(move.analysis) if move.analysis else {}  # only readable JSON is stored
    shapes = {"winrate": "Win rate {:.0%}", "score": "score {:+.1f}", "visits": "{:.0f} visits"}
    words = [
        shape.format(analysis[key])
        for key, shape in shapes.items()
        if isinstance(analysis.get(key), int | float) and abs(analysis[key]) <= _LARGEST_VALUE
    ]
    comment = analysis.get("comment")
    return ", ".join(words), comment[:200] if isinstance(comment, str) else ""
