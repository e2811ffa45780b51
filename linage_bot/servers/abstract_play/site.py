"""A client of the site: tokens, queries, moves. Every response is bounded in size and time."""

import json
import re
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import treq
from treq.client import HTTPClient
from twisted.internet.defer import CancelledError, Deferred, DeferredLock
from twisted.internet.defer import TimeoutError as TookTooLong
from twisted.internet.error import ConnectError, ConnectionClosed
from twisted.web.client import (
    Agent,
    HTTPConnectionPool,
    RequestGenerationFailed,
    ResponseFailed,
)
from twisted.web.iweb import IResponse

from linage_bot.servers.abstract_play.payloads import (
    META_GAME,
    CurrentGame,
    MoveWanted,
    read_current,
    read_game,
)
from linage_bot.servers.abstract_play.settings import SiteSettings
from linage_bot.settings.checks import Secret, SettingFault
from linage_bot.settings.reading import parse_json

T = TypeVar("T")

_LONGEST_ANSWER: Final = 16 << 20
_EARLY_SECONDS: Final = 60.0  # before a token expires it is replaced
_DEFAULT_TOKEN_SECONDS: Final = 300.0  # how long a token lasts that does not say so
_UNAUTHORIZED: Final = 401
_INNER_REFUSAL: Final = re.compile("[4-9][0-9]{2}")
_NOT_OUR_FAULT: Final = frozenset({408, 425, 429})

_NETWORK: Final = (
    CancelledError,
    TookTooLong,
    ConnectError,
    ConnectionClosed,
    RequestGenerationFailed,  # the connection failed while the request was sent
    ResponseFailed,
    OSError,  # a name that is not known, too
    ValueError,  # of headers that treq cannot read, or a name that cannot be
)


class Unreachable(Exception):
    """A failure of the network or the site: no response, or a server error."""


class Refusal(Exception):
    """A response in which the site refuses a request."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"status {status}: {message}" if message else f"status {status}")
        self.status = status

    @property
    def for_good(self) -> bool:
        """Whether a repeated request would be refused again."""
        return 400 <= self.status < 500 and self.status not in _NOT_OUR_FAULT


class SiteClient:
    """A client of the site's bot interface; its methods raise `Unreachable` and `Refusal`."""

    def __init__(
        self, reactor: Any, settings: SiteSettings, secret: Secret, http: Any = None
    ) -> None:
        """Create a client; `http` is a treq client, by default one that closes its connections."""
        self._reactor = reactor
        self._settings = settings
        self._secret = secret
        if http is None:
            pool = HTTPConnectionPool(reactor, persistent=False)
            http = HTTPClient(Agent(reactor, connectTimeout=settings.timeout_seconds, pool=pool))
        self._http = http
        self._token: Secret | None = None
        self._token_until = 0.0
        self._asking = DeferredLock()

    async def current_games(self) -> tuple[CurrentGame, ...]:
        """Return all games of Linage under way, those of all players."""
        return await self._query(read_current, "games", type="current")

    async def game(self, name: str) -> MoveWanted:
        """Return one game with its plies."""
        return await self._query(read_game, "get_game", id=name, cbit="0")

    async def _query(self, read: Callable[[bytes], T], query: str, **more: str) -> T:
        parameters = {"query": query, "metaGame": META_GAME, **more}
        answer = await self._ask("GET", self._settings.query_url, params=parameters)
        try:
            return read(answer)
        except SettingFault as error:
            raise Unreachable(f"the response is invalid: {error}") from None

    async def move(self, game: str, word: str) -> None:
        """Send a move; replace a token that is no longer accepted, once."""
        table = {"verb": "move", "gameid": game, "metaGame": META_GAME, "move": word}
        body = json.dumps(table).encode()
        for _ in range(2):
            token = await self._current_token()
            headers = {
                "Authorization": f"Bearer {token.text}",
                "Content-Type": "application/json",
            }
            try:
                await self._ask("POST", self._settings.move_url, data=body, headers=headers)
            except Refusal as refusal:
                if refusal.status != _UNAUTHORIZED:
                    raise
            else:
                return
            if self._token is token:
                self._token = None
        raise Unreachable("the site does not accept our tokens")

    # ------------------------------------------------------------------------ tokens

    async def _current_token(self) -> Secret:
        async with self._asking:
            if self._token is None or self._reactor.seconds() >= self._token_until:
                self._token = await self._fetch_token()
            return self._token

    async def _fetch_token(self) -> Secret:
        form = {
            "grant_type": "client_credentials",
            "client_id": self._settings.client_id,
            "client_secret": self._secret.text,
            "scope": self._settings.scope,
        }
        asked = self._reactor.seconds()
        try:
            answer = await self._ask("POST", self._settings.token_url, data=form)
        except Refusal as refusal:
            # Its message might quote what we sent.
            raise Unreachable(f"no token: status {refusal.status}") from None
        table = _object(answer)
        token = table.get("access_token")
        if not isinstance(token, str) or not token or not token.isascii() or " " in token:
            raise Unreachable("no token in the response")
        expires_in = table.get("expires_in")
        lasts = expires_in if isinstance(expires_in, int | float) else _DEFAULT_TOKEN_SECONDS
        self._token_until = asked + max(1.0, lasts - _EARLY_SECONDS)
        return Secret(token)

    # -------------------------------------------------------------------------- HTTP

    async def _ask(self, method: str, url: str, **more: Any) -> bytes:
        async def whole() -> tuple[int, bytes]:
            # A token is for the address it was sent to.
            response = await self._http.request(method, url, allow_redirects=False, **more)
            return response.code, await _body(response)

        answer = Deferred.fromCoroutine(whole())
        try:
            status, data = await answer.addTimeout(self._settings.timeout_seconds, self._reactor)
        except _NETWORK as error:
            raise Unreachable(_why(error)) from None
        if not 200 <= status < 300:
            refusal = Refusal(status, _message(data.decode("utf-8", "replace")))
            raise refusal if refusal.for_good else Unreachable(str(refusal))
        _look_inside(data)
        return data


async def _body(response: IResponse) -> bytes:
    chunks: list[bytes] = []
    size = 0

    def collect(chunk: bytes) -> None:
        nonlocal size
        size += len(chunk)
        if size <= _LONGEST_ANSWER:
            chunks.append(chunk)

    await treq.collect(response, collect)
    if size > _LONGEST_ANSWER:
        raise Unreachable(f"the response is too long: {size} bytes")
    return b"".join(chunks)


def _look_inside(data: bytes) -> None:
    """Raise `Refusal` if a response with a success status holds an error."""
    table = _object(data)
    status = str(table.get("statusCode"))
    if _INNER_REFUSAL.fullmatch(status):
        raise Refusal(int(status), _message(str(table.get("body", ""))))


def _message(text: str) -> str:
    """Return the message of a response, shortened for the log."""
    message = str(_object(text).get("message", text))
    return repr(message[:200]) if message else ""


def _object(text: bytes | str) -> dict[str, Any]:
    """Return the JSON object that a text is; an empty one if it is none."""
    try:
        return cast(dict[str, Any], parse_json(text))
    except SettingFault:
        return {}


def _why(error: BaseException) -> str:
    if isinstance(error, RequestGenerationFailed | ResponseFailed):
        return ", ".join(_why(reason.value) for reason in error.reasons)
    if isinstance(error, CancelledError | TookTooLong):
        return "no response in time"
    return str(error) or type(error).__name__
