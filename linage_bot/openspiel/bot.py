"""Our engine as one of OpenSpiel's bots."""

from typing import Any, Self

import pyspiel

from linage_bot import PASS, Engine, FairPie
from linage_bot.openspiel.planes import stage_of
from linage_bot.openspiel.stages import SpielPhase


class EngineBot(pyspiel.Bot):
    """Plays either side of any of the games, and keeps its tree as long as a game goes on.

    It never resigns: OpenSpiel has no such action. Close it, or use it in a `with` statement.
    """

    def __init__(self, **settings: Any) -> None:
        """The settings are those of `Engine`: `seconds`, `visits`, `level`, `threads`, `seed` ...

        Raises `TypeError` for what is no setting, `ValueError` for one out of bounds.
        """
        super().__init__()
        self.engine = Engine(**settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Think no more."""
        self.engine.close()

    def restart(self) -> None:
        """Begin a new game: one with a seed repeats."""
        self.engine.new_game()

    def restart_at(self, state: pyspiel.State) -> None:
        """Begin from a state."""
        del state
        self.restart()

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        """Whatever is played; the next state says it again."""

    def provides_policy(self) -> bool:
        """It names the one action that it takes."""
        return True

    def step(self, state: pyspiel.State) -> int:
        """The action to take in a state that is not terminal."""
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
        """Every legal action with the probability that it is taken, and the one that is."""
        action = self.step(state)
        return [(each, float(each == action)) for each in stage_of(state).actions], action
