"""The viewers, and the games that they observe."""

from collections.abc import Iterable

import attrs

from linage_bot.rules.game import Game
from linage_bot.servers.cgos_server.game import RefereedGame, match_line, observed
from linage_bot.servers.cgos_server.outbox import Outbox, Peer
from linage_bot.servers.cgos_server.store import ServerStore
from protocol.cgos.server import Info
from protocol.cgos.viewer import GameEnded, MoveUpdate, ResultUpdate, UnknownGame
from protocol.cgos.words import Message

SHOWN_GAMES = 40
"""The number of finished games at the beginning of a list."""


@attrs.define(eq=False)
class Viewers:
    """The connected viewers, which get the list of games and the moves of observed games."""

    _game: Game
    _store: ServerStore
    _outbox: Outbox
    _observed: dict[Peer, set[int]] = attrs.field(factory=dict, init=False)  # by each viewer

    def enter(self, peer: Peer) -> None:
        """Add a viewer, and send it the list of games."""
        self._observed[peer] = set()
        rows = (*reversed(self._store.last_games(SHOWN_GAMES)), *self._store.live_games())
        self._outbox.post(peer, *(match_line(self._game, row) for row in rows))

    def leave(self, peer: Peer) -> None:
        """Remove a viewer."""
        self._observed.pop(peer, None)

    def observe(self, peer: Peer, number: int) -> None:
        """Send a game to a viewer, and its further moves if it is live."""
        row = self._store.game(number)
        if row is None:
            self._outbox.post(peer, UnknownGame(number))
            return
        self._outbox.post(peer, observed(self._game, row, self._store.moves(number)))
        if row.result is None:
            self._observed[peer].add(number)

    def began(self, live: RefereedGame) -> None:
        """Send a new game to all viewers."""
        self._post(self._observed, match_line(self._game, live.row))

    def moved(self, live: RefereedGame) -> None:
        """Send the last move of a game to its observers."""
        number = live.row.number
        last = live.moves[-1]
        self._post(self._observers(number), MoveUpdate(number, last.move, last.ms_left))

    def ended(self, live: RefereedGame) -> None:
        """Send the end of a game to all viewers, and its result to its observers."""
        number, result = live.row.number, live.row.result or ""
        first_ms, second_ms = live.ms_used()
        self._post(self._observed, GameEnded(number, result, second_ms, first_ms))
        observers = self._observers(number)
        self._post(observers, ResultUpdate(number, result))
        for peer in observers:
            self._observed[peer].remove(number)

    def inform(self, text: str) -> None:
        """Send a message to all viewers."""
        self._post(self._observed, Info(text))

    def _observers(self, number: int) -> list[Peer]:
        return [peer for peer, numbers in self._observed.items() if number in numbers]

    def _post(self, peers: Iterable[Peer], message: Message) -> None:
        for peer in peers:
            self._outbox.post(peer, message)
