"""A client's games, each told by its moves: queries about one game share its positions."""

from collections.abc import Sequence

import attrs

from linage_bot.rules.game import Game, Move, Player
from linage_bot.rules.history import History, Setup
from linage_bot.rules.known_positions import KnownPositions


class KnownGames:
    """The games asked about last. What was thought of a game serves the next query about it."""

    def __init__(self) -> None:
        self._known = KnownPositions()

    def history(self, game: Game, setup: Setup, begins: Player, moves: Sequence[Move]) -> History:
        """Return the game so far; raises `IllegalMoveAt`, and `ImpossibleSetup` for the setup."""
        start = History(game, setup, begins)
        positions = self._known.of(start.position, moves)
        return attrs.evolve(start, moves=tuple(moves), positions=positions)
