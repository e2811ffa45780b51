"""`linage-bot solve`: exact values."""

from pathlib import Path

import click

from linage_bot.cli.options import Seconds, UserError, game_options
from linage_bot.cli.reading import read_record
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
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for programs.")
def solve(
    game: Game,
    file: Path | None,
    move: int | None,
    to_move: str | None,
    seconds: float | None,
    checkpoint: Path | None,
    recompute: bool,
    fair_komi: bool,
    games: int | None,
    visits: int,
    as_json: bool,
) -> None:
    """Tell the exact score and every best move.

    The score is V - H under best play: of the empty board, or of the game in the SGF FILE after
    its last move or before move N. In the other games it is the first player's points less the
    second's, or who wins. They are solved on small boards only.
    Large boards that are known are answered from a table.
    Without --seconds it works until all is proven, memory is used up or it is interrupted; what
    is not proven by then is told as bounds. docs/solver.md says how it works.
    """
    if fair_komi:
        from linage_bot.cli import even

        if file is not None or to_move is not None:
            raise UserError("--fair-komi: is of the empty board, First to move")
        click.echo(even.tell(game, games, visits, as_json=as_json))
        return
    if games is not None:
        raise UserError("--games: for what? Only --fair-komi plays games")
    position = _position(game, file, move)
    from linage_bot.engine.solver import command
    from linage_bot.engine.solver.errors import NotSolvable
    from linage_bot.engine.solver.known import with_mover

    if to_move is not None:
        try:
            position = with_mover(position, _PLAYERS[to_move.lower()])
        except NotSolvable as error:
            raise UserError(f"--to-move: {error}") from None
    try:
        told = command.solve(position, seconds, checkpoint, as_json=as_json, recompute=recompute)
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
