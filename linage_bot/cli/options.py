"""Shared parts of the commands: one-line errors, and options for the game and the engine."""

import contextlib
import functools
import ipaddress
import logging
import math
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs
import click

from linage_bot.rules import GAMES
from linage_bot.rules.game import Game
from linage_bot.rules.options import BadOption
from linage_bot.settings.checks import PASSING_ERRNOS, unnameable
from linage_bot.settings.playing import SEARCHES, PlaySettings
from protocol.session.errors import CommandFailed
from protocol.session.text import plain_number, replace_unknown

F = TypeVar("F", bound=Callable[..., Any])
_log = logging.getLogger(__name__)


class UserError(click.ClickException):
    """An error that the user can fix: one line on stderr, exit status 2."""

    exit_code = 2


@contextlib.contextmanager
def needing(extra: str) -> Iterator[None]:
    """Import modules of an optional extra; raise `UserError` if it is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        from protocol.transport.installing import missing_package

        raise UserError(missing_package("this", error.name, f"linage-bot[{extra}]")) from None


class Integer(click.IntRange):
    """A whole number within bounds; Click's own messages call it an "integer range"."""

    name = "integer"


class FiniteNumber(click.FloatRange):
    """A number within bounds; infinity and NaN are invalid, as they would set no limit."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a word; raise `click.BadParameter`."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


class OneLineErrors(click.Group):
    """A command group that reports an error in one line, without the usage above it."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command and exit with the status that the shell expects."""
        for stream in (sys.stdout, sys.stderr):
            replace_unknown(stream)
        if sys.stderr is None:  # closed; the next file to be opened would get its number
            sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - until the end
        try:
            status = super().main(*args, **{**kwargs, "standalone_mode": False})
        except click.ClickException as error:
            message = error.format_message()
            # Without a command click raises its help text, which needs no prefix.
            prefix = "" if message.startswith("Usage:") else "linage-bot: "
            click.echo(prefix + message, err=True)
            status = error.exit_code
        except (MemoryError, ImportError, OSError) as error:
            status = _report_shortage(error)
            if status is None:
                raise
        except UnicodeEncodeError as error:
            if error.encoding != sys.getfilesystemencoding():
                raise
            click.echo(f"linage-bot: {unnameable(error)}", err=True)
            status = UserError.exit_code
        except CommandFailed as error:  # such as a search of a game without a compiled form
            click.echo(f"linage-bot: {error}", err=True)
            status = UserError.exit_code
        except click.Abort:
            status = 130
        sys.exit(status or 0)


class _Number(click.types.FloatParamType):
    """A number, with a decimal point or comma."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a word; raise `click.BadParameter`."""
        word: Any = plain_number(value) if isinstance(value, str) else value
        number: float = super().convert(word, param, ctx)
        return number


def _report_shortage(error: Exception) -> int | None:
    """Report a lack of memory or disk space; return the exit status, None for other errors."""
    from linage_bot.engine.jit import address_space

    if isinstance(error, OSError) and error.errno in PASSING_ERRNOS:
        click.echo(f"linage-bot: cannot write: {error.strerror}", err=True)
        # The text still buffered in stdout would fail once more when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    if isinstance(error, MemoryError) or address_space.short():
        reason = "out of memory: lower --nodes, --memory or --threads"
        click.echo(f"linage-bot: {reason}, or raise the limit of the process (ulimit -v)", err=True)
        return 2
    return None


def game_options(function: F) -> F:
    """Add the options that choose a game; the command gets it as `game`."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, game=choose_game(*_pop_game_options(kwargs)), **kwargs)

    help_ = "The game; `linage-bot games` lists them."
    flags = {"default": _DEFAULT_GAME, "show_default": True, "help": help_}
    return _with_game_flags(wrapper, flags)  # type: ignore[return-value]  # click fills in `game`


def rules_options(function: F) -> F:
    """Add the options that choose a game, for a command that does not require one.

    The command gets `rules`, the choice in the form of a query of the analysis protocol, or None if
    none of the options is given.
    """

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        name, size, komi, settings = words = _pop_game_options(kwargs)
        if all(each in (None, ()) for each in words):
            return function(*args, rules=None, **kwargs)
        game = choose_game(name or _DEFAULT_GAME, size, komi, settings)
        chosen = {"size": None if size is None else game.board.size, "komi": komi}
        rules = {name: value for name, value in chosen.items() if value is not None}
        return function(*args, rules={"game": game.id, **game.settings(), **rules}, **kwargs)

    help_ = "The game of queries whose rules name no known game, such as queries for Go."
    return _with_game_flags(wrapper, {"help": help_})  # type: ignore[return-value]  # and `rules`


_DEFAULT_GAME: Final = "linage"


def _with_game_flags(function: F, of_game: dict[str, Any]) -> F:
    flags = (
        click.option("--game", "name", metavar="ID", **of_game),
        click.option(
            "--size", metavar="SIZE", help="Board size: 13, 9x7, or points per side of a hexagon."
        ),
        click.option("--komi", type=_Number(), help="Points added to the second player's score."),
        click.option(
            "--set",
            "settings",
            multiple=True,
            metavar="NAME=VALUE",
            help="Set an option of the game's rules; repeatable.",
        ),
    )
    for flag in reversed(flags):
        function = flag(function)
    return function


def _pop_game_options(
    values: dict[str, Any],
) -> tuple[str, str | None, float | None, tuple[str, ...]]:
    """Remove the values of the four options from a command's arguments, and return them."""
    return tuple(values.pop(each) for each in ("name", "size", "komi", "settings"))


_PLAYING: Final[dict[str, dict[str, Any]]] = {
    "visits": {"type": int, "help": "Most search visits per move."},
    "seconds": {"type": float, "help": "Most seconds per move."},
    "threads": {
        "type": int,
        "help": "Threads for each search; each adds speed, up to the number of processors.",
    },
    "nodes": {"type": int, "help": "Most positions in memory, of 72 bytes each."},
    "seed": {"type": int, "help": "Makes play repeatable (with --visits)."},
    "resign_rate": {"type": str, "metavar": "RATE|never", "help": "Resign below this win rate."},
    "level": {"type": int, "help": "From 0, random play, to 27, full strength."},
    "ponder": {
        "is_flag": True,
        "show_default": False,
        "help": "Search during the opponent's time.",
    },
    "search": {
        "type": click.Choice(SEARCHES),
        "help": "Search algorithm; uct is plain UCT, for comparison.",
    },
    "solver": {
        "type": click.Choice(("on", "off")),
        "default": "on",
        "help": "Prove the result of endgames, and in Linage use exact values of regions.",
    },
}
"""The arguments of `click.option` for each field of `PlaySettings`."""


def _checked(_context: object, option: click.Parameter, value: Any) -> Any:
    """Return the value of a field of `PlaySettings` from its option; raise `click.BadParameter`."""
    assert option.name is not None
    if option.name == "solver":
        value = value == "on"
    elif option.name == "resign_rate":
        value = None if value == "never" else click.FLOAT.convert(value, None, None)
    try:
        attrs.evolve(PlaySettings(), **{option.name: value})
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return value


def play_options(*names: str, **changes: dict[str, Any]) -> Callable[[F], F]:
    """Add the engine options, all or those named; the command gets them as `play`.

    `changes` has other arguments of `click.option` for some of them: the default or the help.
    """
    names = names or tuple(_PLAYING)

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            play = PlaySettings(**{name: kwargs.pop(name) for name in names})
            return function(*args, play=play, **kwargs)

        decorated: Any = wrapper
        for name in reversed(names):
            usual = {"default": getattr(PlaySettings(), name), "show_default": True}
            arguments = {**usual, "callback": _checked, **_PLAYING[name], **changes.get(name, {})}
            flag = "--" + name.removesuffix("_rate")
            decorated = click.option(flag, name, **arguments)(decorated)
        return decorated  # type: ignore[no-any-return]  # as click has it

    return decorate


expose_option = click.option(
    "--expose", is_flag=True, help="Allow --listen to use an address that others can reach."
)


def check_exposure(address: str, expose: bool, what_they_can: str) -> None:
    """Warn of an address that other machines can reach; raise `UserError` without `--expose`.

    An address that is not an IP address counts as reachable.
    """
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(address).is_loopback:
            return
    if not expose:
        raise UserError(f"--listen: others can reach {address}; add --expose to allow that")
    _log.warning("warning: others can reach this server, unencrypted; %s", what_they_can)


def known_game(name: str, source: str) -> type[Game]:
    """Return a game by its id; raise `UserError`, which names the option or command `source`."""
    if name not in GAMES:
        raise UserError(f"{source}: there is no game {name!r}; the games are {', '.join(GAMES)}")
    return GAMES[name]


def choose_game(name: str, size: str | None, komi: float | None, settings: tuple[str, ...]) -> Game:
    """Return the game that the four options describe; raise `UserError`."""
    kind = known_game(name, "--game")
    options = {}
    for setting in settings:
        option, separator, value = setting.partition("=")
        if not separator:
            raise UserError(f"--set: expected NAME=VALUE, not {setting!r}")
        options[option] = value
    try:
        return kind.configure(size, komi, options)
    except BadOption as error:
        flag = f"--{error.name}" if error.name in ("size", "komi") else f"--set {error.name}"
        raise UserError(f"{flag}: {error.reason}") from None
