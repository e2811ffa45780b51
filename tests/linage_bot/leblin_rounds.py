"""Games of Leblin on 5x5 in which the player to move can go back to where the game has been."""

from linage_bot.rules import GAMES
from linage_bot.rules.history import History

LOSING = "A1 C2 C4 E5 D5 A4 D1 B3 A3 B4 E2 C3 A2 E4 B1 E3 A5 D4 C5 E1"
"""All other moves lose; the way back is E2."""
WINNING = "D5 B2 D2 C5 B4 D4 E3 C1 B5 C3 E4 A1 C4 A5 C5 A2 E1 C2 A4 E2"
"""Some other move wins; the way back is E1."""

BOTH_WAYS = "D1 D4 A5 B3 B1 D2 E3 D3 A3 C1 B5 A1 D5 B2 C4 A4 C5 B1 E5 C2 A2 E1 D1 A4 A2"
"""The third time that the game stands so, after E1 and A4, which both lead back; others win."""


def played(moves: str) -> History:
    history = History(GAMES["leblin"].configure("5"))
    for word in moves.split():
        history = history.play(word)
    return history
