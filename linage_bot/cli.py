"""The command line. Each command imports what it needs when it runs: `gtp` must start at once."""

from __future__ import annotations

import functools
import json
import logging
import math
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from linage_bot import __version__
from linage_bot.game import BadOption, Game, Player, Position, format_option
from linage_bot.game import perft as count_sequences
from linage_bot.games import GAMES

if TYPE_CHECKING:
    from twisted.internet.defer import Deferred
    from twisted.python.failure import Failure

    from linage_bot.match import MatchSettings

_log = logging.getLogger(__name__)
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


class UserError(click.ClickException):
    """Something the user can mend: one line on stderr, exit status 2."""

    exit_code = 2


class _Seconds(click.FloatRange):
    """A number of seconds; what is not a finite number would be no limit at all."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a word; raises `click.BadParameter`."""
        seconds: float = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return seconds


class _OneLineErrors(click.Group):
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


@click.group(
    cls=_OneLineErrors,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="linage-bot")
@click.option("-v", "--verbose", count=True, help="More on stderr.")
def main(verbose: int) -> None:
    """Linage and its relatives: an engine and adapter for the Go Text Protocol."""
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.DEBUG if verbose else logging.INFO,
        format="linage-bot: %(message)s",
    )
    logging.getLogger("numba").setLevel(logging.WARNING)


def _game_options(function: F) -> F:
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
        return function(*args, game=_game(name, size, komi, settings), **kwargs)

    return wrapper  # type: ignore[return-value]  # click fills in `game`


_threads_option = click.option(
    "--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="To search with."
)
_resign_option = click.option(
    "--resign",
    default="0.02",
    metavar="RATE|never",
    show_default=True,
    help="Resign below this win rate.",
)


def _game(name: str, size: str | None, komi: float | None, settings: tuple[str, ...]) -> Game:
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


# ---------------------------------------------------------------------------- gtp


@main.command()
@_game_options
@click.option("--visits", type=click.IntRange(1), help="Most visits a move.")
@click.option("--seconds", type=_Seconds(0), help="Most seconds a move.")
@_threads_option
@click.option("--seed", type=click.IntRange(0), help="Makes play repeatable (with --visits).")
@_resign_option
@click.option(
    "--level",
    type=click.IntRange(1, 10),
    default=10,
    show_default=True,
    help="From a beginner to full strength.",
)
@click.option("--ponder", is_flag=True, help="Think while the opponent does.")
@click.option(
    "--search",
    type=click.Choice(["rave", "uct"]),
    default="rave",
    show_default=True,
    help="The tree search; uct is the plain one, for comparison.",
)
@click.option(
    "--solver",
    type=click.Choice(["on", "off"]),
    default="off",
    show_default=True,
    help="Play Linage exactly once a proof takes no longer than a search.",
)
@click.option("--listen", metavar="ENDPOINT", help="Serve TCP: tcp:5001, tcp:5001:interface=…")
def gtp(
    game: Game,
    visits: int | None,
    seconds: float | None,
    threads: int,
    seed: int | None,
    resign: str,
    level: int,
    ponder: bool,
    search: str,
    solver: str,
    listen: str | None,
) -> None:
    """Speak GTP on stdin and stdout, or on TCP."""
    from linage_bot.agent import AgentSettings
    from linage_bot.gtp import COMMANDS, Engine
    from protocol.engine import EngineSession

    settings = AgentSettings(
        visits,
        seconds,
        threads,
        seed,
        _resign_rate(resign),
        search,
        ponder,
        level,
        solver == "on",
    )

    def session() -> EngineSession[Engine]:
        engine = Engine(game, settings, may_use_files=listen is None)
        return EngineSession(COMMANDS, engine, on_close=engine.close)

    if listen is None:
        _serve_stdio(session)
    else:
        _serve_endpoint(listen, session)


def _resign_rate(text: str) -> float | None:
    if text == "never":
        return None
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 <= rate <= 1:
        raise UserError(f"--resign: expected a rate from 0 to 1 or never, not {text!r}")
    return rate


def _serve_stdio(session: Callable[[], Any]) -> None:
    # Twisted's reactor imports TLS if it can; without it `name` is answered 50 ms earlier.
    sys.modules.setdefault("OpenSSL", None)  # type: ignore[arg-type]  # so documented for imports

    from twisted.internet import reactor

    from protocol.transports import serve_stdio

    _run_until(serve_stdio(reactor, session))
    # A thread may still be compiling what nobody waits for any more; leave without it.
    logging.shutdown()
    os._exit(0)


def _serve_endpoint(description: str, session: Callable[[], Any]) -> None:
    from twisted.internet import reactor
    from twisted.internet.defer import Deferred
    from twisted.internet.error import CannotListenError

    from protocol.transports import serve_endpoint

    async def serve() -> None:
        port = await serve_endpoint(reactor, description, session)
        address = port.getHost()
        _log.info("listening on %s port %s", address.host, address.port)
        await Deferred()  # until a signal stops the reactor

    try:
        _run_until(Deferred.fromCoroutine(serve()))
    except CannotListenError as error:
        raise UserError(f"--listen: {error}") from None
    except (TypeError, ValueError, OverflowError) as error:  # what Twisted says of bad endpoints
        raise UserError(
            f"--listen: {description!r} is not an endpoint such as tcp:5001 ({error})"
        ) from None


def _run_until(finished: Deferred[T]) -> T | None:
    """Run the reactor until the Deferred fires or a signal comes, and return its result if any.

    Raises what it failed with.
    """
    from twisted.internet import reactor

    failures: list[BaseException] = []
    results: list[T] = []

    def failed(failure: Failure) -> None:
        assert failure.value is not None  # Twisted's types leave it open
        failures.append(failure.value)

    def stop(_result: object) -> None:
        if reactor.running:
            reactor.stop()

    finished.addCallbacks(results.append, failed).addCallback(stop)
    if not finished.called:
        reactor.run()
    if failures:
        raise failures[0]
    return results[0] if results else None


# ---------------------------------------------------------------------------- match


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--accept-changes",
    is_flag=True,
    help="Go on although FILE was changed since the event began.",
)
@click.option("--report", metavar="DIR", help="Write an HTML page about all games there.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on the workers of a Dask cluster, tcp://HOST:8786, or on a local one.",
)
def match(file: Path, accept_changes: bool, report: str | None, cluster: str | None) -> None:
    """Play the engine-vs-engine games of FILE.toml.

    Started again, it plays what is missing. docs/match.md describes every key of the file.
    """
    from linage_bot.config import ConfigError, load
    from linage_bot.match import MatchSettings, SettingFault

    try:
        settings = load(file, MatchSettings)
        if cluster is None:
            status = _play_here(settings, accept_changes, report)
        else:
            from linage_bot.match.cluster import run_on_cluster

            status = run_on_cluster(settings, cluster, None, accept_changes, report)
    except ConfigError as error:
        raise UserError(str(error)) from None
    except SettingFault as fault:
        raise UserError(f"{file}: {fault}") from None
    raise SystemExit(status)


def _play_here(settings: MatchSettings, accept_changes: bool, report: str | None) -> int | None:
    from twisted.internet import reactor
    from twisted.internet.defer import Deferred

    from linage_bot.match.command import run
    from protocol.transports import use_monotonic_time

    use_monotonic_time(reactor)
    event = run(reactor, settings, accept_changes=accept_changes, report=report)
    return _run_until(Deferred.fromCoroutine(event))


# ---------------------------------------------------------------------------- servers


@main.command("abstract-play-move")
@click.option("--visits", type=click.IntRange(1), help="Most visits.")
@click.option("--seconds", type=_Seconds(0), help="Most seconds.")
@_threads_option
@click.option("--seed", type=click.IntRange(0), help="Makes the move repeatable (with --visits).")
@_resign_option
@click.option("--explain", is_flag=True, help="Print the position as the site and as we see it.")
def abstract_play_move(
    visits: int | None,
    seconds: float | None,
    threads: int,
    seed: int | None,
    resign: str,
    explain: bool,
) -> None:
    """Print the move to send in a game of Abstract Play.

    The game is read from stdin as JSON: a state, a webhook, an answer to `get_game`, or
    {"variants": [], "moves": []}.
    With --explain the move is the last line. Nothing is printed when the game is over.
    """
    from linage_bot.agent import Agent, AgentSettings
    from linage_bot.servers.abstract_play.decision import choose
    from linage_bot.servers.abstract_play.explain import explain as explained
    from linage_bot.servers.abstract_play.payloads import BadPayload, read_game
    from linage_bot.servers.abstract_play.position import BadGame, Phase

    settings = AgentSettings(visits, seconds, threads, seed, _resign_rate(resign))
    try:
        site = read_game(sys.stdin.buffer.read()).position()
    except (BadPayload, BadGame) as error:
        raise UserError(f"stdin: {error}") from None
    if explain:
        click.echo(explained(site))
    if site.phase is Phase.OVER:
        _log.info("the game is over")
        return
    choice = choose(Agent(settings), site, settings.limits, threading.Event())
    _log.info("%s: %s", choice.word, choice.reason)
    click.echo(choice.word)


@main.group(cls=_OneLineErrors)
def connect() -> None:
    """Play on a game server."""


@connect.command("abstract-play")
@click.argument("file", type=click.Path(path_type=Path))
def connect_abstract_play(file: Path) -> None:
    """Play Linage on Abstract Play as the bot that FILE.toml describes.

    The first signal finishes the move, the second quits. docs/servers.md tells everything.
    """
    from twisted.internet import reactor
    from twisted.internet.defer import Deferred

    from linage_bot.config import ConfigError, load
    from linage_bot.servers.abstract_play.command import run
    from linage_bot.servers.abstract_play.settings import BotSettings, SettingFault

    try:
        status = _run_until(Deferred.fromCoroutine(run(reactor, load(file, BotSettings))))
    except ConfigError as error:
        raise UserError(str(error)) from None
    except SettingFault as fault:
        raise UserError(f"{file}: {fault}") from None
    # A thread may still be searching for what nobody waits for any more; leave without it.
    logging.shutdown()
    os._exit(status or 0)


# ---------------------------------------------------------------------------- games


@main.command()
def games() -> None:
    """List the games, their sizes, komi and options."""
    for game in GAMES.values():
        komi = "no komi" if game.komi_step is None else f"komi {game.default_komi:g}"
        click.echo(f"{game.id}: {game.name}, {game.author}, {game.year}")
        click.echo(f"    size {game.default_size}, {komi}, pie: {game.pie}")
        for name, option in game.options().items():
            default = format_option(option.default)
            click.echo(f"    {name}={default} ({option.values}): {option.help}")


# ---------------------------------------------------------------------------- solve


_PLAYERS = {
    word: player
    for player in Player
    for word in (player.colour, player.letter, ("vertical", "horizontal")[player])
}


@main.command()
@_game_options
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--move", type=click.IntRange(1), metavar="N", help="The position before move N of FILE."
)
@click.option(
    "--to-move",
    type=click.Choice(tuple(_PLAYERS), case_sensitive=False),
    help="Who is to move, if not whose turn it is.",
)
@click.option("--seconds", type=_Seconds(0), help="Tell what is proven after so long.")
@click.option(
    "--checkpoint",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Save there now and then, and go on from what is there.",
)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for programs.")
def solve(
    game: Game,
    file: Path | None,
    move: int | None,
    to_move: str | None,
    seconds: float | None,
    checkpoint: Path | None,
    as_json: bool,
) -> None:
    """Tell the exact score and every best move.

    The score is V - H under best play: of the empty board, or of the game in the SGF FILE after
    its last move or before move N.
    Without --seconds it works until all is proven, memory is used up or it is interrupted; what
    is not proven by then is told as bounds. docs/solver.md says how it works.
    """
    from linage_bot.solver.errors import NotSolvable
    from linage_bot.solver.sums import check_solvable

    try:
        position = check_solvable(_position(game, file, move))
    except NotSolvable as error:
        raise UserError(f"solve: {error}") from None
    from linage_bot.solver import command

    if to_move is not None:
        position = command.with_mover(position, _PLAYERS[to_move.lower()])
    click.echo(command.solve(position, seconds, checkpoint, as_json=as_json))


def _position(game: Game, file: Path | None, move: int | None) -> Position:
    """The empty board, or a position of a recorded game."""
    from linage_bot.records import BadRecord, from_sgf

    if file is None:
        if move is not None:
            raise UserError("--move: a number of a move in which FILE?")
        return game.start()
    try:
        positions = from_sgf(file.read_bytes(), game).positions()
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}") from None
    except BadRecord as error:
        raise UserError(f"{file}: {error}") from None
    if move is None:
        return positions[-1]
    if move > len(positions):
        raise UserError(f"--move: the game has {len(positions) - 1} moves")
    return positions[move - 1]


# ---------------------------------------------------------------------------- measuring


@main.command()
@_game_options
@click.argument("depth", type=click.IntRange(0))
def perft(game: Game, depth: int) -> None:
    """Count the move sequences of each length up to DEPTH.

    A line is printed for each length.
    """
    start = game.start()
    for length in range(1, depth + 1):
        click.echo(f"{length} {count_sequences(start, length)}")


@main.command()
@_game_options
@click.option("--all", "every", is_flag=True, help="Every game at its default size.")
@click.option(
    "--run-seconds", type=_Seconds(0.01), default=0.5, show_default=True, help="Length of a run."
)
@click.option(
    "--runs", type=click.IntRange(1), default=5, show_default=True, help="The median counts."
)
@click.pass_context
def bench(context: click.Context, game: Game, every: bool, run_seconds: float, runs: int) -> None:
    """Measure playouts and search visits per second.

    Prints JSON. Without --size: playouts on 9, 13 and 19, search on 13 (or the game's default
    size).
    """
    from linage_bot.bench import report

    kind = type(game)
    if every:
        playouts = search = [each.configure() for each in GAMES.values()]
    elif context.params["size"] is None and kind.default_size == "15":
        playouts = [_resized(game, size) for size in ("9", "13", "19")]
        search = [_resized(game, "13")]
    else:
        playouts = search = [game]
    click.echo(json.dumps(report(playouts, search, run_seconds, runs), indent=2))


def _resized(game: Game, size: str) -> Game:
    return type(game).configure(size, game.komi, game.settings())


@main.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
def warm(names: tuple[str, ...]) -> None:
    """Compile the games now, all or those named.

    Then no first search has to wait.
    """
    from linage_bot.kernels.cache import cache_folder
    from linage_bot.search.loading import wait_for_kernel
    from linage_bot.solver.loading import wait_for_solver
    from linage_bot.solver.sums import is_solvable

    for name in names or GAMES:
        game = _game(name, None, None, ())
        wait_for_kernel(game, threading.Event())
        if is_solvable(game.start()):
            wait_for_solver(threading.Event())
        click.echo(f"{game.id}: ready")
    folder = cache_folder()
    click.echo(
        "nothing could be kept: no folder is writable" if folder is None else f"kept in {folder}"
    )
