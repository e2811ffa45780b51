"""`linage-bot solve`: exact values."""

import functools
import os
from pathlib import Path

import click

from linage_bot.cli.clusters import cluster_option, crew_at
from linage_bot.cli.options import Seconds, UserError, game_options
from linage_bot.cli.reading import read_record, write_text
from linage_bot.rules.game import Game, Player, Position

_PLAYERS = {
    word: player
    for player in Player
    for word in (player.colour, player.letter, ("vertical", "horizontal")[player])
}


@click.command()
@game_options
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--move", type=click.IntRange(1), metavar="N", help="The position before move N of FILE."
)
@click.option(
    "--to-move",
    type=click.Choice(tuple(_PLAYERS), case_sensitive=False),
    help="Who is to move, if not whose turn it is.",
)
@click.option("--seconds", type=Seconds(0), help="Tell what is proven after so long.")
@click.option(
    "--checkpoint",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Save there now and then, and go on from what is there.",
)
@click.option(
    "--memory",
    type=click.IntRange(1),
    default=6144,
    show_default=True,
    metavar="MIB",
    help="How large the table may become in which the search keeps what it finds.",
)
@click.option(
    "--threads",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Search Linage with so many, in one table.",
)
@click.option(
    "--recompute", is_flag=True, help="Solve an empty board even if the shipped table has it."
)
@click.option(
    "--fair-komi", is_flag=True, help="Tell the even komi, or first stone, in place of a score."
)
@click.option(
    "--games",
    type=click.IntRange(2),
    metavar="N",
    help="With --fair-komi: play so many games (after each kind of first stone) to find it.",
)
@click.option(
    "--visits",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="A move of these games.",
)
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the board with its best moves, and what others lose, into this file.",
)
@cluster_option
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for programs.")
def solve(
    game: Game,
    file: Path | None,
    move: int | None,
    to_move: str | None,
    seconds: float | None,
    checkpoint: Path | None,
    memory: int,
    threads: int,
    recompute: bool,
    fair_komi: bool,
    games: int | None,
    visits: int,
    svg: Path | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Tell the exact score and every best move.

    The score is V - H under best play: of the empty board, or of the game in the SGF FILE after
    its last move or before move N. In the other games it is the first player's points less the
    second's, or who wins. They are solved on small boards only.
    Large boards that are known are answered from a table.
    Without --seconds it works until all is proven or it is interrupted; what is not proven by then
    is told as bounds. With less --memory Linage takes longer; the other games, and Linage with the
    button, stop where it is used up. docs/solver.md says how it works.
    """
    if fair_komi:
        from linage_bot.cli import even

        if file is not None or to_move is not None:
            raise UserError("--fair-komi: is of the empty board, First to move")
        if svg is not None:
            raise UserError("--svg: draws best moves, which --fair-komi does not tell")
        click.echo(even.tell(game, games, visits, as_json=as_json))
        return
    if games is not None:
        raise UserError("--games: for what? Only --fair-komi plays games")
    position = _position(game, file, move)
    from linage_bot.engine.jit.room import check_room_for_code

    check_room_for_code()
    from linage_bot.engine.solver import command
    from linage_bot.engine.solver.errors import NotSolvable
    from linage_bot.engine.solver.known import with_mover

    draw = None if svg is None else functools.partial(write_text, svg)
    if to_move is not None:
        try:
            position = with_mover(position, _PLAYERS[to_move.lower()])
        except NotSolvable as error:
            raise UserError(f"--to-move: {error}") from None
    if cluster is not None and (seconds is not None or checkpoint is not None):
        raise UserError("--cluster: answers every move, without --seconds or --checkpoint")
    if cluster is not None and position.over:
        raise UserError("--cluster: the game is over, there are no moves")
    try:
        with crew_at(cluster, max(1, (os.cpu_count() or 1) // threads)) as crew:
            told = command.solve(
                position,
                seconds,
                checkpoint,
                most_bytes=memory << 20,
                threads=threads,
                as_json=as_json,
                recompute=recompute,
                draw=draw,
                crew=crew,
            )
    except NotSolvable as error:
        raise UserError(f"solve: {error}") from None
    click.echo(told)


def _position(game: Game, file: Path | None, move: int | None) -> Position:
    """The empty board, or a position of a recorded game."""
    if file is None:
        if move is not None:
            raise UserError("--move: a number of a move in which FILE?")
        return game.start()
    _, positions = read_record(file, game)
    if move is None:
        return positions[-1]
    if move > len(positions):
        raise UserError(f"--move: the game has {len(positions) - 1} moves")
    return positions[move - 1]
