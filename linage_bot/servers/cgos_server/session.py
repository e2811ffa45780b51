"""One connection from its greeting to its end, without a socket: bytes come in, messages go out.

A meaningless line never ends a connection by itself, except during the login; a failed login and
exceeded limits do. Lines that come before they are requested are queued, so a login sent in one
piece works.
"""

import contextlib
import enum
import logging
from collections import deque
from collections.abc import Callable
from typing import Final

from linage_bot.servers.cgos_server.admin import run_command
from linage_bot.servers.cgos_server.limits import MessageAllowance
from linage_bot.servers.cgos_server.lobby import Lobby, OnlinePlayer, PlayerStatus
from linage_bot.servers.cgos_server.login import Login
from linage_bot.servers.cgos_server.outbox import Peer
from linage_bot.servers.cgos_server.settings import ADMIN
from protocol.cgos.analysis import compact_cgos_json
from protocol.cgos.player import (
    Credentials,
    MoveAnswer,
    Ready,
    parse_answer,
    parse_credentials,
    parse_hello,
    why_no_name,
)
from protocol.cgos.server import (
    Info,
    PasswordQuery,
    PlainLine,
    ProtocolQuery,
    ServerError,
    UsernameQuery,
)
from protocol.cgos.viewer import Observe, parse_viewer_request
from protocol.cgos.words import LineDecoder, Message
from protocol.session.errors import RemoteProtocolError

_log = logging.getLogger(__name__)

_MOST_WAITING_LINES: Final = 64
_BARE_SECONDS: Final = 2.0
"""After this silence a client without newlines is taken for an old one in Python that has none."""
_QUIT: Final = "quit"


class Stage(enum.Enum):
    """The stage of the conversation, which decides the meaning of the next line."""

    HELLO = "hello"
    NAME = "name"
    PASSWORD = "password"
    CHECKING = "checking"  # the password; lines wait
    PLAYER = "player"
    VIEWER = "viewer"
    ADMIN = "admin"
    OVER = "over"


class ServerSession:
    """The server's side of one connection."""

    def __init__(self, lobby: Lobby, login: Login, peer: Peer, address: str) -> None:
        self.stage = Stage.HELLO
        self._lobby = lobby
        self._login = login
        self._peer = peer
        self._address = address
        self._limits = lobby.settings.limits
        self._lines: deque[str | RemoteProtocolError] = deque()
        self._decoder = LineDecoder(self._limits.line_bytes)
        self._began = self._received_at = lobby.environment.now()
        self._allowance = MessageAllowance(self._limits.messages_per_second, self._began)
        self._polled = False
        self._has_data = self._has_newline = False
        self._bare = False  # each piece of data is a line, and none has a newline
        self._name = ""
        self._player: OnlinePlayer | None = None
        # The handlers of the next line; they return True if it was requested.
        self._answers: dict[Stage, Callable[[str], bool | None]] = {
            Stage.HELLO: self._on_hello,
            Stage.NAME: self._on_name,
            Stage.PASSWORD: self._on_password,
            Stage.PLAYER: self._on_player_line,
            Stage.VIEWER: self._on_viewer_line,
            Stage.ADMIN: self._on_admin_line,
        }

    def begin(self) -> None:
        """Send the greeting, with the server's game and all its options."""
        game = self._lobby.game
        self._post(ProtocolQuery(True, game.id, tuple(game.settings().items())))

    def refuse(self, reason: str) -> None:
        """Log and send the reason for a refusal, and close the connection."""
        now = self._lobby.environment.now()
        self._login.refusals.add(self._address, self._name, reason, now)
        self._post(ServerError(reason))
        self.close()

    def close(self) -> None:
        """Close the connection after the posted messages."""
        self.stage = Stage.OVER
        self._lines.clear()
        self._lobby.outbox.close(self._peer)

    def receive_data(self, data: bytes) -> None:
        """Handle received bytes."""
        if self._over:
            return
        self._lobby.outbox.wake()
        self._received_at = self._lobby.environment.now()
        if self._bare:
            data += b"\n"
        self._has_data = True
        self._has_newline |= b"\n" in data
        self._lines.extend(self._decoder.receive_data(data))
        self._process_lines()
        if len(self._lines) > _MOST_WAITING_LINES:
            self.refuse("too many messages before the login")

    @property
    def _over(self) -> bool:
        return self.stage is Stage.OVER

    def lost(self) -> None:
        """Handle the loss of the connection."""
        self.stage = Stage.OVER
        self._lines.clear()
        self._lobby.viewers.leave(self._peer)
        if self._player is not None:
            self._lobby.leave(self._player)

    def look_at_time(self) -> None:
        """Poll or close a connection that has been silent for too long; to be called regularly."""
        now, limits = self._lobby.environment.now(), self._limits
        if self._has_data and not self._has_newline and now - self._received_at >= _BARE_SECONDS:
            self._bare = True
            self.receive_data(b"")
        if self.stage in (Stage.HELLO, Stage.NAME, Stage.PASSWORD):
            if now - self._began > limits.login_seconds:
                self.refuse("no login in time")
        elif self.stage is Stage.PLAYER and self._player is not None:
            silent = now - self._received_at
            if self._player.state is PlayerStatus.PLAYING or silent < limits.idle_seconds:
                return  # in a game the clock sees to it
            if self._polled and silent > 2 * limits.idle_seconds:
                self.refuse("no answer from the client")
            elif not self._polled:
                # Clients answer this at any time; a client that does is still there.
                self._polled = True
                self._post(UsernameQuery())

    def _post(self, *messages: Message) -> None:
        self._lobby.outbox.post(self._peer, *messages)

    def _process_lines(self) -> None:
        while self._lines and self.stage in self._answers:
            line = self._lines.popleft()
            if line == _QUIT:
                self.close()
                return
            try:
                if isinstance(line, RemoteProtocolError):
                    raise line
                asked = self._answers[self.stage](line)
            except RemoteProtocolError as error:
                asked = self._on_invalid_line(error)
            if not (asked or self._over or self._allowance.take(self._received_at)):
                self.refuse("too many messages")

    def _on_invalid_line(self, error: RemoteProtocolError) -> bool:
        """Handle an invalid line; from a player whose move was requested, it counts as the move."""
        if self.stage is Stage.PLAYER:
            return self._on_player_line(error.line or "?")
        if self.stage in (Stage.VIEWER, Stage.ADMIN):
            self._post(Info(error.reason))
        else:
            self.refuse(error.reason)
        return False

    # -------------------------------------------------------------------------- login

    def _on_hello(self, line: str) -> None:
        if parse_hello(line).viewer:
            self.stage = Stage.VIEWER
            self._lobby.viewers.enter(self._peer)
        else:
            self.stage = Stage.NAME
            self._post(UsernameQuery())

    def _on_name(self, line: str) -> None:
        reason = why_no_name(line)
        if reason is not None:
            raise RemoteProtocolError(reason)
        self._name = line
        self.stage = Stage.PASSWORD
        self._post(PasswordQuery())

    def _on_password(self, line: str) -> None:
        credentials = parse_credentials(line)
        self.stage = Stage.CHECKING
        self._lobby.environment.start(self._enter(credentials))

    async def _enter(self, credentials: Credentials) -> None:
        reason = await self._login.check(self._name, credentials, self._address)
        if self._over:
            return  # closed during the check
        if reason is not None:
            self.refuse(reason)
        elif self._name == ADMIN:
            self.stage = Stage.ADMIN
            self._post(PlainLine("ok"))
        else:
            self.stage = Stage.PLAYER
            self._player = self._lobby.enter(self._name, self._peer)
        self._process_lines()

    # ------------------------------------------------------------------------ inside

    def _on_player_line(self, line: str) -> bool:
        assert self._player is not None  # by the stage
        if self._polled and line == self._name:
            self._polled = False
            return True
        if line == Ready.head:
            # Old clients repeat it; only the first one counts.
            return self._lobby.ready(self._player)
        asked = self._lobby.answer(self._player, _read_answer(line))
        if not asked:
            _log.debug("%s sent %.80r without a request", self._name, line)
        return asked

    def _on_viewer_line(self, line: str) -> None:
        request = parse_viewer_request(line)
        if isinstance(request, Observe):
            self._lobby.viewers.observe(self._peer, request.number)
        else:
            self._post(Info("unknown request; there is observe GAME"))

    def _on_admin_line(self, line: str) -> bool:
        self._post(*map(PlainLine, run_command(self._lobby, line)))
        return True  # the administrator has no message limit


def _read_answer(line: str) -> MoveAnswer:
    """Return the move of a line with its readable analysis; the referee judges invalid moves."""
    try:
        answer = parse_answer(line)
    except RemoteProtocolError:
        return MoveAnswer("?")
    with contextlib.suppress(RemoteProtocolError):
        return MoveAnswer(answer.move, compact_cgos_json(answer.analysis))
    return MoveAnswer(answer.move)
