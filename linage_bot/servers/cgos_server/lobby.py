"""The hall: who is here, who plays, who waits; it begins games, takes moves and ends games.

Whatever happens is written to the store and posted to the outbox in the same breath; the outbox
brings the first to the disk before it sends the second.
"""

from __future__ import annotations

import enum
import logging
from collections.abc import Callable, Sequence

import attrs

from linage_bot.arena.referee import Ending
from linage_bot.rules.game import Game
from linage_bot.servers.cgos_server.game import Table
from linage_bot.servers.cgos_server.history import History
from linage_bot.servers.cgos_server.outbox import Outbox, Peer
from linage_bot.servers.cgos_server.pairing import Waiting, pair
from linage_bot.servers.cgos_server.ratings import Ratings
from linage_bot.servers.cgos_server.rows import GameRow, MoveRow
from linage_bot.servers.cgos_server.settings import ServerSettings
from linage_bot.servers.cgos_server.store import Store
from linage_bot.servers.cgos_server.viewers import Gallery
from protocol.cgos import GameOver, Info
from protocol.cgos_player import Answer
from protocol.cgos_words import Message

_log = logging.getLogger(__name__)


class State(enum.Enum):
    """What a player who is here does."""

    WAITING = "waiting"  # for an opponent
    PLAYING = "playing"
    GAME_OVER = "gameover"  # and has not said `ready`


@attrs.define(eq=False)
class Seat:
    """A player who is here, and the connection it sits at."""

    name: str
    peer: Peer
    since: float  # seconds; when it began to wait
    state: State = State.WAITING


@attrs.frozen
class Clock:
    """Where the hall's time comes from."""

    now: Callable[[], float]  # seconds that never jump
    today: Callable[[], str]  # UTC, `2026-01-31T09:30:00`


class Hall:
    """All players and live games; `game_ended` is called with each table whose game is over."""

    def __init__(
        self,
        settings: ServerSettings,
        store: Store,
        history: History,
        ratings: Ratings,
        gallery: Gallery,
        outbox: Outbox,
        clock: Clock,
        game_ended: Callable[[Table], None],
    ) -> None:
        self.game: Game = settings.game.configure()
        self.seats: dict[str, Seat] = {}
        self.tables: dict[int, Table] = {}
        self.history = history
        self.ratings = ratings
        self._settings = settings
        self._store = store
        self._gallery = gallery
        self._outbox = outbox
        self._clock = clock
        self._game_ended = game_ended
        self._table_of: dict[str, Table] = {}
        self._number = store.last_number()
        # Those who have not come back from a restart by then pay for it.
        self._back_by = clock.now() + settings.clock.restart_seconds
        self._resume()

    def _resume(self) -> None:
        """Set up the tables of the games that the last run left behind."""
        for row in self._store.live_games():
            moves = self._store.moves(row.number)
            forgiven_ms = self._settings.clock.forgiven_ms
            table = Table.resumed(self.game, row, moves, forgiven_ms, self._back_by)
            self._seat_at(table)
            _log.info("game %d goes on: %s", row.number, " – ".join(table.names))

    def _seat_at(self, table: Table) -> None:
        self.tables[table.row.number] = table
        for name in table.names:
            self._table_of[name] = table

    # ------------------------------------------------------------------ coming, going

    def sit(self, name: str, peer: Peer) -> Seat:
        """A player has logged in; another connection of the same player is closed."""
        old = self.seats.pop(name, None)
        if old is not None:
            self._outbox.post(old.peer, Info("another login takes over"))
            self._outbox.close(old.peer)
        now = self._clock.now()
        seat = self.seats[name] = Seat(name, peer, now)
        table = self._table_of.get(name)
        if table is not None:
            seat.state = State.PLAYING
            self._outbox.post(peer, table.setup())
            if table.mover == name:
                table.turn_began = min(table.turn_began, now)  # after a restart it may be later
                self._outbox.post(peer, table.genmove(now))
        return seat

    def leave(self, seat: Seat) -> None:
        """A connection is gone; its game, if any, goes on."""
        if self.seats.get(seat.name) is seat:
            del self.seats[seat.name]

    def rating_word(self, name: str) -> str:
        """A player's rating, with a question mark while it says little."""
        return self.ratings.word(name, self.history.games(name))

    def table_of(self, name: str) -> Table | None:
        """The game that a player plays."""
        return self._table_of.get(name)

    def inform(self, text: str) -> None:
        """Tell everybody something."""
        for seat in self.seats.values():
            self._outbox.post(seat.peer, Info(text))
        self._gallery.inform(text)

    # -------------------------------------------------------------------------- games

    def pair(self) -> None:
        """Begin games between those who wait."""
        now = self._clock.now()
        history, ratings = self.history, self.ratings
        waiting = [
            Waiting(
                name=name,
                rating=ratings.of(name),
                since=seat.since,
                recent=history.recent(name),
                games=history.begun(name),
                surplus=history.surplus(name),
                anchor=ratings.anchored(name),
            )
            for name, seat in self.seats.items()
            if seat.state is State.WAITING
        ]
        patience = self._settings.pairing.patience_seconds
        for first, second in pair(waiting, history.meetings, now, patience):
            self.begin(first, second)

    def begin(
        self,
        first: str,
        second: str,
        clocks_ms: tuple[int, int] | None = None,
        moves: Sequence[MoveRow] = (),
    ) -> Table:
        """Begin a game between two who wait, from the position after some moves."""
        now, level_ms = self._clock.now(), self._settings.clock.level_ms
        self._number += 1
        clocks_ms = clocks_ms or (level_ms, level_ms)
        moves = [MoveRow(move.move, clocks_ms[ply % 2]) for ply, move in enumerate(moves)]
        row = GameRow(
            number=self._number,
            first=first,
            second=second,
            first_rating=self.rating_word(first),
            second_rating=self.rating_word(second),
            level_ms=level_ms,
            first_ms=clocks_ms[0],
            second_ms=clocks_ms[1],
            began=self._clock.today(),
        )
        forgiven_ms = self._settings.clock.forgiven_ms
        table = Table.resumed(self.game, row, moves, forgiven_ms, now)
        self._store.begin_game(row)
        for ply, move in enumerate(moves):
            self._store.add_move(row.number, ply, move)
        self.history.began(first, second)
        self._seat_at(table)
        for name in table.names:
            self.seats[name].state = State.PLAYING
            self._post(name, table.setup())
        self._gallery.began(table)
        self._post(table.mover, table.genmove(now))
        return table

    def answer(self, seat: Seat, answer: Answer) -> bool:
        """Take a move; False if none was asked for."""
        table = self._table_of.get(seat.name)
        if table is None or table.mover != seat.name or not self._holds(seat, State.PLAYING):
            return False
        now = self._clock.now()
        played = len(table.moves)
        ending = table.judge(answer.move, answer.analysis, now)
        self._outbox.count_move()
        if len(table.moves) > played:
            self._store.add_move(table.row.number, played, table.moves[-1])
            opponent = table.names[table.names[0] == seat.name]
            self._post(opponent, table.last_play())
            self._gallery.moved(table)
        if ending is not None:
            self._end(table, ending)
        else:
            if table.mover not in self.seats:
                table.turn_began = max(now, self._back_by)
            self._post(table.mover, table.genmove(now))
        return True

    def ready(self, seat: Seat) -> bool:
        """A player wants another game; False if it was not asked."""
        if not self._holds(seat, State.GAME_OVER):
            return False
        seat.state, seat.since = State.WAITING, self._clock.now()
        return True

    def look_at_clocks(self) -> None:
        """End the games whose player to move has run out of time, be it here or not."""
        now = self._clock.now()
        for table in list(self.tables.values()):
            ending = table.time_loss(now)
            if ending is not None:
                self._end(table, ending)

    def abort(self, table: Table, result: str) -> None:
        """End a game that shall count for nothing."""
        table.aborted(result, self._clock.today())
        self._over(table, "aborted by the administrator")

    def _end(self, table: Table, ending: Ending) -> None:
        table.ended(ending, self._clock.today())
        self.history.ended(table.row)
        self._over(table, ending.reason)

    def _over(self, table: Table, reason: str) -> None:
        row = table.row
        self._store.end_game(row)
        del self.tables[row.number]
        message = GameOver(self._clock.today()[:10], row.result or "", reason)
        for name in table.names:
            del self._table_of[name]
            if name in self.seats:
                self.seats[name].state = State.GAME_OVER
                self._post(name, message)
        self._gallery.ended(table)
        self._outbox.wake()
        words = f"{row.result} {reason}".rstrip()
        _log.info("game %d: %s – %s %s", row.number, *table.names, words)
        self._game_ended(table)

    def _holds(self, seat: Seat, state: State) -> bool:
        """Whether somebody is in this state, and no later login has taken over."""
        return seat.state is state and self.seats.get(seat.name) is seat

    def _post(self, name: str, message: Message) -> None:
        if name in self.seats:
            self._outbox.post(self.seats[name].peer, message)
