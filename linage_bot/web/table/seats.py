"""Seats that one person alone plays from, at a table that two share by links.

Whoever opens a seat's link first has the seat, and keeps it by a secret of their browser; of words
and secrets only hashes are known here. While the game runs its players make their moves or resign,
and nobody at the table is helped; then it stays as it was played, and all else is open to them.
Others look on.
"""

from __future__ import annotations

import hashlib
from typing import Final

import attrs

from linage_bot.web.table.errors import ActionRefused, check

_OPEN_TO_ALL: Final = ("look",)
_OPEN_TO_ALL_AFTERWARDS: Final = ("look", "analyse")
_MOVES: Final = ("play", "offer", "choose")
_CLOSED_AFTERWARDS: Final = ("sit", "pace")
CLOSED: Final = "that is closed while the game runs, to be fair to both"


def hashed(word: str) -> str:
    """What is kept of a secret: it is long and random, so this cannot be turned back."""
    return hashlib.sha256(word.encode("utf-8", "replace")).hexdigest()


@attrs.frozen
class Seat:
    """A person's; both are hashes, and empty if there is no such word, or nobody yet."""

    invitation: str = ""
    holder: str = ""


@attrs.frozen
class Seats:
    """First's and Second's chairs, in a pie those of who offers and who chooses.

    An engine has none.
    """

    chairs: tuple[Seat | None, Seat | None]

    def seat_of(self, holder: str) -> int | None:
        """Where somebody sits, by the hash of their secret; None: they look on."""
        holders = [chair.holder if chair else "" for chair in self.chairs]
        return holders.index(holder) if holder and holder in holders else None

    def taken(self, invitation: str, holder: str) -> Seats:
        """With a chair taken by its link, both as hashes; raises `ActionRefused`."""
        for number, chair in enumerate(self.chairs):
            if chair is not None and chair.invitation == invitation != "":
                if chair.holder == holder:
                    return self  # asked again, for the answer was lost
                check(not chair.holder, "somebody else has this seat already: you look on")
                check(self.seat_of(holder) is None, "you have the other seat already")
                chairs = list(self.chairs)
                chairs[number] = attrs.evolve(chair, holder=holder)
                return Seats((chairs[0], chairs[1]))
        raise ActionRefused("this link gives no seat at this table")

    def turned(self) -> Seats:
        """With the chairs exchanged."""
        return Seats((self.chairs[1], self.chairs[0]))


def check_may(word: str, seat: int | None, turn: int | None) -> None:
    """Raises `ActionRefused` for what somebody may not do at a shared table.

    `turn` is the seat that is to act, None when the game is over.
    """
    running = turn is not None
    if word in (_OPEN_TO_ALL if running else _OPEN_TO_ALL_AFTERWARDS):
        return
    check(seat is not None, "you look on: only who has a seat can do that")
    if not running:
        check(word not in _CLOSED_AFTERWARDS, "the game is over: it stays as it was played")
    elif word in _MOVES:
        check(seat == turn, "it is the other's turn")
    else:
        check(word not in ("undo", "redo"), "nothing is taken back at a table of two")
        # An engine that has failed has to be told to go on.
        check(word in ("resign", "pause"), CLOSED)
