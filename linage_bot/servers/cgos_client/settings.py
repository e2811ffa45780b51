"""The settings in the client's file; every key is described in `docs/cgos.md`.

These classes are read from TOML by `reading.load`. Passwords are never in the file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

import attrs

from linage_bot.rules import GAMES
from linage_bot.rules.options import format_option
from linage_bot.settings.checks import (
    Secret,
    SettingFault,
    at_least,
    check_text,
    one_source,
    read_secret,
)
from linage_bot.settings.match import check_command, check_game, check_lines, split_command
from linage_bot.settings.playing import PlaySettings
from protocol.cgos.player import MIN_PASSWORD, why_no_name

_OPTIONAL = attrs.validators.optional


@attrs.frozen
class ServerSettings:
    """A server, and its game if it does not name one itself; None: Go, or the server's game."""

    address: str = attrs.field(validator=check_text)  # a Twisted endpoint: tcp:HOST:PORT
    game: str | None = attrs.field(default=None, validator=_OPTIONAL(check_game))
    options: Mapping[str, str | int | bool] = attrs.field(factory=dict)
    silence_seconds: float = attrs.field(default=1800.0, validator=at_least(1))  # then it is dead

    @options.validator
    def _check_options(self, _field: object, value: Mapping[str, str | int | bool]) -> None:
        if not value:
            return
        if not self.game:
            raise ValueError("options need a game; set `game`, too")
        GAMES[self.game].configure(None, None, self.words)  # BadOption is a ValueError

    @property
    def words(self) -> dict[str, str]:
        """The options as text."""
        return {name: format_option(value) for name, value in self.options.items()}


@attrs.frozen
class CgosEngineSettings:
    """An engine: a command that speaks GTP or, without one, our own engine."""

    command: str | tuple[str, ...] | None = attrs.field(
        default=None, validator=_OPTIONAL(check_command)
    )
    agent: PlaySettings | None = attrs.field(default=None)
    cwd: str | None = attrs.field(default=None, validator=check_text)
    env: Mapping[str, str] = attrs.field(factory=dict)
    start_commands: tuple[str, ...] = attrs.field(default=(), validator=check_lines)
    analysis: bool = True  # send it, if the server wants it and the engine has it
    # For any reply; for a move, in addition to the time left.
    patience_seconds: float = attrs.field(default=60.0, validator=at_least(0.1))

    @agent.validator
    def _check_kind(self, _field: object, value: PlaySettings | None) -> None:
        if value is not None and self.command is not None:
            raise ValueError("give either command or agent, not both")

    @property
    def argv(self) -> tuple[str, ...]:
        """The command line as a sequence of arguments."""
        if self.command is None:
            options = (self.agent or PlaySettings()).options
            return (sys.executable, "-m", "linage_bot", "gtp", *options)
        return split_command(self.command)


def _check_name(_settings: object, _field: object, value: str) -> None:
    reason = why_no_name(value)
    if reason is not None:
        raise ValueError(f"{value!r}: {reason}")


@attrs.frozen
class PlayerSettings:
    """A name on a server and the engine that plays under it."""

    name: str = attrs.field(validator=_check_name)
    server: str = ""  # may be left out where there is only one
    engine: str = ""  # likewise
    password_env: str | None = attrs.field(default=None, validator=check_text)
    password_file: str | None = attrs.field(default=None, validator=[check_text, one_source])
    games: int | None = attrs.field(default=None, validator=at_least(1))  # then it leaves

    def password(self, key: str, environment: Mapping[str, str] = os.environ) -> Secret:
        """Return the password; `key` is the player's key in the file. Raise `SettingFault`."""
        key = f"{key}.password"
        secret = read_secret(key, self.password_env, self.password_file, environment)
        # Two words would change the password, and many servers refuse characters beyond ASCII.
        good = secret.text.isascii() and secret.text.isprintable() and " " not in secret.text
        if not good or len(secret.text) < MIN_PASSWORD:
            raise SettingFault(key, f"a password is one word of at least {MIN_PASSWORD} letters")
        return secret


@attrs.frozen
class ReconnectSettings:
    """The wait before each reconnection, which grows up to a limit."""

    first_seconds: float = attrs.field(default=1.0, validator=at_least(0.01))
    most_seconds: float = attrs.field(default=300.0)
    factor: float = attrs.field(default=2.0, validator=at_least(1))
    jitter: float = attrs.field(default=0.2)  # the share by which a wait is longer or shorter
    steady_seconds: float = attrs.field(default=60.0, validator=at_least(0))  # then: as the first

    @most_seconds.validator
    def _check_most(self, _field: object, value: float) -> None:
        if value < self.first_seconds:
            raise ValueError(f"{value:g} is less than first_seconds; choose a larger value")

    @jitter.validator
    def _check_jitter(self, _field: object, value: float) -> None:
        if not 0 <= value < 1:
            raise ValueError(f"{value:g} is not at least 0 and below 1")

    def seconds(self, failures: int, chance: float) -> float:
        """Return the seconds to wait after successive failures; `chance` 0..1 sets the jitter."""
        plain = min(self.most_seconds, self.first_seconds * self.factor ** min(failures - 1, 64))
        return plain * (1 + self.jitter * (2 * chance - 1))


def _check_players(
    settings: ClientSettings, _field: object, value: tuple[PlayerSettings, ...]
) -> None:
    if not value:
        raise ValueError("the list of players is empty")
    seats = set()
    for player in value:
        for kind, name, known in (
            ("server", player.server, settings.servers),
            ("engine", player.engine, settings.engines),
        ):
            if name and name not in known:
                raise ValueError(f"{player.name}: there is no {kind} {name!r}")
            if not name and len(known) != 1:
                raise ValueError(
                    f"{player.name}: names no {kind}; choose one of {', '.join(known)}"
                )
        seat = settings.server_name(player), player.name
        if seat in seats:
            raise ValueError(f"{player.name}: plays twice on {seat[0]}; remove one of the two")
        seats.add(seat)


def _check_not_empty(_settings: object, field: attrs.Attribute[Any], value: Any) -> None:
    if not value:
        raise ValueError(f"the table of {field.name} is empty")


@attrs.frozen
class ClientSettings:
    """The whole settings file of the client."""

    servers: Mapping[str, ServerSettings] = attrs.field(validator=_check_not_empty)
    players: tuple[PlayerSettings, ...] = attrs.field(validator=_check_players)
    engines: Mapping[str, CgosEngineSettings] = attrs.field(
        factory=lambda: {"linage-bot": CgosEngineSettings()}, validator=_check_not_empty
    )
    sgf: str | None = attrs.field(default=None, validator=check_text)  # a folder
    kill_file: str | None = attrs.field(default=None, validator=check_text)
    max_failures: int = attrs.field(default=3, validator=at_least(1))  # games in succession
    reconnect: ReconnectSettings = ReconnectSettings()

    def server_name(self, player: PlayerSettings) -> str:
        """Return the name of the server that a player is on."""
        return player.server or next(iter(self.servers))

    def engine_name(self, player: PlayerSettings) -> str:
        """Return the name of the engine of a player."""
        return player.engine or next(iter(self.engines))
