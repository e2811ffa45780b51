"""A game in UGI's words: moves are vertices and `pass`, and the pie is two moves before them.

With the pie, p1 is the player that makes the offer, for either side: `komi=2.5`, or in games whose
pie is a stone its vertex, which is First's first move. p2 answers with the side it takes, `black`
(First) or `white` (Second). Then First, or after a stone Second, makes the next move.
"""

from __future__ import annotations

from typing import Final

import attrs

from linage_bot.rules.boards import NoSuchPoint
from linage_bot.rules.game import PASS, Game, IllegalMove, Player
from linage_bot.rules.history import History
from linage_bot.rules.options import BadOption, shortened
from protocol.session.arguments import parse_float
from protocol.session.errors import CommandFailed

OFFER, CHOICE, NO_PIE = "offer", "choice", ""
_KOMI: Final = "komi="
_SIDES: Final = {"black": Player.FIRST, "white": Player.SECOND}


@attrs.frozen
class UgiGame:
    """The state of a game; `play` returns the next one.

    `to_come` is the next step of the pie, `p1` the side of UGI's first player.
    """

    history: History
    to_come: str = NO_PIE
    p1: Player = Player.FIRST

    @classmethod
    def start(cls, game: Game, *, pie: bool) -> UgiGame:
        """Return the state before the first move, with the pie if wanted and the game has one."""
        return cls(History(game), OFFER if pie and game.pie != "none" else NO_PIE)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.to_come and self.history.position.over

    @property
    def p1_turn(self) -> bool:
        """Whether it is the first player's turn."""
        if self.to_come:
            return self.to_come == OFFER
        return self.history.position.to_move is self.p1

    @property
    def result(self) -> str:
        """The result of the game as UGI writes it."""
        if not self.over:
            return "none"
        winner = self.history.position.result().winner
        return "draw" if winner is None else "p1win" if winner is self.p1 else "p2win"

    def play(self, word: str) -> UgiGame:
        """Return the game after a move; raises `CommandFailed`."""
        if self.to_come == OFFER and self.history.game.pie == "komi":
            return attrs.evolve(self, history=self._with_komi(word), to_come=CHOICE)
        if self.to_come == CHOICE:
            side = _SIDES.get(word.lower())
            if side is None:
                raise CommandFailed(f"{shortened(word)!r} is neither black nor white")
            return attrs.evolve(self, to_come=NO_PIE, p1=side.other)
        try:
            history = self.history.play(word)
        except (IllegalMove, NoSuchPoint) as error:
            raise CommandFailed(str(error)) from None
        if self.to_come == OFFER and history.moves[-1] == PASS:
            raise CommandFailed("pass: the offer must be a stone, not a pass")
        return attrs.evolve(self, history=history, to_come=CHOICE if self.to_come else NO_PIE)

    def _with_komi(self, word: str) -> History:
        if not word.lower().startswith(_KOMI):
            raise CommandFailed(f"{shortened(word)!r} is not an offer such as {_KOMI}2.5")
        try:
            return History(attrs.evolve(self.history.game, komi=parse_float(word[len(_KOMI) :])))
        except BadOption as error:
            raise CommandFailed(str(error)) from None


def komi_in_words(komi: float) -> str:
    """Return the word that offers a komi."""
    return f"{_KOMI}{komi:g}"
