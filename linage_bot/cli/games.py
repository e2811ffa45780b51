"""`linage-bot games`, `perft`, `bench` and `warm`: a list of the games, counts and measurements."""

import json

import click

from linage_bot.cli.options import FiniteNumber, Integer, game_options, known_game
from linage_bot.rules import GAMES
from linage_bot.rules.game import Game
from linage_bot.rules.game import perft as count_sequences
from linage_bot.rules.options import format_option


@click.command()
def games() -> None:
    """List the games, their sizes, komi and options."""
    for game in GAMES.values():
        komi = "no komi" if game.komi_step is None else f"komi {game.default_komi:g}"
        click.echo(f"{game.id}: {game.name}, {game.author}, {game.year}")
        click.echo(f"    size {game.default_size}, {komi}, pie: {game.pie}")
        for name, option in game.options().items():
            default = format_option(option.default)
            click.echo(f"    {name}={default} ({option.values}): {option.help}")


@click.command()
@game_options
@click.argument("depth", type=Integer(0))
def perft(game: Game, depth: int) -> None:
    """Count the move sequences of each length up to DEPTH.

    Print one line for each length.
    """
    start = game.start()
    for length in range(1, depth + 1):
        click.echo(f"{length} {count_sequences(start, length)}")


@click.command()
@game_options
@click.option("--all", "every", is_flag=True, help="Measure every game at its default size.")
@click.option(
    "--run-seconds",
    type=FiniteNumber(0.01),
    default=0.5,
    show_default=True,
    help="Length of each measurement.",
)
@click.option(
    "--runs",
    type=Integer(1),
    default=5,
    show_default=True,
    help="Measurements of each number; the median is printed.",
)
@click.pass_context
def bench(context: click.Context, game: Game, every: bool, run_seconds: float, runs: int) -> None:
    """Measure playouts and search visits per second.

    The result is printed as JSON. Without --size, playouts are measured on sizes 9, 13 and 19 and
    the search on 13; games of another default size are measured on that size only.
    """
    from linage_bot.engine.bench import report

    kind = type(game)
    if every:
        playouts = search = [each.configure() for each in GAMES.values()]
    elif context.params["size"] is None and kind.default_size == "15":
        sizes = "9", "13", "19"
        playouts = [kind.configure(size, game.komi, game.settings()) for size in sizes]
        search = playouts[1:2]
    else:
        playouts = search = [game]
    click.echo(json.dumps(report(playouts, search, run_seconds, runs), indent=2))


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
def warm(names: tuple[str, ...]) -> None:
    """Compile all games now, or the named ones.

    Their solvers are compiled, too. Then the first search does not have to wait.
    """
    from linage_bot.cli.compiling import compiling_shown
    from linage_bot.engine.jit.cache_folder import cache_folder
    from linage_bot.engine.kernels import NoKernel
    from linage_bot.engine.warming import warm as compile_in_advance

    for name in names or GAMES:
        game = known_game(name, "warm").configure()
        try:
            with compiling_shown(game):
                compile_in_advance(game)
        except NoKernel as error:
            click.echo(f"{game.id}: {error}")
        else:
            click.echo(f"{game.id}: ready")
    from linage_bot.engine.jit.code_cache import SHIPPED  # not earlier: it imports Numba

    if SHIPPED is not None:
        click.echo(f"some compiled code came with linage-bot, in {SHIPPED[0]}")
    folder = cache_folder()
    click.echo(
        "not stored: no cache folder is writable" if folder is None else f"stored in {folder}"
    )
