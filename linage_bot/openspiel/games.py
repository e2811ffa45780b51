"""The games as OpenSpiel's: registered by name, loaded with parameters, played by algorithms."""

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
    """Make OpenSpiel know every game of `GAMES`; those that it knows stay as they are."""
    known = set(pyspiel.registered_names())
    for game in GAMES.values():
        kind = _type_of(game)
        if kind.short_name not in known:
            # A class, not a function: OpenSpiel lets go of it when Python has ended, and what would
            # be freed then ends the process with a fault. Classes are not.
            loaded = type(f"Spiel{game.__name__}", (SpielGame,), {"rules": game, "kind": kind})
            pyspiel.register_game(kind, loaded)


class SpielGame(pyspiel.Game):
    """A game with its parameters; `pyspiel.load_game` makes it, of a subclass for each game."""

    rules: ClassVar[type[Game]]
    kind: ClassVar[pyspiel.GameType]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        """Raises `BadOption` for what is no size, komi or option."""
        told = complete(self.rules, parameters or {})
        self.numbering = Numbering(configured(self.rules, told), bool(told.get("pie")))
        self.beginning = self.numbering.begin()
        info = pyspiel.GameInfo(
            num_distinct_actions=self.numbering.count,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.numbering.longest,
        )
        super().__init__(self.kind, info, told)

    def __reduce__(self) -> tuple[Any, ...]:
        """As what it was loaded from, by a function here: where it is read the games are known."""
        return _loaded, (str(self),)

    def new_initial_state(self) -> SpielState:
        """The state before the first action."""
        return SpielState(self)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> BoardPlanes | IIGObserverForPublicInfoGame:
        """Planes and text; where all of the past is asked for, the actions so far."""
        whole = iig_obs_type is None or iig_obs_type.public_info
        if whole and (iig_obs_type is None or not iig_obs_type.perfect_recall):
            if params:
                raise ValueError(f"an observation of these games has no parameters: {params}")
            return BoardPlanes(self.numbering.game, pie=self.numbering.pie)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):
    """A state of one of the games. Player 0 is First, unless a pie has changed sides.

    All that it has is its stage, which never changes, so to copy a state is cheap.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.stage: SpielStage = game.beginning

    @property
    def so_far(self) -> History:
        """The game so far, as `linage_bot` knows it."""
        return self.stage.so_far

    def current_player(self) -> int:
        """Who is to act: 0, 1, or nobody where the game is over."""
        stage = self.stage
        return int(pyspiel.PlayerId.TERMINAL) if stage.over else stage.player

    def _legal_actions(self, player: int) -> list[int]:
        """Ascending; asked for the player to act alone."""
        del player
        return list(self.stage.actions)

    def _apply_action(self, action: int) -> None:
        """Raises `IllegalMove`, and leaves the state as it was."""
        self.stage = self.stage.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        del player
        return self.stage.numbering.name(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.stage.over

    def returns(self) -> list[float]:
        """1 for who has won, -1 for who has lost."""
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
