"""The login: who may come in under a name. New names are registered with their first password."""

import hmac
import logging
from collections.abc import Callable
from typing import Final

import attrs

from linage_bot.servers.cgos_server import passwords
from linage_bot.servers.cgos_server.guesses import Guesses
from linage_bot.servers.cgos_server.limits import Addresses, origin
from linage_bot.servers.cgos_server.outside import Outside
from linage_bot.servers.cgos_server.rows import PlayerRow
from linage_bot.servers.cgos_server.settings import ADMIN
from linage_bot.servers.cgos_server.store import ServerStore
from linage_bot.settings.checks import Secret
from protocol.cgos_player import Credentials

_log = logging.getLogger(__name__)

Told = Callable[[str | None], None]
"""Is told None, or why somebody may not come in."""

_WRONG: Final = "Sorry, password doesn't match"  # as the original says it
_TOO_MANY: Final = "too many wrong passwords; try again in a minute"
_RIGHT, _NO = "right", ""


@attrs.define(eq=False)
class Login:
    """Checks passwords; the costly part is done aside, so answers come later."""

    _store: ServerStore
    _addresses: Addresses
    _admin_password: Secret | None
    _outside: Outside
    _guesses: Guesses = attrs.field(factory=Guesses, init=False)

    def enter(self, name: str, said: Credentials, address: str, answer: Told) -> None:
        """Let somebody in under a name, or tell why not; `answer` is called once."""
        address = origin(address)
        admin = name.lower().startswith(ADMIN)
        if not admin and self._store.player(name) is None:
            self._enter_first(name, said, address, answer)
            return
        seconds = self._guesses.wait(name, address, self._outside.now())
        if seconds is None:
            answer(_TOO_MANY)
            return

        def judged(right: bool) -> None:
            if right:
                self._guesses.right(name, address)
            else:
                self._guesses.wrong(name, address, self._outside.now())
            answer(None if right else _WRONG)

        if admin:
            self._outside.later(seconds, lambda: judged(self._is_admin(name, said)))
        else:
            self._outside.later(seconds, lambda: self._log_in(name, said, judged))

    def _enter_first(self, name: str, said: Credentials, address: str, answer: Told) -> None:
        """Register a name that nobody has yet, unless it looks like one that somebody has."""
        reason = self._why_taken(name) or self._addresses.registers(address, self._outside.now())
        if reason is not None:
            answer(reason)
            return

        def register(stored: str) -> None:
            reason = self._why_taken(name)  # since then, perhaps
            if reason is None:
                self._store.register(PlayerRow(name, stored, self._outside.today()))
                self._guesses.right(name, address)
                _log.info("%s is a new player", name)
            answer(reason)

        password = said.new_password or said.password
        self._outside.aside(lambda: passwords.hashed(password), register)

    def _why_taken(self, name: str) -> str | None:
        taken = self._store.namesake(name)
        if taken is None:
            return None
        if taken == name:
            return "this name was registered a moment ago"
        return f"{taken} is taken, and {name} differs from it only in capital letters"

    def _is_admin(self, name: str, said: Credentials) -> bool:
        """Nobody else may have a name that begins so and pass for the administrator."""
        if name != ADMIN or self._admin_password is None:
            return False
        expected = self._admin_password.text.encode()
        return hmac.compare_digest(said.password.encode(), expected)

    def _log_in(self, name: str, said: Credentials, judged: Callable[[bool], None]) -> None:
        known = self._store.player(name)
        assert known is not None  # nobody is ever forgotten

        def check() -> str:
            if not passwords.matches(said.password, known.password):
                return _NO
            return passwords.hashed(said.new_password) if said.new_password else _RIGHT

        def checked(outcome: str) -> None:
            if outcome not in (_NO, _RIGHT):
                # The rating may have changed meanwhile.
                row = self._store.player(name) or known
                self._store.register(attrs.evolve(row, password=outcome))
                _log.info("%s has a new password", name)
            judged(outcome != _NO)

        self._outside.aside(check, checked)
