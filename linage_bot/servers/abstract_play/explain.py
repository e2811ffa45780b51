"""A game as the site shows it beside the same game in our terms, for `--explain`."""

from linage_bot.drawing import as_text
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Player
from linage_bot.servers.abstract_play.position import Phase, SitePosition

_SEATS = {1: "Vertical", 2: "Horizontal"}


def explain(site: SitePosition) -> str:
    """Return both positions and their details as lines of text."""
    position, seat = site.position, site.seat_to_move
    game, names, (first, second) = position.game, position.game.players, position.scores()
    taker = position.button_taker
    button = "there" if taker is None else f"taken by seat {site.seat_of(taker)}"
    offer = "none yet" if site.offer is None else site.offer
    to_move = "" if site.phase is Phase.OVER else f"seat {seat} ({_SEATS[seat]}) is to move\n"
    exchanged = ", rows and columns exchanged" if site.transposed else ""
    return f"""\
On the site:
{_board(site)}
size {game.board}, line {game.line}, ply {site.plies}, phase: {site.phase.value}
{to_move}komi offered: {offer}, button: {button}, passes: {position.passes}

Our position:
{as_text(position)}
{names[0]} (First) sits on seat {site.seat_of(Player.FIRST)}{exchanged}
{names[position.to_move]} is to move, komi {game.komi:g} for {names[1]}
if play stopped now: {names[0]} {first:g}, {names[1]} {second:g}
"""


def _board(site: SitePosition) -> str:
    """Return the board as text, with the site's names of rows and columns."""
    board, width = site.position.game.board, len(str(site.position.game.board.rows))
    stones = {site.cell(point) for point in bits(site.position.stones)}
    letters = [chr(ord("a") + column) for column in range(board.columns)]
    lines = [
        f"{row:>{width}} "
        + " ".join("X" if f"{letter}{row}" in stones else "." for letter in letters)
        for row in range(board.rows, 0, -1)
    ]
    return "\n".join([*lines, " " * (width + 1) + " ".join(letters)])
