"""The settings in the server's file; every key is described in `docs/cgos-server.md`.

These classes are read from TOML by `reading.load`.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import attrs

from linage_bot.settings.checks import (
    Secret,
    SettingFault,
    at_least,
    check_text,
    read_secret,
    within,
)
from linage_bot.settings.match import GameSettings
from protocol.cgos.player import MAX_PASSWORD, MIN_PASSWORD, why_no_name

ADMIN: Final = "admin"
"""The name of the administrator, which never plays."""
LONGEST_CLOCK_SECONDS: Final = 10_000_000
"""About four months; a longer clock is a typing error, or too long for SQLite's integers."""


def _check_name(_settings: object, _field: object, value: Mapping[str, float]) -> None:
    for name in value:
        reason = why_no_name(name)
        if reason is not None:
            raise ValueError(f"{name!r} cannot be a player's name: {reason}")


def _check_game(_settings: object, _field: object, value: GameSettings) -> None:
    board = value.configure().board
    if board.columns != board.rows:
        raise ValueError(f"CGOS supports square boards and hexagons, not {board.size}")


@attrs.frozen
class GameClockSettings:
    """The time of each player for a whole game, and the time that is free in every move."""

    level_ms: int = attrs.field(default=300_000, validator=within(1, 1000 * LONGEST_CLOCK_SECONDS))
    forgiven_ms: int = attrs.field(default=250, validator=at_least(0))
    # After a restart no clock runs for this time, unless its player is back sooner.
    restart_seconds: float = attrs.field(default=60.0, validator=at_least(0))


@attrs.frozen
class PairingSettings:
    """The settings of the pairing."""

    automatic: bool = True  # False: only the administrator begins games
    interval_seconds: float = attrs.field(default=5.0, validator=at_least(0.01))
    # After this wait a player takes any opponent; the longer, the choosier.
    patience_seconds: float = attrs.field(default=60.0, validator=at_least(0))


@attrs.frozen
class RatingSettings:
    """The settings of the ratings; without anchors the mean rating is `mean`."""

    mean: float = 1500.0
    prior_elo: float = attrs.field(default=500.0, validator=at_least(1))  # how far from the mean
    anchors: Mapping[str, float] = attrs.field(factory=dict, validator=_check_name)
    provisional_games: int = attrs.field(default=20, validator=at_least(0))  # `?` until then
    interval_seconds: float = attrs.field(default=10.0, validator=at_least(0))  # between two lists


@attrs.frozen
class LimitSettings:
    """The limits for one address or connection."""

    connections: int = attrs.field(default=1000, validator=at_least(1))
    connections_per_address: int = attrs.field(default=50, validator=at_least(1))
    registrations_per_hour: int = attrs.field(default=20, validator=at_least(0))  # an address
    messages_per_second: float = attrs.field(default=5.0, validator=at_least(0.1))  # unrequested
    line_bytes: int = attrs.field(default=65_536, validator=within(256, 1 << 20))
    unread_bytes: int = attrs.field(default=4_194_304, validator=at_least(65_536))
    login_seconds: float = attrs.field(default=60.0, validator=at_least(0.1))
    idle_seconds: float = attrs.field(default=900.0, validator=at_least(0.1))


@attrs.frozen
class CgosServerSettings:
    """The whole settings file of the server."""

    name: str = attrs.field(validator=check_text)
    listen: str = attrs.field(validator=check_text)  # a Twisted endpoint, for players and viewers
    database: str = attrs.field(validator=check_text)  # the SQLite file
    game: GameSettings = attrs.field(factory=GameSettings, validator=_check_game)
    web: str | None = attrs.field(default=None, validator=check_text)  # a Twisted endpoint
    sgf: str | None = attrs.field(default=None, validator=check_text)  # a folder
    admin_password_env: str | None = attrs.field(default=None, validator=check_text)
    admin_password_file: str | None = attrs.field(default=None, validator=check_text)
    clock: GameClockSettings = GameClockSettings()
    pairing: PairingSettings = PairingSettings()
    ratings: RatingSettings = RatingSettings()
    limits: LimitSettings = LimitSettings()

    @admin_password_file.validator
    def _check_source(self, _field: object, value: Any) -> None:
        if value is not None and self.admin_password_env is not None:
            raise ValueError("give only one of admin_password_env and admin_password_file")

    @property
    def client_endpoint(self) -> str | None:
        """The endpoint for clients, such as `tcp:HOST:6867`; None if `listen` has no fixed port."""
        found = re.match(r"(?:haproxy:)*(tcp6?|ssl):(?:port=)?([1-9]\d*)", self.listen)
        return found and f"{'tls' if found[1] == 'ssl' else 'tcp'}:HOST:{found[2]}"

    def admin_password(self) -> Secret | None:
        """Return the administrator's password, None if there is none; raise `SettingFault`."""
        if self.admin_password_env is None and self.admin_password_file is None:
            return None
        secret = read_secret("admin_password", self.admin_password_env, self.admin_password_file)
        if not MIN_PASSWORD <= len(secret.text) <= MAX_PASSWORD or len(secret.text.split()) != 1:
            bounds = f"{MIN_PASSWORD} to {MAX_PASSWORD} characters"
            raise SettingFault("admin_password", f"a password is one word of {bounds}")
        return secret
