"""`linage-bot picture`: a position of a game as SVG, PNG or text; the game as GIF or as a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from linage_bot.cli.given import given_besides
from linage_bot.cli.options import Integer, UserError
from linage_bot.cli.reading import (
    STDIN,
    print_document,
    read_as,
    read_as_option,
    record_argument,
    write_bytes,
    write_text,
)
from linage_bot.rules.boards import Board, NoSuchPoint, Point
from linage_bot.rules.game import PASS, IllegalMove, Move, Position
from linage_bot.settings.playing import BOUNDS

if TYPE_CHECKING:
    from linage_bot.drawing import Mark

_WHOLE_GAMES = (".gif", ".html")
_KINDS = ("", ".svg", ".png", *_WHOLE_GAMES)


@click.command()
@record_argument
@click.argument("move", required=False, type=Integer(0))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The file to write, named .svg, .png, .gif or .html.",
)
@click.option("--text", "as_letters", is_flag=True, help="Print text instead of SVG.")
@click.option(
    "--owners/--no-owners", default=True, show_default=True, help="Colour areas by owner."
)
@click.option(
    "--last/--no-last", default=True, show_default=True, help="Mark the last move with a dot."
)
@click.option(
    "--coordinates/--no-coordinates",
    default=True,
    show_default=True,
    help="Names of rows and columns at the edges.",
)
@click.option("--numbers", is_flag=True, help="Number each stone by its move.")
@click.option(
    "--follow", type=Integer(1), metavar="N", help="Show the next N moves of the game, too."
)
@click.option("--line", metavar="MOVES", help="Show other moves to come: 'D4 E5 pass'.")
@click.option(
    "--mark",
    "marks",
    multiple=True,
    metavar="D4[=MARK]",
    help="Mark a point with a circle, cross, square or triangle; repeatable.",
)
@click.option(
    "--label", "labels", multiple=True, metavar="D4=TEXT", help="Write on a point; repeatable."
)
@click.option(
    "--arrow", "arrows", multiple=True, metavar="D4:E5", help="Draw an arrow; repeatable."
)
@click.option(
    "--search",
    type=Integer(1),
    metavar="VISITS",
    help="Colour points by the visits of a search, and write win rates on the best moves.",
)
@click.option(
    "--expect",
    type=Integer(1),
    metavar="GAMES",
    help="Mark the expected owner of each point, from this many random games.",
)
@click.option(
    "--seed",
    type=Integer(0, int(BOUNDS["seed"][1])),
    default=1,
    show_default=True,
    help="Random seed of --search and --expect.",
)
@click.option("--caption", metavar="TEXT", help="Text below the board.")
@read_as_option
def picture(
    file: Path,
    move: int | None,
    output: Path | None,
    as_letters: bool,
    owners: bool,
    last: bool,
    coordinates: bool,
    numbers: bool,
    follow: int | None,
    line: str | None,
    marks: Sequence[str],
    labels: Sequence[str],
    arrows: Sequence[str],
    search: int | None,
    expect: int | None,
    seed: int,
    caption: str | None,
    game: str | None,
) -> None:
    """Draw a position of a recorded game, or all of it.

    SVG and PNG show the position after move MOVE of FILE.sgf, by default after the last move.
    MOVE 0 is the start; FILE.sgf may be - for stdin. SVG adapts to light and dark mode. A GIF
    shows all positions up to MOVE, at most 400 of them. HTML is a page with the game up to MOVE
    to step through, its comments included, that needs no other file.
    """
    kind = _kind(output, as_letters=as_letters)
    if kind in (".png", ".gif"):
        from linage_bot.drawing.animation import gif
        from linage_bot.drawing.raster import png
    from linage_bot.drawing import Picture, as_text
    from linage_bot.review.overlays import owners_of, visits_and_win_rates

    record, positions = read_as(file, game)
    move = len(record.moves) if move is None else move
    if move > len(record.moves):
        raise UserError(f"MOVE: {move} is too large; the game has {len(record.moves)} moves")
    if follow is not None and line is not None:
        raise UserError("--line: cannot be used with --follow; leave out one of the two")
    position, board = positions[move], record.game.board
    if output is not None and kind in _WHOLE_GAMES:
        _check_plain(output)
        if kind == ".gif":
            write_bytes(output, gif(positions[: move + 1], record.moves[:move]))
        else:
            from linage_bot.review.record_page import record_page

            shown = record if move == len(record.moves) else record.until(move)
            write_text(output, record_page(shown, positions[: move + 1]))
        return
    if position.over and search is not None:
        raise UserError("--search: the game is over at this MOVE; choose an earlier one")
    dot = record.moves[move - 1] if last and move else None
    weights, rates = ({}, {}) if search is None else visits_and_win_rates(position, search, seed)
    if as_letters:
        drawn = as_text(position, dot) + "\n"
    else:
        drawn = Picture(
            position,
            caption,
            last=None if numbers else dot,
            marks=dict(_mark(board, word) for word in marks),
            labels={
                **rates,
                **(_numbers(position, record.moves[:move]) if numbers else {}),
                **dict(_label(board, word) for word in labels),
            },
            areas=None if owners else (),
            heat={} if expect is None else owners_of(position, expect, seed),
            weights=weights,
            line=record.moves[move : move + follow] if follow else _line(position, line or ""),
            arrows=tuple(_arrow(board, word) for word in arrows),
            coordinates=coordinates,
        ).svg()
    if output is None or str(output) == STDIN:
        if as_letters:
            click.echo(drawn, nl=False)
        else:
            print_document(drawn)
    elif kind == ".png":
        write_bytes(output, png(drawn))
    else:
        write_text(output, drawn)


def _kind(output: Path | None, *, as_letters: bool) -> str:
    """Return the ending of the output's name, in small letters; raise `UserError` for others."""
    kind = "" if output is None else output.suffix.lower()
    if kind not in _KINDS and not as_letters:
        endings = ", ".join(_KINDS[1:])
        raise UserError(f"-o: {output}: pictures end in {endings}; choose one, or add --text")
    if kind and kind in _KINDS and as_letters:
        raise UserError(f"--text: {output} is no text; leave it out, or name the file .txt")
    return kind


def _check_plain(output: Path) -> None:
    """Raise `UserError` if an option is given that a whole game does not support."""
    option = given_besides({"file", "move", "output", "game"})
    if option is not None:
        raise UserError(f"{option}: not available for a whole game; leave it out for {output}")


def _numbers(position: Position, moves: Sequence[Move]) -> dict[Point, str]:
    """Return the move number of each stone on the board that a move placed."""
    return {
        move: str(number)
        for number, move in enumerate(moves, 1)
        if move != PASS and position.stones >> move & 1
    }


def _point(option: str, board: Board, vertex: str) -> Point:
    try:
        return board.point(vertex.strip())
    except NoSuchPoint as error:
        raise UserError(f"{option}: {error}") from None


def _mark(board: Board, word: str) -> tuple[Point, Mark]:
    from linage_bot.drawing import MARKS

    vertex, _, name = word.partition("=")
    for mark in MARKS:
        if mark == (name.strip().lower() or MARKS[0]):
            return _point("--mark", board, vertex), mark
    raise UserError(f"--mark: there is no mark {name!r}; the marks are {', '.join(MARKS)}")


def _label(board: Board, word: str) -> tuple[Point, str]:
    from linage_bot.drawing import WIDEST_LABEL, text_width

    vertex, separator, text = word.partition("=")
    if not separator:
        raise UserError(f"--label: expected D4=TEXT, not {word!r}")
    if text_width(text) > WIDEST_LABEL:
        raise UserError(f"--label: {text!r} is too long; at most {WIDEST_LABEL} letters fit")
    return _point("--label", board, vertex), text


def _arrow(board: Board, word: str) -> tuple[Point, Point]:
    start, separator, end = word.partition(":")
    if not separator:
        raise UserError(f"--arrow: expected D4:E5, not {word!r}")
    return _point("--arrow", board, start), _point("--arrow", board, end)


def _line(position: Position, words: str) -> tuple[Move, ...]:
    """Read moves that the players may make in turn from here; raise `UserError`."""
    moves: list[Move] = []
    for word in words.split():
        move = PASS
        if word.lower() != "pass":
            move = _point("--line", position.game.board, word)
        try:
            position = position.play(move)
        except IllegalMove as error:
            raise UserError(f"--line: move {len(moves) + 1}, {error}") from None
        moves.append(move)
    return tuple(moves)
