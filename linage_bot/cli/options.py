"""What the commands share: errors of one line, options that choose a game, limits."""

from __future__ import annotations

import contextlib
import functools
import math
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import click

from linage_bot.rules import GAMES
from linage_bot.rules.game import BadOption, Game

F = TypeVar("F", bound=Callable[..., Any])


class UserError(click.ClickException):
    """Something the user can mend: one line on stderr, exit status 2."""

    exit_code = 2


@contextlib.contextmanager
def needing(extra: str) -> Iterator[None]:
    """Import what only those have who installed an extra; else raises `UserError`."""
    try:
        yield
    except ModuleNotFoundError as error:
        reason = f"this needs {error.name}: pip install 'linage-bot[{extra}]'"
        raise UserError(reason) from None


class Seconds(click.FloatRange):
    """A number of seconds; what is not a finite number would be no limit at all."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a word; raises `click.BadParameter`."""
        seconds: float = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return seconds


class OneLineErrors(click.Group):
    """A group that says what is wrong in one line, without the usage above it."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run, and exit as the shell expects."""
        try:
            status = super().main(*args, **{**kwargs, "standalone_mode": False})
        except click.ClickException as error:
            message = error.format_message()
            # Without any command click raises its help, which explains itself.
            prefix = "" if message.startswith("Usage:") else "linage-bot: "
            click.echo(prefix + message, err=True)
            status = error.exit_code
        except click.Abort:
            status = 130
        sys.exit(status or 0)


def game_options(function: F) -> F:
    """The options that choose a game; the command gets it as `game`."""

    @click.option(
        "--game",
        "name",
        default="linage",
        metavar="ID",
        show_default=True,
        help="Which game; `linage-bot games` lists them.",
    )
    @click.option("--size", metavar="SIZE", help="13, 9x7, or points per side of a hexagon.")
    @click.option("--komi", type=float, help="Points for the second player.")
    @click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the game; repeatable.",
    )
    @functools.wraps(function)
    def wrapper(
        *args: Any,
        name: str,
        size: str | None,
        komi: float | None,
        settings: tuple[str, ...],
        **kwargs: Any,
    ) -> Any:
        return function(*args, game=choose_game(name, size, komi, settings), **kwargs)

    return wrapper  # type: ignore[return-value]  # click fills in `game`


threads_option = click.option(
    "--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="To search with."
)
resign_option = click.option(
    "--resign",
    default="0.02",
    metavar="RATE|never",
    show_default=True,
    help="Resign below this win rate.",
)


def resign_rate(text: str) -> float | None:
    """What `--resign` says: a rate, or None for never; raises `UserError`."""
    if text == "never":
        return None
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 <= rate <= 1:
        raise UserError(f"--resign: expected a rate from 0 to 1 or never, not {text!r}")
    return rate


def choose_game(name: str, size: str | None, komi: float | None, settings: tuple[str, ...]) -> Game:
    """The game that the four options describe; raises `UserError`."""
    if name not in GAMES:
        raise UserError(f"--game: there is no game {name!r} ({', '.join(GAMES)})")
    options = {}
    for setting in settings:
        option, separator, value = setting.partition("=")
        if not separator:
            raise UserError(f"--set: expected NAME=VALUE, not {setting!r}")
        options[option] = value
    try:
        return GAMES[name].configure(size, komi, options)
    except BadOption as error:
        flag = f"--{error.name}" if error.name in ("size", "komi") else f"--set {error.name}"
        raise UserError(f"{flag}: {error.reason}") from None
