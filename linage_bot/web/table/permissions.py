"""The actions that are open to each person at a table that two people share.

While the game runs, its players make their moves or resign, and hints and analysis are off.
Afterwards the main line is fixed, and most other actions are open to the players. Other people are
viewers.
"""

from typing import Final

from linage_bot.web.table import controls, moves
from linage_bot.web.table.actions import (
    Choose,
    LookAt,
    NamePerson,
    Offer,
    Pace,
    PageAction,
    Pause,
    PlayMove,
    Redo,
    Resign,
    Sit,
    SwitchAnalysis,
    Undo,
)
from linage_bot.web.table.errors import check
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.seats import CLOSED
from linage_bot.web.table.view import View

_MOVES: Final = (PlayMove, Offer, Choose)


def apply_permitted(
    action: PageAction, game: TableGame, view: View, holder: str
) -> tuple[TableGame, View]:
    """Return the game and a page's view after a person's action. Raise `ActionRefused`.

    `holder` is the hash of the person's secret, empty without one. It matters at a shared table
    only.
    """
    if game.seats is None:
        return action.apply(game, view)
    seat = game.seats.seat_of(holder)
    _check_open(action, seat, game.turn)
    if isinstance(action, Resign):
        after = moves.resign(game, seat=seat)
        return after, view.after(game, after)
    if isinstance(action, NamePerson):
        return controls.name_person(game, action.name, seat=seat), view
    after, view = action.apply(game, view)
    if game.over:
        stays = after.over and after.node == game.node
        check(stays, "the game is over and cannot be changed")
    elif isinstance(action, PlayMove):
        check(after.node != game.node, "no variations while the game runs")
    return after, view


def _check_open(action: PageAction, seat: int | None, turn: int | None) -> None:
    """Raise `ActionRefused` for an action that a person may not do at a shared table.

    `seat` is the person's, None for a viewer; `turn` is the seat to act, None when the game is
    over.
    """
    running = turn is not None
    if isinstance(action, LookAt) or (isinstance(action, SwitchAnalysis) and not running):
        return
    check(seat is not None, "only the two players can play here")
    if not running:
        closed = isinstance(action, Sit | Pace)
        check(not closed, "the game is over and cannot be changed")
    elif isinstance(action, _MOVES):
        check(seat == turn, "it is the other's turn")
    else:
        undoing = isinstance(action, Undo | Redo)
        check(not undoing, "nothing is taken back at a table of two")
        # After a failed search, the engine has to be resumed by hand.
        check(isinstance(action, Resign | Pause | NamePerson), CLOSED)
