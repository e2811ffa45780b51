"""The settings in the bot's file; every key is described in `docs/abstract-play.md`.

These classes are read from TOML by `reading.load`. The one secret, the client's, is never in the
file: it comes from the environment or from a file of its own.
"""

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

import attrs

from linage_bot.servers.abstract_play.signatures import read_key
from linage_bot.settings.checks import (
    Secret,
    at_least,
    check_text,
    one_source,
    read_secret,
    within,
)
from linage_bot.settings.playing import PlaySettings

_each = attrs.validators.deep_iterable


def _check_url(_settings: object, _field: object, value: str) -> None:
    try:
        parts = urlsplit(value)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError(f"{value!r} is not an http or https address")


def _check_key(_settings: object, _field: object, value: str) -> None:
    read_key(value)


@attrs.frozen
class SiteSettings:
    """The site's addresses and key, and our account there."""

    token_url: str = attrs.field(validator=_check_url)
    scope: str = attrs.field(validator=check_text)
    query_url: str = attrs.field(validator=_check_url)  # lists the games
    move_url: str = attrs.field(validator=_check_url)  # takes our moves
    public_key: str = attrs.field(validator=_check_key)  # as OpenSSH or as SSH2
    client_id: str = attrs.field(validator=check_text)
    client_secret_env: str | None = attrs.field(default=None, validator=check_text)
    client_secret_file: str | None = attrs.field(default=None, validator=[check_text, one_source])
    timeout_seconds: float = attrs.field(default=30.0, validator=at_least(0.1))
    retry_seconds: float = attrs.field(default=2.0, validator=at_least(0.01))
    retry_most_seconds: float = attrs.field(default=300.0)
    recover_seconds: float = attrs.field(default=600.0, validator=at_least(0.1))

    @retry_most_seconds.validator
    def _check_most(self, _field: object, value: float) -> None:
        if value < self.retry_seconds:
            raise ValueError(f"{value:g} is less than retry_seconds; choose a larger value")

    def secret(self, environment: Mapping[str, str] = os.environ) -> Secret:
        """Return the client's secret; raise `SettingFault`."""
        return read_secret(
            "site.client_secret", self.client_secret_env, self.client_secret_file, environment
        )


@attrs.frozen
class ChallengeSettings:
    """The invitations to accept; clocks in hours. An empty `players` accepts all players."""

    sizes: tuple[int, ...] = attrs.field(
        default=(9, 11, 13, 15, 17, 19), validator=_each(within(3, 25))
    )
    lines: tuple[int, ...] = attrs.field(default=(2, 3, 4, 5), validator=_each(within(2, 5)))
    start_hours: float = attrs.field(default=1.0, validator=at_least(0))  # at least
    increment_hours: float = attrs.field(default=0.0, validator=at_least(0))  # at least
    most_hours: float | None = attrs.field(default=None, validator=at_least(0))  # at most
    players: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    games: int = attrs.field(default=20, validator=at_least(0))  # at once
    slot_hours: float = attrs.field(default=48.0, validator=at_least(0))  # kept for an accepted one


@attrs.frozen(kw_only=True)
class BotPlaySettings(PlaySettings):
    """The search settings; one move uses at most the share `clock_share` of the time left."""

    clock_share: float = attrs.field(default=0.02, validator=within(0, 1))
    ponder: bool = attrs.field(default=False, init=False)  # an opponent may take days

    @property
    def agent(self) -> PlaySettings:
        """These settings, with a minute a move if they limit neither visits nor seconds."""
        if self.visits is None and self.seconds is None:
            return attrs.evolve(self, seconds=60.0)
        return self


def _check_path(_settings: object, _field: object, value: str) -> None:
    if not value.startswith("/") or not value.isascii() or not value.isprintable():
        raise ValueError(f"{value!r} is not a path such as /abstract-play")


@attrs.frozen
class BotSettings:
    """The whole settings file of the bot."""

    listen: str = attrs.field(validator=check_text)  # a Twisted endpoint
    state: str = attrs.field(validator=check_text)  # the SQLite file
    site: SiteSettings
    path: str = attrs.field(default="/", validator=_check_path)
    challenges: ChallengeSettings = ChallengeSettings()
    play: BotPlaySettings = BotPlaySettings()
