"""A game as the site shows it beside the same in our terms, for `--explain`."""

from linage_bot.drawing import as_text
from linage_bot.servers.abstract_play.position import Phase, SitePosition

_SEATS = {1: "Vertical", 2: "Horizontal"}


def explain(site: SitePosition) -> str:
    """Both positions with what belongs to them, as lines of text."""
    return f"On the site:\n{_theirs(site)}\n\nIn our terms:\n{_ours(site)}\n"


def _theirs(site: SitePosition) -> str:
    game, position = site.position.game, site.position
    board = game.board
    width = len(str(board.rows))
    stones = {site.cell(point) for point in range(board.count) if position.stones >> point & 1}
    letters = [chr(ord("a") + column) for column in range(board.columns)]
    lines = [
        f"{row:>{width}} "
        + " ".join("X" if f"{letter}{row}" in stones else "." for letter in letters)
        for row in range(board.rows, 0, -1)
    ]
    taker = position.button_taker
    button = "there" if taker is None else f"taken by seat {site.seat_of(taker)}"
    facts = [f"size {board}, line {game.line}, ply {site.plies}, phase: {site.phase.value}"]
    if site.phase is not Phase.OVER:
        facts.append(f"seat {site.seat_to_move} ({_SEATS[site.seat_to_move]}) is to move")
    offer = "none yet" if site.offer is None else site.offer
    facts.append(f"komi offered: {offer}, button: {button}, passes: {position.passes}")
    return "\n".join([*lines, " " * (width + 1) + " ".join(letters), *facts])


def _ours(site: SitePosition) -> str:
    position = site.position
    names = position.game.players
    first, second = position.scores()
    facts = [
        f"{names[0]} (First) sits on seat {2 if site.transposed else 1}"
        + (", rows and columns exchanged" if site.transposed else ""),
        f"{names[position.to_move]} is to move, komi {position.game.komi:g} for {names[1]}",
        f"if play stopped now: {names[0]} {first:g}, {names[1]} {second:g}",
    ]
    return "\n".join([as_text(position), *facts])
