"""What a person can do at a table, as values."""

import attrs

from linage_bot.rules.game import Move, Player
from linage_bot.web.seats import Seat


@attrs.frozen
class Play:
    """A move, the `number`th of the game as the page saw it."""

    move: Move
    number: int


@attrs.frozen
class Undo:
    """Take back moves until it is a person's turn again, or a resignation."""


@attrs.frozen
class Redo:
    """Make moves again that were taken back, until it is a person's turn."""


@attrs.frozen
class Resign:
    """The person to move gives up, or the only person there is."""


@attrs.frozen
class Look:
    """Look at the position after so many moves."""

    at: int


@attrs.frozen
class PlayOn:
    """Go back to the position looked at, to play on from there."""


@attrs.frozen
class Pause:
    """Hold the engines, or let them play on."""

    on: bool


@attrs.frozen
class Sit:
    """Another player for one side, in the middle of a game too."""

    player: Player
    seat: Seat


@attrs.frozen
class OfferKomi:
    """The komi that a pie begins with."""

    komi: float


@attrs.frozen
class TakeSide:
    """The side that is chosen of a pie's offer."""

    player: Player


@attrs.frozen
class ShowAnalysis:
    """What the engine is to think of the position looked at, and whether of owners too."""

    on: bool
    ownership: bool


Deed = Play | Undo | Redo | Resign | Look | PlayOn | Pause | Sit | OfferKomi | TakeSide
"""What changes the game, its players, or what of it is looked at."""

Action = Deed | ShowAnalysis
