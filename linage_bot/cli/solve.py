"""`linage-bot solve`: exact values, as text or JSON, with progress on stderr."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from linage_bot.cli.clusters import cluster_at, cluster_option
from linage_bot.cli.given import given_besides
from linage_bot.cli.options import FiniteNumber, Integer, UserError, game_options
from linage_bot.cli.reading import read_record, write_text
from linage_bot.rules.game import Game, Move, Player, Position

if TYPE_CHECKING:
    from linage_bot.engine.solver.proven_values import Interval
    from linage_bot.engine.solver.report import SolverReport
    from linage_bot.engine.solver.solving import Solving
    from linage_bot.jobs.executor import Executor

_PROGRESS_SECONDS = 2.0  # between lines of progress where stderr is no terminal
_MOST_EXPECTED_NODES = 1e13  # weeks of search: for more, no end is shown
# The parameters that have a meaning with --fair-komi.
_OF_FAIR_KOMI = {"name", "size", "komi", "settings", "fair_komi", "games", "visits", "as_json"}
_PLAYERS = {
    word: player
    for player in Player
    for word in (player.colour, player.letter, ("vertical", "horizontal")[player])
}


@click.command()
@game_options
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--move", type=Integer(1), metavar="N", help="Solve the position before move N of FILE."
)
@click.option(
    "--to-move",
    type=click.Choice(tuple(_PLAYERS), case_sensitive=False),
    help="The player to move, if it is not the player whose turn it is.",
)
@click.option(
    "--seconds",
    type=FiniteNumber(0),
    help="Stop after this time and print the bounds proven by then.",
)
@click.option(
    "--checkpoint",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Save the search regularly in this folder, and resume it from there.",
)
@click.option(
    "--memory",
    type=Integer(1),
    default=6144,
    show_default=True,
    metavar="MIB",
    help="Most memory for the search's table of results.",
)
@click.option(
    "--threads",
    type=Integer(1),
    default=1,
    show_default=True,
    help="Threads of the search, with one shared table; in Linage only.",
)
@click.option(
    "--score-only",
    is_flag=True,
    help="Prove the score and no moves, which takes about half of the nodes.",
)
@click.option(
    "--recompute", is_flag=True, help="Solve an empty board even if the shipped table has it."
)
@click.option(
    "--fair-komi",
    is_flag=True,
    help="Print the komi, or the first stones, that make the game even, in place of a score.",
)
@click.option(
    "--games",
    type=Integer(2),
    metavar="N",
    help="With --fair-komi: find it by playing N games (N after each kind of first stone).",
)
@click.option(
    "--visits",
    type=Integer(1),
    default=200,
    show_default=True,
    help="With --games: search visits per move.",
)
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the board to FILE, with the best moves and the points that each other move loses.",
)
@cluster_option
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def solve(
    game: Game,
    file: Path | None,
    move: int | None,
    to_move: str | None,
    seconds: float | None,
    checkpoint: Path | None,
    memory: int,
    threads: int,
    score_only: bool,
    recompute: bool,
    fair_komi: bool,
    games: int | None,
    visits: int,
    svg: Path | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Print the exact score and every best move.

    The score is the first player's points minus the second's under best play (in Linage V - H:
    Vertical's minus Horizontal's), or the winner in games without points. It is that of the empty
    board, or of the game in the SGF FILE after its last move or before move N.
    A table answers for some large boards. Otherwise Linage is searched, and the other games on
    small boards only. Without --seconds the search runs until everything is proven or it is
    interrupted; scores that are not proven by then are printed as bounds. With less --memory
    Linage takes longer; the other games, and Linage with the button, stop when the memory is used
    up. docs/solver.md says more.
    """
    if fair_komi:
        from linage_bot.cli import even

        if file is not None or to_move is not None:
            raise UserError("--fair-komi: needs the empty board; leave out FILE and --to-move")
        if svg is not None:
            raise UserError("--svg: --fair-komi finds no moves to draw; leave out one of the two")
        other = given_besides(_OF_FAIR_KOMI)
        if other is not None:
            raise UserError(f"{other}: --fair-komi solves nothing; leave out one of the two")
        click.echo(even.even_report(game, games, visits, as_json=as_json))
        return
    if games is not None:
        raise UserError("--games: only --fair-komi plays games; add it, or leave out --games")
    position = _position(game, file, move)
    from linage_bot.engine.jit.address_space import check_room_for_code

    check_room_for_code()
    from linage_bot.engine.solver import run
    from linage_bot.engine.solver.display import picture, shown
    from linage_bot.engine.solver.errors import NotSolvable
    from linage_bot.engine.solver.proven_values import with_mover
    from linage_bot.engine.solver.report import report_from_table, to_json, to_text

    if to_move is not None:
        try:
            position = with_mover(position, _PLAYERS[to_move.lower()])
        except NotSolvable as error:
            raise UserError(f"--to-move: {error}") from None
    if cluster is not None and (seconds is not None or checkpoint is not None):
        raise UserError("--cluster: does not support --seconds or --checkpoint; leave them out")
    if cluster is not None and score_only:
        raise UserError("--cluster: its workers solve moves; leave out --score-only")
    if svg is not None and score_only:
        raise UserError("--svg: --score-only finds no moves to draw; leave out one of the two")
    if cluster is not None and position.over:
        raise UserError("--cluster: the game is over and has no moves to solve; leave it out")
    try:
        with cluster_at(cluster, max(1, (os.cpu_count() or 1) // threads)) as executor:
            report = None if recompute else report_from_table(position)
            if report is None and executor is not None:
                report = _solve_moves(executor, position, memory << 20, threads)
        if report is None:
            saving = contextlib.nullcontext() if checkpoint is None else _saved_when_terminated()
            with saving, _progress(position, score_only=score_only) as watch:
                report = run.solve(
                    position,
                    seconds=seconds,
                    checkpoint=checkpoint,
                    most_bytes=memory << 20,
                    threads=threads,
                    both=not as_json and not score_only,
                    score_only=score_only,
                    watch=watch,
                )
    except NotSolvable as error:
        raise UserError(f"solve: {error}") from None
    if svg is not None:
        write_text(svg, picture(report).svg())
    click.echo(to_json(report) if as_json else f"{shown(report)}\n\n{to_text(report)}")


def _position(game: Game, file: Path | None, move: int | None) -> Position:
    """Return the empty board, or a position of a recorded game."""
    if file is None:
        if move is not None:
            raise UserError("--move: needs a FILE with a recorded game")
        return game.start()
    _, positions = read_record(file, game)
    if move is None:
        return positions[-1]
    if move > len(positions):
        raise UserError(f"--move: {move} is too large; the game has {len(positions) - 1} moves")
    return positions[move - 1]


def _solve_moves(
    executor: Executor, position: Position, most_bytes: int, threads: int
) -> SolverReport:
    """Solve with the workers of a cluster; print each move's score to stderr when it is known."""
    from linage_bot.jobs.solving import solve_moves

    def show(move: Move, span: Interval) -> None:
        print(f"{position.name_of(move)} gets {span.low:+g}", file=sys.stderr, flush=True)

    return solve_moves(executor, position, most_bytes=most_bytes, threads=threads, solved=show)


@contextlib.contextmanager
def _saved_when_terminated() -> Iterator[None]:
    """Let SIGTERM end the search as Ctrl-C does, with bounds and a checkpoint.

    Job schedulers and `timeout` send it, and a background job of a script ignores Ctrl-C.
    """
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _progress(position: Position, *, score_only: bool) -> Iterator[Callable[[Solving], None]]:
    """Show the progress of a search: a bar on a terminal, elsewhere an occasional line on stderr.

    Yield a function to call with the search after each of its slices.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from linage_bot.engine.solver.run import expected_nodes

    expected = expected_nodes(position, score_only=score_only)
    total = None if expected is None or expected > _MOST_EXPECTED_NODES else expected
    mover = position.game.players[position.to_move]
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[nodes]}"),
        TimeRemainingColumn(),
    )
    shown = console.is_terminal
    started = printed = time.monotonic()
    with Progress(*columns, console=console, transient=True, disable=not shown) as bars:
        bar = bars.add_task("", total=total, nodes="")

        def watch(solving: Solving) -> None:
            nonlocal printed
            now = time.monotonic()
            if not shown and now - printed < _PROGRESS_SECONDS:
                return
            printed, done = now, solving.nodes
            low, high = (
                bound / solving.per_point for bound in (solving.value.low, solving.value.high)
            )
            gets = f"{mover} gets {low:+g} to {high:+g}"
            nodes = f"{done / 1e6:.1f} million nodes ({done / (now - started):.0f}/s)"
            if shown:
                if expected is not None and done > expected:
                    bars.tasks[bar].total = None  # the remaining time is unknown
                bars.update(bar, completed=done, description=gets, nodes=nodes)
            else:
                of = "" if total is None else f" of about {total / 1e6:.1f} million"
                print(f"{gets}, {now - started:.0f} s, {nodes}{of}", file=sys.stderr, flush=True)

        yield watch
