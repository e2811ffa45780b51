"""The door: who may come in under a name. New names are registered with their first password."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable
from typing import Final

import attrs

from linage_bot.servers.cgos_server import passwords
from linage_bot.servers.cgos_server.limits import Addresses
from linage_bot.servers.cgos_server.rows import PlayerRow
from linage_bot.servers.cgos_server.settings import ADMIN
from linage_bot.servers.cgos_server.store import Store
from linage_bot.servers.settings import Secret
from protocol.cgos_player import Credentials

_log = logging.getLogger(__name__)

Answer = Callable[[str | None], None]
"""Is told None, or why somebody may not come in."""
Aside = Callable[[Callable[[], str], Callable[[str], None]], object]
"""Does the first somewhere else and calls the second with what came of it."""

_WRONG: Final = "Sorry, password doesn't match"  # as the original says it
_RIGHT, _NO = "right", ""


class Door:
    """Checks passwords; the costly part is done aside, so answers come later."""

    def __init__(
        self,
        store: Store,
        addresses: Addresses,
        admin_password: Secret | None,
        aside: Aside,
        now: Callable[[], float],
        today: Callable[[], str],
    ) -> None:
        self._store = store
        self._addresses = addresses
        self._admin_password = admin_password
        self._aside = aside
        self._now = now
        self._today = today

    def enter(self, name: str, said: Credentials, address: str, answer: Answer) -> None:
        """Let somebody in under a name, or tell why not; `answer` is called once."""
        known = self._store.player(name)
        if name.lower().startswith(ADMIN):
            answer(None if self._is_admin(name, said) else _WRONG)
        elif known is not None:
            self._log_in(known, said, answer)
        else:
            reason = self._addresses.registers(address, self._now())
            if reason is not None:
                answer(reason)
                return
            password = said.new_password or said.password
            self._aside(
                lambda: passwords.hashed(password),
                lambda stored: self._register(name, stored, answer),
            )

    def _is_admin(self, name: str, said: Credentials) -> bool:
        """Nobody else may have a name that begins so and pass for the administrator."""
        if name != ADMIN or self._admin_password is None:
            return False
        expected = self._admin_password.text.encode()
        return hmac.compare_digest(said.password.encode(), expected)

    def _register(self, name: str, stored: str, answer: Answer) -> None:
        if self._store.player(name) is not None:
            answer("this name was registered a moment ago")
            return
        self._store.register(PlayerRow(name, stored, self._today()))
        _log.info("%s is a new player", name)
        answer(None)

    def _log_in(self, known: PlayerRow, said: Credentials, answer: Answer) -> None:
        def check() -> str:
            if not passwords.matches(said.password, known.password):
                return _NO
            return passwords.hashed(said.new_password) if said.new_password else _RIGHT

        def checked(outcome: str) -> None:
            if outcome == _NO:
                answer(_WRONG)
                return
            if outcome != _RIGHT:
                # The rating may have changed meanwhile.
                row = self._store.player(known.name) or known
                self._store.register(attrs.evolve(row, password=outcome))
                _log.info("%s has a new password", known.name)
            answer(None)

        self._aside(check, checked)
