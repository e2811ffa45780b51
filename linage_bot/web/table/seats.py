"""The seats of a table that two people share by links; each seat belongs to one person.

The first person to open a seat's link gets the seat, and keeps it by a secret in their browser.
Only hashes of link words and secrets are stored. `permissions` has the actions that are open to
each person.
"""

from __future__ import annotations

import hashlib
from typing import Final

import attrs

from linage_bot.web.table.errors import ActionRefused, check

MOST_LETTERS: Final = 40  # of a name
CLOSED: Final = "that is closed while the game runs, to be fair to both"


def hashed(word: str) -> str:
    """Return the hash of a secret, which is long and random, so that the hash is irreversible."""
    return hashlib.sha256(word.encode("utf-8", "replace")).hexdigest()


@attrs.frozen
class Seat:
    """A person's seat, with the name that the person chose.

    `invitation` and `holder` are hashes, empty if there is no link or the seat is free.
    """

    invitation: str = ""
    holder: str = ""
    name: str = ""


@attrs.frozen
class Seats:
    """First's and Second's seats; during a pie, those of the offerer and the chooser.

    An engine's seat is None.
    """

    by_player: tuple[Seat | None, Seat | None]

    def seat_of(self, holder: str) -> int | None:
        """Return the number of a person's seat by the hash of their secret; None: a viewer."""
        holders = [seat.holder if seat else "" for seat in self.by_player]
        return holders.index(holder) if holder and holder in holders else None

    def taken(self, invitation: str, holder: str) -> Seats:
        """Return the seats with one taken by its link. Both are hashes. Raise `ActionRefused`."""
        for number, seat in enumerate(self.by_player):
            if seat is not None and seat.invitation == invitation != "":
                if seat.holder == holder:
                    return self  # a repeated request, as the response was lost
                check(not seat.holder, "another person has this seat already: you are watching")
                check(self.seat_of(holder) is None, "you have the other seat already")
                by_player = list(self.by_player)
                by_player[number] = attrs.evolve(seat, holder=holder)
                return Seats((by_player[0], by_player[1]))
        raise ActionRefused("this link gives no seat at this table")

    def named(self, number: int, name: str) -> Seats:
        """Return the seats with the name of one person. Raise `ActionRefused` for a long name."""
        check(len(name) <= MOST_LETTERS, f"a name has at most {MOST_LETTERS} letters")
        seat = self.by_player[number]
        assert seat is not None
        by_player = list(self.by_player)
        by_player[number] = attrs.evolve(seat, name=" ".join(name.split()))
        return Seats((by_player[0], by_player[1]))

    def turned(self) -> Seats:
        """Return the seats exchanged."""
        return Seats((self.by_player[1], self.by_player[0]))
