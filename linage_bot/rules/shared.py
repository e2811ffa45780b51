"""A cache of a client's games, so that queries about one game share its positions."""

from collections.abc import Sequence

import attrs

from linage_bot.rules.game import Game, Move, Player
from linage_bot.rules.history import History, Setup
from linage_bot.rules.known_positions import KnownPositions


class KnownGames:
    """A cache of recently queried games, so that a later query can reuse a game's search."""

    def __init__(self) -> None:
        self._known = KnownPositions()

    def history(self, game: Game, setup: Setup, begins: Player, moves: Sequence[Move]) -> History:
        """Return the game so far; raises `IllegalMove`, and `ImpossibleSetup` for the setup."""
        start = History(game, setup=setup, begins=begins)
        positions = self._known.of(start.position, moves)
        return attrs.evolve(start, moves=tuple(moves), positions=positions)
