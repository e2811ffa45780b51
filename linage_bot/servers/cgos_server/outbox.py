"""The messages that wait until the changes they report are on the disk.

The code that makes a change writes it to the store and posts the resulting messages. After all
pending input is handled, the outbox commits the store once and then sends the posted messages, with
one write for each connection. So no client receives a move that a crash could undo.
"""

import math
from collections import deque
from typing import Final, Protocol

import attrs

from linage_bot.servers.cgos_server.environment import Environment
from linage_bot.servers.cgos_server.store import ServerStore
from protocol.cgos.words import Message, encode

_REMEMBERED: Final = 10_000


class Peer(Protocol):
    """The other end of a connection."""

    def write(self, data: bytes) -> None:
        """Send bytes; do nothing if the connection is gone."""

    def close(self) -> None:
        """Close the connection once the written bytes are sent."""


@attrs.define(eq=False)
class Outbox:
    """The posted messages in their order, until `settle` sends them."""

    _store: ServerStore
    _environment: Environment
    _woken: float | None = attrs.field(default=None, init=False)
    _lines: dict[Peer, list[bytes]] = attrs.field(factory=dict, init=False)
    _closing: list[Peer] = attrs.field(factory=list, init=False)
    _moves: int = attrs.field(default=0, init=False)  # since it was woken
    _all_moves: int = attrs.field(default=0, init=False)
    _delays: deque[float] = attrs.field(factory=lambda: deque(maxlen=_REMEMBERED), init=False)

    def wake(self) -> None:
        """Schedule `settle` after the pending input."""
        if self._woken is None:
            self._woken = self._environment.now()
            self._environment.soon(self.settle)

    def post(self, peer: Peer, *messages: Message) -> None:
        """Send messages at the next `settle`."""
        self.wake()
        if messages:
            self._lines.setdefault(peer, []).extend(map(encode, messages))

    def close(self, peer: Peer) -> None:
        """Close a connection after all messages that were posted to it."""
        self.wake()
        self._closing.append(peer)

    def count_move(self) -> None:
        """Count a move, whose delay ends with the next `settle`."""
        self._moves += 1

    def settle(self) -> None:
        """Commit, then send; raise the store's errors before anything is sent."""
        self._store.commit()
        lines, self._lines = self._lines, {}
        closing, self._closing = self._closing, []
        woken, self._woken = self._woken, None
        for peer, data in lines.items():
            peer.write(b"".join(data))
        for peer in closing:
            peer.close()
        if self._moves and woken is not None:
            # From the first input of the batch: an overestimate for most moves.
            self._delays.extend([self._environment.now() - woken] * self._moves)
            self._all_moves += self._moves
            self._moves = 0

    def pace(self) -> str:
        """Return the server's own delay of recent moves as text."""
        delays = sorted(1000 * delay for delay in self._delays) or [0.0]
        high = delays[math.ceil(0.99 * len(delays)) - 1]
        return (
            f"{self._all_moves} moves; own delay a move: median {delays[len(delays) // 2]:.1f} ms,"
            f" 99 % within {high:.1f} ms, longest {delays[-1]:.1f} ms"
        )
