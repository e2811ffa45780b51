"""One connection to a CGOS server without I/O: it maps received lines to replies and events.

The session answers queries about the connection itself (the name, the password) and reports the
rest as `Event`s. It answers the server's queries in any stage, because servers differ in when they
send them; but a move for a game that never began is the server's fault.
"""

import enum

import attrs

from linage_bot.settings.checks import Secret
from linage_bot.version import __version__
from protocol.cgos.player import Credentials, Hello
from protocol.cgos.server import (
    GameOver,
    GenMove,
    Info,
    PasswordQuery,
    PlainLine,
    Play,
    ProtocolQuery,
    ServerError,
    ServerMessage,
    Setup,
    UsernameQuery,
    parse_server_line,
)
from protocol.cgos.words import LineDecoder, Message, encode, reading
from protocol.session.arguments import Colour, parse_vertex
from protocol.session.errors import RemoteProtocolError

CLIENT = f"linage-bot {__version__}"


class ClientStage(enum.Enum):
    """The stage of a conversation; its value is shown in the status line."""

    LOGGING_IN = "logging in"
    WAITING = "waiting for a game"
    PLAYING = "playing"
    CLOSED = "not connected"


@attrs.frozen
class Broken:
    """A request to close the connection; `refused`: the server will refuse later logins too."""

    reason: str
    refused: bool = False


Event = ProtocolQuery | Setup | GenMove | Play | GameOver | Info | Broken


class ClientSession:
    """The client's side of one connection. `outgoing` returns the bytes to send."""

    def __init__(self, name: str, password: Secret) -> None:
        self.stage = ClientStage.LOGGING_IN
        self.analyze = False
        self.colour = Colour.BLACK
        self.welcome = False  # the server has shown that it took the password
        self._name = name
        self._password = password
        self._decoder = LineDecoder()
        self._outgoing = bytearray()

    def receive_data(self, data: bytes) -> list[Event]:
        """Return the events of received bytes; a `Broken` is the last event of the session."""
        events: list[Event] = []
        for line in self._decoder.receive_data(data):
            if self.stage is ClientStage.CLOSED:
                break
            try:
                if isinstance(line, RemoteProtocolError):
                    raise line
                event = self._receive(parse_server_line(line))
            except RemoteProtocolError as error:
                event = Broken(f"the server broke the protocol: {error}")
            if event is not None:
                events.append(event)
            if isinstance(event, Broken):
                self.stage = ClientStage.CLOSED
        return events

    def outgoing(self) -> bytes:
        """Return the bytes to send now, and clear them."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def send(self, message: Message) -> None:
        """Queue a message: a move, or the request for another game after one is over."""
        self._outgoing += encode(message)

    def _receive(self, message: ServerMessage) -> Event | None:
        match message:
            case ProtocolQuery():
                _check_words(message.game, *(word for option in message.options for word in option))
                self.analyze = message.analyze
                self.send(Hello(CLIENT, analyze=message.analyze))
                return message
            case UsernameQuery():
                self.send(PlainLine(self._name))
                return None
            case PasswordQuery():
                self.send(Credentials(self._password.text))
                if self.stage is ClientStage.LOGGING_IN:
                    self.stage = ClientStage.WAITING  # silence is success
                return None
            case Info():
                self.welcome = self.welcome or self.stage is not ClientStage.LOGGING_IN
                return message
            case ServerError():
                refused = message.for_good and not self.welcome
                return Broken(f"message of the server: {message.text}", refused)
            case Setup():
                return self._set_up(message)
            case GenMove() | Play():
                return self._in_game(message)
            case GameOver():
                self.stage = ClientStage.WAITING
                return message
            case PlainLine():
                return Info(message.text)

    def _set_up(self, setup: Setup) -> Setup:
        if self._name == setup.black.name:
            self.colour = Colour.BLACK
        elif self._name == setup.white.name:
            self.colour = Colour.WHITE
        else:
            raise RemoteProtocolError("a game of other players", setup.line[:80])
        _check_words(
            *(word for who in (setup.white, setup.black) for word in (who.name, who.rating))
        )
        for each in setup.moves:
            _check_move(each.move)
        self.stage = ClientStage.PLAYING
        self.welcome = True
        return setup

    def _in_game(self, message: GenMove | Play) -> GenMove | Play:
        if self.stage is not ClientStage.PLAYING:
            raise RemoteProtocolError("a move without a game", message.line)
        ours = message.colour is self.colour
        if ours is not isinstance(message, GenMove):
            raise RemoteProtocolError("a move of the wrong colour", message.line)
        if isinstance(message, Play):
            _check_move(message.move)
        return message


def _check_words(*words: str) -> None:
    """Raise `RemoteProtocolError` for a word that cannot be sent to the engine by GTP."""
    for word in words:
        if "#" in word or not word.isascii():
            raise RemoteProtocolError("a word that GTP cannot send", word[:80])


def _check_move(word: str) -> None:
    with reading(word):
        if parse_vertex(word) == "resign":
            raise RemoteProtocolError("resigning cannot be played as a move", word)
