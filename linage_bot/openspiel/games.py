"""The game and state classes that OpenSpiel's algorithms play, and their registration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from linage_bot import GAMES, Game, History
from linage_bot.openspiel.parameters import complete, configured, specification
from linage_bot.openspiel.planes import BoardPlanes, in_words
from linage_bot.openspiel.stages import Numbering, SpielStage


def register() -> None:
    """Register every game of `GAMES` that is not registered with OpenSpiel yet."""
    known = set(pyspiel.registered_names())
    for game in GAMES.values():
        kind = _type_of(game)
        if kind.short_name not in known:
            # A class, not a function: OpenSpiel drops its reference after Python has shut down.
            # Freeing a function then crashes the process; a class is not freed.
            loaded = type(f"Spiel{game.__name__}", (SpielGame,), {"rules": game, "kind": kind})
            pyspiel.register_game(kind, loaded)


class SpielGame(pyspiel.Game):
    """A game with its parameters, created by `pyspiel.load_game` from a subclass for each game."""

    rules: ClassVar[type[Game]]
    kind: ClassVar[pyspiel.GameType]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        """Create the game; raises `BadOption` for an invalid size, komi or option."""
        complete_parameters = complete(self.rules, parameters or {})
        self.numbering = Numbering(
            configured(self.rules, complete_parameters), bool(complete_parameters.get("pie"))
        )
        self.beginning = self.numbering.begin()
        self.beginning.shared = True
        info = pyspiel.GameInfo(
            num_distinct_actions=self.numbering.count,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.numbering.longest,
        )
        super().__init__(self.kind, info, complete_parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the text that loads the game, with a function that imports this module first."""
        return _loaded, (str(self),)

    def new_initial_state(self) -> SpielState:
        """Return the state before the first action."""
        return SpielState(self)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> BoardPlanes | IIGObserverForPublicInfoGame:
        """Return an observer of planes and text, or of the actions so far for perfect recall."""
        whole = iig_obs_type is None or iig_obs_type.public_info
        if whole and (iig_obs_type is None or not iig_obs_type.perfect_recall):
            if params:
                raise ValueError(f"observations of these games take no parameters: {params}")
            return BoardPlanes(self.numbering.game, pie=self.numbering.pie)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):
    """A state of one of the games. Player 0 is First, unless the pie has swapped sides.

    Copies of a state share its stage until one of them changes.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.stage: SpielStage = game.beginning

    @property
    def so_far(self) -> History:
        """The game so far, as a `linage_bot` history."""
        return self.stage.so_far

    def current_player(self) -> int:
        """Return the player to act, 0 or 1, or `PlayerId.TERMINAL` if the game is over."""
        stage = self.stage
        return int(pyspiel.PlayerId.TERMINAL) if stage.over else stage.player

    def _legal_actions(self, player: int) -> list[int]:
        """Return the legal actions, ascending; OpenSpiel only passes the player to act."""
        del player
        return self.stage.actions()

    def _apply_action(self, action: int) -> None:
        """Apply an action; raises `IllegalMove`, and then leaves the state unchanged."""
        if self.stage.shared:
            self.stage = self.stage.copy()
        self.stage.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        del player
        return self.stage.numbering.name(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.stage.over

    def returns(self) -> list[float]:
        """Return both results: 1 for a win, -1 for a loss, 0 for a draw or an unfinished game."""
        return self.stage.returns()

    def __str__(self) -> str:
        return in_words(self.stage)


def _type_of(game: type[Game]) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=f"python_{game.id.replace('-', '_')}",
        long_name=game.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=specification(game),
    )


def _loaded(text: str) -> pyspiel.Game:
    return pyspiel.load_game(text)
