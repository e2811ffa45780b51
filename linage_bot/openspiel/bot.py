"""The engine as an OpenSpiel bot."""

from typing import Any, Self

import pyspiel

from linage_bot import PASS, Engine, FairPie
from linage_bot.openspiel.planes import stage_of
from linage_bot.openspiel.stages import SpielPhase


class EngineBot(pyspiel.Bot):
    """A bot that plays either side of any of the games, and keeps its tree during a game.

    It never resigns: OpenSpiel has no such action. Close it, or use it in a `with` statement.
    """

    def __init__(self, **settings: Any) -> None:
        """Create an engine with these settings: `seconds`, `visits`, `level`, `threads`, `seed` ...

        Raises `TypeError` for an unknown setting, `ValueError` for a value out of bounds.
        """
        super().__init__()
        self.engine = Engine(**settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the engine."""
        self.engine.close()

    def restart(self) -> None:
        """Start a new game; with a seed, games repeat."""
        self.engine.new_game()

    def restart_at(self, state: pyspiel.State) -> None:
        """Start a new game from a state; `step` reads the moves from the state that it gets."""
        del state
        self.restart()

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        """Ignore an action of any player; the next state includes it."""

    def provides_policy(self) -> bool:
        """Return True: the policy is the one action that the bot takes."""
        return True

    def step(self, state: pyspiel.State) -> int:
        """Return the action to take in a state that is not terminal."""
        stage = stage_of(state)
        numbering, so_far = stage.numbering, stage.so_far
        if stage.phase is SpielPhase.PLAYING:
            decision = self.engine.play(so_far, may_resign=False)
            return numbering.action(PASS if decision.move is None else decision.move)
        pie = FairPie(so_far.game, self.engine.settings)
        if stage.phase is SpielPhase.CHOOSING:
            return numbering.sides[pie.side(*so_far.moves)]  # none where komi is offered
        if not numbering.komis:
            return numbering.action(pie.even_stone())
        even = pie.even_komi()
        return min(numbering.offers, key=lambda offer: abs(numbering.komi(offer) - even))

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        """Return every legal action with its probability, 1 or 0, and the action to take."""
        action = self.step(state)
        return [(each, float(each == action)) for each in stage_of(state).actions()], action
