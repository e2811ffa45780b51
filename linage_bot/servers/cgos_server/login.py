"""The login: who may come in under a name. New names are registered with their first password."""

import hmac
import logging
from typing import Final

import attrs

from linage_bot.servers.cgos_server import passwords
from linage_bot.servers.cgos_server.limits import Refusals, keep, origin
from linage_bot.servers.cgos_server.outside import Outside
from linage_bot.servers.cgos_server.settings import ADMIN
from linage_bot.servers.cgos_server.store import PlayerRow, ServerStore
from linage_bot.settings.checks import Secret
from protocol.cgos.player import Credentials

_log = logging.getLogger(__name__)

_WRONG: Final = "Sorry, password doesn't match"  # as the original says it
_TOO_MANY: Final = "too many wrong passwords; try again in a minute"
_HOUR: Final = 3600.0
_ADDRESS_SECONDS: Final = 15.0
"""The longest pause of an address: four guesses a minute in the long run."""
_NAME_SECONDS: Final = 2.0
_PATIENCE_SECONDS: Final = 30.0

_Key = tuple[str, str]  # a name, an address, or both


@attrs.define
class _Pauses:
    """How often somebody was wrong, and when the next password may be looked at."""

    most_seconds: float
    wrong: int = 0
    free_at: float = 0.0
    until: float = 0.0  # then all is forgotten

    @property
    def seconds(self) -> float:
        """The pause after the next password."""
        return min(self.most_seconds, 2.0 ** min(self.wrong - 1, 10))


class Guesses:
    """Wrong passwords: whoever says one waits before the next is looked at, each time longer.

    Nobody is shut out by what others do. An address that has been wrong delays itself. A name that
    is guessed at is looked at only every two seconds, wherever the guesses come from, except where
    its owner has been let in before: there only that address's own mistakes with that name count
    (as with the "device cookies" that OWASP recommends to web sites). All that is kept is bounded.
    Time comes in with every call, in seconds.
    """

    def __init__(self) -> None:
        self._pauses: dict[_Key, _Pauses] = {}
        self._let_in: dict[_Key, None] = {}

    def wait(self, name: str, address: str, now: float) -> float | None:
        """Seconds before a password may be looked at; None if too many wait for that already."""
        known = [self._pauses.get(key) for key in self._keys(name, address)]
        pauses = [each for each in known if each is not None and each.until >= now]
        seconds = max((each.free_at - now for each in pauses), default=0.0)
        if seconds > _PATIENCE_SECONDS:
            return None
        for each in pauses:
            each.free_at = max(now, each.free_at) + each.seconds
        return max(0.0, seconds)

    def wrong(self, name: str, address: str, now: float) -> None:
        """A password was wrong."""
        for key in self._keys(name, address):
            pauses = self._pauses.get(key)
            if pauses is None or pauses.until < now:
                pauses = _Pauses(_ADDRESS_SECONDS if key[1] else _NAME_SECONDS)
            pauses.wrong += 1
            pauses.free_at = max(pauses.free_at, now + pauses.seconds)
            pauses.until = now + _HOUR
            keep(self._pauses, key, pauses)

    def right(self, name: str, address: str) -> None:
        """A password was right: others' mistakes count for nothing here from now on."""
        keep(self._let_in, (name, address), None)

    def _keys(self, name: str, address: str) -> tuple[_Key, ...]:
        """What counts for somebody who comes under a name from an address."""
        if (name, address) in self._let_in:
            return ((name, address),)
        return (name, ""), ("", address)


@attrs.define(eq=False)
class Login:
    """Checks passwords; the costly part is done aside."""

    _store: ServerStore
    _registrations_per_hour: int  # from one address
    _admin_password: Secret | None
    _outside: Outside
    refusals: Refusals = attrs.field(factory=Refusals, init=False)
    _guesses: Guesses = attrs.field(factory=Guesses, init=False)
    _registered: dict[str, list[float]] = attrs.field(factory=dict, init=False)  # when, by address

    async def why_not(self, name: str, said: Credentials, address: str) -> str | None:
        """Let somebody in under a name: None. Or tell why not."""
        address = origin(address)
        admin = name.lower().startswith(ADMIN)
        if not admin and self._store.player(name) is None:
            return await self._enter_first(name, said, address)
        seconds = self._guesses.wait(name, address, self._outside.now())
        if seconds is None:
            return _TOO_MANY
        await self._outside.sleep(seconds)
        if self._is_admin(name, said) if admin else await self._log_in(name, said):
            self._guesses.right(name, address)
            return None
        self._guesses.wrong(name, address, self._outside.now())
        return _WRONG

    async def _enter_first(self, name: str, said: Credentials, address: str) -> str | None:
        """Register a name that nobody has yet, unless it looks like one that somebody has."""
        reason = self._why_taken(name) or self._why_too_many(address)
        if reason is None:
            password = said.new_password or said.password
            stored = await self._outside.aside(passwords.hashed, password)
            reason = self._why_taken(name)  # since then, perhaps
        if reason is None:
            self._store.register(PlayerRow(name, stored, self._outside.today()))
            self._guesses.right(name, address)
            _log.info("%s is a new player", name)
        return reason

    def _why_taken(self, name: str) -> str | None:
        taken = self._store.namesake(name)
        if taken is None:
            return None
        if taken == name:
            return "this name was registered a moment ago"
        return f"{taken} is taken, and {name} differs from it only in capital letters"

    def _why_too_many(self, address: str) -> str | None:
        """Count a new player, or tell why there may not be another one."""
        now = self._outside.now()
        moments = [at for at in self._registered.get(address, ()) if at >= now - _HOUR]
        if len(moments) >= self._registrations_per_hour:
            return "too many new players from your address; try again in an hour"
        keep(self._registered, address, [*moments, now])
        return None

    def _is_admin(self, name: str, said: Credentials) -> bool:
        """Nobody else may have a name that begins so and pass for the administrator."""
        if name != ADMIN or self._admin_password is None:
            return False
        expected = self._admin_password.text.encode()
        return hmac.compare_digest(said.password.encode(), expected)

    async def _log_in(self, name: str, said: Credentials) -> bool:
        known = self._store.player(name)
        assert known is not None  # nobody is ever forgotten
        if not await self._outside.aside(passwords.matches, said.password, known.password):
            return False
        if said.new_password:
            stored = await self._outside.aside(passwords.hashed, said.new_password)
            row = self._store.player(name) or known  # the rating may have changed meanwhile
            self._store.register(attrs.evolve(row, password=stored))
            _log.info("%s has a new password", name)
        return True
