"""A batch as a vector environment of Gymnasium, for programs that learn (docs/batch.md).

It needs the extra `gymnasium`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from linage_bot.batch.games import Batch
from linage_bot.batch.planes import PLANES, Planes
from linage_bot.rules.game import Game

try:
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as _error:
    from protocol.transport.installing import missing_package

    _reason = missing_package("linage_bot.batch.gymnasium", _error.name, "linage-bot[gymnasium]")
    raise ModuleNotFoundError(_reason, name=_error.name) from None

_Array = npt.NDArray[Any]


class BatchEnv(VectorEnv[Planes, _Array, _Array]):
    """Games as environments in which the agent moves for both players.

    Observations and actions are those of a `Batch`, and `infos["action_mask"]` is its legal mask.
    A reward is the result for the player who has just moved: 1 for a win, -1 for a loss, 0 for a
    draw or before the end. Finished games start again as `autoreset_mode` says, by default at the
    next step, which ignores their action. No game is truncated.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        threads: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        """Start the games; `threads` is that of `Batch`.

        Raises `TypeError` or `ValueError` for a wrong argument.
        """
        self.batch = Batch(game, num_envs, threads=threads)
        """The games; `random_moves` and `playouts` may be used, but only the environment steps."""
        self.num_envs = len(self.batch)
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self._mode}
        shape = len(PLANES), game.board.rows, game.board.columns
        self.single_observation_space = Box(0.0, 1.0, shape, np.float32)
        self.single_action_space = Discrete(self.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Start all games again, or only those that are true in `options["reset_mask"]`.

        The games have no chance, so the seed only sets `np_random`. Raises `ValueError` for a mask
        without a truth value for each game.
        """
        super().reset(seed=seed)
        self.batch.reset((options or {}).get("reset_mask"))
        return self.batch.observe(), self._infos()

    def step(self, actions: npt.ArrayLike) -> tuple[Planes, _Array, _Array, _Array, dict[str, Any]]:
        """Play an action in every game.

        Return observations, rewards, whether each game has ended, truncations and infos. With the
        mode `SAME_STEP` games that have ended are observed after their new start, and
        `infos["final_obs"]` has the last observation. Raises the errors of `Batch.step`.
        """
        batch, finished, movers = self.batch, self.batch.over, self.batch.to_move
        batch.step(actions)
        ended = batch.over & ~finished
        rewards = np.where(ended, np.where(movers == 0, 1, -1) * batch.returns, 0.0)
        final: dict[str, Any] = {}
        if self._mode is AutoresetMode.NEXT_STEP:
            batch.reset(finished)
        elif self._mode is AutoresetMode.SAME_STEP:
            if ended.any():
                final = self._final(ended)
            batch.reset(ended)
        return batch.observe(), rewards, ended, np.zeros_like(ended), self._infos() | final

    def close_extras(self) -> None:
        """End the threads of the batch; Gymnasium's `close` calls this."""
        self.batch.close()

    def _infos(self) -> dict[str, Any]:
        return _info("action_mask", self.batch.legal_mask, np.ones(self.num_envs, np.bool_))

    def _final(self, ended: _Array) -> dict[str, Any]:
        """Return the infos about the ends of games, before these start again."""
        last = np.full(self.num_envs, None, object)
        for index, planes in zip(np.flatnonzero(ended), self.batch.observe()[ended], strict=True):
            last[index] = planes
        masks = _info("action_mask", self.batch.legal_mask & ended[:, None], ended)
        return _info("final_obs", last, ended) | _info("final_info", masks, ended)


def _info(name: str, values: Any, known: _Array) -> dict[str, Any]:
    """Return values of environments under a name, with the games for which they are known."""
    return {name: values, f"_{name}": known.copy()}
