"""The login of players. New names are registered with their first password."""

import hmac
import logging
from typing import Final

import attrs

from linage_bot.servers.cgos_server import passwords
from linage_bot.servers.cgos_server.environment import Environment
from linage_bot.servers.cgos_server.limits import RefusalLog, keep, origin
from linage_bot.servers.cgos_server.settings import ADMIN
from linage_bot.servers.cgos_server.store import PlayerRow, ServerStore
from linage_bot.settings.checks import Secret
from protocol.cgos.player import Credentials

_log = logging.getLogger(__name__)

_WRONG: Final = "Sorry, password doesn't match"  # as the original says it
_TOO_MANY: Final = "too many wrong passwords; try again in a minute"
_HOUR: Final = 3600.0
_ADDRESS_SECONDS: Final = 15.0
"""The longest delay of an address: four guesses a minute in the long run."""
_NAME_SECONDS: Final = 2.0
_PATIENCE_SECONDS: Final = 30.0

_Key = tuple[str, str]  # a name, an address, or both


@attrs.define
class _Pauses:
    """The wrong passwords of a name or address, and the time of the next check."""

    most_seconds: float
    wrong: int = 0
    free_at: float = 0.0
    until: float = 0.0  # after that this object is ignored

    @property
    def seconds(self) -> float:
        """The delay after the next password."""
        return min(self.most_seconds, 2.0 ** min(self.wrong - 1, 10))


class LoginThrottle:
    """A throttle for wrong passwords: each one delays the next check longer.

    No user is shut out by the mistakes of others. An address with wrong passwords delays itself.
    The passwords of a name under attack are checked only every two seconds, for all addresses,
    except where its owner has logged in before: there only that address's own mistakes with that
    name count (as with the "device cookies" that OWASP recommends to web sites). The stored data
    are bounded. Time comes in with every call, in seconds.
    """

    def __init__(self) -> None:
        self._pauses: dict[_Key, _Pauses] = {}
        self._trusted: dict[_Key, None] = {}

    def wait(self, name: str, address: str, now: float) -> float | None:
        """Return the seconds before a password may be checked; None if too many wait already."""
        known = [self._pauses.get(key) for key in self._keys(name, address)]
        pauses = [each for each in known if each is not None and each.until >= now]
        seconds = max((each.free_at - now for each in pauses), default=0.0)
        if seconds > _PATIENCE_SECONDS:
            return None
        for each in pauses:
            each.free_at = max(now, each.free_at) + each.seconds
        return max(0.0, seconds)

    def wrong(self, name: str, address: str, now: float) -> None:
        """Record a wrong password."""
        for key in self._keys(name, address):
            pauses = self._pauses.get(key)
            if pauses is None or pauses.until < now:
                pauses = _Pauses(_ADDRESS_SECONDS if key[1] else _NAME_SECONDS)
            pauses.wrong += 1
            pauses.free_at = max(pauses.free_at, now + pauses.seconds)
            pauses.until = now + _HOUR
            keep(self._pauses, key, pauses)

    def right(self, name: str, address: str) -> None:
        """Record a right password: others' mistakes with the name no longer delay this address."""
        keep(self._trusted, (name, address), None)

    def _keys(self, name: str, address: str) -> tuple[_Key, ...]:
        """Return the keys of the delays for a name from an address."""
        if (name, address) in self._trusted:
            return ((name, address),)
        return (name, ""), ("", address)


@attrs.define(eq=False)
class Login:
    """The check of passwords; the hashing runs on other threads."""

    _store: ServerStore
    _registrations_per_hour: int  # from one address
    _admin_password: Secret | None
    _environment: Environment
    refusals: RefusalLog = attrs.field(factory=RefusalLog, init=False)
    _throttle: LoginThrottle = attrs.field(factory=LoginThrottle, init=False)
    _registered: dict[str, list[float]] = attrs.field(factory=dict, init=False)  # when, by address

    async def check(self, name: str, credentials: Credentials, address: str) -> str | None:
        """Check a login; return None to accept it, else the reason to refuse it."""
        address = origin(address)
        admin = name.lower().startswith(ADMIN)
        if not admin and self._store.player(name) is None:
            return await self._enter_first(name, credentials, address)
        seconds = self._throttle.wait(name, address, self._environment.now())
        if seconds is None:
            return _TOO_MANY
        await self._environment.sleep(seconds)
        if self._is_admin(name, credentials) if admin else await self._log_in(name, credentials):
            self._throttle.right(name, address)
            return None
        self._throttle.wrong(name, address, self._environment.now())
        return _WRONG

    async def _enter_first(self, name: str, credentials: Credentials, address: str) -> str | None:
        """Register a new name; return the reason to refuse it, None if it is accepted."""
        reason = self._why_taken(name) or self._why_too_many(address)
        if reason is None:
            password = credentials.new_password or credentials.password
            stored = await self._environment.in_thread(passwords.hashed, password)
            reason = self._why_taken(name)  # registered during the hashing, perhaps
        if reason is None:
            self._store.register(PlayerRow(name, stored, self._environment.today()))
            self._throttle.right(name, address)
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
        """Count a new player; return the reason if there are too many from the address."""
        now = self._environment.now()
        moments = [at for at in self._registered.get(address, ()) if at >= now - _HOUR]
        if len(moments) >= self._registrations_per_hour:
            return "too many new players from your address; try again in an hour"
        keep(self._registered, address, [*moments, now])
        return None

    def _is_admin(self, name: str, credentials: Credentials) -> bool:
        """Return whether name and password are the administrator's; similar names never are."""
        if name != ADMIN or self._admin_password is None:
            return False
        expected = self._admin_password.text.encode()
        return hmac.compare_digest(credentials.password.encode(), expected)

    async def _log_in(self, name: str, credentials: Credentials) -> bool:
        known = self._store.player(name)
        assert known is not None  # players are never deleted
        if not await self._environment.in_thread(
            passwords.matches, credentials.password, known.password
        ):
            return False
        if credentials.new_password:
            stored = await self._environment.in_thread(passwords.hashed, credentials.new_password)
            row = self._store.player(name) or known  # the rating may have changed
            self._store.register(attrs.evolve(row, password=stored))
            _log.info("%s has a new password", name)
        return True
